// Values of tracks from their control points, in lanes; see spline_lanes.h for SIMMER_UNIT. The order of the arithmetic
// is a part of the format: every unit has to give the same bits.

namespace simmer::runtime::SIMMER_UNIT {

/// A moment of a clip, and how its records are made.
struct Scene {
  const std::uint8_t* heap;
  Instant instant;
  std::int32_t last;  ///< half frame
  std::uint32_t offsetBytes;
  std::int32_t offsetMask, indexMask;
};

/// The lower part of all records: widths, exponent, code, offset and index.
template <class L>
struct Heads {
  typename L::I head, offset, target;

  template <unsigned Count>
  SIMMER_INLINE Heads(const Scene& scene, const Tracks<Count>& tracks, unsigned index, std::size_t extra) {
    const auto words = L::words(tracks.records + index, extra);
    head = L::low(words);
    const typename L::I rest = L::high(words);
    offset = rest & L::splatInt(scene.offsetMask);
    // An offset of two bytes leaves room for an index of two.
    target =
        scene.offsetBytes == 2 && scene.indexMask <= 0xFFFF
            ? L::shiftDown(rest, 16) & L::splatInt(scene.indexMask)
            : L::low(L::words(tracks.records + index, extra + 4 + scene.offsetBytes)) & L::splatInt(scene.indexMask);
  }
};

template <class L, unsigned C>
class Points {
 public:
  using F = typename L::F;
  using I = typename L::I;

  /// Of the tracks from `index` on; a quaternion has its fourth width in front.
  template <unsigned Count>
  SIMMER_INLINE void find(const Scene& scene, const Tracks<Count>& tracks, unsigned index, const Heads<L>& heads) {
    m_heap = scene.heap;
    m_head = heads.head;
    const I field = L::splatInt(31);
    SIMMER_UNROLL
    for (unsigned c = 0; c < C && c < 3; ++c)
      m_layout.widths[c] = L::shiftDown(m_head, static_cast<int>(5 * c)) & field;
    if (C == 4) m_layout.widths[C - 1] = L::low(L::words(tracks.records + index, 0)) & field;
    m_layout.bits = m_layout.widths[0];
    SIMMER_UNROLL
    for (unsigned c = 1; c < C; ++c) m_layout.bits = m_layout.bits + m_layout.widths[c];
    SIMMER_UNROLL
    for (unsigned c = 0; c < C; ++c) m_layout.ones[c] = L::powerOf2(m_layout.widths[c]) - L::splatInt(1);
    I first;
    weigh<L>(tracks, index, L::shiftDown(m_head, 24), scene.instant, scene.last, m_weights, m_reach, first);
    m_start = L::sum(L::product(heads.offset, L::splatInt(8)), L::product(first, m_layout.bits));
  }

  SIMMER_INLINE F step() const { return L::step(L::shiftDown(m_head, 16) & L::splatInt(255)); }
  /// The value that stands in the middle of a component's field.
  SIMMER_INLINE F middle(unsigned c) const { return L::toFloat(L::shiftDown(m_layout.ones[c] + L::splatInt(1), 1)); }

  /// The weighted sum of the control points' fields.
  SIMMER_INLINE void sum(F (&sums)[C]) const {
    if (!L::anyAbove(m_layout.bits, kPairBits)) {
      sumPairs(sums);
    } else if (isInWord()) {
      sumWords(sums);
    } else {
      sumFields(sums);
    }
  }

 private:
  static constexpr std::int32_t kPairBits = 28;  // two control points and the bits before them are in 64 bits
  static constexpr std::int32_t kWordBits = 57;  // one is
  static constexpr std::int32_t kHalfBits = 32;

