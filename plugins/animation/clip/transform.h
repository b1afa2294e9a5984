#pragma once

#include <array>
#include <cmath>

namespace simmer::animation {

/// A local transform with glTF semantics: parent from child = T · R · S. 10 float32, as stored in raw clips.
struct Transform {
  std::array<float, 3> translation{0, 0, 0};  ///< metres
  std::array<float, 4> rotation{0, 0, 0, 1};  ///< unit quaternion x y z w
  std::array<float, 3> scale{1, 1, 1};

  bool operator==(const Transform&) const = default;
};
static_assert(sizeof(Transform) == 10 * sizeof(float));

// Quaternions x y z w, vectors and maps in double, for measuring. The small ones are inline: fitting calls them for
// every frame of every candidate.
using Quaternion = std::array<double, 4>;
using Vector3 = std::array<double, 3>;

/// The rotation b, then a.
inline Quaternion multiply(const Quaternion& a, const Quaternion& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}
/// `v` turned by `q`, which has unit length.
Vector3 rotate(const Quaternion& q, const Vector3& v);
inline double dot(const Quaternion& a, const Quaternion& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}
/// `q` at unit length; the identity when it has none.
inline Quaternion normalised(const Quaternion& q) {
  const double length = std::sqrt(dot(q, q));
  if (!(length > 0)) return {0, 0, 0, 1};
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

/// An affine map as three columns of axes and the origin: [x | y | z | t].
struct Affine {
  std::array<Vector3, 4> columns{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}, Vector3{0, 0, 0}};

  /// T · R · S of a transform; the rotation is normalised first.
  static Affine of(const Transform& local);
  Affine operator*(const Affine& child) const;
  /// Determinant of the linear part.
  double determinant() const;
  /// Length of the longest column of the linear part: how much longer an axis can come out.
  double largestAxis() const;
};

inline Affine Affine::of(const Transform& local) {
  const auto& r = local.rotation;
  const auto [x, y, z, w] = normalised({r[0], r[1], r[2], r[3]});
  const double sx = local.scale[0], sy = local.scale[1], sz = local.scale[2];
  return {{Vector3{(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx},
           Vector3{2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy},
           Vector3{2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz},
           Vector3{local.translation[0], local.translation[1], local.translation[2]}}};
}

inline Affine Affine::operator*(const Affine& child) const {
  Affine product;
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t r = 0; r < 3; ++r)
      product.columns[c][r] = columns[0][r] * child.columns[c][0] + columns[1][r] * child.columns[c][1] +
                              columns[2][r] * child.columns[c][2];
  for (std::size_t r = 0; r < 3; ++r) product.columns[3][r] += columns[3][r];
  return product;
}

/// The way between two rotations on the shorter arc, at even speed: spherical linear interpolation (glTF 2.0, C.4).
/// What every point of it needs is kept.
class Arc {
 public:
  Arc() = default;
  /// The two need not have unit length.
  Arc(const Quaternion& from, const Quaternion& to);
  /// At unit length: `from` at 0, `to` at 1, or the same rotation with the other sign.
  Quaternion at(double fraction) const;

 private:
  Quaternion m_from{0, 0, 0, 1}, m_to{0, 0, 0, 1};
  double m_angle = 0, m_sine = 0;  // 0: so short that it is a straight line
};

/// Whether the rotation turns more than 90 degrees from one to the other, so that the shorter arc between them is a
/// coin toss (bench measure v1).
bool turnsFar(const Transform& a, const Transform& b);

/// Translation and scale linearly, rotation by normalised linear interpolation on the shorter arc, in double, rounded
/// to float once. As bench measure v1 interpolates between frames. In the middle between two frames, where errors are
/// measured, Arc gives the same rotation; elsewhere this one does not turn evenly.
Transform interpolate(const Transform& a, const Transform& b, double fraction);

}  // namespace simmer::animation
