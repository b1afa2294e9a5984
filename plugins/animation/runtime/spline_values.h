// Values of tracks from their control points, in lanes; see spline_lanes.h for SIMMER_UNIT. The order of the arithmetic
// is a part of the format: every unit has to give the same bits.

namespace simmer::runtime::SIMMER_UNIT {

/// Where the records of a clip lead.
struct Heap {
  const std::uint8_t* bytes;
  std::uint64_t offsetMask;
};

/// As many tracks as there are lanes.
template <class L>
struct Group {
  const std::uint8_t* records[L::kLanes];
  const std::uint8_t* weights[L::kLanes];  ///< each a Weights
  float* out[L::kLanes];
};

template <class L, unsigned C>
class Points {
 public:
  using F = typename L::F;
  using I = typename L::I;
  using Q = typename L::Q;

  /// `extra` is what stands in a record before its widths; of a quaternion the fourth width is in it.
  Points(const Heap& heap, const Group<L>& group, std::size_t extra) : m_heap(heap) {
    const Q tail = L::words(group.records, extra), field = L::splatWord(31);
    m_exponent = L::low((tail >> 16) & L::splatWord(255));
    for (unsigned c = 0; c < C && c < 3; ++c) m_widths[c] = tail >> static_cast<int>(5 * c) & field;
    if (C == 4) m_widths[C - 1] = L::words(group.records, 0) & field;
    m_bits = m_widths[0];
    for (unsigned c = 1; c < C; ++c) m_bits = m_bits + m_widths[c];
    for (unsigned c = 0; c < C; ++c) m_ones[c] = L::ones(L::low(m_widths[c]));
    const Q place = L::words(group.weights, 16), one = L::splatWord(1), none = L::splatWord(0);
    m_second = none - ((place >> 32) & one);
    m_third = none - ((place >> 33) & one);
    const Q offset = tail >> 24 & L::splatWord(heap.offsetMask);
    m_start = (offset << 3) + L::product(place & L::splatWord(0xFFFFFFFF), m_bits);
    L::loadRows(group.weights, m_weights);
  }

  F step() const { return L::step(m_exponent); }
  /// The value that stands in the middle of a component's field.
  F middle(unsigned c) const { return L::toFloat((m_ones[c] + L::splatInt(1)) >> 1); }

  /// The weighted sum of the control points' fields.
  void sum(F (&sums)[C]) const {
    if (!L::anyAbove(m_bits, kPairBits)) {
      sumPairs(sums);
    } else if (!L::anyAbove(m_bits, kWordBits)) {
      sumWords(sums);
    } else {
      sumFields(sums);
    }
  }

 private:
  static constexpr std::uint64_t kPairBits = 28;  // two control points and the bits before them are in 64 bits
  static constexpr std::uint64_t kWordBits = 57;  // one is

  /// Adds the control point whose first field stands at bit `shift` of the words; number 0 starts the sum.
  template <unsigned Number>
  void add(Q words, Q shift, F (&sums)[C]) const {
    for (unsigned c = 0; c < C; ++c) {
      const F field = m_weights[Number] * L::toFloat(L::low(words >> shift) & m_ones[c]);
      sums[c] = Number == 0 ? field : sums[c] + field;
      shift = shift + m_widths[c];
    }
  }
  void sumPairs(F (&sums)[C]) const {
    const Q seven = L::splatWord(7), behind = m_start + ((m_bits + m_bits) & m_third);
    const Q first = L::wordsAt(m_heap.bytes, m_start >> 3), second = L::wordsAt(m_heap.bytes, behind >> 3);
    add<0>(first, m_start & seven, sums);
    add<1>(first, (m_start & seven) + m_bits, sums);
    add<2>(second, behind & seven, sums);
    add<3>(second, (behind & seven) + m_bits, sums);
  }
  Q placeOf(unsigned number) const {
    if (number == 0) return m_start;
    const Q second = m_start + (m_bits & m_second), step = m_bits & m_third;
    return number == 1 ? second : number == 2 ? second + step : second + step + step;
  }
  template <unsigned Number>
  void addWord(F (&sums)[C]) const {
    const Q place = placeOf(Number);
    add<Number>(L::wordsAt(m_heap.bytes, place >> 3), place & L::splatWord(7), sums);
  }
  void sumWords(F (&sums)[C]) const {
    addWord<0>(sums);
    addWord<1>(sums);
    addWord<2>(sums);
    addWord<3>(sums);
  }
  void sumFields(F (&sums)[C]) const {
    for (unsigned c = 0; c < C; ++c) sums[c] = L::splat(0.0f);  // no sum is below zero, so this changes no bit
    for (unsigned number = 0; number < 4; ++number) {
      Q place = placeOf(number);
      for (unsigned c = 0; c < C; ++c) {
        const Q words = L::wordsAt(m_heap.bytes, place >> 3);
        const F field = L::toFloat(L::low(words >> (place & L::splatWord(7))) & m_ones[c]);
        sums[c] = sums[c] + m_weights[number] * field;
        place = place + m_widths[c];
      }
    }
  }

