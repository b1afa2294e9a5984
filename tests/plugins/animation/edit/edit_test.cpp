#include "plugins/animation/edit/edit.h"

#include <gmock/gmock.h>

#include "tests/plugins/animation/edit/edit_fixtures.h"

namespace simmer::animation::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CutToRange, KeepsTheFramesThatTheRangeNames) {
  const Clip source = walking(26);  // 10 Hz, 2.5 s
  Clip clip = source;
  ASSERT_TRUE(cutToRange(clip, {0.5, 2}));
  ASSERT_EQ(clip.frames, 16u);
  EXPECT_EQ(clip.rateHz, source.rateHz);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      EXPECT_EQ(clip.pose(frame, joint), source.pose(frame + 5, joint));
    EXPECT_EQ(clip.scalars[0].values[frame], static_cast<float>(frame + 5));
    EXPECT_EQ(clip.scalars[1].values[frame], static_cast<float>((frame + 5) % 3));
  }
  EXPECT_TRUE(validate(clip));
}

TEST(CutToRange, RoundsToFramesAndToTheEnd) {
  const auto cut = [](NumberRange range) {
    Clip clip = walking(26);
    EXPECT_TRUE(cutToRange(clip, range));
    return std::pair(clip.scalars[0].values.front(), clip.scalars[0].values.back());
  };
  EXPECT_EQ(cut({0.14, 0.26}), std::pair(1.0f, 3.0f));
  EXPECT_EQ(cut({0, 2.5}), std::pair(0.0f, 25.0f));
  EXPECT_EQ(cut({2.5, 2.5}), std::pair(25.0f, 25.0f));
  EXPECT_EQ(cut({2.549, 2.549}), std::pair(25.0f, 25.0f));
  EXPECT_EQ(cut({1, 1}), std::pair(10.0f, 10.0f));
}

TEST(CutToRange, RefusesWhatIsBehindTheEnd) {
  for (const NumberRange range : {NumberRange{0, 3}, {0, 2.56}, {5, 6}, {0, 1e300}}) {
    Clip clip = walking(26);
    const Result<void> cut = cutToRange(clip, range);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, ErrorCode::InvalidInput);
    EXPECT_EQ(clip.frames, 26u);
  }
  Clip clip = walking(26);
  EXPECT_EQ(cutToRange(clip, {0, 3}).error().message, "the range ends at 3 s, the clip at 2.5 s");
}

TEST(SetLength, ChangesTheRateAlone) {
  const Clip source = walking(26);
  for (const double seconds : {0.001, 1.0, 2.5, 3.3, 1e5}) {
    Clip clip = source;
    ASSERT_TRUE(setLength(clip, seconds));
    EXPECT_DOUBLE_EQ(clip.durationS(), seconds);
    EXPECT_EQ(clip.poses, source.poses);
    EXPECT_EQ(clip.scalars, source.scalars);
  }
}

TEST(SetLength, LeavesASingleFrameAndRefusesRatesThatAreNone) {
  Clip still = walking(1);
  ASSERT_TRUE(setLength(still, 5));
  EXPECT_EQ(still.rateHz, 10);
  Clip clip = walking(3);
  const Result<void> set = setLength(clip, 1e-310);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(set.error().message, HasSubstr("3 frames"));
}

TEST(Edit, WithoutOptionsLeavesTheClipToTheBit) {
  const Clip source = walking(26);
  Clip clip = source;
  RecordingContext context;
  const Result<Displacements> displacements = edit(clip, {}, true, context);
  ASSERT_TRUE(displacements);
  EXPECT_FALSE(displacements->denoiseM || displacements->loopM);
  EXPECT_EQ(clip.poses, source.poses);
}

TEST(Edit, GoesInItsOrder) {
  Clip clip = walking(26);
  RecordingContext context;
  // The range speaks of the source's time, the loop closes what is left: 0.5 s to 1 s in 6 frames, then one more.
  ASSERT_TRUE(edit(clip, {NumberRange{0.5, 1}, 0, 10, Loop::Close}, false, context));
  EXPECT_EQ(clip.frames, 7u);
  EXPECT_DOUBLE_EQ(clip.rateHz, 0.5);
  EXPECT_THAT(clip.scalars[0].values, ElementsAre(5, 6, 7, 8, 9, 10, 5));
  // The cut-off counts at 10 frames a second, whatever length the clip is given.
  Clip noisy = walking(26);
  EXPECT_TRUE(edit(noisy, {{}, 4, 100, Loop::Off}, false, context));
  EXPECT_FALSE(edit(noisy, {{}, 4, 100, Loop::Off}, false, context)) << "now it has a quarter of a frame a second";
}

TEST(Edit, SaysHowFarItMovedWhatWhereThatIsAskedFor) {
  Clip clip = chain(2, 41);
  clip.pose(20, 0).translation[1] = 1;
  clip.toleranceScale = {4, 4};  // a wish for the codec
  RecordingContext context;
  Clip smooth = clip;
  const Result<Displacements> denoised = edit(smooth, {{}, 1, 0, Loop::Off}, true, context);
  ASSERT_TRUE(denoised && denoised->denoiseM && !denoised->loopM);
  EXPECT_NEAR(*denoised->denoiseM, 1 - static_cast<double>(smooth.pose(20, 0).translation[1]), 1e-9);
  EXPECT_GT(*denoised->denoiseM, 0.5);

  Clip open = chain(2, 41);
  for (std::uint32_t frame = 0; frame <= 40; ++frame)
    open.pose(frame, 1).translation[1] = 0.01f * static_cast<float>(frame);
  const Result<Displacements> looped = edit(open, {{}, 0, 0, Loop::Blend}, true, context);
  ASSERT_TRUE(looped && looped->loopM && !looped->denoiseM);
  EXPECT_NEAR(*looped->loopM, 0.4, 1e-6);
  Clip unasked = clip;
  const Result<Displacements> none = edit(unasked, {{}, 1, 0, Loop::Blend}, false, context);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->denoiseM || none->loopM);
}

}  // namespace
}  // namespace simmer::animation::test
