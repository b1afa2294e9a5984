#include "plugins/animation/codec/spline/knots.h"

#include <algorithm>
#include <array>

namespace simmer::animation::spline {
namespace {

constexpr std::int32_t kLongSpan = 8;  // half frames from which on a thin basis has frames alone

void uniformCubic(double u, float* weights) {
  const double v = 1 - u;
  weights[0] = static_cast<float>(v * v * v / 6);
  weights[1] = static_cast<float>((3 * u * u * u - 6 * u * u + 4) / 6);
  weights[3] = static_cast<float>(u * u * u / 6);
  weights[2] = static_cast<float>((3 * v * v * v - 6 * v * v + 4) / 6);
}

/// Knots around span `s`, as far as the first and last spacing take them.
std::array<double, 6> around(const std::vector<std::int32_t>& knots, std::size_t s) {
  const auto count = static_cast<std::ptrdiff_t>(knots.size());
  const auto at = [&](std::ptrdiff_t i) -> double {
    if (i < 0) return knots[0] + static_cast<double>(i) * (knots[1] - knots[0]);
    if (i >= count)
      return knots[knots.size() - 1] +
             static_cast<double>(i - count + 1) * (knots[knots.size() - 1] - knots[knots.size() - 2]);
    return knots[static_cast<std::size_t>(i)];
  };
  std::array<double, 6> found{};
  for (std::ptrdiff_t i = 0; i < 6; ++i)
    found[static_cast<std::size_t>(i)] = at(static_cast<std::ptrdiff_t>(s) + i - 2);
  return found;
}

void anyCubic(const std::array<double, 6>& knots, double time, float* weights) {
  std::array<double, 4> basis{1, 0, 0, 0}, left{}, right{};
  for (std::size_t j = 1; j <= 3; ++j) {
    left[j] = time - knots[3 - j];
    right[j] = knots[2 + j] - time;
    double saved = 0;
    for (std::size_t r = 0; r < j; ++r) {
      const double part = basis[r] / (right[r + 1] + left[j - r]);
      basis[r] = saved + right[r + 1] * part;
      saved = left[j - r] * part;
    }
    basis[j] = saved;
  }
  for (std::size_t i = 0; i < 4; ++i) weights[i] = static_cast<float>(basis[i]);
}

void uniformRows(const Knots& knots, std::int32_t last, Basis& basis) {
  const auto k = static_cast<std::int32_t>(knots.spacing);
  const std::int32_t spans = std::max(1, (last + k - 1) / k);
  basis.points = static_cast<std::size_t>(spans) + basis.degree;
  std::vector<float> table(static_cast<std::size_t>(k + 1) * 4, 0.0f);
  for (std::int32_t i = 0; i <= k; ++i) {
    const double u = static_cast<double>(i) / k;
    float* const weights = &table[static_cast<std::size_t>(i) * 4];
    if (basis.degree == 3) {
      uniformCubic(u, weights);
    } else {
      weights[0] = static_cast<float>(1 - u);
      weights[1] = static_cast<float>(u);
    }
  }
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    const std::int32_t h = basis.halfFrames[row], span = std::min(h / k, spans - 1);
    basis.first[row] = span;
    std::copy_n(&table[static_cast<std::size_t>(h - span * k) * 4], 4, &basis.weights[row * 4]);
  }
}

/// The last knot at or before a half frame.
std::size_t knotBefore(const std::vector<std::int32_t>& knots, std::int32_t h) {
  return static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), h) - knots.begin()) - 1;
}

void treeRows(const Knots& knots, Basis& basis) {
  basis.points = knots.positions.size() - 1 + basis.degree;
  std::size_t span = std::min(knotBefore(knots.positions, basis.halfFrames.front()), knots.positions.size() - 2);
  std::array<double, 6> local = around(knots.positions, span);
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    const std::int32_t h = basis.halfFrames[row];
    while (span + 2 < knots.positions.size() && h >= knots.positions[span + 1]) local = around(knots.positions, ++span);
    basis.first[row] = static_cast<std::int32_t>(span);
    float* const weights = &basis.weights[row * 4];
    if (basis.degree == 3) {
      anyCubic(local, h, weights);
    } else {
      const double u = (h - local[2]) / (local[3] - local[2]);
      weights[0] = static_cast<float>(1 - u);
      weights[1] = static_cast<float>(u);
    }
  }
}

void heldRows(const Knots& knots, Basis& basis) {
  basis.points = knots.positions.size();
  std::size_t knot = knotBefore(knots.positions, basis.halfFrames.front());
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    const std::int32_t h = basis.halfFrames[row];
    while (knot + 1 < knots.positions.size() && h >= knots.positions[knot + 1]) ++knot;
    basis.first[row] = static_cast<std::int32_t>(knot);
    basis.weights[row * 4] = 1;
  }
}

