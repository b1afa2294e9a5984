#include "plugins/animation/export/bvh_writer.h"

#include <gmock/gmock.h>

#include "plugins/animation/codec/article/samples.h"
#include "tests/plugins/animation/export/round_trip.h"

namespace simmer::animation {
namespace {

using testing::HasSubstr;

/// A rotation of these degrees about x, then y, then z (of the world).
std::array<float, 4> turned(double x, double y, double z) {
  constexpr double kHalf = 3.14159265358979323846 / 360;
  const Quaternion q = multiply(
      {0, 0, std::sin(z * kHalf), std::cos(z * kHalf)},
      multiply({0, std::sin(y * kHalf), 0, std::cos(y * kHalf)}, {std::sin(x * kHalf), 0, 0, std::cos(x * kHalf)}));
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

TEST(BvhWriter, TheArticlesClipsComeBack) {
  for (const auto sample : {article::Sample::Walk, article::Sample::Mocap}) {
    SCOPED_TRACE(article::toString(sample));
    const Clip clip = article::toClip(article::makeSample(sample), "clip");
    for (const double metresPerUnit : {0.01, 1.0, 0.0254}) {
      const auto bvh = writeBvh(clip, metresPerUnit);
      ASSERT_TRUE(bvh) << bvh.error().text();
      ImportOptions options;
      options.metresPerUnit = metresPerUnit;
      const auto back = readBack("move.bvh", *bvh, "clip", options);
      ASSERT_TRUE(back) << back.error().text();
      EXPECT_EQ(back->rateHz, 60);
      EXPECT_LT(largestDistance(clip, *back), 5e-6);
    }
  }
}

TEST(BvhWriter, EveryRotationComesBack) {
  Clip clip = chain(2, 0, 30);
  for (int x = -180; x <= 180; x += 45)
    for (int y = -90; y <= 90; y += 15)
      for (int z = -180; z <= 180; z += 45) {
        clip.poses.push_back({{0, 0, 0}, turned(x, y, z), {1, 1, 1}});
        clip.poses.push_back({{0, 1, 0}, turned(z, -y, x), {1, 1, 1}});
        ++clip.frames;
      }
  const auto bvh = writeBvh(clip);
  ASSERT_TRUE(bvh) << bvh.error().text();
  const auto back = readBack("turns.bvh", *bvh, "clip");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_LT(largestDistance(clip, *back), 1e-5);
}

TEST(BvhWriter, JointsThatLeaveTheirOffsetComeBack) {
  Clip clip = chain(3, 4, 25);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    clip.pose(frame, 2).translation = {0, 0.01F * static_cast<float>(frame), 0};  // starts at its parent's origin
  const auto bvh = writeBvh(clip);
  ASSERT_TRUE(bvh) << bvh.error().text();
  const auto back = readBack("moves.bvh", *bvh, "clip");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_LT(largestDistance(clip, *back), 1e-6);
}

TEST(BvhWriter, WritesTreesDepthFirst) {
  // The skeleton lists joints by depth, a BVH file by branch: b and its child c, then d.
  Clip clip = chain(4, 1, 30);
  Skeleton skeleton = *clip.skeleton;
  skeleton.names = {"a", "b", "d", "c {x}"};
  skeleton.parents = {-1, 0, 0, 1};
  clip.skeleton = std::make_shared<const Skeleton>(skeleton);
  clip.poses[3].rotation = turned(30, 0, 0);
  const auto bvh = writeBvh(clip);
  ASSERT_TRUE(bvh) << bvh.error().text();
  const auto back = readBack("tree.bvh", *bvh, "clip");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_THAT(back->skeleton->names, testing::ElementsAre("a", "b", "c _x_", "d"));
  EXPECT_NEAR(back->pose(0, 2).rotation[0], clip.poses[3].rotation[0], 1e-6);
}

TEST(BvhWriter, DeepChainsNeedNoStack) {
  const Clip clip = chain(20000, 1, 30);
  const auto bvh = writeBvh(clip);
  ASSERT_TRUE(bvh) << bvh.error().text();
  const auto back = readBack("deep.bvh", *bvh, "clip");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->skeleton->parents, clip.skeleton->parents);
}

TEST(BvhWriter, RefusesWhatItCanNotSay) {
  const auto message = [](const auto& change) {
    Clip clip = chain(2, 3, 30);
    change(clip);
    const auto bvh = writeBvh(clip);
    EXPECT_FALSE(bvh);
    EXPECT_TRUE(bvh || bvh.error().code == ErrorCode::Unsupported);
    return bvh ? std::string() : bvh.error().text();
  };
  EXPECT_EQ(message([](Clip& clip) {
              clip.pose(2, 1).scale = {1, 1.5F, 1};
            }),
            "joint 'joint1', frame 2: scale 1.5 can not be written: BVH has none");
  EXPECT_THAT(message([](Clip& clip) { clip.step = {0, 2}; }), HasSubstr("joint 'joint1': a step track"));
  EXPECT_THAT(message([](Clip& clip) {
                clip.scalars.push_back({"smile", false, {0, 0, 0}});
              }),
              HasSubstr("scalar track 'smile'"));
  EXPECT_EQ(writeBvh(chain(2, 3, 30), 0).error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace simmer::animation
