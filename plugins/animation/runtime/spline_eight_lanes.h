// Eight lanes of AVX2 for spline_kernel.h; see spline_lanes.h. Loads are done one by one: gathers are slow on many
// processors.

#include <immintrin.h>

namespace simmer::runtime::SIMMER_UNIT {

struct EightLanes {
  static constexpr unsigned kLanes = 8;
  using F = __m256;
  typedef std::int32_t I __attribute__((vector_size(32)));
  struct Words {
    __m256i a, b;  // lanes 0 1 4 5 and 2 3 6 7, so that halves come together with one shuffle
  };

  SIMMER_INLINE static F splat(float value) { return _mm256_set1_ps(value); }
  SIMMER_INLINE static I splatInt(std::int32_t value) { return (I)_mm256_set1_epi32(value); }
  SIMMER_INLINE static F toFloat(I value) { return _mm256_cvtepi32_ps((__m256i)value); }
  SIMMER_INLINE static I toInt(F value) { return (I)_mm256_cvttps_epi32(value); }
  SIMMER_INLINE static F root(F value) { return _mm256_sqrt_ps(value); }
  SIMMER_INLINE static I less(F a, F b) { return (I)_mm256_cmp_ps(a, b, _CMP_LT_OQ); }
  SIMMER_INLINE static I equal(I a, I b) { return (I)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b); }
  SIMMER_INLINE static F select(I mask, F yes, F no) { return _mm256_blendv_ps(no, yes, (__m256)mask); }
  SIMMER_INLINE static bool any(I mask) { return _mm256_movemask_ps((__m256)mask) != 0; }
  SIMMER_INLINE static bool anyAbove(I a, std::int32_t limit) {
    return any((I)_mm256_cmpgt_epi32((__m256i)a, _mm256_set1_epi32(limit)));
  }
  SIMMER_INLINE static I load(const std::int32_t* p) {
    return (I)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  SIMMER_INLINE static I shiftDown(I a, int bits) { return (I)_mm256_srli_epi32((__m256i)a, bits); }
  SIMMER_INLINE static I product(I a, I b) { return (I)_mm256_mullo_epi32((__m256i)a, (__m256i)b); }
  SIMMER_INLINE static I sum(I a, I b) { return (I)_mm256_add_epi32((__m256i)a, (__m256i)b); }
  SIMMER_INLINE static I shiftDownBy(I a, I bits) { return (I)_mm256_srlv_epi32((__m256i)a, (__m256i)bits); }
  SIMMER_INLINE static I selectInt(I mask, I yes, I no) {
    return (I)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
  }
  SIMMER_INLINE static I above(I a, I b) { return (I)_mm256_cmpgt_epi32((__m256i)a, (__m256i)b); }
  SIMMER_INLINE static I smaller(I a, I b) { return (I)_mm256_min_epi32((__m256i)a, (__m256i)b); }
  SIMMER_INLINE static I lowHalf(I a) { return (I)_mm256_srai_epi32(_mm256_slli_epi32((__m256i)a, 16), 16); }
  SIMMER_INLINE static I powerOf2(I exponent) { return (I)_mm256_sllv_epi32(_mm256_set1_epi32(1), (__m256i)exponent); }
  SIMMER_INLINE static F step(I exponent) {
    const __m256 quarters = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(&kStepTable.steps[160]));
    const __m256i quarter = (__m256i)_mm256_permutevar_ps(quarters, (__m256i)exponent);
    const __m256i power = _mm256_sub_epi32(_mm256_srli_epi32((__m256i)exponent, 2), _mm256_set1_epi32(40));
    return (__m256)_mm256_add_epi32(quarter, _mm256_slli_epi32(power, 23));
  }

  SIMMER_INLINE static Words words(const std::uint8_t* const* p, std::size_t offset) {
    return {four(p[0] + offset, p[1] + offset, p[4] + offset, p[5] + offset),
            four(p[2] + offset, p[3] + offset, p[6] + offset, p[7] + offset)};
  }
  SIMMER_INLINE static Words wordsAt(const std::uint8_t* base, I offsets) {
    const Numbers n(offsets);
    return {four(base + n.v[0], base + n.v[1], base + n.v[4], base + n.v[5]),
            four(base + n.v[2], base + n.v[3], base + n.v[6], base + n.v[7])};
  }
  SIMMER_INLINE static I low(Words w) { return halves<0x88>(w.a, w.b); }
  SIMMER_INLINE static I high(Words w) { return halves<0xDD>(w.a, w.b); }
  template <bool Narrow, unsigned C>
  SIMMER_INLINE static void cut(Words words, I shift, const FieldLayout<I, C>& layout, I (&fields)[C]) {
    if (Narrow) {
      __m256i bits = (__m256i)shifted(words, shift);
      SIMMER_UNROLL
      for (unsigned c = 0; c < C; ++c) {
        fields[c] = (I)bits & layout.ones[c];
        if (c + 1 < C) bits = _mm256_srlv_epi32(bits, (__m256i)layout.widths[c]);
      }
      return;
    }
    // Two fields are in 32 bits.
    SIMMER_UNROLL
    for (unsigned c = 0; c < C; c += 2) {
      const I bits = shifted(words, shift);
      fields[c] = bits & layout.ones[c];
      if (c + 1 == C) continue;
      fields[c + 1] = (I)_mm256_srlv_epi32((__m256i)bits, (__m256i)layout.widths[c]) & layout.ones[c + 1];
      shift = shift + layout.widths[c] + layout.widths[c + 1];
    }
  }

