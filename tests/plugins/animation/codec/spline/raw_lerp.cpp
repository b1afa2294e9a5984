#include "tests/plugins/animation/codec/spline/raw_lerp.h"

#include <cmath>

namespace simmer::bench {

RawLerp::RawLerp(const animation::Clip& clip)
    : m_frames(clip.poses.front().translation.data()),
      m_joints(clip.joints()),
      m_last(clip.frames - 1),
      m_rateHz(clip.rateHz) {}

void RawLerp::sample(double seconds, float* pose) const {
  double time = seconds * m_rateHz;
  if (!(time > 0)) time = 0;
  if (time > m_last) time = m_last;
  const auto frame = static_cast<std::uint32_t>(time);
  const auto u = static_cast<float>(time - frame);
  const float* a = m_frames + std::size_t{10} * m_joints * frame;
  const float* b = frame < m_last ? a + 10 * m_joints : a;
  for (std::size_t joint = 0; joint < m_joints; ++joint, a += 10, b += 10, pose += 10) {
    for (int i = 0; i < 3; ++i) pose[i] = a[i] + (b[i] - a[i]) * u;
    const float sign = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1.0f : 1.0f;
    float squares = 0;
    for (int i = 3; i < 7; ++i) {
      pose[i] = a[i] + (sign * b[i] - a[i]) * u;
      squares += pose[i] * pose[i];
    }
    const float scale = 1 / std::sqrt(squares);
    for (int i = 3; i < 7; ++i) pose[i] *= scale;
    for (int i = 7; i < 10; ++i) pose[i] = a[i] + (b[i] - a[i]) * u;
  }
}

}  // namespace simmer::bench
