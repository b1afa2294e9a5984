#include "plugins/animation/clip/world_poses.h"

namespace simmer::animation {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

}  // namespace

WorldPoses::WorldPoses(const Clip& clip) : m_clip(clip) {
  const std::size_t count = std::size_t{2} * clip.frames - 1, joints = clip.joints();
  if (count * joints * sizeof(Affine) > kMostBytes) return;
  m_kept.resize(count * joints);
  std::vector<Transform> pose(joints);
  for (std::size_t half = 0; half < count; ++half) {
    samplePose(clip, static_cast<double>(half) / 2, pose.data());
    toWorld(*clip.skeleton, pose.data(), m_kept.data() + half * joints);
  }
}

const Affine* WorldPoses::at(std::size_t halfFrame, std::vector<Affine>& scratch) const {
  const std::size_t joints = m_clip.joints();
  if (!m_kept.empty()) return m_kept.data() + halfFrame * joints;
  std::vector<Transform> pose(joints);
  scratch.resize(joints);
  samplePose(m_clip, static_cast<double>(halfFrame) / 2, pose.data());
  toWorld(*m_clip.skeleton, pose.data(), scratch.data());
  return scratch.data();
}

}  // namespace simmer::animation
