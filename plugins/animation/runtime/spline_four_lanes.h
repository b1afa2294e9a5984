// Four lanes for spline_kernel.h with the vector types of GCC and Clang: SSE2, NEON and whatever else they know. See
// spline_lanes.h.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace simmer::runtime::SIMMER_UNIT {

struct FourWords {
  std::uint64_t v[4];

  template <class Operation>
  static FourWords each(Operation operation) {
    return {{operation(0), operation(1), operation(2), operation(3)}};
  }
  friend FourWords operator+(const FourWords& a, const FourWords& b) {
    return each([&](int i) { return a.v[i] + b.v[i]; });
  }
  friend FourWords operator-(const FourWords& a, const FourWords& b) {
    return each([&](int i) { return a.v[i] - b.v[i]; });
  }
  friend FourWords operator&(const FourWords& a, const FourWords& b) {
    return each([&](int i) { return a.v[i] & b.v[i]; });
  }
  friend FourWords operator>>(const FourWords& a, const FourWords& b) {
    return each([&](int i) { return a.v[i] >> b.v[i]; });
  }
  friend FourWords operator>>(const FourWords& a, int b) {
    return each([&](int i) { return a.v[i] >> b; });
  }
  friend FourWords operator<<(const FourWords& a, int b) {
    return each([&](int i) { return a.v[i] << b; });
  }
};

struct FourLanes {
  static constexpr unsigned kLanes = 4;
  typedef float F __attribute__((vector_size(16)));
  typedef std::int32_t I __attribute__((vector_size(16)));
  using Q = FourWords;

  static F splat(float value) { return F{value, value, value, value}; }
  static I splatInt(std::int32_t value) { return I{value, value, value, value}; }
  static Q splatWord(std::uint64_t value) { return {{value, value, value, value}}; }
  static F toFloat(I value) { return __builtin_convertvector(value, F); }
  static F root(F value) {
#if defined(__SSE2__)
    return _mm_sqrt_ps(value);
#else
    return F{__builtin_sqrtf(value[0]), __builtin_sqrtf(value[1]), __builtin_sqrtf(value[2]),
             __builtin_sqrtf(value[3])};
#endif
  }
  static I less(F a, F b) {
    return a < b;
  }
  static I equal(I a, I b) {
    return a == b;
  }
  static F select(I mask, F yes, F no) {
    return (F)((mask & (I)yes) | (~mask & (I)no));
  }
  static bool any(I mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
  }
  static I load(const std::int32_t* p) {
    return I{p[0], p[1], p[2], p[3]};
  }

  static Q words(const std::uint8_t* const* p, std::size_t offset) {
    return Q::each([&](int i) { return wordAt(p[i] + offset); });
  }
  static Q wordsAt(const std::uint8_t* base, const Q& offsets) {
    return Q::each([&](int i) { return wordAt(base + offsets.v[i]); });
  }
  static Q product(const Q& a, const Q& b) {
    return Q::each([&](int i) { return a.v[i] * b.v[i]; });
  }
  static bool anyAbove(const Q& a, std::uint64_t limit) {
    return a.v[0] > limit || a.v[1] > limit || a.v[2] > limit || a.v[3] > limit;
  }
  static I low(const Q& value) {
    return I{static_cast<std::int32_t>(value.v[0]), static_cast<std::int32_t>(value.v[1]),
             static_cast<std::int32_t>(value.v[2]), static_cast<std::int32_t>(value.v[3])};
  }
  static I ones(I width) {
    return I{(1 << width[0]) - 1, (1 << width[1]) - 1, (1 << width[2]) - 1, (1 << width[3]) - 1};
  }
  static F step(I exponent) {
    return F{kStepTable.steps[exponent[0]], kStepTable.steps[exponent[1]], kStepTable.steps[exponent[2]],
             kStepTable.steps[exponent[3]]};
  }

  static void loadRows(const std::uint8_t* const* rows, F (&columns)[4]) {
    F r[4];
    for (unsigned i = 0; i < 4; ++i) __builtin_memcpy(&r[i], rows[i], sizeof(F));
    transpose(r, columns);
  }
  static void storeRows(const F (&columns)[4], float* const* rows) {
    F r[4];
    transpose(columns, r);
    for (unsigned i = 0; i < 4; ++i) __builtin_memcpy(rows[i], &r[i], sizeof(F));
  }
  static void storeThree(const F (&columns)[4], float* const* rows) {
    F r[4];
    transpose(columns, r);
    for (unsigned i = 0; i < 4; ++i) __builtin_memcpy(rows[i], &r[i], 12);
  }

 private:
  static void transpose(const F (&in)[4], F (&out)[4]) {
    const F a = shuffle<0, 4, 1, 5>(in[0], in[1]), b = shuffle<2, 6, 3, 7>(in[0], in[1]);
    const F c = shuffle<0, 4, 1, 5>(in[2], in[3]), d = shuffle<2, 6, 3, 7>(in[2], in[3]);
    out[0] = shuffle<0, 1, 4, 5>(a, c);
    out[1] = shuffle<2, 3, 6, 7>(a, c);
    out[2] = shuffle<0, 1, 4, 5>(b, d);
    out[3] = shuffle<2, 3, 6, 7>(b, d);
  }
  template <int i, int j, int k, int l>
  static F shuffle(F a, F b) {
    return __builtin_shufflevector(a, b, i, j, k, l);
  }
};

}  // namespace simmer::runtime::SIMMER_UNIT
