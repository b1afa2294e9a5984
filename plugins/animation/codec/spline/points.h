#pragma once

#include <vector>

#include "plugins/animation/codec/spline/knots.h"
#include "plugins/animation/codec/spline/parts.h"
#include "plugins/animation/runtime/spline_stream.h"

namespace simmer::animation::spline {

/// A track as the integers that its file holds: control points in whole steps.
struct CodedTrack {
  Knots knots;
  std::uint32_t exponent = 0;        ///< of the step (runtime::stepOf)
  std::vector<std::int32_t> points;  ///< [point][component]

  double step() const { return static_cast<double>(runtime::stepOf(exponent)); }
};

/// How a track's components stand in the file.
struct Fields {
  std::uint32_t widths[4] = {0, 0, 0, 0};
  std::int32_t biases[4] = {0, 0, 0, 0};  ///< field + bias is the point

  /// The point in the middle of a component's field, of which width is above 0.
  std::int32_t middle(unsigned c) const { return biases[c] + (std::int32_t{1} << (widths[c] - 1)); }
};

/// The narrowest fields. A rotation's are symmetric around zero, others start at their least value.
Fields fieldsOf(const Track& track, const CodedTrack& coded);

/// How many bits the difference of a control point from its prediction takes, by how large differences around it are:
/// what the adaptive coder ends with on ordinary clips. In 1/256 of a bit.
std::uint32_t residualCost(unsigned level, std::int32_t residual);

/// The prediction that costs least for a component, and its bits (1/256).
struct OrderChoice {
  std::uint32_t order = 1;
  std::uint64_t cost = 0;
};
OrderChoice cheapestOrder(const CodedTrack& coded, unsigned component, unsigned components, const Fields& fields);

/// Bits of a whole track in the file, as an estimate.
double estimateBits(const Track& track, const CodedTrack& coded, std::int32_t last);

}  // namespace simmer::animation::spline
