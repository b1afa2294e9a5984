#include "plugins/animation/clip/transform.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/clip/exact_math.h"

namespace simmer::animation {
namespace {

constexpr double kStraight = 0.9999999;  // quaternions so close that a straight line is the arc

}  // namespace

Vector3 rotate(const Quaternion& q, const Vector3& v) {
  const auto [x, y, z, w] = q;
  const double ix = w * v[0] + y * v[2] - z * v[1];
  const double iy = w * v[1] + z * v[0] - x * v[2];
  const double iz = w * v[2] + x * v[1] - y * v[0];
  const double iw = -x * v[0] - y * v[1] - z * v[2];
  return {ix * w + iw * -x + iy * -z - iz * -y, iy * w + iw * -y + iz * -x - ix * -z,
          iz * w + iw * -z + ix * -y - iy * -x};
}

double Affine::determinant() const {
  const auto& [a, b, c, t] = columns;
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

Arc::Arc(const Quaternion& from, const Quaternion& to) : m_from(normalised(from)), m_to(normalised(to)) {
  double cosine = dot(m_from, m_to);
  if (cosine < 0) {
    cosine = -cosine;
    for (double& v : m_to) v = -v;
  }
  m_angle = cosine < kStraight ? exact::acos(cosine) : 0;
  m_sine = exact::sin(m_angle);
}

Quaternion Arc::at(double t) const {
  const bool straight = m_angle == 0;
  const double a = straight ? 1 - t : exact::sin((1 - t) * m_angle) / m_sine;
  const double b = straight ? t : exact::sin(t * m_angle) / m_sine;
  Quaternion q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = a * m_from[i] + b * m_to[i];
  return normalised(q);
}

double Affine::largestAxis() const {
  double largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Vector3& c = columns[axis];
    largest = std::max(largest, c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
  }
  return std::sqrt(largest);
}

bool turnsFar(const Transform& a, const Transform& b) {
  constexpr double kHalfOf90 = 0.70710678118654752;  // cosine of half of 90 degrees
  double cosine = 0;
  for (std::size_t i = 0; i < 4; ++i) cosine += static_cast<double>(a.rotation[i]) * b.rotation[i];
  return std::abs(cosine) < kHalfOf90;
}

Transform interpolate(const Transform& a, const Transform& b, double fraction) {
  const auto mix = [&](float from, float to) { return from + (static_cast<double>(to) - from) * fraction; };
  Transform result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.translation[i] = static_cast<float>(mix(a.translation[i], b.translation[i]));
    result.scale[i] = static_cast<float>(mix(a.scale[i], b.scale[i]));
  }
  double cosine = 0;
  for (std::size_t i = 0; i < 4; ++i) cosine += static_cast<double>(a.rotation[i]) * b.rotation[i];
  Quaternion q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = mix(a.rotation[i], cosine < 0 ? -b.rotation[i] : b.rotation[i]);
  q = normalised(q);
  for (std::size_t i = 0; i < 4; ++i) result.rotation[i] = static_cast<float>(q[i]);
  return result;
}

}  // namespace simmer::animation
