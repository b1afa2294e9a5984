#include "plugins/animation/codec/article/refine.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "plugins/animation/codec/article/samples.h"
#include "tests/plugins/animation/codec/article/plain_fit.h"

namespace simmer::animation::article {
namespace {

using plain::Keys;
using testing::ElementsAre;

std::vector<double> wave(std::mt19937& random, std::size_t frames, int kind) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(frames);
  const double speed = 0.02 + std::abs(uniform(random)) * 0.4, phase = 3 * uniform(random);
  double walk = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const double t = static_cast<double>(f);
    walk += 0.05 * uniform(random);
    values[f] = kind == 0   ? std::sin(speed * t + phase)
                : kind == 1 ? std::max(0.0, std::sin(speed * t + phase))
                : kind == 2 ? walk
                : kind == 3 ? std::round(2 * std::sin(speed * t))  // steps: many equal errors
                            : (f % 7 == 3 ? 0.25 : 0);             // equal peaks: the earliest counts
  }
  return values;
}

std::vector<Quaternion> tumble(std::mt19937& random, std::size_t frames, int kind) {
  const std::vector<double> a = wave(random, frames, kind), b = wave(random, frames, (kind + 1) % 5);
  std::vector<Quaternion> values;
  for (std::size_t f = 0; f < frames; ++f) {
    values.push_back(multiply(normalised({std::sin(a[f]), 0, 0, std::cos(a[f])}),
                              normalised({0, std::sin(b[f]), 0.1, std::cos(b[f])})));
    if (f > 0 && dot(values[f - 1], values[f]) < 0)
      for (double& component : values[f]) component = -component;
  }
  return values;
}

TEST(RefineScalar, GivesTheArticlesKeysForEveryToleranceFromOneRefinement) {
  std::mt19937 random(7);
  for (const std::size_t frames : {3u, 4u, 5u, 17u, 60u, 151u})
    for (int kind = 0; kind < 5; ++kind)
      for (const bool cubic : {false, true}) {
        const std::vector<double> values = wave(random, frames, kind);
        const auto interpolation = cubic ? Interpolation::Cubic : Interpolation::Linear;
        const Refinement refinement = refineScalar(values, interpolation, 1e-9);
        for (const double tolerance : {1e-9, 1e-4, 1e-3, 0.01, 0.1, 0.5, 10.0}) {
          const Keys expected = plain::fitScalar(values, tolerance, cubic);
          ASSERT_EQ(refinement.keys(tolerance), expected) << frames << ' ' << kind << ' ' << cubic << ' ' << tolerance;
          ASSERT_EQ(refineScalar(values, interpolation, tolerance).keys(tolerance), expected);
        }
      }
}

TEST(RefineRotation, GivesTheArticlesKeysForEveryToleranceFromOneRefinement) {
  std::mt19937 random(11);
  for (const std::size_t frames : {3u, 5u, 40u, 120u})
    for (int kind = 0; kind < 5; ++kind)
      for (const bool cubic : {false, true}) {
        const std::vector<Quaternion> values = tumble(random, frames, kind);
        const auto interpolation = cubic ? Interpolation::Cubic : Interpolation::Linear;
        const Refinement refinement = refineRotation(values, interpolation, 1e-3);
        for (const double tolerance : {1e-3, 0.0164, 0.164, 1.64, 8.0, 90.0})
          ASSERT_EQ(refinement.keys(tolerance), plain::fitRotation(values, tolerance, cubic))
              << frames << ' ' << kind << ' ' << cubic << ' ' << tolerance;
      }
}

TEST(RefineRotation, GivesTheArticlesKeysForItsCapturedClip) {
  const DoubleClip clip = makeSample(Sample::Mocap);
  for (const std::size_t joint : {0u, 1u, 7u, 14u, 29u})
    for (const bool cubic : {false, true}) {
      const std::vector<Quaternion> values(clip.rotation(joint).begin(), clip.rotation(joint).end());
      const auto interpolation = cubic ? Interpolation::Cubic : Interpolation::Linear;
      EXPECT_EQ(refineRotation(values, interpolation, 0.05).keys(0.05), plain::fitRotation(values, 0.05, cubic));
    }
}

TEST(RefineScalar, KeepsBothEndsOfAStraightLine) {
  const std::vector<double> values{0, 1, 2, 3, 4, 5};
  EXPECT_THAT(refineScalar(values, Interpolation::Linear, 1e-12).keys(1e-12), ElementsAre(0, 5));
  EXPECT_THAT(refineScalar(values, Interpolation::Cubic, 1e-12).keys(1e-12), ElementsAre(0, 5));
}

TEST(RefineScalar, TakesTheEarliestOfEqualErrors) {
  const std::vector<double> values{0, 0, 1, 0, 1, 0, 0};
  const Refinement refinement = refineScalar(values, Interpolation::Linear, 0.1);
  ASSERT_FALSE(refinement.inserted.empty());
  EXPECT_EQ(refinement.inserted.front(), 2u);
  EXPECT_EQ(refinement.worst.front(), 1);
}

TEST(Refine, KeepsEveryFrameOfAClipOfUpToTwo) {
  for (const auto interpolation : {Interpolation::Linear, Interpolation::Cubic}) {
    EXPECT_THAT(refineScalar(std::vector<double>{4}, interpolation, 1).keys(1), ElementsAre(0));
    EXPECT_THAT(refineScalar(std::vector<double>{4, 5}, interpolation, 1).keys(1), ElementsAre(0, 1));
    EXPECT_THAT(refineScalar(std::vector<double>{}, interpolation, 1).keys(1), ElementsAre());
    EXPECT_THAT(refineRotation(std::vector<Quaternion>{{0, 0, 0, 1}}, interpolation, 1).keys(1), ElementsAre(0));
  }
}

TEST(Refine, EndsWithEveryFrameWhenNothingLessMeetsTheTolerance) {
  std::mt19937 random(3);
  const std::vector<double> values = wave(random, 50, 2);
  for (const auto interpolation : {Interpolation::Linear, Interpolation::Cubic}) {
    const Refinement refinement = refineScalar(values, interpolation, 0);
    EXPECT_EQ(refinement.keys(0).size(), 50u);
    EXPECT_EQ(refinement.worst.size(), refinement.inserted.size() + 1);
    EXPECT_EQ(refinement.worst.back(), 0);
    // Below zero nothing is met, and no frame may come twice.
    EXPECT_EQ(refineScalar(values, interpolation, -1).keys(-1).size(), 50u);
  }
}

TEST(IsConstant, HoldsUpToTheArticlesThresholds) {
  EXPECT_TRUE(isConstant(std::vector<double>{1, 1 + 0.9e-7, 1}));
  EXPECT_FALSE(isConstant(std::vector<double>{1, 1 + 1.1e-7, 1}));
  const auto turned = [](double degrees) {
    const double half = degrees * std::numbers::pi / 360;
    return Quaternion{std::sin(half), 0, 0, std::cos(half)};
  };
  EXPECT_TRUE(isConstant(std::vector<Quaternion>{turned(0), turned(0.9e-4)}));
  EXPECT_FALSE(isConstant(std::vector<Quaternion>{turned(0), turned(1.1e-4)}));
  // The opposite quaternion is the same rotation.
  EXPECT_TRUE(isConstant(std::vector<Quaternion>{{0, 0, 0, 1}, {0, 0, 0, -1}}));
}

}  // namespace
}  // namespace simmer::animation::article
