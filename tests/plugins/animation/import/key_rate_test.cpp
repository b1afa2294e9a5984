#include "plugins/animation/import/key_rate.h"

#include <cmath>

#include <gtest/gtest.h>

namespace simmer::animation {
namespace {

/// Keys at these frames of a rate, as float32 seconds.
std::vector<double> keysAt(double rate, const std::vector<int>& frames, double startS = 0) {
  std::vector<double> keys;
  for (const int frame : frames) keys.push_back(static_cast<float>(startS + frame / rate));
  return keys;
}

std::vector<int> upTo(int last) {
  std::vector<int> frames(static_cast<std::size_t>(last) + 1);
  for (int i = 0; i <= last; ++i) frames[static_cast<std::size_t>(i)] = i;
  return frames;
}

TEST(KeyRate, RatesOfEvenKeysAreFound) {
  for (const double rate :
       {1.0, 2.0, 10.0, 24.0, 25.0, 30.0, 60.0, 119.875, 120.0, 240.0, 24000 / 1001.0, 30000 / 1001.0})
    for (const int last : {1, 7, 100, 2000}) {
      const auto found = commonRate(keysAt(rate, upTo(last)));
      ASSERT_TRUE(found) << rate << ' ' << last;
      EXPECT_NEAR(*found, rate, rate * 2e-4) << last;
    }
  // A rate as good as a whole one is that one.
  EXPECT_EQ(commonRate(keysAt(24, upTo(80))), 24.0);
  EXPECT_EQ(commonRate(keysAt(30, upTo(80), 1 / 30.0)), 30.0);
}

TEST(KeyRate, SparseKeysHaveTheLowestRateTheyAllFallOn) {
  EXPECT_EQ(commonRate(keysAt(24, {0, 5, 12, 40})), 24.0);
  EXPECT_EQ(commonRate(keysAt(24, {0, 12, 24, 48})), 2.0);
  EXPECT_NEAR(*commonRate(keysAt(24, {0, 30, 60, 89})), 24, 1e-3);
  EXPECT_NEAR(*commonRate(keysAt(30, {0, 7, 21, 28, 31, 100})), 30, 1e-3);
  EXPECT_NEAR(*commonRate({0, 7}), 1 / 7.0, 1e-9);
}

TEST(KeyRate, RoundedTimesStillShowTheRate) {
  std::vector<double> keys;
  for (int i = 0; i <= 40; ++i) keys.push_back(std::round(i / 30.0 * 1000) / 1000);
  EXPECT_EQ(commonRate(keys), 30.0);
}

TEST(KeyRate, ScatteredKeysHaveNone) {
  EXPECT_FALSE(commonRate({0, 0.1234, 0.3717, 0.77123, 0.9191}));
  EXPECT_FALSE(commonRate({0, 0.0001, 1}));  // a jump by two keys close together
  EXPECT_FALSE(commonRate({0}));
  EXPECT_FALSE(commonRate({3, 3 + 1e-6}));
}

TEST(KeyRate, KeysFallOnFramesOrNot) {
  const auto keys = keysAt(24, {0, 5, 12}, 0.1);
  EXPECT_TRUE(fallOnFrames(keys, 24));
  EXPECT_TRUE(fallOnFrames(keys, 48));
  EXPECT_FALSE(fallOnFrames(keys, 30));
  EXPECT_FALSE(fallOnFrames(keys, 12));
}

}  // namespace
}  // namespace simmer::animation
