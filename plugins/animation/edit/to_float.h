#pragma once

#include <algorithm>
#include <limits>

namespace simmer::animation {

/// The nearest float32; the largest one where edits lead beyond, which no conversion may.
inline float toFloat(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kLargest, kLargest));
}

}  // namespace simmer::animation
