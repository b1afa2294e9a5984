#include "plugins/animation/codec/quantise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simmer::animation {
namespace {

using runtime::kHalfSqrt;
using runtime::ValueFormat;

/// The largest component and the other three as `steps` steps, the sign turned so that the largest is positive.
struct SmallestThree {
  unsigned largest = 0;
  std::uint32_t parts[3] = {};
};

SmallestThree smallestThree(const Quaternion& q, double steps) {
  SmallestThree result;
  for (unsigned i = 1; i < 4; ++i)
    if (std::abs(q[i]) > std::abs(q[result.largest])) result.largest = i;
  const double sign = q[result.largest] < 0 ? -1 : 1;
  for (unsigned i = 0, part = 0; i < 4; ++i) {
    if (i == result.largest) continue;
    const double unit = std::clamp((q[i] * sign + kHalfSqrt) / (2 * kHalfSqrt), 0.0, 1.0);
    result.parts[part++] = static_cast<std::uint32_t>(std::floor(unit * steps + 0.5));
  }
  return result;
}

}  // namespace

void putScalarValues(TrackBytes& track, std::span<const float> values, ValueFormat format) {
  ByteWriter bytes;
  if (format == ValueFormat::Float) {
    for (const float v : values) bytes.put(v);
  } else {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    track.low = *low;
    // Clamped, because two floats can be further apart than the largest one.
    track.range = static_cast<float>(
        std::min(static_cast<double>(*high) - *low, static_cast<double>(std::numeric_limits<float>::max())));
    for (const float v : values) {
      const double unit = track.range > 0 ? (static_cast<double>(v) - track.low) / track.range : 0;
      bytes.put(static_cast<std::uint16_t>(std::floor(std::clamp(unit, 0.0, 1.0) * 65535 + 0.5)));
    }
  }
  track.values = bytes.take();
}

void putRotationValues(TrackBytes& track, std::span<const Quaternion> values, ValueFormat format) {
  ByteWriter bytes;
  for (const Quaternion& q : values) {
    if (format == ValueFormat::Float) {
      for (const double v : q) bytes.put(static_cast<float>(v));
    } else if (format == ValueFormat::Small) {
      const SmallestThree three = smallestThree(q, 1023);
      bytes.put(three.largest << 30 | three.parts[0] << 20 | three.parts[1] << 10 | three.parts[2]);
    } else {
      const SmallestThree three = smallestThree(q, 32767);
      bytes.put(static_cast<std::uint16_t>(three.parts[0] | (three.largest & 1) << 15));
      bytes.put(static_cast<std::uint16_t>(three.parts[1] | (three.largest >> 1) << 15));
      bytes.put(static_cast<std::uint16_t>(three.parts[2]));
    }
  }
  track.values = bytes.take();
}

}  // namespace simmer::animation
