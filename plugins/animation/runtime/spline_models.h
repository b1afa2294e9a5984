#pragma once

// What codec `spline` knows of the numbers in its stream. Written once for both directions: `Coder` is a RangeDecoder,
// or the encoder, whose bit() and even() write the value that they are given and return it.

#include <cstdint>

#include "plugins/animation/runtime/range_decoder.h"

namespace simmer::runtime {

/// The place of the highest bit; `value` is not 0.
inline unsigned floorLog2(std::uint32_t value) {
#if defined(__GNUC__)
  return 31u ^ static_cast<unsigned>(__builtin_clz(value));  // x86 counts so
#else
  unsigned place = 0;
  while (value >>= 1) ++place;
  return place;
#endif
}

inline std::uint32_t magnitudeOf(std::int32_t value) {
  return value < 0 ? 0u - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
}

/// A number below 2^Bits, the highest bit first, each bit with the bits before it as its context.
template <unsigned Bits>
struct TreeModel {
  Probability nodes[1u << Bits];

  template <class Coder>
  std::uint32_t code(Coder& coder, std::uint32_t value = 0) {
    std::uint32_t node = 1;
    for (unsigned i = Bits; i-- > 0;) node = node << 1 | (coder.bit(nodes[node], (value >> i & 1) != 0) ? 1u : 0u);
    return node - (1u << Bits);
  }
};

/// A number of at most 31 bits: its number of bits in unary, then the bits below the highest; the first of them
/// adaptively.
struct SizeModel {
  static constexpr unsigned kMostBits = 31;
  Probability length[kMostBits + 1], top[kMostBits + 1];

  template <class Coder>
  std::uint32_t code(Coder& coder, std::uint32_t value = 0) {
    unsigned bits = 0;
    while (bits < kMostBits && coder.bit(length[bits], value >> bits != 0)) ++bits;
    if (bits < 2) return bits;
    std::uint32_t result = 1;
    unsigned left = bits - 1;
    result = result << 1 | (coder.bit(top[bits], (value >> --left & 1) != 0) ? 1u : 0u);
    return result << left | coder.even(left, value & ((1u << left) - 1));
  }
};

/// A number of either sign.
struct SignedModel {
  SizeModel size;
  Probability sign;

  template <class Coder>
  std::int32_t code(Coder& coder, std::int32_t value = 0) {
    const std::uint32_t coded = size.code(coder, magnitudeOf(value));
    if (coded == 0) return 0;
    const bool negative = coder.bit(sign, value < 0);
    return negative ? -static_cast<std::int32_t>(coded) : static_cast<std::int32_t>(coded);
  }
};

/// The difference of a control point from its prediction.
struct Residual {
  std::uint32_t magnitude = 0;
  std::uint32_t sign = 2;  ///< 0 above zero, 1 below, 2 for zero

  static Residual of(std::int32_t value) {
    return {magnitudeOf(value), value == 0 ? 2u : static_cast<std::uint32_t>(value) >> 31};
  }
  /// As a number of either sign; without a branch, since nobody could foresee it.
  std::int32_t value() const { return static_cast<std::int32_t>((magnitude ^ (0u - sign)) + sign); }
};

/// What is remembered of one component while its control points are coded.
struct ComponentState {
  std::uint32_t average = 3u << 4;  ///< of the magnitudes, in 1/16
  std::uint32_t sign = 0;           ///< of the last one: 0 above zero, or there was none; 1 below; 2 zero

  static constexpr std::uint32_t kMostMagnitude = 1u << 20;