  /// Adds the control point whose first field stands at bit `shift` of the words; number 0 starts the sum.
  template <unsigned Number, bool Narrow>
  SIMMER_INLINE void add(typename L::Words words, I shift, F (&sums)[C]) const {
    I fields[C];
    L::template cut<Narrow>(words, shift, m_layout, fields);
    SIMMER_UNROLL
    for (unsigned c = 0; c < C; ++c) {
      const F field = m_weights[Number] * L::toFloat(fields[c]);
      sums[c] = Number == 0 ? field : sums[c] + field;
    }
  }
  SIMMER_INLINE void sumPairs(F (&sums)[C]) const {
    const I seven = L::splatInt(7), bits = m_layout.bits, behind = L::sum(m_start, (bits + bits) & m_reach.third);
    const auto first = L::wordsAt(m_heap, L::shiftDown(m_start, 3));
    const auto second = L::wordsAt(m_heap, L::shiftDown(behind, 3));
    add<0, true>(first, m_start & seven, sums);
    add<1, true>(first, (m_start & seven) + bits, sums);
    add<2, true>(second, behind & seven, sums);
    add<3, true>(second, (behind & seven) + bits, sums);
  }
  SIMMER_INLINE I placeOf(unsigned number) const {
    I place = m_start;
    if (number > 0) place = L::sum(place, m_layout.bits & m_reach.second);
    for (unsigned i = 1; i < number; ++i) place = L::sum(place, m_layout.bits & m_reach.third);
    return place;
  }
  template <unsigned Number>
  SIMMER_INLINE void addWord(F (&sums)[C]) const {
    const I place = placeOf(Number);
    add<Number, false>(L::wordsAt(m_heap, L::shiftDown(place, 3)), place & L::splatInt(7), sums);
  }
  SIMMER_INLINE void sumWords(F (&sums)[C]) const {
    addWord<0>(sums);
    addWord<1>(sums);
    addWord<2>(sums);
    addWord<3>(sums);
  }
  /// Whether a control point is in a word, and its fields two by two in half of one.
  SIMMER_INLINE bool isInWord() const {
    I pair = m_layout.widths[0] + m_layout.widths[C > 1 ? 1 : 0];
    bool fits = !L::anyAbove(m_layout.bits, kWordBits) && !L::anyAbove(pair, kHalfBits);
    if (C == 4) fits = fits && !L::anyAbove(m_layout.widths[C - 2] + m_layout.widths[C - 1], kHalfBits);
    return fits;
  }
  /// Each field for itself.
  void sumFields(F (&sums)[C]) const {
    for (unsigned c = 0; c < C; ++c) sums[c] = L::splat(0.0f);  // no sum is below zero, so this changes no bit
    for (unsigned number = 0; number < 4; ++number) {
      I place = placeOf(number);
      for (unsigned c = 0; c < C; ++c) {
        const FieldLayout<I, 1> own = {{m_layout.widths[c]}, {m_layout.ones[c]}, m_layout.widths[c]};
        I field[1];
        L::template cut<false>(L::wordsAt(m_heap, L::shiftDown(place, 3)), place & L::splatInt(7), own, field);
        sums[c] = sums[c] + m_weights[number] * L::toFloat(field[0]);
        place = L::sum(place, m_layout.widths[c]);
      }
    }
  }

