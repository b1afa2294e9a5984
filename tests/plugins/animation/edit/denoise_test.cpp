#include <algorithm>
#include <numbers>

#include <gmock/gmock.h>

#include "tests/plugins/animation/edit/edit_fixtures.h"

namespace simmer::animation::test {
namespace {

using testing::HasSubstr;

Clip denoised(Clip clip, double cutOffHz) {
  RecordingContext context;
  const Result<void> done = denoise(clip, cutOffHz, context);
  EXPECT_TRUE(done) << done.error().text();
  EXPECT_TRUE(validate(clip));
  return clip;
}

/// A chain that trembles at 4 Hz, at 10 frames a second: a translation by 1 cm, a rotation by `degrees`, a scale, a
/// scalar.
Clip trembling(std::uint32_t frames, double degrees = 2) {
  Clip clip = chain(3, frames);
  clip.step = {0, 0, 0};
  clip.scalars = {{"weight", false, {}}, {"step", true, {}}};
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    const double wave = std::sin(2 * std::numbers::pi * 0.4 * frame + 1);
    clip.pose(frame, 0).translation[1] = static_cast<float>(0.01 * wave);
    clip.pose(frame, 1).rotation = aboutZ(30 + degrees * wave);
    clip.pose(frame, 2).scale[0] = static_cast<float>(1 + 0.1 * wave);
    clip.scalars[0].values.push_back(static_cast<float>(0.5 + 0.2 * wave));
    clip.scalars[1].values.push_back(static_cast<float>(frame % 2));
  }
  return clip;
}

double degreesOf(const Transform& pose) {
  const double half = std::atan2(static_cast<double>(pose.rotation[2]), static_cast<double>(pose.rotation[3]));
  return half * 360 / std::numbers::pi;
}

TEST(Denoise, TakesTheSameShareOfEveryTrack) {
  const Clip source = trembling(200), clip = denoised(source, 2);
  const double ratio = std::tan(std::numbers::pi * 0.4) / std::tan(std::numbers::pi * 0.2);
  const double gain = 1 / (1 + std::pow(ratio, 4));
  for (std::uint32_t frame = 60; frame < 140; ++frame) {
    const double wave = std::sin(2 * std::numbers::pi * 0.4 * frame + 1);
    EXPECT_NEAR(clip.pose(frame, 0).translation[1], 0.01 * gain * wave, 1e-8);
    EXPECT_NEAR(degreesOf(clip.pose(frame, 1)), 30 + 2 * gain * wave, 1e-3);  // components bend: a little beside it
    EXPECT_NEAR(clip.pose(frame, 2).scale[0], 1 + 0.1 * gain * wave, 1e-6);
    EXPECT_NEAR(clip.scalars[0].values[frame], 0.5 + 0.2 * gain * wave, 1e-6);
  }
  EXPECT_EQ(clip.scalars[1], source.scalars[1]);
}

TEST(Denoise, LeavesWhatStandsStillToTheBit) {
  Clip clip = chain(3, 60);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    clip.pose(frame, 1).rotation = {0.1f, 0.2f, 0.3f, 0.9273618f};  // not quite of unit length
    clip.pose(frame, 2).translation = {0.1f, 0.7f, 1e-9f};
    if (frame % 3 == 1)
      for (float& value : clip.pose(frame, 1).rotation) value = -value;  // the same rotation
  }
  clip.scalars = {{"weight", false, std::vector<float>(60, 0.3f)}};
  const Clip after = denoised(clip, 1);
  EXPECT_EQ(after.poses, clip.poses);
  EXPECT_EQ(after.scalars, clip.scalars);
}

TEST(Denoise, SignsOfQuaternionsDoNotMatter) {
  const Clip clip = trembling(80);
  Clip flipped = clip;
  for (std::uint32_t frame = 0; frame < clip.frames; frame += 2)
    for (float& value : flipped.pose(frame, 1).rotation) value = -value;
  const Clip a = denoised(clip, 2), b = denoised(flipped, 2);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    EXPECT_NEAR(degreesOf(a.pose(frame, 1)), std::remainder(degreesOf(b.pose(frame, 1)), 360), 1e-5) << frame;
}

