// Where a moment is among the knots of a track; see spline_lanes.h for SIMMER_UNIT.

namespace simmer::runtime::SIMMER_UNIT {

inline unsigned bitsIn(std::uint64_t value) {
#if defined(__POPCNT__) || defined(__ARM_NEON)
  return static_cast<unsigned>(__builtin_popcountll(value));
#else
  value -= value >> 1 & 0x5555555555555555u;
  value = (value & 0x3333333333333333u) + (value >> 2 & 0x3333333333333333u);
  return static_cast<unsigned>(((value + (value >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
#endif
}
// Of numbers that are not zero.
inline int lowestBit(std::uint64_t value) {
  return __builtin_ctzll(value);
}
inline int zerosAbove(std::uint64_t value) {
  return __builtin_clzll(value);
}

/// A moment in half frames.
struct Instant {
  std::uint32_t half;   ///< the half frame before it; never the clip's last one, but for clips of one frame
  float into;           ///< how far behind that, 0 … 1
  std::uint32_t frame;  ///< the frame at or before it, for what is held
};

/// What the weights of control points follow from. knots[2] and knots[3] are the ends of the span, in half frames from
/// Instant::half; the others are needed by cubic trees alone.
enum Shape : std::int32_t { kUniformCubic = 0, kLinear = 1, kTreeCubic = 2, kHeld = 3 };
struct Span {
  Shape shape;
  std::uint32_t first;  ///< control point
  std::int32_t knots[6];
};

/// The mask of a tree, or of held values, as it stands in the clip.
class Mask {
 public:
  /// `end` is behind the counts.
  Mask(const std::uint8_t* end, std::uint32_t words, std::uint32_t frames)
      : m_words(words),
        m_countBytes(maskWordBytes(frames) - 8),
        m_counts(end - std::size_t{words} * m_countBytes),
        m_masks(m_counts - std::size_t{8} * words) {}

  std::uint64_t word(std::uint32_t index) const { return wordAt(m_masks + std::size_t{8} * index); }
  /// Knots before a word; the padding behind the clip and the knots' code make it safe to read eight bytes.
  std::uint32_t before(std::uint32_t index) const {
    const std::uint64_t count = wordAt(m_counts + std::size_t{m_countBytes} * index);
    return static_cast<std::uint32_t>(m_countBytes == 2 ? count & 0xFFFF : count & 0xFFFFFFFF);
  }
  std::uint32_t words() const { return m_words; }

  /// The next knot before or behind a cell; -1 where there is none.
  std::int32_t previous(std::int32_t cell) const {
    if (cell <= 0) return -1;
    auto index = static_cast<std::uint32_t>(cell - 1) / 64;
    std::uint64_t bits = word(index) << (63 - (cell - 1) % 64);
    if (bits != 0) return cell - 1 - zerosAbove(bits);
    while (index-- > 0)
      if ((bits = word(index)) != 0) return static_cast<std::int32_t>(64 * index) + 63 - zerosAbove(bits);
    return -1;
  }
  std::int32_t next(std::int32_t cell) const {
    auto index = static_cast<std::uint32_t>(cell + 1) / 64;
    if (index >= m_words) return -1;
    std::uint64_t bits = word(index) >> (cell + 1) % 64;
    if (bits != 0) return cell + 1 + lowestBit(bits);
    while (++index < m_words)
      if ((bits = word(index)) != 0) return static_cast<std::int32_t>(64 * index) + lowestBit(bits);
    return -1;
  }

 private:
  std::uint32_t m_words, m_countBytes;
  const std::uint8_t* m_counts;
  const std::uint8_t* m_masks;
};

inline void findHeld(const Mask& mask, std::uint32_t frame, Span& span) {
  const std::uint64_t upTo = mask.word(frame / 64) << (63 - frame % 64);
  span.shape = kHeld;
  span.first = mask.before(frame / 64) + bitsIn(upTo) - 1;
  span.knots[2] = 0;
  span.knots[3] = 1;
}

inline void findUniform(std::uint32_t spacing, std::uint32_t half, Span& span) {
  span.first = half / spacing;
  span.knots[2] = static_cast<std::int32_t>(span.first * spacing) - static_cast<std::int32_t>(half);
  span.knots[3] = span.knots[2] + static_cast<std::int32_t>(spacing);
}

/// Cells of a tree to half frames from the moment; the last knot is at the clip's end.
struct CellTimes {
  std::uint32_t shift;
  std::int32_t last, half;
  std::int32_t operator()(std::int32_t cell) const {
    const std::int32_t time = static_cast<std::int32_t>(static_cast<std::uint32_t>(cell) << shift);
    return (time < last ? time : last) - half;
  }
};

/// Beyond both ends the first and the last spacing go on.
inline void findKnotsNearAnEnd(const Mask& mask, const CellTimes& times, std::int32_t cell, std::int32_t* t) {
  const std::int32_t at = mask.previous(cell + 1), one = mask.previous(at), up = mask.next(cell);
  const std::int32_t two = one < 0 ? -1 : mask.previous(one);
  const std::int32_t upTwo = mask.next(up), upThree = upTwo < 0 ? -1 : mask.next(upTwo);
  t[2] = times(at);
  t[3] = times(up);
  t[1] = one < 0 ? 2 * t[2] - t[3] : times(one);
  t[0] = two < 0 ? 2 * t[1] - t[2] : times(two);
  t[4] = upTwo < 0 ? 2 * t[3] - t[2] : times(upTwo);
  t[5] = upThree < 0 ? 2 * t[4] - t[3] : times(upThree);
}

inline void findTree(const Mask& mask, const CellTimes& times, Span& span) {
  const auto cell = static_cast<std::uint32_t>(times.half) >> times.shift;
  const std::uint32_t index = cell / 64, bit = cell % 64;
  const std::uint64_t word = mask.word(index), upTo = word << (63 - bit);
  span.first = mask.before(index) + bitsIn(upTo) - 1;
  // The 64 cells that end with this one, and the 64 behind it.
  const std::uint64_t before = index == 0 ? upTo : upTo | mask.word(index - 1) >> 1 >> bit;
  const std::uint64_t behind = word >> 1 >> bit | (index + 1 < mask.words() ? mask.word(index + 1) << (63 - bit) : 0);
  const auto at = static_cast<std::int32_t>(cell);
  if (span.shape == kLinear) {
    if (before == 0 || behind == 0) return findKnotsNearAnEnd(mask, times, at, span.knots);
    span.knots[2] = times(at - zerosAbove(before));
    span.knots[3] = times(at + 1 + lowestBit(behind));
    return;
  }
  std::uint64_t b1 = before, b2 = 0;
  if (before != 0) b1 &= ~(std::uint64_t{1} << 63 >> zerosAbove(before));
  if (b1 != 0) b2 = b1 & ~(std::uint64_t{1} << 63 >> zerosAbove(b1));
  const std::uint64_t a1 = behind & (behind - 1), a2 = a1 & (a1 - 1);
  if (b2 == 0 || behind == 0 || a1 == 0 || a2 == 0) return findKnotsNearAnEnd(mask, times, at, span.knots);
  span.knots[0] = times(at - zerosAbove(b2));
  span.knots[1] = times(at - zerosAbove(b1));
  span.knots[2] = times(at - zerosAbove(before));
  span.knots[3] = times(at + 1 + lowestBit(behind));
  span.knots[4] = times(at + 1 + lowestBit(a1));
  span.knots[5] = times(at + 1 + lowestBit(a2));
}

/// The span of a moment in the knots that stand before `points`.
inline void findSpan(const std::uint8_t* points, std::uint32_t frames, const Instant& instant, Span& span) {
  const std::uint32_t code = points[-1];
  if (code < KnotCode::kTree) {
    span.shape = code < KnotCode::kLinear ? kUniformCubic : kLinear;
    return findUniform(code % KnotCode::kLinear + 1, instant.half, span);
  }
  if (code == KnotCode::kHold)
    return findHeld(Mask(points - 1, maskWordsOf(KnotKind::Hold, 0, frames), frames), instant.frame, span);
  span.shape = code < KnotCode::kTreeLinear ? kTreeCubic : kLinear;
  const std::uint32_t shift = code % 8;
  const CellTimes times = {shift, static_cast<std::int32_t>(lastHalfFrame(frames)),
                           static_cast<std::int32_t>(instant.half)};
  findTree(Mask(points - 1, maskWordsOf(KnotKind::TreeCubic, shift, frames), frames), times, span);
}

}  // namespace simmer::runtime::SIMMER_UNIT