/// Everything of a basis whose half frames are known.
void fillRows(const Knots& knots, std::int32_t last, Basis& basis) {
  basis.degree = knots.degree();
  basis.first.assign(basis.halfFrames.size(), 0);
  basis.weights.assign(basis.first.size() * 4, 0.0f);
  if (knots.kind == KnotKind::Hold) {
    heldRows(knots, basis);
  } else if (knots.isTree()) {
    treeRows(knots, basis);
  } else {
    uniformRows(knots, last, basis);
  }
}

}  // namespace

unsigned Knots::degree() const {
  if (kind == KnotKind::UniformCubic || kind == KnotKind::TreeCubic) return 3;
  return kind == KnotKind::Hold ? 0 : 1;
}

Basis makeBasis(const Knots& knots, std::int32_t last) {
  return makeBasis(knots, last, everyRow(static_cast<std::size_t>(last), 1));
}

Basis makeBasis(const Knots& knots, std::int32_t last, const Rows& rows) {
  Basis basis;
  basis.halfFrames.resize(rows.count);
  for (std::size_t row = 0; row < rows.count; ++row)
    basis.halfFrames[row] = static_cast<std::int32_t>(rows.halfFrame(row));
  fillRows(knots, last, basis);
  return basis;
}

Basis makeThinBasis(const Knots& knots, std::int32_t last) {
  Basis basis;
  const auto addSpan = [&](std::int32_t from, std::int32_t to) {
    const bool isLong = to - from >= kLongSpan;
    for (std::int32_t h = isLong ? from + from % 2 : from; h < to; h += isLong ? 2 : 1) basis.halfFrames.push_back(h);
  };
  if (knots.isTree()) {
    for (std::size_t i = 0; i + 1 < knots.positions.size(); ++i) addSpan(knots.positions[i], knots.positions[i + 1]);
  } else {
    const auto spacing = static_cast<std::int32_t>(knots.spacing);
    for (std::int32_t h = 0; h < last; h += spacing) addSpan(h, std::min(h + spacing, last));
  }
  basis.halfFrames.push_back(last);
  for (std::size_t row = 0; row + 1 < basis.halfFrames.size(); ++row)
    basis.stands.push_back(static_cast<float>(basis.halfFrames[row + 1] - basis.halfFrames[row]));
  basis.stands.push_back(1);
  fillRows(knots, last, basis);
  return basis;
}

Supports supportsOf(const Basis& basis) {
  Supports supports;
  supports.firstPoint = static_cast<std::size_t>(basis.first.front());
  const std::size_t count = static_cast<std::size_t>(basis.first.back()) + basis.degree + 1 - supports.firstPoint;
  supports.ranges.assign(count, {basis.rows(), 0});
  for (std::size_t row = 0; row < basis.rows(); ++row)
    for (unsigned i = 0; i <= basis.degree; ++i) {
      if (basis.weights[4 * row + i] == 0) continue;
      Supports::Range& range = supports.ranges[static_cast<std::size_t>(basis.first[row]) + i - supports.firstPoint];
      range.begin = std::min(range.begin, row);
      range.end = row + 1;
    }
  return supports;
}

Knots coarsestTree(KnotKind kind, std::uint32_t shift, std::int32_t last) {
  Knots knots{kind, 1, shift, {}};
  const std::int32_t block = static_cast<std::int32_t>(runtime::kBlockCells) << shift;
  for (std::int32_t h = 0; h < last; h += block) knots.positions.push_back(h);
  knots.positions.push_back(last);
  return knots;
}

Knots withLongestCells(Knots tree) {
  constexpr std::uint32_t kMostShift = (1u << runtime::kShiftBits) - 1;
  const auto fit = [&](std::uint32_t shift) {
    return std::all_of(tree.positions.begin(), tree.positions.end() - 1,
                       [&](std::int32_t knot) { return knot % (std::int32_t{1} << shift) == 0; });
  };
  // A block of the longer cells starts at every other block; the start between is its middle.
  while (tree.shift < kMostShift && fit(tree.shift + 1)) ++tree.shift;
  return tree;
}

std::int32_t splitOf(const Knots& knots, std::int32_t from, std::int32_t to, std::int32_t last) {
  const std::int32_t cell = std::int32_t{1} << knots.shift;
  const std::int32_t block = static_cast<std::int32_t>(runtime::kBlockCells) << knots.shift;
  std::int32_t low = from / block * block, size = block;
  while (size > cell) {
    const std::int32_t middle = low + size / 2;
    if (from >= middle) {
      low = middle;
    } else if (to > middle && middle < last) {
      return middle;
    }
    size /= 2;
  }
  return -1;
}

}  // namespace simmer::animation::spline
