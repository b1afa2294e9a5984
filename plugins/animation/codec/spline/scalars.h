#pragma once

#include <optional>

#include "plugins/animation/codec/spline/spline_writer.h"

namespace simmer::animation::spline {

/// The scalar tracks of a clip, each within its tolerance (a part of its range, as scalarError() has it) by the values
/// that the decoder gives; nothing where a track can not be met.
std::optional<std::vector<CodedScalar>> encodeScalars(const Clip& clip, double tolerance);

}  // namespace simmer::animation::spline
