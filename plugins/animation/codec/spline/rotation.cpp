#include "plugins/animation/codec/spline/rotation.h"

#include <algorithm>

#include "plugins/animation/clip/exact_math.h"

namespace simmer::animation::spline {
namespace {

constexpr double kHalfSqrt = 0.70710678118654752;
constexpr double kSmallAngle = 1e-4;  // below it series are exact enough

double length(const Vector3& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

constexpr double kSmallSquare = 0.04;  // sine of half an angle, squared: 23 degrees

/// asin(s) / s of s², below kSmallSquare: the Taylor series, to the last bit or two.
double arcSineOver(double square) {
  constexpr double kTerms[] = {1.0,
                               1.0 / 6,
                               3.0 / 40,
                               15.0 / 336,
                               105.0 / 3456,
                               945.0 / 42240,
                               10395.0 / 599040,
                               135135.0 / 9676800,
                               2027025.0 / 175472640,
                               34459425.0 / 3530096640.0};
  double sum = 0;
  for (std::size_t i = std::size(kTerms); i-- > 0;) sum = sum * square + kTerms[i];
  return sum;
}

}  // namespace

Quaternion exponential(const Vector3& v) {
  const double angle = length(v);
  const double part = angle < kSmallAngle ? 0.5 - angle * angle / 48 : exact::sin(angle / 2) / angle;
  return {v[0] * part, v[1] * part, v[2] * part, exact::cos(angle / 2)};
}

Vector3 logarithm(const Quaternion& q) {
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
  if (square < kSmallSquare && q[3] > 0) {
    const double part = 2 * arcSineOver(square);
    return {q[0] * part, q[1] * part, q[2] * part};
  }
  const double sine = std::sqrt(square);
  const double part = sine < 1e-9 && q[3] > 0 ? 2 : sine < 1e-12 ? 0 : 2 * exact::atan2(sine, q[3]) / sine;
  return {q[0] * part, q[1] * part, q[2] * part};
}

Matrix3 turnOfChange(const Vector3& v) {
  const double angle = length(v), square = angle * angle;
  const double a = angle < kSmallAngle ? 0.5 - square / 24 : (1 - exact::cos(angle)) / square;
  const double b = angle < kSmallAngle ? 1.0 / 6 - square / 120 : (angle - exact::sin(angle)) / (square * angle);
  const auto [x, y, z] = v;
  // I + a [v]x + b [v]x²
  return {1 - b * (y * y + z * z), -a * z + b * x * y,      a * y + b * x * z,
          a * z + b * x * y,       1 - b * (x * x + z * z), -a * x + b * y * z,
          -a * y + b * x * z,      a * x + b * y * z,       1 - b * (x * x + y * y)};
}

Quaternion conjugate(const Quaternion& q) {
  return {-q[0], -q[1], -q[2], q[3]};
}

runtime::SmallestThree packRotation(const Quaternion& q, unsigned bits) {
  runtime::SmallestThree packed;
  for (std::uint32_t i = 1; i < 4; ++i)
    if (std::abs(q[i]) > std::abs(q[packed.largest])) packed.largest = i;
  const double sign = q[packed.largest] < 0 ? -1 : 1;
  const double most = runtime::SmallestThree::most(bits);
  for (std::uint32_t i = 0, out = 0; i < 4; ++i) {
    if (i == packed.largest) continue;
    const double value = (q[i] * sign / kHalfSqrt + 1) / 2 * most;
    packed.values[out++] = static_cast<std::uint32_t>(std::clamp(std::floor(value + 0.5), 0.0, most));
  }
  return packed;
}

Quaternion unpackRotation(const runtime::SmallestThree& packed, unsigned bits) {
  Quaternion q{0, 0, 0, 1};
  packed.unpack(bits, q.data());
  return q;
}

Quaternion unpackMean(const runtime::SmallestThree& packed, unsigned bits) {
  Quaternion q = unpackRotation(packed, bits);
  for (double& value : q) value = std::floor(value * 32767 + 0.5);
  return normalised(q);
}

}  // namespace simmer::animation::spline
