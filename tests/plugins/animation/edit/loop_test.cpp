#include <gtest/gtest.h>

#include "tests/plugins/animation/edit/edit_fixtures.h"

namespace simmer::animation::test {
namespace {

/// The last frame is the first to the bit, but for roots' translations.
void expectLoops(const Clip& clip) {
  ASSERT_TRUE(validate(clip));
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const Transform &first = clip.pose(0, joint), &last = clip.pose(clip.frames - 1, joint);
    EXPECT_EQ(last.rotation, first.rotation);
    EXPECT_EQ(last.scale, first.scale);
    EXPECT_TRUE(last.translation == first.translation || clip.skeleton->parents[joint] < 0);
  }
  for (const ScalarTrack& track : clip.scalars) EXPECT_EQ(track.values.back(), track.values.front());
}

TEST(CloseLoop, AddsAFrameWithTheFirstPoseAndGoesOnWalking) {
  const Clip source = walking(20);
  Clip clip = source;
  closeLoop(clip);
  ASSERT_EQ(clip.frames, 21u);
  expectLoops(clip);
  for (std::uint32_t frame = 0; frame < 20; ++frame)
    for (std::size_t joint = 0; joint < 3; ++joint) EXPECT_EQ(clip.pose(frame, joint), source.pose(frame, joint));
  EXPECT_EQ(clip.pose(20, 0).translation, (std::array<float, 3>{5, 0, 1}));
  closeLoop(clip);
  EXPECT_EQ(clip.frames, 21u) << "it is closed already";
}

TEST(CloseLoop, KnowsAClosedClipInSpiteOfSignsAndRounding) {
  Clip clip = walking(20, 0);
  for (ScalarTrack& track : clip.scalars) track.values.back() = track.values.front();
  clip.pose(10, 1).rotation = aboutZ(40);
  Transform& last = clip.pose(19, 1);
  for (float& value : last.rotation) value = -value;
  last.translation[1] += 1e-7f;
  closeLoop(clip);
  EXPECT_EQ(clip.frames, 20u);
  expectLoops(clip);
  clip.pose(19, 1).translation[1] += 1e-3f;
  closeLoop(clip);
  EXPECT_EQ(clip.frames, 21u) << "a millimetre is a pose of its own";
}

TEST(CloseLoop, ASteppedRootStaysWhereItIs) {
  Clip clip = walking(20);
  clip.step[0] = 1;
  closeLoop(clip);
  EXPECT_EQ(clip.pose(20, 0).translation, clip.pose(19, 0).translation);
}

TEST(BlendLoop, SpreadsTheDifferenceEvenly) {
  Clip source = walking(11);
  for (std::uint32_t frame = 0; frame < 11; ++frame) {
    source.pose(frame, 2).translation[1] = 0.1f * static_cast<float>(frame);
    source.pose(frame, 2).scale[2] = 1 + 0.2f * static_cast<float>(frame);
    source.scalars[0].values[frame] = 0.5f * static_cast<float>(frame) + (frame == 5 ? 1.0f : 0.0f);
  }
  Clip clip = source;
  blendLoop(clip);
  ASSERT_EQ(clip.frames, 11u);
  expectLoops(clip);
  for (std::uint32_t frame = 0; frame < 11; ++frame) {
    EXPECT_EQ(clip.pose(frame, 0).translation, source.pose(frame, 0).translation) << "root motion stays";
    EXPECT_NEAR(clip.pose(frame, 2).translation[1], 0, 1e-6);
    EXPECT_NEAR(clip.pose(frame, 2).scale[2], 1, 1e-6);
    for (const std::size_t joint : {1, 2}) EXPECT_NEAR(clip.pose(frame, joint).rotation[2], 0, 1e-6);
    EXPECT_NEAR(clip.scalars[0].values[frame], frame == 5 ? 1 : 0, 1e-6);
  }
}

TEST(BlendLoop, TurnsTheShorterWayAndHalfOfItInTheMiddle) {
  Clip clip = walking(3, 0);
  clip.pose(2, 1).rotation = aboutZ(350);  // 10 degrees short of a turn
  clip.pose(1, 1).rotation = aboutZ(20);
  blendLoop(clip);
  expectLoops(clip);
  const auto middle = clip.pose(1, 1).rotation, expected = aboutZ(25);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(middle[i], expected[i], 1e-6);
}

TEST(BlendLoop, OfWhatStepsTheLastFrameAloneChanges) {
  Clip source = walking(11);
  source.step = {7, 7, 7};
  for (std::uint32_t frame = 0; frame < 11; ++frame) source.pose(frame, 2).translation[1] = static_cast<float>(frame);
  Clip clip = source;
  blendLoop(clip);
  expectLoops(clip);
  for (std::uint32_t frame = 0; frame < 10; ++frame) {
    for (std::size_t joint = 0; joint < 3; ++joint) EXPECT_EQ(clip.pose(frame, joint), source.pose(frame, joint));
    EXPECT_EQ(clip.scalars[1].values[frame], source.scalars[1].values[frame]);
  }
}

TEST(BlendLoop, AScalarStaysWithinItsRange) {
  Clip clip = walking(3, 0);
  clip.scalars[0].values = {1, 1, 0};
  blendLoop(clip);
  EXPECT_EQ(clip.scalars[0].values, (std::vector<float>{1, 1, 1}));
}

TEST(BlendLoop, ALoopKeepsItsBits) {
  Clip source = walking(20, 0);
  source.pose(10, 1).rotation = aboutZ(40);
  for (ScalarTrack& track : source.scalars) track.values.back() = track.values.front();
  Clip clip = source;
  blendLoop(clip);
  EXPECT_EQ(clip.poses, source.poses);
  EXPECT_EQ(clip.scalars, source.scalars);
}

TEST(Loop, SingleFramesAndClipsWithoutJointsAreFine) {
  for (void (*const loop)(Clip&) : {closeLoop, blendLoop}) {
    const Clip still = walking(1);
    Clip clip = still;
    loop(clip);
    EXPECT_EQ(clip.poses, still.poses);
    EXPECT_EQ(clip.frames, 1u);
    Clip faces;
    faces.skeleton = std::make_shared<Skeleton>();
    faces.rateHz = 10;
    faces.frames = 3;
    faces.scalars = {{"smile", false, {0, 0.5f, 1}}};
    loop(faces);
    expectLoops(faces);
  }
}

}  // namespace
}  // namespace simmer::animation::test
