#pragma once

#include "cooker/base/bytes.h"
#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// The clip as BVH text, in units of `metresPerUnit` metres. A root has six channels; the other joints have three, or
/// six where any of them leaves its rest translation. Angles are turned Z, Y, X and have 7 decimals, positions 6. A BVH
/// file has no rest rotations: the rest pose of what is read back has the rest translations alone; the motion is the
/// same. Unsupported, with the joint or track, for what BVH can not say: scales other than 1, step tracks, scalar
/// tracks.
Result<Bytes> writeBvh(const Clip& clip, double metresPerUnit = 0.01);

}  // namespace simmer::animation
