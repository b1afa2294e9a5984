#pragma once

#include "plugins/animation/codec/spline/parts.h"

namespace simmer::animation::spline {

/// Fills the motions of all tracks for the rows of a field: of every n-th row and the last, and straight lines between.
void addMotions(const WorldPoses& reference, const Field& field, Parts& parts, std::size_t every = 1);

}  // namespace simmer::animation::spline
