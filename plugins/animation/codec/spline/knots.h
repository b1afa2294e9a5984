#pragma once

#include <cstdint>
#include <vector>

#include "plugins/animation/codec/spline/rows.h"
#include "plugins/animation/runtime/spline_format.h"

namespace simmer::animation::spline {

using runtime::KnotKind;

/// Where the pieces of a track's curve meet, in half frames from 0 to `last` (twice the clip's last frame).
struct Knots {
  KnotKind kind = KnotKind::UniformCubic;
  std::uint32_t spacing = 1;            ///< of uniform knots
  std::uint32_t shift = 0;              ///< tree knots but the last stand at multiples of 2^shift
  std::vector<std::int32_t> positions;  ///< of tree knots, from 0 to `last`; of held values, from 0

  bool operator==(const Knots&) const = default;
  unsigned degree() const;
  bool isTree() const { return kind == KnotKind::TreeCubic || kind == KnotKind::TreeLinear; }
};

/// The curve's value at some half frames as a sum of control points: `degree + 1` of them from `first[row]` on with
/// `weights[4 * row …]`.
struct Basis {
  unsigned degree = 0;
  std::size_t points = 0;                ///< of the whole curve
  std::vector<std::int32_t> halfFrames;  ///< of the rows, rising
  std::vector<std::int32_t> first;
  std::vector<float> weights;
  std::vector<float> stands;  ///< for how many half frames a row stands, or empty: for one

  std::size_t rows() const { return first.size(); }
  float weight(std::size_t row, std::size_t point) const {
    const auto index = static_cast<std::size_t>(static_cast<std::int64_t>(point) - first[row]);
    return index <= degree ? weights[4 * row + index] : 0;
  }
};

/// The rows that control points reach, from begin to end, for all points that rows of the basis have.
struct Supports {
  struct Range {
    std::size_t begin, end;
  };
  std::size_t firstPoint = 0;
  std::vector<Range> ranges;
};
Supports supportsOf(const Basis& basis);

/// Uniform cubic B-splines, B-splines over any knots (The NURBS book, A2.2; the first and last spacing go on beyond the
/// ends), straight lines, or held values; at every half frame, or at some.
Basis makeBasis(const Knots& knots, std::int32_t last);
Basis makeBasis(const Knots& knots, std::int32_t last, const Rows& rows);
/// At enough half frames to fit a curve: all of short spans, the frames of longer ones.
Basis makeThinBasis(const Knots& knots, std::int32_t last);

/// The tree with a knot at the start of each block only.
Knots coarsestTree(KnotKind kind, std::uint32_t shift, std::int32_t last);

/// The same tree of the longest cells that have all its knots: it takes less memory, and less time to find a span in.
Knots withLongestCells(Knots tree);

/// The knot that splits the span which starts at `from` and ends at `to` of a tree into halves as the tree can; -1
/// where the span is a single cell.
std::int32_t splitOf(const Knots& knots, std::int32_t from, std::int32_t to, std::int32_t last);

}  // namespace simmer::animation::spline
