#include "plugins/animation/codec/spline/jumps.h"

#include <cmath>

namespace simmer::animation::spline {
namespace {

constexpr double kJumpCosine = 0.70710678118654752;  // of half of 90 degrees, as ErrorMeter

double cosineBetween(const Transform& a, const Transform& b) {
  double cosine = 0;
  for (std::size_t i = 0; i < 4; ++i) cosine += static_cast<double>(a.rotation[i]) * b.rotation[i];
  return cosine;
}

}  // namespace

Jumps::Jumps(const Clip& clip) : m_left(clip.joints()) {
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    std::vector<bool>& left = m_left[joint];
    const std::int32_t parent = clip.skeleton->parents[joint];
    if (parent >= 0) left = m_left[static_cast<std::size_t>(parent)];
    if (!clip.steps(joint, Channel::Rotation))
      for (std::uint32_t frame = 0; frame + 1 < clip.frames; ++frame)
        if (std::abs(cosineBetween(clip.pose(frame, joint), clip.pose(frame + 1, joint))) < kJumpCosine) {
          if (left.empty()) left.assign(clip.frames, false);
          left[frame] = true;
        }
    m_any = m_any || !left.empty();
  }
}

}  // namespace simmer::animation::spline
