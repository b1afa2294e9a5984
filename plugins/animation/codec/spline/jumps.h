#pragma once

#include <vector>

#include "plugins/animation/clip/clip.h"

namespace simmer::animation::spline {

/// Half frames at which a joint's error does not count, as ErrorMeter leaves them out: between two frames the rotation
/// of the joint, or of one above it, turns more than 90 degrees.
class Jumps {
 public:
  explicit Jumps(const Clip& clip);

  bool counts(std::size_t joint, std::size_t halfFrame) const {
    return halfFrame % 2 == 0 || m_left[joint].empty() || !m_left[joint][halfFrame / 2];
  }
  /// Whether the joint has any.
  bool any(std::size_t joint) const { return !m_left[joint].empty(); }
  bool any() const { return m_any; }

 private:
  std::vector<std::vector<bool>> m_left;  // [joint][frame before], empty: none
  bool m_any = false;
};

}  // namespace simmer::animation::spline
