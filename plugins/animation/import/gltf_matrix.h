#pragma once

#include <array>
#include <optional>

#include "plugins/animation/clip/transform.h"

namespace simmer::animation::gltf {

/// Translation, rotation and scale of a 4x4 matrix (column by column), or nothing when it is no product of the three: a
/// shear, a projection, a number that is not finite. What the product misses may be 0.1 % of the longest column, since
/// exporters write rounded numbers. A mirror becomes a negative scale along x; an axis of no length is filled in.
std::optional<Transform> decompose(const std::array<double, 16>& matrix);

/// The affine part of a 4x4 matrix.
Affine affineOf(const std::array<double, 16>& matrix);

}  // namespace simmer::animation::gltf
