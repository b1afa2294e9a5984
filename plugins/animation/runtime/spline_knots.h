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
SIMMER_INLINE std::int32_t zerosAbove(std::uint64_t value) {
  return __builtin_clzll(value);
}

/// A moment in half frames.
struct Instant {
  std::uint32_t half;   ///< the half frame before it; never the clip's last one, but for clips of one frame
  float into;           ///< how far behind that, 0 … 1
  std::uint32_t frame;  ///< the frame at or before it, for what is held
};

/// Where a moment is among the knots of a tree, or of held values.
struct Span {
  std::int32_t first;  ///< control point
  /// Of trees: cells back to the last three knots at or before the moment, the nearest first, and on to the next three.
  std::int32_t back[3], on[3];
};
constexpr std::int32_t kNoKnot = 1 << 20;  ///< instead of a number of cells, beyond the ends of a clip

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

  /// Knots up to a cell. The padding behind the clip makes it safe to read eight bytes.
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
      if (bits != 0) return at - zerosAbove(bits);
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

/// Where knots are farther apart than a word shows.
inline void findSparse(const Mask& mask, std::int32_t cell, Span& span) {
  std::int32_t at = cell + 1;
  for (std::int32_t& cells : span.back) {
    if (at >= 0) at = mask.previous(at);
    cells = at < 0 ? kNoKnot : cell - at;
  }
  at = cell;
  for (std::int32_t& cells : span.on) {
    if (at >= 0) at = mask.next(at);
    cells = at < 0 ? kNoKnot : at - cell;
  }
}

SIMMER_INLINE void findTree(const Mask& mask, std::uint32_t cell, Span& span) {
  span.first = static_cast<std::int32_t>(mask.upTo(cell)) - 1;
  const std::uint64_t b0 = mask.before(cell), a0 = mask.behind(cell);
  const std::int32_t nearest = zerosAbove(b0 | 1);
  const std::uint64_t b1 = b0 & ~(std::uint64_t{1} << 63 >> nearest), a1 = a0 & (a0 - 1);
  const std::int32_t second = zerosAbove(b1 | 1);
  const std::uint64_t b2 = b1 & ~(std::uint64_t{1} << 63 >> second), a2 = a1 & (a1 - 1);
  const bool hidden = (b2 == 0 && cell >= Mask::kSeen) || (a2 == 0 && mask.cells() - 1 - cell > Mask::kSeen);
  if (hidden) return findSparse(mask, static_cast<std::int32_t>(cell), span);
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  span.back[0] = nearest;
  span.back[1] = b1 == 0 ? kNoKnot : second;
  span.back[2] = b2 == 0 ? kNoKnot : zerosAbove(b2 | 1);
  span.on[0] = lowestBit(a0 | kTop) + 1;
  span.on[1] = a1 == 0 ? kNoKnot : lowestBit(a1 | kTop) + 1;
  span.on[2] = a2 == 0 ? kNoKnot : lowestBit(a2 | kTop) + 1;
}

/// The span of a moment in knots whose mask stands before `points`; not for uniform ones.
SIMMER_INLINE void findSpan(const std::uint8_t* points, std::uint32_t code, std::uint32_t frames,
                            const Instant& instant, Span& span) {
  if (code == KnotCode::kHold) {
    span.first = static_cast<std::int32_t>(Mask(points, frames, frames).upTo(instant.frame)) - 1;
    return;
  }
  const std::uint32_t shift = code % 8;
  findTree(Mask(points, cellsOf(frames, shift) + 1, frames), instant.half >> shift, span);
}

}  // namespace simmer::runtime::SIMMER_UNIT
