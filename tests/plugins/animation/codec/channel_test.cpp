#include "plugins/animation/codec/channel.h"

#include <cmath>

#include <gtest/gtest.h>

namespace simmer::animation {
namespace {

using Keyframes = ArticleSettings::Keyframes;
using runtime::ValueFormat;

ChannelPlace placeOf(const std::vector<float>& values, std::size_t width = 1) {
  ChannelPlace place;
  place.values = values.data();
  place.rotation = width == 4;
  place.stride = width;
  place.frames = static_cast<std::uint32_t>(values.size() / width);
  return place;
}

TEST(Channel, AStraightLineNeedsTwoKeys) {
  std::vector<float> line;
  for (int frame = 0; frame < 50; ++frame) line.push_back(static_cast<float>(frame) * 0.25f);
  ChannelEncoder encoder(placeOf(line), Keyframes::Best);
  const TrackBytes track = encoder.encode(0.001, ValueFormat::Float);
  EXPECT_EQ(track.keys, (std::vector<std::uint32_t>{0, 49}));
  EXPECT_EQ(track.kind, runtime::animatedKind(runtime::Interpolation::Linear, ValueFormat::Float));
}

TEST(Channel, SmoothMotionIsCubicAndACornerIsNot) {
  std::vector<float> wave, corner;
  for (int frame = 0; frame < 101; ++frame) {
    wave.push_back(std::sin(static_cast<float>(frame) * 0.1f));
    corner.push_back(static_cast<float>(std::abs(frame - 50)));
  }
  ChannelEncoder smooth(placeOf(wave), Keyframes::Best), sharp(placeOf(corner), Keyframes::Best);
  EXPECT_EQ(smooth.encode(0.001, ValueFormat::Float).kind,
            runtime::animatedKind(runtime::Interpolation::Cubic, ValueFormat::Float));
  EXPECT_EQ(sharp.encode(0.001, ValueFormat::Float).keys, (std::vector<std::uint32_t>{0, 50, 100}));
}

TEST(Channel, ACurveThatLeavesTheSourceBetweenFramesIsNotTaken) {
  // A pulse of one frame: with keys around it a cubic meets every frame, and overshoots half-way between them.
  std::vector<float> pulse(40, 0.0f);
  pulse[20] = 1;
  ChannelEncoder cubic(placeOf(pulse), Keyframes::Cubic);
  const TrackBytes track = cubic.encode(0.001, ValueFormat::Float);
  EXPECT_EQ(track.kind, runtime::animatedKind(runtime::Interpolation::Linear, ValueFormat::Float));
  EXPECT_EQ(track.count, 40u) << "every frame";
  EXPECT_TRUE(track.keys.empty());
}

TEST(Channel, KeysComeTheSameInAnyOrderOfTolerances) {
  std::vector<float> wave;
  for (int frame = 0; frame < 200; ++frame) wave.push_back(std::sin(static_cast<float>(frame * frame) * 0.001f));
  ChannelEncoder once(placeOf(wave), Keyframes::Best), often(placeOf(wave), Keyframes::Best);
  const TrackBytes expected = once.encode(0.01, ValueFormat::Small);
  for (const double tolerance : {0.5, 0.00001, 0.3, 0.002}) often.encode(tolerance, ValueFormat::Small);
  EXPECT_EQ(often.encode(0.01, ValueFormat::Small), expected);
  EXPECT_EQ(often.keyCount(0.01), expected.count);
}

TEST(Channel, SteppedKeysStandWhereTheValueChanges) {
  const std::vector<float> values{1, 1, 1, 2, 2, 1};
  ChannelPlace place = placeOf(values);
  place.step = true;
  const TrackBytes track = ChannelEncoder(place, Keyframes::Best).encode(100, ValueFormat::Float);
  EXPECT_EQ(track.keys, (std::vector<std::uint32_t>{0, 3, 5}));
  EXPECT_EQ(track.kind, runtime::animatedKind(runtime::Interpolation::Step, ValueFormat::Float));
}

TEST(Channel, ANegatedRotationIsTheSameRotation) {
  const std::vector<float> values{0, 0, 0, 1, 0, 0, 0, -1, 0.6f, 0, 0, 0.8f, -0.6f, 0, 0, -0.8f};
  ChannelPlace place = placeOf(values, 4);
  EXPECT_FALSE(constantTrack(place, 0));
  place.step = true;
  EXPECT_EQ(ChannelEncoder(place, Keyframes::Best).encode(1, ValueFormat::Fine).keys,
            (std::vector<std::uint32_t>{0, 2}));
  place.frames = 2;
  EXPECT_EQ(constantTrack(place, 0)->kind, runtime::kDefaultKind);
}

TEST(Channel, Constants) {
  const std::vector<float> still{0.5f, 0.5f, 0.50000005f}, zero{0, 0, -0.0f}, moving{0, 0, 1e-6f};
  EXPECT_EQ(constantTrack(placeOf(still), 0)->kind, runtime::kConstantKind);
  EXPECT_EQ(constantTrack(placeOf(still), 0.5f)->kind, runtime::kDefaultKind);
  EXPECT_EQ(constantTrack(placeOf(zero), 0)->kind, runtime::kDefaultKind);
  EXPECT_FALSE(constantTrack(placeOf(moving), 0));
}

}  // namespace
}  // namespace simmer::animation
