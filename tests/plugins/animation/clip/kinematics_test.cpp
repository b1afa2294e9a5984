#include "plugins/animation/clip/kinematics.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/plugins/animation/clip/clip_fixtures.h"

namespace simmer::animation {
namespace {

TEST(Kinematics, GiveTheBitsOfTheProductsOfMaps) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 200; ++round) {
    Clip clip = test::chain(12, 1);
    for (Transform& pose : clip.poses) {
      for (float& value : pose.translation) value = normal(random);
      for (float& value : pose.rotation) value = normal(random);
      for (float& value : pose.scale) value = normal(random);
    }
    std::vector<Affine> world(clip.joints());
    toWorld(*clip.skeleton, clip.poses.data(), world.data());
    Affine expected;
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      expected = joint == 0 ? Affine::of(clip.poses[0]) : expected * Affine::of(clip.poses[joint]);
      ASSERT_EQ(world[joint].columns, expected.columns) << joint;
    }
  }
}

}  // namespace
}  // namespace simmer::animation
