#pragma once

#include <vector>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"
#include "plugins/animation/clip/error_measure.h"
#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::animation {

/// A clip file as the game loads it: the runtime's clip and the memory that it lives in. May be sampled from one thread
/// at a time (it keeps a pose to sample into).
class DecodedClip {
 public:
  /// Corrupt when the runtime refuses the bytes. `skeletonFile` is the clip's skeleton, for clips that leave their rest
  /// pose to it, or empty.
  static Result<DecodedClip> load(ByteView file, ByteView skeletonFile = {});

  DecodedClip(DecodedClip&&) noexcept = default;
  DecodedClip& operator=(DecodedClip&&) noexcept = default;

  const simmer_clip* clip() const { return m_clip; }
  std::size_t memoryBytes() const { return m_memoryBytes; }
  /// The local pose at a time in frames; `pose` has one element for each joint.
  void pose(double timeInFrames, Transform* pose);
  double scalar(double timeInFrames, std::uint32_t index) const;
  PoseSource poseSource();

 private:
  DecodedClip() = default;
  struct alignas(16) Block {
    unsigned char bytes[16];
  };
  std::vector<Block> m_memory;
  std::size_t m_memoryBytes = 0;
  const simmer_clip* m_clip = nullptr;
  std::vector<simmer_transform> m_pose;
};

}  // namespace simmer::animation