TEST(Denoise, PlayedBackwardsGivesTheSameBackwards) {
  const Clip clip = trembling(50);
  const auto reversed = [](Clip forwards) {
    Clip backwards = forwards;
    for (std::uint32_t frame = 0; frame < forwards.frames; ++frame)
      for (std::size_t joint = 0; joint < forwards.joints(); ++joint)
        backwards.pose(frame, joint) = forwards.pose(forwards.frames - 1 - frame, joint);
    for (ScalarTrack& track : backwards.scalars) std::reverse(track.values.begin(), track.values.end());
    return backwards;
  };
  const Clip a = reversed(denoised(clip, 2)), b = denoised(reversed(clip), 2);
  EXPECT_EQ(a.poses, b.poses);
  EXPECT_EQ(a.scalars, b.scalars);
}

TEST(Denoise, LeavesSteppedTracksAlone) {
  for (unsigned channel = 0; channel < 3; ++channel) {
    Clip source = trembling(50);
    for (std::uint8_t& steps : source.step) steps = static_cast<std::uint8_t>(1u << channel);
    const Clip clip = denoised(source, 2);
    for (std::uint32_t frame = 0; frame < source.frames; ++frame)
      for (std::size_t joint = 0; joint < 3; ++joint) {
        const Transform &was = source.pose(frame, joint), &is = clip.pose(frame, joint);
        EXPECT_TRUE(channel != 0 || is.translation == was.translation);
        EXPECT_TRUE(channel != 1 || is.rotation == was.rotation);
        EXPECT_TRUE(channel != 2 || is.scale == was.scale);
      }
  }
}

// Two shots in one clip: the cut between them stays as sharp as it is.
TEST(Denoise, FiltersEachSideOfACutAlone) {
  constexpr std::uint32_t kCut = 23;
  Clip whole = trembling(60);
  for (std::uint32_t frame = kCut; frame < whole.frames; ++frame)
    whole.pose(frame, 1).rotation = aboutZ(degreesOf(whole.pose(frame, 1)) + 120);
  Clip first = whole, second = whole;
  ASSERT_TRUE(cutToRange(first, {0, (kCut - 1) / 10.0}));
  ASSERT_TRUE(cutToRange(second, {kCut / 10.0, 5.9}));
  const Clip clip = denoised(whole, 2);
  first = denoised(first, 2);
  second = denoised(second, 2);
  for (std::uint32_t frame = 0; frame < whole.frames; ++frame) {
    const Transform& alone = frame < kCut ? first.pose(frame, 1) : second.pose(frame - kCut, 1);
    EXPECT_EQ(clip.pose(frame, 1).rotation, alone.rotation) << frame;
  }
}

TEST(Denoise, AScalarStaysWithinItsRange) {
  Clip source = chain(1, 60);
  source.scalars = {{"smile", false, {}}};
  for (std::uint32_t frame = 0; frame < 60; ++frame) source.scalars[0].values.push_back(frame < 30 ? 0.0f : 1.0f);
  const Clip clip = denoised(source, 1);
  const auto [low, high] = std::minmax_element(clip.scalars[0].values.begin(), clip.scalars[0].values.end());
  EXPECT_EQ(*low, 0);
  EXPECT_EQ(*high, 1);
  EXPECT_NEAR((clip.scalars[0].values[29] + clip.scalars[0].values[30]) / 2, 0.5, 1e-6);
}

TEST(Denoise, LeavesShortClipsAndARotationThatSpinsItAway) {
  const Clip clip = trembling(3);
  EXPECT_EQ(denoised(clip, 1000).poses, clip.poses);
  Clip spinning = chain(1, 200);
  for (std::uint32_t frame = 0; frame < 200; ++frame) spinning.pose(frame, 0).rotation = aboutZ(80.0 * frame);
  denoised(spinning, 0.01);  // a valid clip
}

TEST(Denoise, RefusesACutOffThatTheRateCanNotHold) {
  for (const double cutOff : {5.0, 6.0, 1000.0}) {
    Clip clip = trembling(50);
    RecordingContext context;
    const Result<void> done = denoise(clip, cutOff, context);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::InvalidInput);
    EXPECT_THAT(done.error().message, HasSubstr(fmt::format("denoise at {} Hz", cutOff)));
    EXPECT_THAT(done.error().message, HasSubstr("10 frames a second"));
    EXPECT_THAT(done.error().message, HasSubstr("above 5 Hz"));
  }
}

TEST(Denoise, CanBeCancelled) {
  Clip clip = trembling(50);
  RecordingContext context;
  context.cancel = true;
  EXPECT_EQ(denoise(clip, 2, context).error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace simmer::animation::test