  const std::uint8_t* m_heap = nullptr;
  I m_head, m_start;
  FieldLayout<I, C> m_layout;
  Reach<I> m_reach;
  F m_weights[4];
};

template <class L>
SIMMER_INLINE typename L::F dot(const typename L::F (&a)[4], const typename L::F (&b)[4]) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

/// Four 16-bit components, normalised: they are of unit length but for rounding, so one step of Newton's will do.
template <class L>
SIMMER_INLINE void unpackRotation(typename L::Words packed, typename L::F (&q)[4]) {
  using F = typename L::F;
  using I = typename L::I;
  const I xy = L::low(packed), zw = L::high(packed);
  const I parts[4] = {L::lowHalf(xy), xy >> 16, L::lowHalf(zw), zw >> 16};
  SIMMER_UNROLL
  for (unsigned i = 0; i < 4; ++i) q[i] = L::toFloat(parts[i]) * L::splat(1.0f / 32767.0f);
  const F scale = L::splat(1.5f) - L::splat(0.5f) * dot<L>(q, q);
  SIMMER_UNROLL
  for (unsigned i = 0; i < 4; ++i) q[i] = q[i] * scale;
}

template <class L>
SIMMER_INLINE void normalise(typename L::F (&q)[4]) {
  using F = typename L::F;
  const F square = dot<L>(q, q), zero = L::splat(0.0f);
  const typename L::I fine = L::less(zero, square);
  const F scale = L::splat(1.0f) / L::root(L::select(fine, square, L::splat(1.0f)));
  SIMMER_UNROLL
  for (unsigned i = 0; i < 3; ++i) q[i] = L::select(fine, q[i] * scale, zero);
  q[3] = L::select(fine, q[3] * scale, L::splat(1.0f));
}

/// Of |v|²/4: vectors up to 3.4 long.
constexpr float kFarthest = 2.9f;

/// The quaternion of a rotation vector: polynomials in |v|²/4, good to 6e-9 and 6e-10 up to kFarthest. False where a
/// lane's vector is longer; those are no more than in the right direction and not of unit length.
template <class L>
SIMMER_INLINE bool exponential(const typename L::F (&v)[3], typename L::F (&q)[4]) {
  using F = typename L::F;
  const F x = ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) * L::splat(0.25f);
  const typename L::I far = L::less(L::splat(kFarthest), x);
  const bool isNear = !L::any(far);
  const F y = isNear ? x : L::select(far, L::splat(kFarthest), x);
  // Estrin's order: no operation waits long for another.
  const F yy = y * y, y4 = yy * yy;
  const F sine = ((L::splat(0.49999999521f) + L::splat(-8.33332507e-2f) * y) +
                  (L::splat(4.16643831e-3f) + L::splat(-9.89849010e-5f) * y) * yy) +
                 L::splat(1.28974506e-6f) * y4;
  const F cosine = ((L::splat(0.999999999422f) + L::splat(-0.499999985646f) * y) +
                    (L::splat(4.16666089e-2f) + L::splat(-1.38880363e-3f) * y) * yy) +
                   (L::splat(2.47446270e-5f) + L::splat(-2.57943268e-7f) * y) * y4;
  SIMMER_UNROLL
  for (unsigned i = 0; i < 3; ++i) q[i] = sine * v[i];
  q[3] = cosine;
  return isNear;
}

/// Lanes that exponential() could not make of unit length; the others stay as they are.
template <class L>
SIMMER_INLINE void normaliseFar(const typename L::F (&v)[3], typename L::F (&q)[4]) {
  using F = typename L::F;
  const F x = ((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]) * L::splat(0.25f);
  const typename L::I far = L::less(L::splat(kFarthest), x);
  F unit[4] = {q[0], q[1], q[2], q[3]};
  normalise<L>(unit);
  SIMMER_UNROLL
  for (unsigned i = 0; i < 4; ++i) q[i] = L::select(far, unit[i], q[i]);
}

/// The rotations of as many tracks as there are lanes, in three steps. Several groups take each step together: within
/// one an operation waits long for the one before.
template <class L>
class Rotations {
 public:
  using F = typename L::F;

