#include "plugins/animation/clip/kinematics.h"

namespace simmer::animation {

void toWorld(const Skeleton& skeleton, const Transform* pose, Affine* world) {
  for (std::size_t joint = 0; joint < skeleton.size(); ++joint) {
    const std::int32_t parent = skeleton.parents[joint];
    const Affine local = Affine::of(pose[joint]);
    world[joint] = parent < 0 ? local : world[static_cast<std::size_t>(parent)] * local;
  }
}

}  // namespace simmer::animation