  SIMMER_INLINE static void storeRows(const F (&columns)[4], float* out, I places) {
    F r[4];
    transpose(columns, r);
    const Numbers n(places);
    SIMMER_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      _mm_storeu_ps(out + n.v[i], _mm256_castps256_ps128(r[i]));
      _mm_storeu_ps(out + n.v[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
  }
  SIMMER_INLINE static void storeThree(const F (&columns)[4], float* out, I places) {
    F r[4];
    transpose(columns, r);
    const Numbers n(places);
    SIMMER_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      three(out + n.v[i], _mm256_castps256_ps128(r[i]));
      three(out + n.v[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
  }
  SIMMER_INLINE static void storeVector(std::uint64_t word, float first, float step, float* out) {
    const __m128i integers = _mm_cvtepi16_epi32(_mm_cvtsi64_si128(static_cast<long long>(word)));
    three(out, _mm_add_ps(_mm_set1_ps(first), _mm_mul_ps(_mm_set1_ps(step), _mm_cvtepi32_ps(integers))));
  }

 private:
  /// Each lane's number.
  struct Numbers {
    std::uint64_t v[8];
    SIMMER_INLINE explicit Numbers(I lanes) {
      const __m128i low = _mm256_castsi256_si128((__m256i)lanes), high = _mm256_extracti128_si256((__m256i)lanes, 1);
      split(_mm_cvtsi128_si64(low), v);
      split(_mm_extract_epi64(low, 1), v + 2);
      split(_mm_cvtsi128_si64(high), v + 4);
      split(_mm_extract_epi64(high, 1), v + 6);
    }
    SIMMER_INLINE static void split(long long pair, std::uint64_t* out) {
      out[0] = static_cast<std::uint32_t>(pair);
      out[1] = static_cast<std::uint64_t>(pair) >> 32;
    }
  };
  SIMMER_INLINE static __m128i two(const std::uint8_t* p, const std::uint8_t* q) {
    const __m128 low = _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    return _mm_castps_si128(_mm_loadh_pi(low, reinterpret_cast<const __m64*>(q)));
  }
  SIMMER_INLINE static __m256i four(const std::uint8_t* p, const std::uint8_t* q, const std::uint8_t* r,
                                    const std::uint8_t* s) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(two(p, q)), two(r, s), 1);
  }
  template <int Order>
  SIMMER_INLINE static I halves(__m256i a, __m256i b) {
    return (I)_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), Order);
  }
  /// The low halves of the words, moved down by up to 63 bits.
  SIMMER_INLINE static I shifted(Words words, I shift) {
    const __m256i none = _mm256_setzero_si256();
    return halves<0x88>(_mm256_srlv_epi64(words.a, _mm256_unpacklo_epi32((__m256i)shift, none)),
                        _mm256_srlv_epi64(words.b, _mm256_unpackhi_epi32((__m256i)shift, none)));
  }
  SIMMER_INLINE static void three(float* out, __m128 value) {
    _mm_storel_pi(reinterpret_cast<__m64*>(out), value);
    _mm_store_ss(out + 2, _mm_movehl_ps(value, value));
  }
  SIMMER_INLINE static void transpose(const F (&in)[4], F (&out)[4]) {
    const F a = _mm256_unpacklo_ps(in[0], in[1]), b = _mm256_unpackhi_ps(in[0], in[1]);
    const F c = _mm256_unpacklo_ps(in[2], in[3]), d = _mm256_unpackhi_ps(in[2], in[3]);
    out[0] = _mm256_shuffle_ps(a, c, 0x44);
    out[1] = _mm256_shuffle_ps(a, c, 0xEE);
    out[2] = _mm256_shuffle_ps(b, d, 0x44);
    out[3] = _mm256_shuffle_ps(b, d, 0xEE);
  }
};

}  // namespace simmer::runtime::SIMMER_UNIT
