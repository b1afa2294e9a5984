// Weights of control points, in lanes; see spline_lanes.h for SIMMER_UNIT.

namespace simmer::runtime::SIMMER_UNIT {

/// Those that cubic trees alone need.
constexpr unsigned kOuterKnots[] = {0, 1, 4, 5};

/// The knots around a moment of some tracks, each kind of number together.
template <unsigned Count>
struct Spans {
  std::int32_t shapes[Count];
  std::int32_t knots[6][Count];
  std::uint32_t firsts[Count];

  void put(unsigned index, const Span& span) {
    shapes[index] = span.shape;
    firsts[index] = span.first;
    knots[2][index] = span.knots[2];
    knots[3][index] = span.knots[3];
    if (span.shape != kTreeCubic) return;
    for (const unsigned i : kOuterKnots) knots[i][index] = span.knots[i];
  }
};

/// Weights of up to four control points from `first` on.
struct Weights {
  float values[4];
  std::uint32_t first;
  std::uint32_t reach;  ///< bit 0: there is a second control point; bit 1: a third and a fourth
};

/// Uniform cubic B-spline.
template <class L>
void weighUniform(typename L::F u, typename L::F (&w)[4]) {
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
void weighAny(const typename L::I (&t)[6], typename L::F into, typename L::F (&w)[4]) {
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

template <class L, unsigned Count>
void weigh(const Spans<Count>& spans, unsigned index, float into, Weights* out) {
  using F = typename L::F;
  using I = typename L::I;
  const F time = L::splat(into), zero = L::splat(0.0f);
  I t[6];
  t[2] = L::load(&spans.knots[2][index]);
  t[3] = L::load(&spans.knots[3][index]);
  const I shapes = L::load(&spans.shapes[index]);
  const I uniform = L::equal(shapes, L::splatInt(kUniformCubic)), tree = L::equal(shapes, L::splatInt(kTreeCubic));
  const I held = L::equal(shapes, L::splatInt(kHeld));
  const F u = (time - L::toFloat(t[2])) / L::toFloat(t[3] - t[2]);
  F w[4] = {L::select(held, L::splat(1.0f), L::splat(1.0f) - u), L::select(held, zero, u), zero, zero}, cubic[4];
  if (L::any(uniform)) {
    weighUniform<L>(u, cubic);
    for (unsigned i = 0; i < 4; ++i) w[i] = L::select(uniform, cubic[i], w[i]);
  }
  if (L::any(tree)) {
    for (const unsigned i : kOuterKnots) t[i] = L::load(&spans.knots[i][index]);
    weighAny<L>(t, time, cubic);
    for (unsigned i = 0; i < 4; ++i) w[i] = L::select(tree, cubic[i], w[i]);
  }
  float* rows[L::kLanes];
  for (unsigned lane = 0; lane < L::kLanes; ++lane) {
    const std::int32_t shape = spans.shapes[index + lane];
    out[lane].first = spans.firsts[index + lane];
    out[lane].reach = shape == kHeld ? 0 : shape == kLinear ? 1 : 3;
    rows[lane] = out[lane].values;
  }
  L::storeRows(w, rows);
}

}  // namespace simmer::runtime::SIMMER_UNIT
