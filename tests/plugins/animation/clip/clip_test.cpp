#include "plugins/animation/clip/clip.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/plugins/animation/clip/clip_fixtures.h"

namespace simmer::animation {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string problemOf(const Clip& clip) {
  const auto result = validate(clip);
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::InvalidInput);
  return result.error().text();
}

TEST(ValidateClip, AcceptsOneFrameAndScalars) {
  Clip clip = test::chain(2, 1);
  EXPECT_EQ(problemOf(clip), "");
  clip.scalars.push_back({"smile", false, {0.5f}});
  clip.step = {0, 1};
  EXPECT_EQ(problemOf(clip), "");
}

TEST(ValidateClip, RefusesWhatDoesNotFitTogether) {
  Clip clip = test::chain(2, 3);
  clip.poses.pop_back();
  EXPECT_EQ(problemOf(clip), "5 transforms for 3 frames of 2 joints");
  clip = test::chain(2, 3);
  clip.step = {0};
  EXPECT_NE(problemOf(clip), "");
  clip = test::chain(2, 3);
  clip.scalars.push_back({"smile", false, {0.5f}});
  EXPECT_EQ(problemOf(clip), "smile: 1 values for 3 frames");
  clip = test::chain(2, 0);
  EXPECT_EQ(problemOf(clip), "the clip has no frames");
  EXPECT_EQ(problemOf({}), "the clip has no skeleton");
}

TEST(ValidateClip, RefusesRates) {
  for (const double rate : {0.0, -24.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    Clip clip = test::chain(1, 2);
    clip.rateHz = rate;
    EXPECT_NE(problemOf(clip).find("the frame rate is"), std::string::npos) << rate;
  }
}

TEST(ValidateClip, RefusesValues) {
  Clip clip = test::chain(2, 3);
  clip.pose(2, 1).translation[0] = kInfinity;
  EXPECT_EQ(problemOf(clip), "frame 2, joint 1: the transform is not finite");
  clip = test::chain(2, 3);
  clip.pose(1, 0).rotation = {0, 0, 0, 1.01f};
  EXPECT_NE(problemOf(clip).find("frame 1, joint 0: the rotation has length 1.0"), std::string::npos);
  clip.pose(1, 0).rotation = {0, std::nanf(""), 0, 1};
  EXPECT_NE(problemOf(clip), "");
  clip = test::chain(1, 2);
  clip.scalars.push_back({"smile", false, {0.5f, kInfinity}});
  EXPECT_EQ(problemOf(clip), "smile: a value is not finite");
}

TEST(ValidateClip, AsksForAValidSkeleton) {
  Clip clip = test::chain(2, 1);
  Skeleton broken = *clip.skeleton;
  broken.parents[1] = 1;
  clip.skeleton = std::make_shared<Skeleton>(broken);
  EXPECT_NE(problemOf(clip), "");
}

TEST(ClipSizes, CountDurationAndRawBytes) {
  Clip clip = test::chain(3, 21);
  EXPECT_DOUBLE_EQ(clip.durationS(), 2);
  EXPECT_EQ(clip.rawBytes(), 3u * 21 * 40);
  clip.scalars.push_back({"smile", false, std::vector<float>(21)});
  EXPECT_EQ(clip.rawBytes(), 3u * 21 * 40 + 21 * 4);
  EXPECT_EQ(test::chain(1, 1).durationS(), 0);
}

TEST(SamplePose, InterpolatesBetweenFramesAndClamps) {
  Clip clip = test::chain(1, 3);
  clip.pose(1, 0).translation = {4, 0, 0};
  clip.pose(2, 0).translation = {6, 0, 0};
  const auto at = [&](double time) {
    Transform pose;
    samplePose(clip, time, &pose);
    return pose.translation[0];
  };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(0.25), 1);
  EXPECT_EQ(at(1), 4);
  EXPECT_EQ(at(1.5), 5);
  EXPECT_EQ(at(2), 6);
  EXPECT_EQ(at(9), 6);
  EXPECT_EQ(at(-1), 0);
}

TEST(SamplePose, HoldsSteppedTracksAlone) {
  Clip clip = test::chain(1, 2);
  clip.pose(1, 0) = {{2, 0, 0}, test::aboutZ(60), {3, 3, 3}};
  clip.step = {1u << static_cast<unsigned>(Channel::Rotation) | 1u << static_cast<unsigned>(Channel::Scale)};
  EXPECT_FALSE(clip.steps(0, Channel::Translation));
  EXPECT_TRUE(clip.steps(0, Channel::Rotation));
  Transform pose;
  samplePose(clip, 0.9, &pose);
  EXPECT_FLOAT_EQ(pose.translation[0], 1.8f);
  EXPECT_EQ(pose.rotation, (std::array<float, 4>{0, 0, 0, 1}));
  EXPECT_EQ(pose.scale[0], 1);
  samplePose(clip, 1, &pose);
  EXPECT_EQ(pose.scale[0], 3);
}

TEST(SamplePose, KnowsClipsOfOneFrame) {
  const Clip clip = test::chain(2, 1);
  Transform pose[2];
  samplePose(clip, 0.5, pose);
  EXPECT_EQ(pose[1], clip.pose(0, 1));
}

TEST(Clip, RefusesScalesAndRadiiThatAreNone) {
  const Clip clip = test::chain(2, 1);
  for (const float scale : {0.0f, -1.0f, std::numeric_limits<float>::infinity()}) {
    Clip broken = clip;
    broken.toleranceScale = {1, scale};
    EXPECT_FALSE(validate(broken));
    if (scale == 0) continue;
    broken = clip;
    broken.probeRadiusM = {0, scale};
    EXPECT_FALSE(validate(broken));
  }
  Clip broken = clip;
  broken.toleranceScale = {1};
  EXPECT_FALSE(validate(broken));
  broken.toleranceScale = {0.01f, 100};
  broken.probeRadiusM = {0, 1};
  EXPECT_TRUE(validate(broken));
}

}  // namespace
}  // namespace simmer::animation
