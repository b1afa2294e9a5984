#include "plugins/animation/codec/quantise.h"

#include <cmath>

#include <gtest/gtest.h>

namespace simmer::animation {
namespace {

using runtime::ValueFormat;

TEST(Quantise, SixteenBitsOverTheRange) {
  TrackBytes track;
  const float values[] = {-1, 3, 1, -1 + 4 / 65535.0f};
  putScalarValues(track, values, ValueFormat::Small);
  EXPECT_EQ(track.low, -1);
  EXPECT_EQ(track.range, 4);
  EXPECT_EQ(track.values, (Bytes{0, 0, 0xFF, 0xFF, 0x00, 0x80, 1, 0}));
}

TEST(Quantise, ATrackWithoutRange) {
  TrackBytes track;
  const float values[] = {2.5f, 2.5f};
  putScalarValues(track, values, ValueFormat::Small);
  EXPECT_EQ(track.low, 2.5f);
  EXPECT_EQ(track.range, 0);
  EXPECT_EQ(track.values, Bytes(4));
}

TEST(Quantise, TheWidestRangeThereIs) {
  TrackBytes track;
  const float most = std::numeric_limits<float>::max(), values[] = {-most, most, 0};
  putScalarValues(track, values, ValueFormat::Small);
  EXPECT_TRUE(std::isfinite(track.range));
}

TEST(Quantise, SmallestThreeAsTheArticlePacksThem) {
  // Largest in bits 30-31, then 10 bits each: 0.5 (x), 0 and -0.5 of the rest stand at 873, 512 (a half rounds up) and
  // 150 of 1023.
  TrackBytes track;
  const Quaternion q{0.5, 0, -0.5, 0.70710678118654757};
  putRotationValues(track, std::span(&q, 1), ValueFormat::Small);
  const std::uint32_t expected = 3u << 30 | 873u << 20 | 512u << 10 | 150u;
  ByteWriter writer;
  writer.put(expected);
  EXPECT_EQ(track.values, writer.take());
}

TEST(Quantise, TheSignOfTheLargestIsTurned) {
  TrackBytes positive, negative;
  const Quaternion q{0.1, -0.2, 0.3, 0.92736184954957035}, opposite{-0.1, 0.2, -0.3, -0.92736184954957035};
  for (const ValueFormat format : {ValueFormat::Small, ValueFormat::Fine}) {
    putRotationValues(positive, std::span(&q, 1), format);
    putRotationValues(negative, std::span(&opposite, 1), format);
    EXPECT_EQ(positive.values, negative.values);
  }
  putRotationValues(negative, std::span(&opposite, 1), ValueFormat::Float);
  EXPECT_EQ(negative.values.size(), 16u);
}

}  // namespace
}  // namespace simmer::animation
