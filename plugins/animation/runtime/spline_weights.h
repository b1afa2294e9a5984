// Weights of control points, in lanes; see spline_lanes.h for SIMMER_UNIT.

namespace simmer::runtime::SIMMER_UNIT {

/// Tracks that are sampled together, each kind of number in an array of its own.
template <unsigned Count>
struct Tracks {
  std::int32_t heads[Count];   ///< widths, and the exponent in the upper half
  std::int32_t starts[Count];  ///< first bit of the control points
  std::int32_t shapes[Count], sizes[Count], firsts[Count];
  std::int32_t back[3][Count], on[3][Count];
  const std::uint8_t* records[Count];
  float* out[Count];
  std::uint32_t seen = 0;  ///< a bit for each shape

  SIMMER_INLINE void putSpan(unsigned index, const Span& span) {
    seen |= 1u << span.shape;
    shapes[index] = span.shape;
    sizes[index] = span.size;
    firsts[index] = span.first;
    if (span.shape != kTreeCubic && span.shape != kTreeLinear) return;
    SIMMER_UNROLL
    for (unsigned i = 0; i < 3; ++i) {
      back[i][index] = span.back[i];
      on[i][index] = span.on[i];
    }
  }
  SIMMER_INLINE void putTrack(unsigned index, std::uint64_t tail, std::uint32_t offset, const std::uint8_t* record,
                              float* target) {
    heads[index] = static_cast<std::int32_t>(static_cast<std::uint32_t>(tail));
    starts[index] = static_cast<std::int32_t>(8 * offset);
    records[index] = record;
    out[index] = target;
  }
  void repeat(unsigned index, unsigned from) {
    heads[index] = heads[from];
    starts[index] = starts[from];
    shapes[index] = shapes[from];
    sizes[index] = sizes[from];
    firsts[index] = firsts[from];
    for (unsigned i = 0; i < 3; ++i) {
      back[i][index] = back[i][from];
      on[i][index] = on[i][from];
    }
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

/// Times of the knots around a moment in trees, in half frames from Instant::half: the span is between t[2] and t[3].
/// Beyond both ends of a clip the first and the last spacing go on.
template <class L, unsigned Count>
SIMMER_INLINE void findTimes(const Tracks<Count>& tracks, unsigned index, const Instant& instant, std::int32_t last,
                             typename L::I (&t)[6]) {
  using I = typename L::I;
  const I shift = L::load(&tracks.sizes[index]), half = L::splatInt(static_cast<std::int32_t>(instant.half));
  const I cell = L::shiftDownBy(half, shift), size = L::powerOf2(shift), most = L::splatInt(kNoKnot - 1);
  I none[6];
  SIMMER_UNROLL
  for (unsigned i = 0; i < 3; ++i) {
    const I back = L::load(&tracks.back[i][index]), on = L::load(&tracks.on[i][index]);
    none[2 - i] = L::above(back, most);
    none[3 + i] = L::above(on, most);
    t[2 - i] = (cell - (back & ~none[2 - i])) * size - half;
    t[3 + i] = L::smaller((cell + (on & ~none[3 + i])) * size, L::splatInt(last)) - half;
  }
  t[1] = L::selectInt(none[1], t[2] + t[2] - t[3], t[1]);
  t[0] = L::selectInt(none[0], t[1] + t[1] - t[2], t[0]);
  t[4] = L::selectInt(none[4], t[3] + t[3] - t[2], t[4]);
  t[5] = L::selectInt(none[5], t[4] + t[4] - t[3], t[5]);
}

/// Weights of tracks with knots of all shapes.
template <class L, unsigned Count>
void weighMixed(const Tracks<Count>& tracks, unsigned index, const Instant& instant, std::int32_t last,
                typename L::F (&w)[4], Reach<typename L::I>& reach) {
  using F = typename L::F;
  using I = typename L::I;
  const F time = L::splat(instant.into), zero = L::splat(0.0f), one = L::splat(1.0f);
  const I shapes = L::load(&tracks.shapes[index]), sizes = L::load(&tracks.sizes[index]);
  const I held = L::equal(shapes, L::splatInt(kHeld)), treeCubic = L::equal(shapes, L::splatInt(kTreeCubic));
  const I treeLinear = L::equal(shapes, L::splatInt(kTreeLinear)), tree = treeCubic | treeLinear;
  const I linear = treeLinear | L::equal(shapes, L::splatInt(kUniformLinear));
  reach.second = ~held;
  reach.third = ~(held | linear);
  I from = L::load(&tracks.firsts[index]) * sizes - L::splatInt(static_cast<std::int32_t>(instant.half)),
    to = from + sizes;
  F any[4] = {zero, zero, zero, zero};
  if (L::any(tree)) {
    I t[6];
    findTimes<L>(tracks, index, instant, last, t);
    weighAny<L>(t, time, any);
    from = L::selectInt(tree, t[2], from);
    to = L::selectInt(tree, t[3], to);
  }
  const F u = (time - L::toFloat(from)) / L::toFloat(to - from);
  weighUniform<L>(u, w);
  SIMMER_UNROLL
  for (unsigned i = 0; i < 4; ++i) w[i] = L::select(reach.third, L::select(treeCubic, any[i], w[i]), zero);
  w[0] = L::select(held, one, L::select(linear, one - u, w[0]));
  w[1] = L::select(linear, u, w[1]);
}

template <class L, unsigned Count>
SIMMER_INLINE void weigh(const Tracks<Count>& tracks, unsigned index, const Instant& instant, std::int32_t last,
                         typename L::F (&w)[4], Reach<typename L::I>& reach) {
  using I = typename L::I;
  const typename L::F time = L::splat(instant.into);
  reach.second = reach.third = L::splatInt(-1);
  if (tracks.seen == 1u << kTreeCubic) {
    I t[6];
    findTimes<L>(tracks, index, instant, last, t);
    weighAny<L>(t, time, w);
  } else if (tracks.seen == 1u << kUniformCubic) {
    const I sizes = L::load(&tracks.sizes[index]);
    const I into = L::splatInt(static_cast<std::int32_t>(instant.half)) - L::load(&tracks.firsts[index]) * sizes;
    weighUniform<L>((time + L::toFloat(into)) / L::toFloat(sizes), w);
  } else {
    weighMixed<L>(tracks, index, instant, last, w, reach);
  }
}

}  // namespace simmer::runtime::SIMMER_UNIT
