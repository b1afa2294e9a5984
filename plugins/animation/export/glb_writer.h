#pragma once

#include <span>

#include "cooker/base/bytes.h"
#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// The clips as one binary glTF 2.0 file: a node for each joint in its rest pose, a skin without a mesh that names
/// them as joints, an animation for each clip under its id. All clips must be of one skeleton; without clips, give the
/// skeleton and no animation is written.
///
/// A track that stays at its rest pose is left out, one that stays elsewhere gets a single key, any other has a key at
/// each frame; step tracks are STEP, the others LINEAR. A clip in which nothing moves keeps its length by two keys of
/// its first joint. The same clips give the same bytes everywhere.
/// Unsupported for scalar tracks, which need a mesh with morph targets; InvalidInput for clips of different skeletons,
/// without joints, or too large for glTF's 4 GiB.
Result<Bytes> writeGlb(const Skeleton& skeleton, std::span<const Clip> clips);

}  // namespace simmer::animation