  /// Gives the magnitude as far as it counts, in 1/16.
  std::uint32_t update(Residual residual) {
    const std::uint32_t limited = residual.magnitude < kMostMagnitude ? residual.magnitude : kMostMagnitude;
    average = average - ((average * 5) >> 4) + limited * 5;
    sign = residual.sign;
    return limited << 4;
  }
  std::uint32_t update(std::int32_t residual) { return update(Residual::of(residual)); }
};

/// The differences of control points from their prediction. Contexts are how large the last ones of the component were
/// and how large those of its siblings at the same control point. A symbol tells zero, or about how large a difference
/// is, as finely as differences of its level need; what is below that stands as it is.
struct ResidualModel {
  /// From this level on signs stand as they are: adaptive ones would save 1.4 % of files at 0.1 mm, 0.3 % at 0.5 mm,
  /// and cost a seventh of the time to load.
  static constexpr unsigned kEvenSigns = 12;
  static constexpr unsigned kLevels = 24, kEscape = SymbolChances::kSymbols - 1;
  SymbolChances symbols[2 * kLevels];  // behind a zero and behind others
  Probability signs[3];
  SizeModel escapes;

  ResidualModel() {
    for (unsigned i = 0; i < 2 * kLevels; ++i) symbols[i] = kStarts.levels[i / 2];
  }

  /// Twice the binary logarithm of the expected magnitude, more or less. `sibling` is the mean magnitude of the
  /// components already coded here, in 1/16, or the component's own average where there are none.
  static unsigned level(std::uint32_t average, std::uint32_t sibling) {
    const std::uint32_t mean = (average * 3 + sibling) >> 2, seen = mean < 4 ? 4 : mean;
    // Limits are 6/16, 8/16, 12/16, 16/16, 24/16 …
    const unsigned doublings = floorLog2(seen);
    const unsigned level = 2 * doublings + (seen >> (doublings - 1)) - 6;
    return level < kLevels ? level : kLevels - 1;
  }
  /// Bits of a magnitude, less 1, that are below its symbol.
  static unsigned shiftOf(unsigned level) { return level < 8 ? 0 : (level - 8) / 2; }

  template <class Coder>
  Residual code(Coder& coder, unsigned level, const ComponentState& state, std::int32_t residual = 0) {
    const unsigned shift = shiftOf(level);
    const std::uint32_t below = magnitudeOf(residual) - 1;  // without a meaning for zero
    const std::uint32_t wanted = residual == 0 ? 0 : (below >> shift) + 1;
    std::uint32_t symbol = coder.symbol(symbols[2 * level + state.sign / 2], wanted < kEscape ? wanted : kEscape);
    if (symbol == 0) return {};
    if (symbol == kEscape) symbol += escapes.code(coder, wanted - kEscape);
    std::uint32_t low = below & ((1u << shift) - 1), negative = residual < 0 ? 1 : 0;
    if (level < kEvenSigns) {
      low = coder.even(shift, low);
      negative = coder.bit(signs[state.sign], negative != 0) ? 1 : 0;
    } else {
      low = coder.even(shift + 1, low << 1 | negative);
      negative = low & 1;
      low >>= 1;
    }
    return {((symbol - 1) << shift | low) + 1, negative};
  }

 private:
  /// Zero as often as it is met at a level; what follows falls off geometrically.
  struct Starts {
    SymbolChances levels[kLevels] = {};

    constexpr Starts() {
      for (unsigned level = 0; level < kLevels; ++level) start(level, levels[level]);
    }

   private:
    static constexpr void start(unsigned level, SymbolChances& chances) {
      constexpr std::uint8_t kZero[kLevels] = {217, 171, 144, 115, 103, 102, 97, 82, 80, 69, 60, 50,
                                               40,  33,  28,  22,  18,  15,  13, 12, 14, 15, 17, 24};
      constexpr std::uint8_t kStop[10] = {199, 199, 199, 199, 150, 104, 70, 52, 42, 30};
      const std::uint32_t stop = level < 10 ? kStop[level] : kStop[8 + level % 2];
      std::uint32_t left = kCertain - SymbolChances::kSymbols * SymbolChances::kLeast, share = left * kZero[level] >> 8;
      for (unsigned i = 0; i < kEscape; ++i) {
        chances.below[i + 1] = static_cast<std::uint16_t>(chances.below[i] + share + SymbolChances::kLeast);
        left -= share;
        share = left * stop >> 8;
      }
    }
  };
  static const Starts kStarts;
};
inline constexpr ResidualModel::Starts ResidualModel::kStarts;

}  // namespace simmer::runtime
