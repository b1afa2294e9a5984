#include "plugins/animation/import/bvh_rate.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace simmer::animation::bvh {
namespace {

TEST(BvhRate, FindsTheRateThatFewDigitsMean) {
  const struct {
    const char* text;
    double rateHz;
  } cases[] = {
      {"0.00833333", 120},      {".0083333", 120},
      {"0.008333", 120},        {"0.0083", 120},
      {"0.0333333", 30},        {".03333", 30},
      {"0.033333", 30},         {"0.0416667", 24},
      {"0.041667", 24},         {"0.016667", 60},
      {"0.016666", 60},         {"0.016666666666666666", 60},
      {"0.010000", 100},        {"0.04", 25},
      {"8.3333e-3", 120},       {"0.0333667", 30 / 1.001},
      {"0.033367", 30 / 1.001}, {"0.0417083", 24 / 1.001},
      {"0.016683", 60 / 1.001}, {"1", 1},
      {"0.004", 250},
  };
  for (const auto& c : cases) EXPECT_DOUBLE_EQ(frameRate(c.text, std::atof(c.text)), c.rateHz) << c.text;
}

TEST(BvhRate, KeepsWhatMeansNoWholeRate) {
  for (const char* text : {"0.008342", "0.0417083750417", "0.08", "0.13", "2.5", "1e-320", "1e300"})
    EXPECT_DOUBLE_EQ(frameRate(text, std::atof(text)), 1 / std::atof(text)) << text;
}

}  // namespace
}  // namespace simmer::animation::bvh
