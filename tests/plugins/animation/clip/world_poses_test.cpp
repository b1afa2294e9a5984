#include "plugins/animation/clip/world_poses.h"

#include <gtest/gtest.h>

#include "tests/plugins/animation/clip/clip_fixtures.h"

namespace simmer::animation {
namespace {

using test::aboutZ;
using test::chain;

/// Every joint at every half frame, against kinematics of the sampled pose.
void expectWorlds(const Clip& clip, std::size_t step) {
  const WorldPoses poses(clip);
  std::vector<Transform> pose(clip.joints());
  std::vector<Affine> expected(clip.joints()), scratch;
  for (std::size_t half = 0; half <= 2 * (std::size_t{clip.frames} - 1); half += step) {
    samplePose(clip, static_cast<double>(half) / 2, pose.data());
    toWorld(*clip.skeleton, pose.data(), expected.data());
    const Affine* const world = poses.at(half, scratch);
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      ASSERT_EQ(world[joint].columns, expected[joint].columns) << half << ' ' << joint;
  }
}

Clip turning(std::size_t joints, std::uint32_t frames) {
  Clip clip = chain(joints, frames);
  for (std::uint32_t frame = 0; frame < frames; ++frame)
    for (std::size_t joint = 0; joint < joints; ++joint)
      clip.pose(frame, joint).rotation = aboutZ(7.0 * (frame % 50) + static_cast<double>(joint));
  return clip;
}

TEST(WorldPoses, AreThoseOfTheKinematics) {
  expectWorlds(turning(5, 1), 1);
  expectWorlds(turning(5, 40), 1);
}

TEST(WorldPoses, OfNoJointsAreNone) {
  expectWorlds(turning(0, 3), 1);
}

TEST(WorldPoses, OfAClipTooLongToKeepAreMadeWhenAskedFor) {
  expectWorlds(turning(60, 7000), 997);  // 80 MB
}

}  // namespace
}  // namespace simmer::animation
