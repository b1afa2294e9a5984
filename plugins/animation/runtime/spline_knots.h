// Where a moment is among the knots of a track; see spline_lanes.h for SIMMER_UNIT.

namespace simmer::runtime::SIMMER_UNIT {

SIMMER_INLINE std::uint32_t bitsIn(std::uint64_t value) {
#if defined(__POPCNT__) || defined(__ARM_NEON)
  return static_cast<std::uint32_t>(__builtin_popcountll(value));
#else
  value -= value >> 1 & 0x5555555555555555u;
  value = (value & 0x3333333333333333u) + (value >> 2 & 0x3333333333333333u);
  return static_cast<std::uint32_t>(((value + (value >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
#endif
}
// Of numbers that are not zero.
SIMMER_INLINE std::int32_t lowestBit(std::uint64_t value) {
  return __builtin_ctzll(value);
}
SIMMER_INLINE std::int32_t highestBit(std::uint64_t value) {
  return 63 ^ __builtin_clzll(value);
}
SIMMER_INLINE std::uint64_t withoutBit(std::uint64_t value, std::int32_t bit) {
  return value & ~(std::uint64_t{1} << bit);
}

/// A moment in half frames.
struct Instant {
  std::uint32_t half;   ///< the half frame before it; never the clip's last one, but for clips of one frame
  float into;           ///< how far behind that, 0 … 1
  std::uint32_t frame;  ///< the frame at or before it, for what is held
};

enum Shape : std::int32_t { kUniformCubic = 0, kLinear = 1, kTreeCubic = 2, kHeld = 3 };

/// What the weights of control points follow from. knots[2] and knots[3] are the ends of the span, in half frames from
/// Instant::half; the others are needed by cubic trees alone.
struct Span {
  Shape shape;
  std::uint32_t first;  ///< control point
  std::int32_t knots[6];
};

/// The knots of a tree, or of held values, as they stand in the clip: bits of cells, then the number of knots before
/// each 64 of them.
class Mask {
 public:
  /// `end` is behind the counts. `cells` is how many bits there are.
  SIMMER_INLINE Mask(const std::uint8_t* end, std::uint32_t cells, std::uint32_t frames)
      : m_cells(cells),
        m_countBytes(maskWordBytes(frames) - 8),
        m_counts(end - std::size_t{(cells + 63) / 64} * m_countBytes),
        m_bits(m_counts - std::size_t{(cells + 63) / 64} * 8) {}

  /// Knots up to a cell. The knots' code and the padding behind the clip make it safe to read eight bytes.
  SIMMER_INLINE std::uint32_t upTo(std::uint32_t cell) const {
    const std::uint64_t count = wordAt(m_counts + std::size_t{cell / 64} * m_countBytes);
    const std::uint64_t bits = wordAt(m_bits + std::size_t{cell / 64} * 8) << (63 - cell % 64);
    return static_cast<std::uint32_t>(m_countBytes == 2 ? count & 0xFFFF : count & 0xFFFFFFFF) + bitsIn(bits);
  }
  static constexpr std::uint32_t kSeen = 57;  ///< cells that the next two see at least
  /// The cells that end with this one, in the highest bit. What stands before the bits is a part of the clip too.
  SIMMER_INLINE std::uint64_t before(std::uint32_t cell) const {
    const std::uint64_t bits = wordAt(m_bits + (cell >> 3) - 7) << (7 - cell % 8);
    return cell < 63 ? bits & ~std::uint64_t{0} << (63 - cell) : bits;
  }
  /// The cells behind this one, the next in the lowest bit. There is one at least.
  SIMMER_INLINE std::uint64_t behind(std::uint32_t cell) const {
    const std::uint64_t bits = wordAt(m_bits + ((cell + 1) >> 3)) >> (cell + 1) % 8;
    const std::uint32_t left = m_cells - 1 - cell;
    return left < 64 ? bits & ((std::uint64_t{1} << left) - 1) : bits;
  }
  std::uint32_t cells() const { return m_cells; }

  /// The next knot before or behind a cell, however far; -1 where there is none.
  std::int32_t previous(std::int32_t cell) const {
    for (std::int32_t at = cell - 1; at >= 0; at -= static_cast<std::int32_t>(kSeen)) {
      const std::uint64_t bits = before(static_cast<std::uint32_t>(at));
      if (bits != 0) return at - 63 + highestBit(bits);
    }
    return -1;
  }
  std::int32_t next(std::int32_t cell) const {
    for (auto at = static_cast<std::uint32_t>(cell); at + 1 < m_cells; at += kSeen) {
      const std::uint64_t bits = behind(at);
      if (bits != 0) return static_cast<std::int32_t>(at) + 1 + lowestBit(bits);
    }
    return -1;
  }

 private:
  std::uint32_t m_cells, m_countBytes;
  const std::uint8_t* m_counts;
  const std::uint8_t* m_bits;
};

/// Cells of a tree to half frames from the moment.
struct CellTimes {
  std::uint32_t shift;
  std::int32_t last, half;
  SIMMER_INLINE std::int32_t operator()(std::int32_t cell) const { return cell * (1 << shift) - half; }
  /// Of knots behind the moment: the last one is at the clip's end.
  SIMMER_INLINE std::int32_t behind(std::int32_t cell) const {
    const std::int32_t time = cell * (1 << shift);
    return (time < last ? time : last) - half;
  }
};

/// Where knots are farther apart than a word shows.
inline void findSparse(const Mask& mask, const CellTimes& times, std::int32_t cell, std::int32_t* t) {
  const std::int32_t at = mask.previous(cell + 1), up = mask.next(cell);
  const std::int32_t one = mask.previous(at), two = one < 0 ? -1 : mask.previous(one);
  const std::int32_t upTwo = mask.next(up), upThree = upTwo < 0 ? -1 : mask.next(upTwo);
  t[2] = times(at);
  t[3] = times.behind(up);
  t[1] = one < 0 ? 2 * t[2] - t[3] : times(one);
  t[0] = two < 0 ? 2 * t[1] - t[2] : times(two);
  t[4] = upTwo < 0 ? 2 * t[3] - t[2] : times.behind(upTwo);
  t[5] = upThree < 0 ? 2 * t[4] - t[3] : times.behind(upThree);
}

/// Beyond both ends of the clip the first and the last spacing go on.
SIMMER_INLINE void findTree(const Mask& mask, const CellTimes& times, Span& span) {
  const std::uint32_t cell = static_cast<std::uint32_t>(times.half) >> times.shift;
  const auto at = static_cast<std::int32_t>(cell);
  span.first = mask.upTo(cell) - 1;
  const std::uint64_t b0 = mask.before(cell), a0 = mask.behind(cell);
  const std::int32_t top = highestBit(b0 | 1);
  const std::uint64_t b1 = withoutBit(b0, top), a1 = a0 & (a0 - 1);
  const std::int32_t second = highestBit(b1 | 1);
  const std::uint64_t b2 = withoutBit(b1, second), a2 = a1 & (a1 - 1);
  const bool hidden = (b2 == 0 && cell >= Mask::kSeen) || (a2 == 0 && mask.cells() - 1 - cell > Mask::kSeen);
  std::int32_t* const t = span.knots;
  if (hidden) return findSparse(mask, times, at, t);
  t[2] = times(at - 63 + top);
  t[3] = times.behind(at + 1 + lowestBit(a0));
  if (span.shape == kLinear) return;
  t[1] = b1 == 0 ? 2 * t[2] - t[3] : times(at - 63 + second);
  t[0] = b2 == 0 ? 2 * t[1] - t[2] : times(at - 63 + highestBit(b2));
  const std::int32_t fourth = times.behind(at + 1 + lowestBit(a1 | std::uint64_t{1} << 63));
  const std::int32_t fifth = times.behind(at + 1 + lowestBit(a2 | std::uint64_t{1} << 63));
  t[4] = a1 == 0 ? 2 * t[3] - t[2] : fourth;
  t[5] = a2 == 0 ? 2 * t[4] - t[3] : fifth;
}

/// Division by a spacing: 2^32 / spacing, rounded up; exact for numbers below 2^26.
struct SpacingTable {
  std::uint64_t reciprocals[1u << kSpacingBits] = {};
  constexpr SpacingTable() {
    for (std::uint64_t i = 0; i < 1u << kSpacingBits; ++i) reciprocals[i] = ((std::uint64_t{1} << 32) + i) / (i + 1);
  }
};
constexpr SpacingTable kSpacingTable;

/// The span of a moment in the knots that stand before `points`.
SIMMER_INLINE void findSpan(const std::uint8_t* points, std::uint32_t frames, const Instant& instant, Span& span) {
  const std::uint32_t code = points[-1];
  if (code < KnotCode::kTree) {
    const std::uint32_t spacing = code % KnotCode::kLinear + 1;
    span.shape = static_cast<Shape>(code / KnotCode::kLinear);  // uniform cubic or linear
    span.first = static_cast<std::uint32_t>(instant.half * kSpacingTable.reciprocals[spacing - 1] >> 32);
    span.knots[2] = static_cast<std::int32_t>(span.first * spacing - instant.half);
    span.knots[3] = span.knots[2] + static_cast<std::int32_t>(spacing);
  } else if (code == KnotCode::kHold) {
    span.shape = kHeld;
    span.first = Mask(points - 1, frames, frames).upTo(instant.frame) - 1;
    span.knots[2] = 0;
    span.knots[3] = 1;
  } else {
    span.shape = code < KnotCode::kTreeLinear ? kTreeCubic : kLinear;
    const CellTimes times = {code % 8, static_cast<std::int32_t>(lastHalfFrame(frames)),
                             static_cast<std::int32_t>(instant.half)};
    findTree(Mask(points - 1, cellsOf(frames, times.shift) + 1, frames), times, span);
  }
}

}  // namespace simmer::runtime::SIMMER_UNIT