  const Heap& m_heap;
  I m_exponent;
  Q m_widths[C], m_bits, m_second, m_third, m_start;
  I m_ones[C];
  F m_weights[4];
};

template <class L>
typename L::F dot(const typename L::F (&a)[4], const typename L::F (&b)[4]) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

/// Four 16-bit components, normalised: they are of unit length but for rounding, so one step of Newton's will do.
template <class L>
void unpackRotation(typename L::Q packed, typename L::F (&q)[4]) {
  using F = typename L::F;
  using I = typename L::I;
  const I xy = L::low(packed), zw = L::low(packed >> 32);
  const I parts[4] = {(xy << 16) >> 16, xy >> 16, (zw << 16) >> 16, zw >> 16};
  for (unsigned i = 0; i < 4; ++i) q[i] = L::toFloat(parts[i]) * L::splat(1.0f / 32767.0f);
  const F scale = L::splat(1.5f) - L::splat(0.5f) * dot<L>(q, q);
  for (unsigned i = 0; i < 4; ++i) q[i] = q[i] * scale;
}

template <class L>
void normalise(typename L::F (&q)[4]) {
  using F = typename L::F;
  const F square = dot<L>(q, q), zero = L::splat(0.0f);
  const typename L::I fine = L::less(zero, square);
  const F scale = L::splat(1.0f) / L::root(L::select(fine, square, L::splat(1.0f)));
  for (unsigned i = 0; i < 3; ++i) q[i] = L::select(fine, q[i] * scale, zero);
  q[3] = L::select(fine, q[3] * scale, L::splat(1.0f));
}

/// Of |v|²/4: vectors up to 3.4 long.
constexpr float kFarthest = 2.9f;

/// The quaternion of a rotation vector: polynomials in |v|²/4, good to 6e-9 and 6e-10 up to kFarthest. False where a
/// lane's vector is longer; those are no more than in the right direction and not of unit length.
template <class L>
bool exponential(const typename L::F (&v)[3], typename L::F (&q)[4]) {
  using F = typename L::F;
  const F x = ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) * L::splat(0.25f);
  const typename L::I far = L::less(L::splat(kFarthest), x);
  const bool isNear = !L::any(far);
  const F y = isNear ? x : L::select(far, L::splat(kFarthest), x);
  F sine = L::splat(1.28974506e-6f) * y + L::splat(-9.89849010e-5f);
  sine = sine * y + L::splat(4.16643831e-3f);
  sine = sine * y + L::splat(-8.33332507e-2f);
  sine = sine * y + L::splat(0.49999999521f);
  F cosine = L::splat(-2.57943268e-7f) * y + L::splat(2.47446270e-5f);
  cosine = cosine * y + L::splat(-1.38880363e-3f);
  cosine = cosine * y + L::splat(4.16666089e-2f);
  cosine = cosine * y + L::splat(-0.499999985646f);
  cosine = cosine * y + L::splat(0.999999999422f);
  for (unsigned i = 0; i < 3; ++i) q[i] = sine * v[i];
  q[3] = cosine;
  return isNear;
}

/// Lanes that exponential() could not make of unit length; the others stay as they are.
template <class L>
void normaliseFar(const typename L::F (&v)[3], typename L::F (&q)[4]) {
  using F = typename L::F;
  const F x = ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) * L::splat(0.25f);
  const typename L::I far = L::less(L::splat(kFarthest), x);
  F unit[4] = {q[0], q[1], q[2], q[3]};
  normalise<L>(unit);
  for (unsigned i = 0; i < 4; ++i) q[i] = L::select(far, unit[i], q[i]);
}

