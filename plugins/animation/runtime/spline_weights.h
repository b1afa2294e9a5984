// Weights of control points, in lanes; see spline_lanes.h for SIMMER_UNIT.

namespace simmer::runtime::SIMMER_UNIT {

/// Those knots that cubic trees alone need.
constexpr unsigned kOuterKnots[] = {0, 1, 4, 5};

/// Tracks that are sampled together, each kind of number in an array of its own.
template <unsigned Count>
struct Tracks {
  std::int32_t heads[Count];   ///< widths, and the exponent in the upper half
  std::int32_t starts[Count];  ///< first bit of the control points
  std::int32_t firsts[Count];
  std::int32_t shapes[Count];
  std::int32_t knots[6][Count];
  const std::uint8_t* records[Count];
  float* out[Count];
  std::uint32_t seen = 0;  ///< a bit for each shape

  SIMMER_INLINE void putSpan(unsigned index, const Span& span) {
    seen |= 1u << span.shape;
    shapes[index] = span.shape;
    firsts[index] = static_cast<std::int32_t>(span.first);
    knots[2][index] = span.knots[2];
    knots[3][index] = span.knots[3];
    if (span.shape != kTreeCubic) return;
    SIMMER_UNROLL
    for (const unsigned i : kOuterKnots) knots[i][index] = span.knots[i];
  }
  SIMMER_INLINE void putTrack(unsigned index, std::uint64_t tail, std::uint32_t offset, const std::uint8_t* record,
                              float* target) {
    heads[index] = static_cast<std::int32_t>(static_cast<std::uint32_t>(tail));
    starts[index] = static_cast<std::int32_t>(8 * offset);
    records[index] = record;
    out[index] = target;
  }
  SIMMER_INLINE void repeat(unsigned index, unsigned from) {
    heads[index] = heads[from];
    starts[index] = starts[from];
    firsts[index] = firsts[from];
    shapes[index] = shapes[from];
    SIMMER_UNROLL
    for (unsigned i = 0; i < 6; ++i) knots[i][index] = knots[i][from];
    records[index] = records[from];
    out[index] = out[from];
  }
};

/// Uniform cubic B-spline.
template <class L>
SIMMER_INLINE void weighUniform(typename L::F u, typename L::F (&w)[4]) {
  using F = typename L::F;
  const F sixth = L::splat(1.0f / 6.0f), half = L::splat(0.5f), one = L::splat(1.0f), rest = L::splat(2.0f / 3.0f);
  const F v = one - u, uu = u * u, vv = v * v;
  w[0] = vv * v * sixth;
  w[1] = uu * (half * u - one) + rest;
  w[2] = vv * (half * v - one) + rest;
  w[3] = uu * u * sixth;
}

/// Cubic B-spline on any knots: The NURBS book, A2.2.
template <class L>
SIMMER_INLINE void weighAny(const typename L::I (&t)[6], typename L::F into, typename L::F (&w)[4]) {
  using F = typename L::F;
  const F l1 = into - L::toFloat(t[2]), l2 = into - L::toFloat(t[1]), l3 = into - L::toFloat(t[0]);
  const F r1 = L::toFloat(t[3]) - into, r2 = L::toFloat(t[4]) - into, r3 = L::toFloat(t[5]) - into;
  const F step = L::splat(1.0f) / L::toFloat(t[3] - t[2]);
  const F a0 = r1 * step / L::toFloat(t[3] - t[1]), a1 = l1 * step / L::toFloat(t[4] - t[2]);
  const F b0 = r1 * a0 / L::toFloat(t[3] - t[0]);
  const F b1 = (l2 * a0 + r2 * a1) / L::toFloat(t[4] - t[1]);
  const F b2 = l1 * a1 / L::toFloat(t[5] - t[2]);
  w[0] = r1 * b0;
  w[1] = l3 * b0 + r2 * b1;
  w[2] = l2 * b1 + r3 * b2;
  w[3] = l1 * b2;
}

/// How far the control points of lanes reach: whether there is a second, and a third and a fourth.
template <class I>
struct Reach {
  I second, third;
};

template <class L, unsigned Count>
SIMMER_INLINE void weighTrees(const Tracks<Count>& tracks, unsigned index, typename L::I from, typename L::I to,
                              typename L::F time, typename L::F (&w)[4]) {
  typename L::I t[6];
  t[2] = from;
  t[3] = to;
  SIMMER_UNROLL
  for (const unsigned i : kOuterKnots) t[i] = L::load(&tracks.knots[i][index]);
  weighAny<L>(t, time, w);
}

template <class L, unsigned Count>
SIMMER_INLINE void weigh(const Tracks<Count>& tracks, unsigned index, float into, typename L::F (&w)[4],
                         Reach<typename L::I>& reach) {
  using F = typename L::F;
  using I = typename L::I;
  const F time = L::splat(into), zero = L::splat(0.0f), one = L::splat(1.0f);
  const I from = L::load(&tracks.knots[2][index]), to = L::load(&tracks.knots[3][index]);
  reach.second = reach.third = L::splatInt(-1);
  if (tracks.seen == 1u << kTreeCubic) return weighTrees<L>(tracks, index, from, to, time, w);
  const F u = (time - L::toFloat(from)) / L::toFloat(to - from);
  weighUniform<L>(u, w);
  if (tracks.seen == 1u << kUniformCubic) return;
  const I shapes = L::load(&tracks.shapes[index]);
  const I held = L::equal(shapes, L::splatInt(kHeld)), linear = L::equal(shapes, L::splatInt(kLinear));
  const I tree = L::equal(shapes, L::splatInt(kTreeCubic));
  if (L::any(tree)) {
    F any[4];
    weighTrees<L>(tracks, index, from, to, time, any);
    SIMMER_UNROLL
    for (unsigned i = 0; i < 4; ++i) w[i] = L::select(tree, any[i], w[i]);
  }
  reach.second = ~held;
  reach.third = ~(held | linear);
  w[0] = L::select(held, one, L::select(linear, one - u, w[0]));
  w[1] = L::select(held, zero, L::select(linear, u, w[1]));
  w[2] = L::select(reach.third, w[2], zero);
  w[3] = L::select(reach.third, w[3], zero);
}

}  // namespace simmer::runtime::SIMMER_UNIT
