#include "plugins/animation/edit/low_pass.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace simmer::animation {
namespace {

constexpr double kRateHz = 120;

std::vector<double> filtered(std::vector<double> values, double cutOffHz) {
  LowPass(cutOffHz, kRateHz).apply(values);
  return values;
}

std::vector<double> noise(std::size_t count) {
  std::minstd_rand random(7);
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(random()) / 2147483647.0 - 0.5;
  return values;
}

// The part of a signal that goes with sin(2πft) and the part that goes with cos(2πft), over whole periods.
std::pair<double, double> partsOf(const std::vector<double>& values, double hz, std::size_t begin, std::size_t count) {
  double sine = 0, cosine = 0;
  for (std::size_t i = begin; i < begin + count; ++i) {
    const double angle = 2 * std::numbers::pi * hz * static_cast<double>(i) / kRateHz;
    sine += values[i] * std::sin(angle);
    cosine += values[i] * std::cos(angle);
  }
  return {2 * sine / static_cast<double>(count), 2 * cosine / static_cast<double>(count)};
}

TEST(LowPass, HasTheGainOfTwoButterworthPassesAndNoDelay) {
  for (const double cutOff : {0.5, 6.0, 15.0, 45.0})
    for (const double hz : {0.5, 2.0, 6.0, 10.0, 30.0, 45.0}) {
      std::vector<double> sine(7200);
      for (std::size_t i = 0; i < sine.size(); ++i)
        sine[i] = std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / kRateHz);
      const auto [inPhase, across] = partsOf(filtered(sine, cutOff), hz, 2400, 2400);
      const double ratio = std::tan(std::numbers::pi * hz / kRateHz) / std::tan(std::numbers::pi * cutOff / kRateHz);
      EXPECT_NEAR(inPhase, 1 / (1 + std::pow(ratio, 4)), 1e-9) << hz << " Hz through " << cutOff;
      EXPECT_NEAR(across, 0, 1e-9) << hz << " Hz through " << cutOff;
    }
}

TEST(LowPass, LeavesConstantsToTheBitAndStraightLines) {
  for (const double cutOff : {0.001, 6.0, 59.0}) {
    const std::vector<double> constant(50, 0.1);
    EXPECT_EQ(filtered(constant, cutOff), constant);
  }
  std::vector<double> line(240);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = 3 - 0.02 * static_cast<double>(i);
  const std::vector<double> after = filtered(line, 10);
  for (std::size_t i = 0; i < line.size(); ++i) EXPECT_NEAR(after[i], line[i], 1e-8) << i;
}

TEST(LowPass, DoesNotTellTheDirectionsOfTimeApart) {
  for (const std::size_t count : {2u, 5u, 37u, 500u})
    for (const double cutOff : {0.01, 6.0, 50.0}) {
      std::vector<double> values = noise(count);
      const std::vector<double> forwards = filtered(values, cutOff);
      std::reverse(values.begin(), values.end());
      std::vector<double> backwards = filtered(values, cutOff);
      std::reverse(backwards.begin(), backwards.end());
      EXPECT_EQ(forwards, backwards) << count << " values through " << cutOff << " Hz";
    }
}

TEST(LowPass, IsLinear) {
  const std::vector<double> values = noise(200);
  std::vector<double> tripled = values;
  for (double& value : tripled) value = 3 * value + 100;
  const std::vector<double> once = filtered(values, 8), thrice = filtered(tripled, 8);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(thrice[i], 3 * once[i] + 100, 1e-11);
}

// Far below the rate the usual form of the filter loses its digits and may run away.
TEST(LowPass, StaysWithinReasonAtTheLowestCutOffs) {
  for (const double cutOff : {1e-12, 1e-6, 1e-3})
    for (const double value : filtered(noise(1000), cutOff)) {
      EXPECT_TRUE(std::isfinite(value));
      EXPECT_LT(std::abs(value), 5);
    }
}

}  // namespace
}  // namespace simmer::animation
