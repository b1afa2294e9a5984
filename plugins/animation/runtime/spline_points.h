#pragma once

#include "plugins/animation/runtime/little_endian.h"
#include "plugins/animation/runtime/spline_layout.h"

namespace simmer::runtime {

/// How a knot vector is named in memory, in a track's record: uniform cubic 0 … 63 and
/// uniform linear 64 … 127 by spacing, tree cubic 128 … 135 and tree linear 136 … 143 by shift, hold 144.
struct KnotCode {
  static constexpr std::uint32_t kLinear = 64, kTree = 128, kTreeLinear = 136, kHold = 144;

  static std::uint8_t of(const TrackHead& head) {
    switch (head.knots) {
      case KnotKind::UniformCubic:
        return static_cast<std::uint8_t>(head.spacing - 1);
      case KnotKind::UniformLinear:
        return static_cast<std::uint8_t>(kLinear + head.spacing - 1);
      case KnotKind::TreeCubic:
        return static_cast<std::uint8_t>(kTree + head.shift);
      case KnotKind::TreeLinear:
        return static_cast<std::uint8_t>(kTreeLinear + head.shift);
      default:
        return kHold;
    }
  }
};

/// Packs fields of control points, the first in the lowest bits. The room has been checked; as much as kPointPadding
/// bytes behind are overwritten with zeros.
class PointPacker {
 public:
  explicit PointPacker(std::uint8_t* out) : m_out(out) {}

  /// At most 56 bits.
  void put(std::uint64_t field, std::uint32_t width) {
    m_bits |= field << m_count;
    writeU64(m_out, m_bits);
    m_count += width;
    const std::uint32_t whole = m_count & ~7u;
    m_out += whole >> 3;
    m_bits >>= whole;
    m_count -= whole;
  }
  /// Fields of one control point, `bits` wide together.
  template <unsigned Components>
  void putPoint(const std::uint32_t (&fields)[Components], const std::uint32_t* widths, std::uint32_t bits) {
    if (bits > 56) {
      for (unsigned c = 0; c < Components; ++c) put(fields[c], widths[c]);
      return;
    }
    std::uint64_t point = 0;
    for (unsigned c = Components; c-- > 0;) point = point << widths[c] | fields[c];
    put(point, bits);
  }

 private:
  std::uint8_t* m_out;
  std::uint64_t m_bits = 0;
  std::uint32_t m_count = 0;  // below 8 between fields
};

}  // namespace simmer::runtime
