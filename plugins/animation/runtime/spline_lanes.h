// Vectors of lanes for spline_kernel.h: here one lane of plain C++.
//
// No #pragma once: each unit (a file compiled for some processor) includes this and the kernel once, with SIMMER_UNIT
// as a namespace of its own, so that no function compiled for one processor is ever called on another.

#include <cstdint>

#include "plugins/animation/runtime/spline_memory.h"

// A call in the middle of the arithmetic costs more than the arithmetic, and so do loops over components, which GCC
// leaves to be loops without -O3.
#if defined(__GNUC__)
#define SIMMER_INLINE __attribute__((always_inline)) inline
#else
#define SIMMER_INLINE inline
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define SIMMER_UNROLL _Pragma("GCC unroll 8")
#else
#define SIMMER_UNROLL
#endif

namespace simmer::runtime::SIMMER_UNIT {

/// Eight bytes in little-endian order.
SIMMER_INLINE std::uint64_t wordAt(const std::uint8_t* p) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::uint64_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return word;
#else
  std::uint64_t word = 0;
  for (unsigned i = 8; i-- > 0;) word = word << 8 | p[i];
  return word;
#endif
}

/// stepOf() of every exponent.
struct StepTable {
  float steps[256] = {};
  constexpr StepTable() {
    for (unsigned exponent = 0; exponent < 256; ++exponent) steps[exponent] = runtime::stepOf(exponent);
  }
};
constexpr StepTable kStepTable;

/// The fields of control points: how wide each is, and a mask of that many ones.
template <class I, unsigned C>
struct FieldLayout {
  I widths[C], ones[C], bits;
};

/// One lane. F are floats, I 32-bit integers, Words eight bytes from somewhere.
struct OneLane {
  static constexpr unsigned kLanes = 1;
  using F = float;
  using I = std::int32_t;
  using Words = std::uint64_t;

  SIMMER_INLINE static F splat(float value) { return value; }
  SIMMER_INLINE static I splatInt(std::int32_t value) { return value; }
  SIMMER_INLINE static F toFloat(I value) { return static_cast<float>(value); }
  SIMMER_INLINE static I toInt(F value) { return static_cast<I>(value); }  // towards zero
  SIMMER_INLINE static F root(F value) { return __builtin_sqrtf(value); }
  SIMMER_INLINE static I less(F a, F b) { return a < b ? -1 : 0; }
  SIMMER_INLINE static I equal(I a, I b) { return a == b ? -1 : 0; }
  SIMMER_INLINE static F select(I mask, F yes, F no) { return mask != 0 ? yes : no; }
  SIMMER_INLINE static bool any(I mask) { return mask != 0; }
  SIMMER_INLINE static bool anyAbove(I a, std::int32_t limit) { return a > limit; }
  SIMMER_INLINE static I load(const std::int32_t* p) { return *p; }
  SIMMER_INLINE static I shiftDown(I a, int bits) {
    return static_cast<I>(static_cast<std::uint32_t>(a) >> bits);  // of unsigned numbers
  }
  SIMMER_INLINE static I product(I a, I b) {
    return static_cast<I>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
  }
  SIMMER_INLINE static I sum(I a, I b) {
    return static_cast<I>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
  SIMMER_INLINE static I shiftDownBy(I a, I bits) { return a >> bits; }  // of numbers above zero
  SIMMER_INLINE static I smaller(I a, I b) { return a < b ? a : b; }
  SIMMER_INLINE static I selectInt(I mask, I yes, I no) { return mask != 0 ? yes : no; }
  SIMMER_INLINE static I above(I a, I b) { return a > b ? -1 : 0; }
  SIMMER_INLINE static I lowHalf(I a) { return static_cast<std::int16_t>(a & 0xFFFF); }  // of two signed numbers
  SIMMER_INLINE static I powerOf2(I exponent) { return static_cast<I>(1u << exponent); }
  SIMMER_INLINE static F step(I exponent) { return kStepTable.steps[exponent]; }

  SIMMER_INLINE static Words words(const std::uint8_t* const* p, std::size_t offset) { return wordAt(p[0] + offset); }
  SIMMER_INLINE static Words wordsAt(const std::uint8_t* base, I offsets) {
    return wordAt(base + static_cast<std::uint32_t>(offsets));
  }
  SIMMER_INLINE static I low(Words value) { return static_cast<I>(static_cast<std::uint32_t>(value)); }
  SIMMER_INLINE static I high(Words value) { return static_cast<I>(static_cast<std::uint32_t>(value >> 32)); }
  /// The fields that start at bit `shift`; with Narrow all of them are in the 32 bits from there on, else two and two.
  template <bool Narrow, unsigned C>
  SIMMER_INLINE static void cut(Words words, I shift, const FieldLayout<I, C>& layout, I (&fields)[C]) {
    words >>= shift;
    SIMMER_UNROLL
    for (unsigned c = 0; c < C; ++c) {
      fields[c] = low(words) & layout.ones[c];
      words >>= layout.widths[c];
    }
  }

  /// Four values, or three, of each lane to out + its place.
  SIMMER_INLINE static void storeRows(const F (&columns)[4], float* out, I place) {
    SIMMER_UNROLL
    for (unsigned i = 0; i < 4; ++i) out[static_cast<std::uint32_t>(place) + i] = columns[i];
  }
  SIMMER_INLINE static void storeThree(const F (&columns)[4], float* out, I place) {
    SIMMER_UNROLL
    for (unsigned i = 0; i < 3; ++i) out[static_cast<std::uint32_t>(place) + i] = columns[i];
  }
  /// first + step * the three 16-bit integers of a word.
  SIMMER_INLINE static void storeVector(std::uint64_t word, float first, float step, float* out) {
    SIMMER_UNROLL
    for (int i = 0; i < 3; ++i)
      out[i] = first + step * static_cast<float>(static_cast<std::int16_t>(word >> 16 * i & 0xFFFF));
  }
};

}  // namespace simmer::runtime::SIMMER_UNIT
