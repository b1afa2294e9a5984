// Eight lanes of AVX2 for spline_kernel.h; see spline_lanes.h. Loads are done one by one: gathers are slow on many
// processors.

#include <immintrin.h>

namespace simmer::runtime::SIMMER_UNIT {

struct EightWords {
  __m256i a, b;  // lanes 0 1 4 5 and 2 3 6 7, so that the low halves come together with one shuffle

  friend EightWords operator+(EightWords x, EightWords y) {
    return {_mm256_add_epi64(x.a, y.a), _mm256_add_epi64(x.b, y.b)};
  }
  friend EightWords operator-(EightWords x, EightWords y) {
    return {_mm256_sub_epi64(x.a, y.a), _mm256_sub_epi64(x.b, y.b)};
  }
  friend EightWords operator&(EightWords x, EightWords y) {
    return {_mm256_and_si256(x.a, y.a), _mm256_and_si256(x.b, y.b)};
  }
  friend EightWords operator>>(EightWords x, EightWords y) {
    return {_mm256_srlv_epi64(x.a, y.a), _mm256_srlv_epi64(x.b, y.b)};
  }
  friend EightWords operator>>(EightWords x, int y) { return {_mm256_srli_epi64(x.a, y), _mm256_srli_epi64(x.b, y)}; }
  friend EightWords operator<<(EightWords x, int y) { return {_mm256_slli_epi64(x.a, y), _mm256_slli_epi64(x.b, y)}; }
};

struct EightLanes {
  static constexpr unsigned kLanes = 8;
  using F = __m256;
  typedef std::int32_t I __attribute__((vector_size(32)));
  using Q = EightWords;

  static F splat(float value) { return _mm256_set1_ps(value); }
  static I splatInt(std::int32_t value) { return (I)_mm256_set1_epi32(value); }
  static Q splatWord(std::uint64_t value) {
    const __m256i word = _mm256_set1_epi64x(static_cast<long long>(value));
    return {word, word};
  }
  static F toFloat(I value) { return _mm256_cvtepi32_ps((__m256i)value); }
  static F root(F value) { return _mm256_sqrt_ps(value); }
  static I less(F a, F b) { return (I)_mm256_cmp_ps(a, b, _CMP_LT_OQ); }
  static I equal(I a, I b) { return (I)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b); }
  static F select(I mask, F yes, F no) { return _mm256_blendv_ps(no, yes, (__m256)mask); }
  static bool any(I mask) { return _mm256_movemask_ps((__m256)mask) != 0; }
  static I load(const std::int32_t* p) { return (I)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }

  static Q words(const std::uint8_t* const* p, std::size_t offset) {
    return {four(p[0] + offset, p[1] + offset, p[4] + offset, p[5] + offset),
            four(p[2] + offset, p[3] + offset, p[6] + offset, p[7] + offset)};
  }
  static Q wordsAt(const std::uint8_t* base, Q offsets) { return {fourAt(base, offsets.a), fourAt(base, offsets.b)}; }
  static Q product(Q x, Q y) { return {_mm256_mul_epu32(x.a, y.a), _mm256_mul_epu32(x.b, y.b)}; }
  static bool anyAbove(Q x, std::uint64_t limit) {
    const Q most = splatWord(limit);
    const __m256i above = _mm256_or_si256(_mm256_cmpgt_epi64(x.a, most.a), _mm256_cmpgt_epi64(x.b, most.b));
    return _mm256_testz_si256(above, above) == 0;
  }
  static I low(Q value) {
    return (I)_mm256_shuffle_ps(_mm256_castsi256_ps(value.a), _mm256_castsi256_ps(value.b), 0x88);
  }
  static I ones(I width) {
    return (I)_mm256_sub_epi32(_mm256_sllv_epi32(_mm256_set1_epi32(1), (__m256i)width), _mm256_set1_epi32(1));
  }
  static F step(I exponent) {
    const __m256 quarters = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(&kStepTable.steps[160]));
    const __m256i quarter = (__m256i)_mm256_permutevar_ps(quarters, (__m256i)exponent);
    const __m256i power = _mm256_sub_epi32(_mm256_srli_epi32((__m256i)exponent, 2), _mm256_set1_epi32(40));
    return (__m256)_mm256_add_epi32(quarter, _mm256_slli_epi32(power, 23));
  }

  static void loadRows(const std::uint8_t* const* rows, F (&columns)[4]) {
    const F r[4] = {pair(rows[0], rows[4]), pair(rows[1], rows[5]), pair(rows[2], rows[6]), pair(rows[3], rows[7])};
    transpose(r, columns);
  }
  static void storeRows(const F (&columns)[4], float* const* rows) {
    F r[4];
    transpose(columns, r);
    for (unsigned i = 0; i < 4; ++i) {
      _mm_storeu_ps(rows[i], _mm256_castps256_ps128(r[i]));
      _mm_storeu_ps(rows[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
  }
  static void storeThree(const F (&columns)[4], float* const* rows) {
    F r[4];
    transpose(columns, r);
    for (unsigned i = 0; i < 4; ++i) {
      three(rows[i], _mm256_castps256_ps128(r[i]));
      three(rows[i + 4], _mm256_extractf128_ps(r[i], 1));
    }
  }

 private:
  static __m128i two(const std::uint8_t* p, const std::uint8_t* q) {
    const __m128 low = _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    return _mm_castps_si128(_mm_loadh_pi(low, reinterpret_cast<const __m64*>(q)));
  }
  static __m256i four(const std::uint8_t* p, const std::uint8_t* q, const std::uint8_t* r, const std::uint8_t* s) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(two(p, q)), two(r, s), 1);
  }
  static __m256i fourAt(const std::uint8_t* base, __m256i offsets) {
    const __m128i low = _mm256_castsi256_si128(offsets), high = _mm256_extracti128_si256(offsets, 1);
    return four(base + _mm_cvtsi128_si64(low), base + _mm_extract_epi64(low, 1), base + _mm_cvtsi128_si64(high),
                base + _mm_extract_epi64(high, 1));
  }
  static __m256 pair(const std::uint8_t* p, const std::uint8_t* q) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(reinterpret_cast<const float*>(p))),
                                _mm_loadu_ps(reinterpret_cast<const float*>(q)), 1);
  }
  static void three(float* out, __m128 value) {
    _mm_storel_pi(reinterpret_cast<__m64*>(out), value);
    _mm_store_ss(out + 2, _mm_movehl_ps(value, value));
  }
  static void transpose(const F (&in)[4], F (&out)[4]) {
    const F a = _mm256_unpacklo_ps(in[0], in[1]), b = _mm256_unpackhi_ps(in[0], in[1]);
    const F c = _mm256_unpacklo_ps(in[2], in[3]), d = _mm256_unpackhi_ps(in[2], in[3]);
    out[0] = _mm256_shuffle_ps(a, c, 0x44);
    out[1] = _mm256_shuffle_ps(a, c, 0xEE);
    out[2] = _mm256_shuffle_ps(b, d, 0x44);
    out[3] = _mm256_shuffle_ps(b, d, 0xEE);
  }
};

}  // namespace simmer::runtime::SIMMER_UNIT
