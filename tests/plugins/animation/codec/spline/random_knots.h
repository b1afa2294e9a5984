#pragma once

#include <random>

#include "plugins/animation/codec/spline/knots.h"
#include "plugins/animation/runtime/spline_layout.h"

namespace simmer::animation::spline::test {

/// Knots of a kind over a clip's half frames: trees with random splits, held values with random frames.
inline Knots randomKnots(KnotKind kind, std::int32_t last, std::mt19937& random) {
  Knots knots;
  if (kind == KnotKind::TreeCubic || kind == KnotKind::TreeLinear) {
    knots = coarsestTree(kind, random() % 4, last);
    for (std::size_t i = 0; i + 1 < knots.positions.size();) {
      const std::int32_t split = splitOf(knots, knots.positions[i], knots.positions[i + 1], last);
      if (split > 0 && random() % 3 != 0) {
        knots.positions.insert(knots.positions.begin() + static_cast<std::ptrdiff_t>(i) + 1, split);
      } else {
        ++i;
      }
    }
    return knots;
  }
  knots.kind = kind;
  if (kind == KnotKind::Hold) {
    for (std::int32_t h = 0; h <= last; h += 2)
      if (h == 0 || random() % 4 == 0) knots.positions.push_back(h);
  } else {
    knots.spacing = 1 + static_cast<std::uint32_t>(random() % 64);
  }
  return knots;
}

inline constexpr KnotKind kKnotKinds[] = {KnotKind::UniformCubic, KnotKind::UniformLinear, KnotKind::TreeCubic,
                                          KnotKind::TreeLinear, KnotKind::Hold};

}  // namespace simmer::animation::spline::test
