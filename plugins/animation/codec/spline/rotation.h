#pragma once

#include "plugins/animation/clip/transform.h"
#include "plugins/animation/runtime/spline_stream.h"

namespace simmer::animation::spline {

using Matrix3 = std::array<double, 9>;  // rows first

/// The rotation by |v| about v, radians.
Quaternion exponential(const Vector3& v);
/// The rotation vector of a unit quaternion with an angle in [0, 2π): not the shorter one when w is negative.
Vector3 logarithm(const Quaternion& q);
/// How exp(v) turns, in the frame it turns in, when v changes: the left Jacobian of SO(3) (Solà, "A micro Lie theory",
/// 2018, eq. 145).
Matrix3 turnOfChange(const Vector3& v);

Quaternion conjugate(const Quaternion& q);

/// `q` with `bits` a component, and what a decoder makes of it: 16-bit components, normalised.
runtime::SmallestThree packRotation(const Quaternion& q, unsigned bits);
Quaternion unpackRotation(const runtime::SmallestThree& packed, unsigned bits);
Quaternion unpackMean(const runtime::SmallestThree& packed, unsigned bits);

}  // namespace simmer::animation::spline
