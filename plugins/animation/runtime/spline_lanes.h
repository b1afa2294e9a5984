// Vectors of lanes for spline_kernel.h: one lane of plain C++, or four where the compiler has vector types (SSE2,
// NEON).
//
// No #pragma once: each unit (a file compiled for some processor) includes this and the kernel once, with SIMMER_UNIT
// as a namespace of its own, so that no function compiled for one processor is ever called on another.

#include <cstdint>

#include "plugins/animation/runtime/spline_memory.h"

namespace simmer::runtime::SIMMER_UNIT {

/// Eight bytes in little-endian order.
inline std::uint64_t wordAt(const std::uint8_t* p) {
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

/// One lane: plain numbers. F are floats, I 32-bit and Q 64-bit integers.
struct OneLane {
  static constexpr unsigned kLanes = 1;
  using F = float;
  using I = std::int32_t;
  using Q = std::uint64_t;

  static F splat(float value) { return value; }
  static I splatInt(std::int32_t value) { return value; }
  static Q splatWord(std::uint64_t value) { return value; }
  static F toFloat(I value) { return static_cast<float>(value); }
  static F root(F value) { return __builtin_sqrtf(value); }
  static I less(F a, F b) { return a < b ? -1 : 0; }
  static I equal(I a, I b) { return a == b ? -1 : 0; }
  static F select(I mask, F yes, F no) { return mask != 0 ? yes : no; }
  static bool any(I mask) { return mask != 0; }
  static I load(const std::int32_t* p) { return *p; }

  static Q words(const std::uint8_t* const* p, std::size_t offset) { return wordAt(p[0] + offset); }
  static Q wordsAt(const std::uint8_t* base, Q offsets) { return wordAt(base + offsets); }
  static Q product(Q a, Q b) { return a * b; }  // of numbers below 2^32
  static bool anyAbove(Q a, std::uint64_t limit) { return a > limit; }
  static I low(Q value) { return static_cast<I>(static_cast<std::uint32_t>(value)); }
  static I ones(I width) { return static_cast<I>((1u << width) - 1u); }
  static F step(I exponent) { return kStepTable.steps[exponent]; }

  static void loadRows(const std::uint8_t* const* rows, F (&columns)[4]) {
    __builtin_memcpy(columns, rows[0], sizeof columns);
  }
  static void storeRows(const F (&columns)[4], float* const* rows) {
    for (unsigned i = 0; i < 4; ++i) rows[0][i] = columns[i];
  }
  static void storeThree(const F (&columns)[4], float* const* rows) {
    for (unsigned i = 0; i < 3; ++i) rows[0][i] = columns[i];
  }
};

}  // namespace simmer::runtime::SIMMER_UNIT
