#pragma once

#include "plugins/animation/codec/spline/parts.h"

namespace simmer::animation::spline {

/// Fills the motions of all tracks for the rows of a field.
void addMotions(const WorldPoses& reference, const Field& field, Parts& parts);

}  // namespace simmer::animation::spline
