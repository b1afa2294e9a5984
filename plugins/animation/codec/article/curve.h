#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plugins/animation/clip/exact_math.h"
#include "plugins/animation/clip/transform.h"

// The arithmetic that the article's fit and its decoder share, operation by operation as its program has it.

namespace simmer::animation::article {

/// Weights of a cubic Hermite segment at u, from 0 to 1.
struct HermiteWeights {
  explicit HermiteWeights(double u)
      : value0(2 * u * u * u - 3 * u * u + 1),
        tangent0(u * u * u - 2 * u * u + u),
        value1(-2 * u * u * u + 3 * u * u),
        tangent1(u * u * u - u * u) {}

  /// `m0` and `m1` are the tangents times the length of the segment.
  double mix(double p0, double m0, double p1, double m1) const {
    return value0 * p0 + tangent0 * m0 + value1 * p1 + tangent1 * m1;
  }

  double value0, tangent0, value1, tangent1;
};

/// To the nearest integer, halves up. `value` is not negative.
inline double roundHalfUp(double value) {
  const double floor = std::floor(value);
  return value - floor >= 0.5 ? floor + 1 : floor;
}

/// At unit length; zero stays zero.
inline Quaternion exactlyNormalised(const Quaternion& q) {
  const double length = exact::hypot(q.data(), 4);
  const double divisor = length == 0 ? 1 : length;
  return {q[0] / divisor, q[1] / divisor, q[2] / divisor, q[3] / divisor};
}

/// The angle of a rotation, from the cosine of its half.
inline double degreesOfCosine(double cosine) {
  return 2 * exact::acos(std::min(1.0, cosine)) * (180 / std::numbers::pi);
}

/// The angle between two rotations.
inline double degreesBetween(const Quaternion& a, const Quaternion& b) {
  return degreesOfCosine(std::abs(dot(a, b)));
}

}  // namespace simmer::animation::article
