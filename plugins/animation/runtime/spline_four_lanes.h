// Four lanes for spline_kernel.h with the vector types of GCC and Clang: SSE2, NEON and whatever else they know. See
// spline_lanes.h.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace simmer::runtime::SIMMER_UNIT {

struct FourLanes {
  static constexpr unsigned kLanes = 4;
  typedef float F __attribute__((vector_size(16)));
  typedef std::int32_t I __attribute__((vector_size(16)));
  typedef std::uint32_t U __attribute__((vector_size(16)));
  struct Words {
    std::uint64_t v[4];
  };

  SIMMER_INLINE static F splat(float value) { return F{value, value, value, value}; }
  SIMMER_INLINE static I splatInt(std::int32_t value) { return I{value, value, value, value}; }
  SIMMER_INLINE static F toFloat(I value) { return __builtin_convertvector(value, F); }
  SIMMER_INLINE static I toInt(F value) { return __builtin_convertvector(value, I); }
  SIMMER_INLINE static F root(F value) {
#if defined(__SSE2__)
    return _mm_sqrt_ps(value);
#else
    return F{__builtin_sqrtf(value[0]), __builtin_sqrtf(value[1]), __builtin_sqrtf(value[2]),
             __builtin_sqrtf(value[3])};
#endif
  }
  SIMMER_INLINE static I less(F a, F b) {
    return a < b;
  }
  SIMMER_INLINE static I equal(I a, I b) {
    return a == b;
  }
  SIMMER_INLINE static F select(I mask, F yes, F no) {
    return (F)((mask & (I)yes) | (~mask & (I)no));
  }
  SIMMER_INLINE static bool any(I mask) {
#if defined(__SSE2__)
    return _mm_movemask_ps((F)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
  }
  SIMMER_INLINE static bool anyAbove(I a, std::int32_t limit) {
    return any(a > splatInt(limit));
  }
  SIMMER_INLINE static I load(const std::int32_t* p) {
    I value;
    __builtin_memcpy(&value, p, sizeof value);
    return value;
  }
  SIMMER_INLINE static I shiftDown(I a, int bits) {
    return (I)((U)a >> bits);
  }
  SIMMER_INLINE static I product(I a, I b) {
    return (I)((U)a * (U)b);
  }
  SIMMER_INLINE static I sum(I a, I b) {
    return (I)((U)a + (U)b);
  }
  SIMMER_INLINE static I shiftDownBy(I a, I bits) {
    return I{a[0] >> bits[0], a[1] >> bits[1], a[2] >> bits[2], a[3] >> bits[3]};
  }
  SIMMER_INLINE static I selectInt(I mask, I yes, I no) {
    return (mask & yes) | (~mask & no);
  }
  SIMMER_INLINE static I above(I a, I b) {
    return a > b;
  }
  SIMMER_INLINE static I smaller(I a, I b) {
    return selectInt(a < b, a, b);
  }
  SIMMER_INLINE static I lowHalf(I a) {
    return (I)((U)a << 16) >> 16;
  }
  /// Powers up to 24 are floats too: there are no shifts by lane in SSE2.
  SIMMER_INLINE static I powerOf2(I exponent) {
    return __builtin_convertvector((F)((exponent + 127) << 23), I);
  }
  SIMMER_INLINE static F step(I exponent) {
    return F{kStepTable.steps[exponent[0]], kStepTable.steps[exponent[1]], kStepTable.steps[exponent[2]],
             kStepTable.steps[exponent[3]]};
  }

  SIMMER_INLINE static Words words(const std::uint8_t* const* p, std::size_t offset) {
    return {{wordAt(p[0] + offset), wordAt(p[1] + offset), wordAt(p[2] + offset), wordAt(p[3] + offset)}};
  }
  SIMMER_INLINE static Words wordsAt(const std::uint8_t* base, I offsets) {
    const U at = (U)offsets;
    return {{wordAt(base + at[0]), wordAt(base + at[1]), wordAt(base + at[2]), wordAt(base + at[3])}};
  }
  SIMMER_INLINE static I low(const Words& w) {
    return I{static_cast<std::int32_t>(w.v[0]), static_cast<std::int32_t>(w.v[1]), static_cast<std::int32_t>(w.v[2]),
             static_cast<std::int32_t>(w.v[3])};
  }
  SIMMER_INLINE static I high(const Words& w) {
    return I{static_cast<std::int32_t>(w.v[0] >> 32), static_cast<std::int32_t>(w.v[1] >> 32),
             static_cast<std::int32_t>(w.v[2] >> 32), static_cast<std::int32_t>(w.v[3] >> 32)};
  }
  template <bool Narrow, unsigned C>
  SIMMER_INLINE static void cut(Words words, I shift, const FieldLayout<I, C>& layout, I (&fields)[C]) {
    SIMMER_UNROLL
    for (unsigned lane = 0; lane < 4; ++lane) words.v[lane] >>= shift[lane];
    SIMMER_UNROLL
    for (unsigned c = 0; c < C; ++c) {
      fields[c] = low(words) & layout.ones[c];
      SIMMER_UNROLL
      for (unsigned lane = 0; lane < 4; ++lane) words.v[lane] >>= layout.widths[c][lane];
    }
  }

  SIMMER_INLINE static void storeRows(const F (&columns)[4], float* out, I places) {
    F r[4];
    transpose(columns, r);
    SIMMER_UNROLL
    for (unsigned i = 0; i < 4; ++i) __builtin_memcpy(out + static_cast<std::uint32_t>(places[i]), &r[i], sizeof(F));
  }
  SIMMER_INLINE static void storeThree(const F (&columns)[4], float* out, I places) {
    F r[4];
    transpose(columns, r);
    SIMMER_UNROLL
    for (unsigned i = 0; i < 4; ++i) __builtin_memcpy(out + static_cast<std::uint32_t>(places[i]), &r[i], 12);
  }
  SIMMER_INLINE static void storeVector(std::uint64_t word, float first, float step, float* out) {
    OneLane::storeVector(word, first, step, out);
  }

 private:
  SIMMER_INLINE static void transpose(const F (&in)[4], F (&out)[4]) {
    const F a = shuffle<0, 4, 1, 5>(in[0], in[1]), b = shuffle<2, 6, 3, 7>(in[0], in[1]);
    const F c = shuffle<0, 4, 1, 5>(in[2], in[3]), d = shuffle<2, 6, 3, 7>(in[2], in[3]);
    out[0] = shuffle<0, 1, 4, 5>(a, c);
    out[1] = shuffle<2, 3, 6, 7>(a, c);
    out[2] = shuffle<0, 1, 4, 5>(b, d);
    out[3] = shuffle<2, 3, 6, 7>(b, d);
  }
  template <int i, int j, int k, int l>
  SIMMER_INLINE static F shuffle(F a, F b) {
    return __builtin_shufflevector(a, b, i, j, k, l);
  }
};

}  // namespace simmer::runtime::SIMMER_UNIT
