#include "plugins/animation/codec/decoded_clip.h"

#include <cstring>

namespace simmer::animation {

static_assert(sizeof(Transform) == sizeof(simmer_transform));

Result<DecodedClip> DecodedClip::load(ByteView file, ByteView skeletonFile) {
  simmer_skeleton skeleton;
  if (!skeletonFile.empty() && simmer_skeleton_open(skeletonFile.data(), skeletonFile.size(), &skeleton) != SIMMER_OK)
    return fail(ErrorCode::Corrupt, "the runtime does not read the clip's skeleton");
  DecodedClip decoded;
  decoded.m_memoryBytes = simmer_clip_memory(file.data(), file.size());
  decoded.m_memory.resize(decoded.m_memoryBytes / sizeof(Block) + 1);
  const simmer_status status =
      simmer_clip_load_with(file.data(), file.size(), skeletonFile.empty() ? nullptr : &skeleton,
                            decoded.m_memory.data(), decoded.m_memory.size() * sizeof(Block), &decoded.m_clip);
  if (status != SIMMER_OK)
    return fail(ErrorCode::Corrupt, "the runtime does not load the clip: status {}", static_cast<int>(status));
  decoded.m_pose.resize(simmer_clip_joints(decoded.m_clip));
  return decoded;
}

void DecodedClip::pose(double timeInFrames, Transform* pose) {
  if (m_pose.empty()) return;
  simmer_clip_sample_pose(m_clip, timeInFrames / simmer_clip_rate(m_clip), m_pose.data());
  std::memcpy(static_cast<void*>(pose), m_pose.data(), m_pose.size() * sizeof(simmer_transform));
}

double DecodedClip::scalar(double timeInFrames, std::uint32_t index) const {
  return simmer_clip_sample_scalar(m_clip, timeInFrames / simmer_clip_rate(m_clip), index);
}

PoseSource DecodedClip::poseSource() {
  return [this](double time, Transform* out) { pose(time, out); };
}

}  // namespace simmer::animation
