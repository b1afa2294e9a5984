#include <cmath>
#include <limits>

#include "tests/plugins/animation/runtime/spline_files.h"

namespace simmer::animation::test {
namespace {

/// A root that turns a quarter about z, and two joints one metre apart on its x axis; a fourth one beside them.
struct Arm {
  Skeleton skeleton;
  SplineClipSpec spec;
  SkeletonFile file;
  simmer_skeleton view{};

  Arm() {
    skeleton.names = {"root", "upper", "beside", "lower"};
    skeleton.parents = {-1, 0, 0, 1};
    skeleton.rest.resize(4);
    file = *writeSkeleton(skeleton);
    EXPECT_EQ(simmer_skeleton_open(file.bytes.data(), file.bytes.size(), &view), SIMMER_OK);
    spec.joints.resize(4);
    spec.globals.translationExponent = spec.globals.scaleExponent = 160;  // steps of 1
    SplinePart& turn = spec.joints[0][0];
    turn.kind = PartKind::Constant;
    turn.rotation = {3, {2047, 2047, 4094}};  // z and w are √½
    SplinePart& size = spec.joints[0][2];
    size.kind = PartKind::Constant;
    size.vector = {1, 0, 0};  // x is twice as long
    for (const std::size_t joint : {1, 3}) {
      spec.joints[joint][1].kind = PartKind::Constant;
      spec.joints[joint][1].vector = {1, 0, 0};
    }
  }
  Arm(const Arm&) = delete;
};

TEST(ClipChain, LocalTransformsFromTheRootDown) {
  const Arm arm;
  const Loaded clip(writeSplineSpec(arm.spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  simmer_transform chain[3];
  std::uint32_t joints[3] = {9, 9, 9};
  EXPECT_EQ(simmer_clip_sample_chain(clip.clip, 0, &arm.view, 3, 3, chain, joints), 3u);
  EXPECT_EQ(joints[0], 0u);
  EXPECT_EQ(joints[1], 1u);
  EXPECT_EQ(joints[2], 3u);
  EXPECT_EQ(chain[0].scale[0], 2);
  EXPECT_EQ(chain[2].translation[0], 1);
  EXPECT_EQ(simmer_clip_sample_chain(clip.clip, 0, &arm.view, 0, 3, chain, nullptr), 1u);
}

TEST(ClipChain, TooSmallACapacityWritesNothing) {
  const Arm arm;
  const Loaded clip(writeSplineSpec(arm.spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  std::uint32_t joints[2] = {9, 9};
  simmer_transform chain[2] = {};
  EXPECT_EQ(simmer_clip_sample_chain(clip.clip, 0, &arm.view, 3, 2, chain, joints), 3u);
  EXPECT_EQ(joints[0], 9u);
  EXPECT_EQ(chain[0].rotation[3], 0);
}

TEST(ClipChain, WorldMatrices) {
  const Arm arm;
  const Loaded clip(writeSplineSpec(arm.spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  float matrix[3][4];
  EXPECT_EQ(simmer_clip_sample_world(clip.clip, 0, &arm.view, 3, matrix), 3u);
  // A quarter turn takes x to y; the two metres are stretched to four.
  const float expected[3][4] = {{0, -1, 0, 0}, {2, 0, 0, 4}, {0, 0, 1, 0}};
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 4; ++column)
      EXPECT_NEAR(matrix[row][column], expected[row][column], 1e-4) << row << " " << column;
}

TEST(ClipChain, WhatDoesNotFitGivesNothing) {
  const Arm arm;
  const Loaded clip(writeSplineSpec(arm.spec));
  simmer_transform chain[4];
  float matrix[3][4];
  EXPECT_EQ(simmer_clip_sample_chain(clip.clip, 0, &arm.view, 4, 4, chain, nullptr), 0u) << "past the last joint";
  EXPECT_EQ(simmer_clip_sample_world(clip.clip, 0, &arm.view, 4, matrix), 0u);
  EXPECT_EQ(matrix[0][0], 1);
  EXPECT_EQ(matrix[0][1], 0);
  const Loaded other(EveryKind().file());
  EXPECT_EQ(simmer_clip_sample_world(other.clip, 0, &arm.view, 0, matrix), 0u) << "another number of joints";
}

TEST(ClipLoop, WrapsTimes) {
  const Loaded clip(EveryKind().file());  // 9 frames at 60: 8/60 s
  ASSERT_EQ(clip.status, SIMMER_OK);
  const double duration = 8.0 / 60;
  EXPECT_DOUBLE_EQ(simmer_clip_loop_time(clip.clip, 0.1), 0.1);
  EXPECT_DOUBLE_EQ(simmer_clip_loop_time(clip.clip, duration), 0);
  EXPECT_NEAR(simmer_clip_loop_time(clip.clip, 1000 * duration + 0.05), 0.05, 1e-9);
  EXPECT_NEAR(simmer_clip_loop_time(clip.clip, -0.03), duration - 0.03, 1e-12);
  EXPECT_EQ(simmer_clip_loop_time(clip.clip, -1e-300), 0) << "rounded up to the end";
  for (const double time : {HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(simmer_clip_loop_time(clip.clip, time), 0);
  SplineClipSpec still;
  still.joints.resize(1);
  EXPECT_EQ(simmer_clip_loop_time(Loaded(writeSplineSpec(still)).clip, 3), 0) << "one frame";
}

}  // namespace
}  // namespace simmer::animation::test
