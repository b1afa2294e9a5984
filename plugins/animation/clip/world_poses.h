#pragma once

#include <vector>

#include "plugins/animation/clip/kinematics.h"

namespace simmer::animation {

/// Where a clip's joints are in the world, at every frame and half frame: who measures a clip asks often.
class WorldPoses {
 public:
  /// Keeps a reference to the clip, which must outlive it.
  explicit WorldPoses(const Clip& clip);

  const Clip& clip() const { return m_clip; }
  /// All joints at a half frame. Where the clip is too long to keep them all they are made in `scratch`.
  const Affine* at(std::size_t halfFrame, std::vector<Affine>& scratch) const;

 private:
  const Clip& m_clip;
  std::vector<Affine> m_kept;  // [half frame][joint], when that is small
};

}  // namespace simmer::animation
