#include "plugins/animation/import/gltf_matrix.h"

#include <algorithm>
#include <cmath>

namespace simmer::animation::gltf {
namespace {

constexpr double kMiss = 1e-3;
constexpr double kLargest = 1e30;  // its square and the sums below stay finite, and it fits a float

double dot3(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3 scaled(const Vector3& v, double factor) {
  return {v[0] * factor, v[1] * factor, v[2] * factor};
}

/// Unit axes for those columns that have no length, so that all three are a right-handed frame.
void fillIn(std::array<Vector3, 3>& axes, const std::array<double, 3>& lengths) {
  const auto missing = static_cast<std::size_t>(std::count(lengths.begin(), lengths.end(), 0.0));
  if (missing == 0) return;
  if (missing == 3) {
    axes = {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}};
    return;
  }
  std::size_t gap = 0;
  while (lengths[gap] != 0) ++gap;
  if (missing == 2) {
    std::size_t known = 0;
    while (lengths[known] == 0) ++known;
    gap = (known + 1) % 3;
    std::size_t smallest = 0;  // the world axis least along the known one
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(axes[known][i]) < std::abs(axes[known][smallest])) smallest = i;
    Vector3 helper{0, 0, 0};
    helper[smallest] = 1;
    const Vector3 across = cross(axes[known], helper);
    axes[gap] = scaled(across, 1 / std::sqrt(dot3(across, across)));
    gap = (known + 2) % 3;
  }
  axes[gap] = cross(axes[(gap + 1) % 3], axes[(gap + 2) % 3]);
}

/// After Shepperd, "Quaternion from rotation matrix" (1978): the largest of the four components comes first.
Quaternion quaternionOf(const std::array<Vector3, 3>& axes) {
  const auto m = [&](std::size_t row, std::size_t column) { return axes[column][row]; };
  const double trace = m(0, 0) + m(1, 1) + m(2, 2);
  const std::array<double, 4> sizes{m(0, 0), m(1, 1), m(2, 2), trace};
  const auto largest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  if (largest == 3) {
    const double w = std::sqrt(std::max(0.0, 1 + trace)) / 2;
    return normalised({(m(2, 1) - m(1, 2)) / (4 * w), (m(0, 2) - m(2, 0)) / (4 * w), (m(1, 0) - m(0, 1)) / (4 * w), w});
  }
  const std::size_t i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
  Quaternion q;
  q[i] = std::sqrt(std::max(0.0, 1 + m(i, i) - m(j, j) - m(k, k))) / 2;
  q[j] = (m(j, i) + m(i, j)) / (4 * q[i]);
  q[k] = (m(k, i) + m(i, k)) / (4 * q[i]);
  q[3] = (m(k, j) - m(j, k)) / (4 * q[i]);
  return normalised(q);
}

Transform toFloat(const Vector3& translation, const Quaternion& rotation, const std::array<double, 3>& scale) {
  Transform local;
  for (std::size_t i = 0; i < 3; ++i) {
    local.translation[i] = static_cast<float>(translation[i]);
    local.scale[i] = static_cast<float>(scale[i]);
  }
  for (std::size_t i = 0; i < 4; ++i) local.rotation[i] = static_cast<float>(rotation[i]);
  return local;
}

}  // namespace

Affine affineOf(const std::array<double, 16>& matrix) {
  Affine map;
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 3; ++row) map.columns[column][row] = matrix[column * 4 + row];
  return map;
}

std::optional<Transform> decompose(const std::array<double, 16>& matrix) {
  for (const double v : matrix)
    if (!(std::abs(v) < kLargest)) return std::nullopt;
  const Affine map = affineOf(matrix);
  std::array<Vector3, 3> axes;
  std::array<double, 3> lengths;
  for (std::size_t i = 0; i < 3; ++i) {
    lengths[i] = std::sqrt(dot3(map.columns[i], map.columns[i]));
    axes[i] = lengths[i] > 0 ? scaled(map.columns[i], 1 / lengths[i]) : Vector3{0, 0, 0};
  }
  fillIn(axes, lengths);
  if (dot3(cross(axes[0], axes[1]), axes[2]) < 0) {
    axes[0] = scaled(axes[0], -1);
    lengths[0] = -lengths[0];
  }
  const Transform local = toFloat(map.columns[3], quaternionOf(axes), lengths);
  const Affine back = Affine::of(local);
  const double longest = std::max({std::abs(lengths[0]), lengths[1], lengths[2]});
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t row = 0; row < 3; ++row)
      if (!(std::abs(back.columns[column][row] - map.columns[column][row]) <= kMiss * longest)) return std::nullopt;
  if (matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || std::abs(matrix[15] - 1) > 1e-6) return std::nullopt;
  return local;
}

}  // namespace simmer::animation::gltf
