#include "plugins/animation/codec/spline/jumps.h"

namespace simmer::animation::spline {
Jumps::Jumps(const Clip& clip) : m_left(clip.joints()) {
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    std::vector<bool>& left = m_left[joint];
    const std::int32_t parent = clip.skeleton->parents[joint];
    if (parent >= 0) left = m_left[static_cast<std::size_t>(parent)];
    if (!clip.steps(joint, Channel::Rotation))
      for (std::uint32_t frame = 0; frame + 1 < clip.frames; ++frame)
        if (turnsFar(clip.pose(frame, joint), clip.pose(frame + 1, joint))) {
          if (left.empty()) left.assign(clip.frames, false);
          left[frame] = true;
        }
    m_any = m_any || !left.empty();
  }
}

}  // namespace simmer::animation::spline
