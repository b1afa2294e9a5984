#pragma once

// What codec `spline` knows of the numbers in its stream. Written once for both directions: `Coder` is a RangeDecoder,
// or the encoder, whose bit() and even() write the value that they are given and return it.

#include <cstdint>

#include "plugins/animation/runtime/range_decoder.h"

namespace simmer::runtime {

/// The place of the highest bit; `value` is not 0.
inline unsigned floorLog2(std::uint32_t value) {
#if defined(__GNUC__)
  return 31u - static_cast<unsigned>(__builtin_clz(value));
#else
  unsigned place = 0;
  while (value >>= 1) ++place;
  return place;
#endif
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
    while (left > 0) {
      const unsigned chunk = left < 16 ? left : 16;
      left -= chunk;
      result = result << chunk | coder.even(chunk, value >> left & ((1u << chunk) - 1));
    }
    return result;
  }
};

/// A number of either sign.
struct SignedModel {
  SizeModel size;
  Probability sign;

  template <class Coder>
  std::int32_t code(Coder& coder, std::int32_t value = 0) {
    const std::uint32_t magnitude =
        value < 0 ? 0u - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
    const std::uint32_t coded = size.code(coder, magnitude);
    if (coded == 0) return 0;
    const bool negative = coder.bit(sign, value < 0);
    return negative ? -static_cast<std::int32_t>(coded) : static_cast<std::int32_t>(coded);
  }
};

/// What is remembered of one component while its control points are coded.
struct ComponentState {
  std::uint32_t average = 3u << 4;  ///< of the magnitudes, in 1/16
  std::uint8_t zero = 2;            ///< whether the last one was zero; 2: there was none
  std::uint8_t negative = 2;        ///< its sign; 2: it had none

  void update(std::int32_t residual) {
    const std::uint32_t magnitude =
        residual < 0 ? 0u - static_cast<std::uint32_t>(residual) : static_cast<std::uint32_t>(residual);
    const std::uint32_t limited = magnitude < (1u << 24) ? magnitude : 1u << 24;
    average = average - ((average * 5) >> 4) + limited * 5;
    zero = residual == 0 ? 1 : 0;
    negative = residual == 0 ? 2 : residual < 0 ? 1 : 0;
  }
};

/// The differences of control points from their prediction. Contexts are how large the last ones of the component were
/// and how large those of its siblings at the same control point.
struct ResidualModel {
  static constexpr unsigned kLevels = 16, kLengths = 26;
  Probability nonzero[kLevels][3], sign[3], longer[kLevels][kLengths], top[kLengths][4];

  ResidualModel() {
    for (unsigned level = 0; level < kLevels; ++level) {
      for (Probability& p : nonzero[level]) p = Probability(static_cast<std::uint16_t>(zeroAtStart(level)));
      for (unsigned n = 0; n < kLengths; ++n) longer[level][n] = Probability(endAtStart(level, n));
    }
  }

  /// Twice the binary logarithm of the expected magnitude, more or less. `sibling` is the mean magnitude of the
  /// components already coded here, in 1/16, or the component's own average where there are none.
  static unsigned level(std::uint32_t average, std::uint32_t sibling) {
    const std::uint32_t mean = (average * 3 + sibling) >> 2;
    if (mean <= 6) return 0;
    // Limits are 6/16, 9/16, 12/16, 18/16, … : every other one is twice as large.
    const unsigned doublings = floorLog2((mean - 1) / 6);
    const unsigned level = 1 + 2 * doublings + (mean > std::uint32_t{9} << doublings ? 1 : 0);
    return level < kLevels ? level : kLevels - 1;
  }

  template <class Coder>
  std::int32_t code(Coder& coder, unsigned level, const ComponentState& state, std::int32_t residual = 0) {
    if (!coder.bit(nonzero[level][state.zero], residual != 0)) return 0;
    const bool negative = coder.bit(sign[state.negative], residual < 0);
    const std::uint32_t magnitude =
        negative ? 0u - static_cast<std::uint32_t>(residual) : static_cast<std::uint32_t>(residual);
    unsigned bits = 0;  // below the highest
    while (bits < kLengths - 1 && coder.bit(longer[level][bits], magnitude >> (bits + 1) != 0)) ++bits;
    std::uint32_t result = 1;
    unsigned left = bits;
    unsigned context = 0;
    for (unsigned i = 0; i < 2 && left > 0; ++i) {
      const bool one = coder.bit(top[bits][context], (magnitude >> --left & 1) != 0);
      result = result << 1 | (one ? 1u : 0u);
      context = one ? 2 : 1;
    }
    while (left > 0) {
      const unsigned chunk = left < 16 ? left : 16;
      left -= chunk;
      result = result << chunk | coder.even(chunk, magnitude >> left & ((1u << chunk) - 1));
    }
    return negative ? -static_cast<std::int32_t>(result) : static_cast<std::int32_t>(result);
  }

 private:
  static std::uint32_t zeroAtStart(unsigned level) {
    constexpr std::uint16_t kZero[kLevels] = {56000, 48000, 40000, 33000, 26000, 20000, 15000, 11000,
                                              8000,  6000,  4500,  3200,  2300,  1600,  1100,  800};
    return kZero[level];
  }
  static std::uint16_t endAtStart(unsigned level, unsigned length) {
    // The magnitude expected at this level has about level / 2 - 1 bits below its highest.
    const int beyond = static_cast<int>(2 * length) - (static_cast<int>(level) - 3);
    return beyond <= -3 ? 6000 : beyond <= -1 ? 16000 : beyond <= 1 ? 32000 : beyond <= 3 ? 48000 : 56000;
  }
};

}  // namespace simmer::runtime
