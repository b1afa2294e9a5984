#include "plugins/animation/clip/skeleton.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "plugins/animation/clip/kinematics.h"
#include "tests/plugins/animation/clip/clip_fixtures.h"

namespace simmer::animation {
namespace {

Skeleton chainSkeleton(std::size_t joints) {
  return *test::chain(joints, 1).skeleton;
}

std::string problemOf(const Skeleton& skeleton) {
  const auto result = validate(skeleton);
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::InvalidInput);
  return result.error().text();
}

TEST(ValidateSkeleton, AcceptsRootsAnywhereAndNoJoints) {
  EXPECT_EQ(problemOf({}), "");
  Skeleton skeleton = chainSkeleton(3);
  skeleton.parents[2] = -1;
  EXPECT_EQ(problemOf(skeleton), "");
  skeleton.names = {"Hüfte", "骨", "🦴"};
  EXPECT_EQ(problemOf(skeleton), "");
}

TEST(ValidateSkeleton, RefusesParentsThatDoNotStandBefore) {
  for (const std::int32_t parent : {1, 2, 7, -2}) {
    Skeleton skeleton = chainSkeleton(3);
    skeleton.parents[1] = parent;
    EXPECT_EQ(problemOf(skeleton),
              "joint 1: its parent is joint " + std::to_string(parent) + ", expected one before it");
  }
}

TEST(ValidateSkeleton, RefusesArraysOfDifferentLength) {
  Skeleton skeleton = chainSkeleton(2);
  skeleton.names.pop_back();
  EXPECT_EQ(problemOf(skeleton), "2 parents, 1 names, 2 rest transforms, 0 skin radii");
  skeleton = chainSkeleton(2);
  skeleton.skinRadiusM = {0.1f};
  EXPECT_EQ(problemOf(skeleton), "2 parents, 2 names, 2 rest transforms, 1 skin radii");
}

TEST(ValidateSkeleton, RefusesValuesThatAreNotFinite) {
  Skeleton skeleton = chainSkeleton(2);
  skeleton.rest[1].scale[2] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(problemOf(skeleton), "joint 1: its rest pose is not finite");
  skeleton = chainSkeleton(1);
  skeleton.skinRadiusM = {std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(problemOf(skeleton), "joint 0: its skin radius is nan");
}

TEST(ValidateSkeleton, RefusesNamesThatAreNotUtf8) {
  for (const char* name : {"\xC3", "\x80", "\xC0\xAF", "a\xFFz", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    Skeleton skeleton = chainSkeleton(1);
    skeleton.names[0] = name;
    EXPECT_EQ(problemOf(skeleton), "joint 0: its name is not UTF-8") << name;
  }
}

TEST(MeasuredHeight, IsTheLargestExtentOfTheRestPose) {
  Skeleton skeleton = chainSkeleton(4);
  EXPECT_DOUBLE_EQ(measuredHeight(skeleton), 3);
  skeleton.rest[1].rotation = test::aboutZ(90);  // joints 2 and 3 go up instead
  EXPECT_NEAR(measuredHeight(skeleton), 2, 1e-6);
  skeleton.rest[0].scale = {10, 10, 10};
  EXPECT_NEAR(measuredHeight(skeleton), 20, 1e-5);
}

TEST(MeasuredHeight, PrefersTheSkinAndIsZeroForAPoint) {
  Skeleton skeleton = chainSkeleton(4);
  skeleton.skinHeightM = 1.75;
  EXPECT_EQ(measuredHeight(skeleton), 1.75);
  EXPECT_EQ(measuredHeight({}), 0);
  EXPECT_EQ(measuredHeight(chainSkeleton(1)), 0);
  skeleton = chainSkeleton(2);
  skeleton.rest[1].translation = {0.9e-6f, 0, 0};
  EXPECT_EQ(measuredHeight(skeleton), 0);
}

TEST(SkinRadii, AreAShellInProportionWithoutAMesh) {
  EXPECT_DOUBLE_EQ(skinRadii(chainSkeleton(1))[0], 0.03);   // no height: a person's
  EXPECT_DOUBLE_EQ(skinRadii(chainSkeleton(10))[4], 0.15);  // 9 m tall
}

TEST(SkinRadii, AreInLocalUnits) {
  Skeleton skeleton = chainSkeleton(3);
  skeleton.rest[0].scale = {100, 100, 100};
  skeleton.rest[1].scale = {2, 4, 1};  // volume 8: twice as large on average
  const double shell = 0.03 * measuredHeight(skeleton) / 1.8;
  const std::vector<double> radii = skinRadii(skeleton);
  EXPECT_NEAR(radii[0], shell / 100, 1e-12);
  EXPECT_NEAR(radii[1], shell / 200, 1e-12);
  EXPECT_NEAR(radii[2], shell / 200, 1e-12);
  skeleton.rest[0].scale = {0, 1, 1};  // flat: no unit to divide by
  EXPECT_GT(skinRadii(skeleton)[0], 0);
}

TEST(SkinRadii, ComeFromTheSkinWhereThereIsOne) {
  Skeleton skeleton = chainSkeleton(2);
  skeleton.skinRadiusM = {0.25f, 0};
  EXPECT_EQ(skinRadii(skeleton), (std::vector<double>{0.25, 0}));
}

TEST(ToWorld, InheritsTranslationRotationAndScale) {
  Skeleton skeleton = chainSkeleton(3);
  std::vector<Transform> pose = skeleton.rest;
  pose[0].translation = {0, 5, 0};
  pose[0].scale = {3, 1, 1};
  pose[1].rotation = test::aboutZ(90);
  std::vector<Affine> world(3);
  toWorld(skeleton, pose.data(), world.data());
  const auto origin = [&](std::size_t joint) { return world[joint].columns[3]; };
  EXPECT_NEAR(origin(1)[0], 3, 1e-6);
  EXPECT_NEAR(origin(1)[1], 5, 1e-6);
  // Joint 2 stands on joint 1's x axis, which points up, where nothing is stretched.
  EXPECT_NEAR(origin(2)[0], 3, 1e-6);
  EXPECT_NEAR(origin(2)[1], 6, 1e-6);
  // Its own y axis points against x, and is stretched by its grandparent.
  EXPECT_NEAR(world[2].columns[1][0], -3, 1e-6);
}

}  // namespace
}  // namespace simmer::animation
