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

/// Where a moment is in the bits of cells that stand before the control points of a track: the same for all trees of a
/// clip whose cells are as long. Places are bytes from the control points.
struct Window {
  bool isReady = false;
  bool showsStart, showsEnd;  ///< of the clip
  std::uint8_t wordShift, beforeShift, behindShift;
  std::uint32_t cell, cells;
  std::int64_t countAt, wordAt, beforeAt, behindAt, bitsAt;
  std::uint64_t countMask, beforeMask, behindMask;

  static constexpr std::uint32_t kSeen = 57;  // cells that a word shows at least

  /// `count` bits, of which the one of the moment is `at`.
  void open(std::uint32_t count, std::uint32_t at, std::uint32_t frames) {
    const std::uint32_t words = (count + 63) / 64, countBytes = maskWordBytes(frames) - 8, left = count - 1 - at;
    isReady = true;
    cell = at;
    cells = count;
    bitsAt = -static_cast<std::int64_t>(words) * (8 + countBytes);
    countAt = -static_cast<std::int64_t>(words) * countBytes + static_cast<std::int64_t>(at / 64) * countBytes;
    countMask = countBytes == 2 ? 0xFFFF : 0xFFFFFFFF;
    wordAt = bitsAt + at / 64 * 8;
    wordShift = static_cast<std::uint8_t>(63 - at % 64);
    // The words around the cell: it in the highest bit, and the one behind it in the lowest.
    beforeAt = bitsAt + at / 8 - 7;
    beforeShift = static_cast<std::uint8_t>(7 - at % 8);
    beforeMask = at < 63 ? ~std::uint64_t{0} << (63 - at) : ~std::uint64_t{0};
    behindAt = bitsAt + (at + 1) / 8;
    behindShift = static_cast<std::uint8_t>((at + 1) % 8);
    behindMask = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    showsStart = at < kSeen;
    showsEnd = left <= kSeen;
  }
  bool isKnot(const std::uint8_t* points, std::int32_t index) const {
    return (points[bitsAt + index / 8] >> index % 8 & 1) != 0;
  }
};

/// The windows of a moment, opened when they are needed.
class Windows {
 public:
  Windows(std::uint32_t frames, const Instant& instant) : m_frames(frames), m_instant(instant) {}

  SIMMER_INLINE const Window& of(std::uint32_t code) {
    Window& window = m_windows[code == KnotCode::kHold ? kMostShifts : code % kMostShifts];
    if (!window.isReady) open(window, code);
    return window;
  }

 private:
  static constexpr std::uint32_t kMostShifts = 1u << kShiftBits;

  void open(Window& window, std::uint32_t code) const {
    const std::uint32_t shift = code % kMostShifts;
    if (code == KnotCode::kHold) return window.open(m_frames, m_instant.frame, m_frames);
    window.open(cellsOf(m_frames, shift) + 1, m_instant.half >> shift, m_frames);
  }

  std::uint32_t m_frames;
  const Instant& m_instant;
  Window m_windows[kMostShifts + 1];
};

/// Where knots are farther apart than a word shows: cell by cell.
inline void findSparse(const std::uint8_t* points, const Window& window, Span& span) {
  const auto cell = static_cast<std::int32_t>(window.cell), cells = static_cast<std::int32_t>(window.cells);
  std::int32_t at = cell + 1;
  for (std::int32_t& back : span.back) {
    while (--at >= 0 && !window.isKnot(points, at)) continue;
    back = at < 0 ? kNoKnot : cell - at;
    if (at < 0) at = 0;
  }
  at = cell;
  for (std::int32_t& on : span.on) {
    while (++at < cells && !window.isKnot(points, at)) continue;
    on = at >= cells ? kNoKnot : at - cell;
    if (at >= cells) at = cells - 1;
  }
}

/// The span of a moment in knots whose bits stand before `points`; not for uniform ones.
SIMMER_INLINE void findSpan(const std::uint8_t* points, std::uint32_t code, Windows& windows, Span& span) {
  const Window& window = windows.of(code);
  // The padding behind the clip makes it safe to read eight bytes; before the bits there is some of the clip.
  const std::uint64_t upTo = wordAt(points + window.wordAt) << window.wordShift;
  const std::uint64_t count = wordAt(points + window.countAt) & window.countMask;
  span.first = static_cast<std::int32_t>(static_cast<std::uint32_t>(count) + bitsIn(upTo)) - 1;
  if (code == KnotCode::kHold) return;
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  const std::uint64_t b0 = wordAt(points + window.beforeAt) << window.beforeShift & window.beforeMask;
  const std::uint64_t a0 = wordAt(points + window.behindAt) >> window.behindShift & window.behindMask;
  const std::int32_t nearest = zerosAbove(b0 | 1);
  const std::uint64_t b1 = b0 & ~(kTop >> nearest), a1 = a0 & (a0 - 1);
  const std::int32_t second = zerosAbove(b1 | 1);
  const std::uint64_t b2 = b1 & ~(kTop >> second), a2 = a1 & (a1 - 1);
  if ((b2 == 0 && !window.showsStart) || (a2 == 0 && !window.showsEnd)) return findSparse(points, window, span);
  span.back[0] = nearest;
  span.back[1] = b1 == 0 ? kNoKnot : second;
  span.back[2] = b2 == 0 ? kNoKnot : zerosAbove(b2 | 1);
  span.on[0] = lowestBit(a0 | kTop) + 1;
  span.on[1] = a1 == 0 ? kNoKnot : lowestBit(a1 | kTop) + 1;
  span.on[2] = a2 == 0 ? kNoKnot : lowestBit(a2 | kTop) + 1;
}

}  // namespace simmer::runtime::SIMMER_UNIT