template <class L>
void sampleRotations(const Heap& heap, const Group<L>& group) {
  using F = typename L::F;
  const Points<L, 3> points(heap, group, kSetExtra[static_cast<unsigned>(TrackSet::Spline)]);
  F v[3], e[4], m[4], q[4];
  points.sum(v);
  const F step = points.step();
  for (unsigned c = 0; c < 3; ++c) v[c] = (v[c] - points.middle(c)) * step;
  const bool isNear = exponential<L>(v, e);
  unpackRotation<L>(L::words(group.records, 0), m);
  q[0] = (m[3] * e[0] + m[0] * e[3]) + (m[1] * e[2] - m[2] * e[1]);
  q[1] = (m[3] * e[1] + m[1] * e[3]) + (m[2] * e[0] - m[0] * e[2]);
  q[2] = (m[3] * e[2] + m[2] * e[3]) + (m[0] * e[1] - m[1] * e[0]);
  q[3] = (m[3] * e[3] - m[0] * e[0]) - (m[1] * e[1] + m[2] * e[2]);
  if (!isNear) normaliseFar<L>(v, q);
  L::storeRows(q, group.out);
}

template <class L>
void sampleQuaternions(const Heap& heap, const Group<L>& group) {
  const Points<L, 4> points(heap, group, kSetExtra[static_cast<unsigned>(TrackSet::Quaternion)]);
  typename L::F q[4];
  points.sum(q);
  for (unsigned c = 0; c < 4; ++c) q[c] = q[c] - points.middle(c);
  normalise<L>(q);
  L::storeRows(q, group.out);
}

/// Translations, and scales, which start from one.
template <class L>
void sampleVectors(const Heap& heap, const Group<L>& group, bool scale) {
  using F = typename L::F;
  const Points<L, 3> points(heap, group, kSetExtra[static_cast<unsigned>(TrackSet::Translation)]);
  const typename L::Q xy = L::words(group.records, 0);
  const F biases[3] = {L::toFloat(L::low(xy)), L::toFloat(L::low(xy >> 32)),
                       L::toFloat(L::low(L::words(group.records, 8)))};
  F v[3];
  points.sum(v);
  const F step = points.step(), first = L::splat(scale ? 1.0f : 0.0f);
  F rows[4];
  for (unsigned c = 0; c < 3; ++c) rows[c] = first + (v[c] + biases[c]) * step;
  rows[3] = first;
  L::storeThree(rows, group.out);
}

template <class L>
void sampleNumber(const Heap& heap, const Group<L>& group) {
  const Points<L, 1> points(heap, group, kSetExtra[static_cast<unsigned>(TrackSet::Scalar)]);
  typename L::F value[1];
  points.sum(value);
  group.out[0][0] = (value[0] + L::toFloat(L::low(L::words(group.records, 0)))) * points.step();
}

template <class L>
void sampleConstantRotations(const Group<L>& group) {
  typename L::F q[4];
  unpackRotation<L>(L::words(group.records, 0), q);
  L::storeRows(q, group.out);
}

template <class L>
void sampleConstantVectors(const Group<L>& group, bool scale, float step) {
  using F = typename L::F;
  using I = typename L::I;
  const typename L::Q packed = L::words(group.records, 0);
  const I xy = L::low(packed), z = L::low(packed >> 32);
  const I parts[3] = {(xy << 16) >> 16, xy >> 16, (z << 16) >> 16};
  const F first = L::splat(scale ? 1.0f : 0.0f);
  F rows[4];
  for (unsigned c = 0; c < 3; ++c) rows[c] = first + L::splat(step) * L::toFloat(parts[c]);
  rows[3] = first;
  L::storeThree(rows, group.out);
}

inline void copyFloats(const std::uint8_t* from, unsigned count, float* to) {
  for (unsigned i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>(wordAt(from + 4 * i));
    __builtin_memcpy(to + i, &bits, 4);
  }
}

}  // namespace simmer::runtime::SIMMER_UNIT
