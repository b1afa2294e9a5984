// Weights of control points, in lanes; see spline_lanes.h for SIMMER_UNIT.

namespace simmer::runtime::SIMMER_UNIT {

/// Tracks that are sampled together. Spans are those of trees and of what is held, each kind of number in an array of
/// its own.
template <unsigned Count>
struct Tracks {
  const std::uint8_t* records[Count];
  std::int32_t firsts[Count], back[3][Count], on[3][Count];

  SIMMER_INLINE void put(unsigned index, const Span& span) {
    firsts[index] = span.first;
    SIMMER_UNROLL
    for (unsigned i = 0; i < 3; ++i) {
      back[i][index] = span.back[i];
      on[i][index] = span.on[i];
    }
  }
  void repeat(unsigned index, unsigned from) {
    records[index] = records[from];
    put(index, {firsts[from], {back[0][from], back[1][from], back[2][from]}, {on[0][from], on[1][from], on[2][from]}});
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
SIMMER_INLINE void findTimes(const Tracks<Count>& tracks, unsigned index, typename L::I codes, const Instant& instant,
                             std::int32_t last, typename L::I (&t)[6]) {
  using I = typename L::I;
  const I shift = codes & L::splatInt(7), half = L::splatInt(static_cast<std::int32_t>(instant.half));
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

/// The span in uniform knots: its number, and how far into it Instant::half is.
template <class L>
SIMMER_INLINE void findUniform(typename L::I spacing, const Instant& instant, typename L::I& first,
                               typename L::I& into) {
  using I = typename L::I;
  const I half = L::splatInt(static_cast<std::int32_t>(instant.half));
  // The quotient of floats is off by one at most.
  first = L::toInt(L::toFloat(half) / L::toFloat(spacing));
  into = half - first * spacing;
  const I over = L::above(into, spacing - L::splatInt(1)), under = L::above(L::splatInt(0), into);
  first = first - over + under;
  into = into - (spacing & over) + (spacing & under);
}

/// Weights of tracks with knots of all kinds, and the first control points.
template <class L, unsigned Count>
void weighMixed(const Tracks<Count>& tracks, unsigned index, typename L::I codes, const Instant& instant,
                std::int32_t last, typename L::F (&w)[4], Reach<typename L::I>& reach, typename L::I& first) {
  using F = typename L::F;
  using I = typename L::I;
  const F time = L::splat(instant.into), zero = L::splat(0.0f), one = L::splat(1.0f);
  const I listed = L::above(codes, L::splatInt(KnotCode::kTree - 1)),
          held = L::equal(codes, L::splatInt(KnotCode::kHold));
  const I treeCubic = listed & L::above(L::splatInt(KnotCode::kTreeLinear), codes);
  const I uniformCubic = L::above(L::splatInt(KnotCode::kLinear), codes);
  const I spacing = (codes & L::splatInt(KnotCode::kLinear - 1)) + L::splatInt(1);
  I into, span = spacing;
  findUniform<L>(spacing, instant, first, into);
  F any[4] = {zero, zero, zero, zero};
  if (L::any(listed)) {
    I t[6];
    findTimes<L>(tracks, index, codes, instant, last, t);
    weighAny<L>(t, time, any);
    into = L::selectInt(listed, L::splatInt(0) - t[2], into);
    span = L::selectInt(listed, t[3] - t[2], span);
    first = L::selectInt(listed, L::load(&tracks.firsts[index]), first);
  }
  reach.second = ~held;
  reach.third = uniformCubic | treeCubic;
  const F u = (time + L::toFloat(into)) / L::toFloat(span);
  weighUniform<L>(u, w);
  SIMMER_UNROLL
  for (unsigned i = 0; i < 4; ++i) w[i] = L::select(reach.third, L::select(treeCubic, any[i], w[i]), zero);
  w[0] = L::select(held, one, L::select(reach.third, w[0], one - u));
  w[1] = L::select(held, zero, L::select(reach.third, w[1], u));
}

template <class L, unsigned Count>
SIMMER_INLINE void weigh(const Tracks<Count>& tracks, unsigned index, typename L::I codes, const Instant& instant,
                         std::int32_t last, typename L::F (&w)[4], Reach<typename L::I>& reach, typename L::I& first) {
  using I = typename L::I;
  const typename L::F time = L::splat(instant.into);
  reach.second = reach.third = L::splatInt(-1);
  if (!L::anyAbove(codes, KnotCode::kLinear - 1)) {
    const I spacing = codes + L::splatInt(1);
    I into;
    findUniform<L>(spacing, instant, first, into);
    weighUniform<L>((time + L::toFloat(into)) / L::toFloat(spacing), w);
  } else if (!L::any(L::above(L::splatInt(KnotCode::kTree), codes) |
                     L::above(codes, L::splatInt(KnotCode::kTreeLinear - 1)))) {
    I t[6];
    findTimes<L>(tracks, index, codes, instant, last, t);
    weighAny<L>(t, time, w);
    first = L::load(&tracks.firsts[index]);
  } else {
    weighMixed<L>(tracks, index, codes, instant, last, w, reach, first);
  }
}

}  // namespace simmer::runtime::SIMMER_UNIT