  template <unsigned Count>
  SIMMER_INLINE void find(const Scene& scene, const Tracks<Count>& tracks, unsigned index) {
    const Heads<L> heads(scene, tracks, index, kSetExtra[static_cast<unsigned>(TrackSet::Spline)]);
    m_target = heads.target;
    m_points.find(scene, tracks, index, heads);
  }
  SIMMER_INLINE void sum() {
    m_points.sum(m_vector);
    const F step = m_points.step();
    SIMMER_UNROLL
    for (unsigned c = 0; c < 3; ++c) m_vector[c] = (m_vector[c] - m_points.middle(c)) * step;
  }
  /// To out + stride * joint.
  SIMMER_INLINE void turn(const std::uint8_t* const* records, float* out, std::int32_t stride) const {
    F e[4], m[4], q[4];
    const bool isNear = exponential<L>(m_vector, e);
    unpackRotation<L>(L::words(records, 0), m);
    q[0] = (m[3] * e[0] + m[0] * e[3]) + (m[1] * e[2] - m[2] * e[1]);
    q[1] = (m[3] * e[1] + m[1] * e[3]) + (m[2] * e[0] - m[0] * e[2]);
    q[2] = (m[3] * e[2] + m[2] * e[3]) + (m[0] * e[1] - m[1] * e[0]);
    q[3] = (m[3] * e[3] - m[0] * e[0]) - (m[1] * e[1] + m[2] * e[2]);
    if (!isNear) normaliseFar<L>(m_vector, q);
    L::storeRows(q, out, L::product(m_target, L::splatInt(stride)));
  }

 private:
  Points<L, 3> m_points;
  F m_vector[3];
  typename L::I m_target;
};

template <class L, unsigned Count>
SIMMER_INLINE void sampleQuaternions(const Scene& scene, const Tracks<Count>& tracks, unsigned index, float* out,
                                     std::int32_t stride) {
  const Heads<L> heads(scene, tracks, index, kSetExtra[static_cast<unsigned>(TrackSet::Quaternion)]);
  Points<L, 4> points;
  points.find(scene, tracks, index, heads);
  typename L::F q[4];
  points.sum(q);
  SIMMER_UNROLL
  for (unsigned c = 0; c < 4; ++c) q[c] = q[c] - points.middle(c);
  normalise<L>(q);
  L::storeRows(q, out, L::product(heads.target, L::splatInt(stride)));
}

/// Translations, and scales, which start from one.
template <class L, unsigned Count>
SIMMER_INLINE void sampleVectors(const Scene& scene, const Tracks<Count>& tracks, unsigned index, bool scale,
                                 float* out, std::int32_t stride) {
  using F = typename L::F;
  const Heads<L> heads(scene, tracks, index, kSetExtra[static_cast<unsigned>(TrackSet::Translation)]);
  Points<L, 3> points;
  points.find(scene, tracks, index, heads);
  const auto biases = L::words(tracks.records + index, 0);
  const F bias[3] = {L::toFloat(L::low(biases)), L::toFloat(L::high(biases)),
                     L::toFloat(L::low(L::words(tracks.records + index, 8)))};
  const F step = points.step(), first = L::splat(scale ? 1.0f : 0.0f);
  F v[3], rows[4];
  points.sum(v);
  SIMMER_UNROLL
  for (unsigned c = 0; c < 3; ++c) rows[c] = first + (v[c] + bias[c]) * step;
  rows[3] = first;
  L::storeThree(rows, out, L::product(heads.target, L::splatInt(stride)));
}

inline float sampleNumber(const Scene& scene, const Tracks<1>& tracks) {
  const Heads<OneLane> heads(scene, tracks, 0, kSetExtra[static_cast<unsigned>(TrackSet::Scalar)]);
  Points<OneLane, 1> points;
  points.find(scene, tracks, 0, heads);
  float value[1];
  points.sum(value);
  return (value[0] + OneLane::toFloat(OneLane::low(wordAt(tracks.records[0])))) * points.step();
}

template <class L>
SIMMER_INLINE void sampleConstantRotations(const std::uint8_t* const* records, float* out, typename L::I places) {
  typename L::F q[4];
  unpackRotation<L>(L::words(records, 0), q);
  L::storeRows(q, out, places);
}

SIMMER_INLINE void copyFloats(const std::uint8_t* from, unsigned count, float* to) {
  for (unsigned i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>(wordAt(from + 4 * i));
    __builtin_memcpy(to + i, &bits, 4);
  }
}

}  // namespace simmer::runtime::SIMMER_UNIT
