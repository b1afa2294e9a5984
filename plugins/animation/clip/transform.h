#pragma once

#include <array>

namespace simmer::animation {

/// A local transform with glTF semantics: parent from child = T · R · S. 10 float32, as stored in raw clips.
struct Transform {
  std::array<float, 3> translation{0, 0, 0};  ///< metres
  std::array<float, 4> rotation{0, 0, 0, 1};  ///< unit quaternion x y z w
  std::array<float, 3> scale{1, 1, 1};

  bool operator==(const Transform&) const = default;
};
static_assert(sizeof(Transform) == 10 * sizeof(float));

// Quaternions x y z w and vectors in double, for measuring.
using Quaternion = std::array<double, 4>;
using Vector3 = std::array<double, 3>;

/// The rotation b, then a.
Quaternion multiply(const Quaternion& a, const Quaternion& b);
/// `v` turned by `q`, which has unit length.
Vector3 rotate(const Quaternion& q, const Vector3& v);
/// `q` at unit length; the identity when it has none.
Quaternion normalised(const Quaternion& q);
double dot(const Quaternion& a, const Quaternion& b);

/// An affine map as three columns of axes and the origin: [x | y | z | t].
struct Affine {
  std::array<Vector3, 4> columns{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}, Vector3{0, 0, 0}};

  /// T · R · S of a transform; the rotation is normalised first.
  static Affine of(const Transform& local);
  Affine operator*(const Affine& child) const;
  /// Determinant of the linear part.
  double determinant() const;
};

/// Translation and scale linearly, rotation by normalised linear interpolation on the shorter arc, in double, rounded
/// to float once. As glTF viewers and bench measure v1 interpolate between frames.
Transform interpolate(const Transform& a, const Transform& b, double fraction);

}  // namespace simmer::animation
