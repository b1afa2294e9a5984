#pragma once

#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// Forward kinematics with full glTF semantics (scale and shear are inherited): `world[j]` from the local transforms
/// `pose[j]`, both with one element for each joint.
void toWorld(const Skeleton& skeleton, const Transform* pose, Affine* world);

}  // namespace simmer::animation
