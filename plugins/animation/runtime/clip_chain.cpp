#include <cfloat>
#include <cstddef>

#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::runtime {
namespace {

/// 3 × 4, the last column is the origin.
struct Matrix {
  double m[3][4];
};

Matrix matrixOf(const simmer_transform& t) {
  const double x = t.rotation[0], y = t.rotation[1], z = t.rotation[2], w = t.rotation[3];
  const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  Matrix matrix;
  for (unsigned row = 0; row < 3; ++row) {
    for (unsigned column = 0; column < 3; ++column) matrix.m[row][column] = turn[row][column] * t.scale[column];
    matrix.m[row][3] = t.translation[row];
  }
  return matrix;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix product;
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 4; ++column)
      product.m[row][column] = a.m[row][0] * b.m[0][column] + a.m[row][1] * b.m[1][column] +
                               a.m[row][2] * b.m[2][column] + (column == 3 ? a.m[row][3] : 0);
  return product;
}

// Hostile scales may multiply beyond what a float, or even a double, can hold.
float toFloat(double value) {
  if (!(value > -FLT_MAX)) return value <= -FLT_MAX ? -FLT_MAX : 0;
  return value < FLT_MAX ? static_cast<float>(value) : FLT_MAX;
}

bool fits(const simmer_clip* clip, const simmer_skeleton* skeleton, uint32_t joint) {
  return skeleton->joints == simmer_clip_joints(clip) && joint < skeleton->joints;
}

std::size_t depthOf(const simmer_skeleton* skeleton, uint32_t joint) {
  std::size_t depth = 0;
  for (auto at = static_cast<int32_t>(joint); at >= 0; at = simmer_skeleton_parent(skeleton, static_cast<uint32_t>(at)))
    ++depth;
  return depth;
}

}  // namespace
}  // namespace simmer::runtime

using namespace simmer::runtime;

size_t simmer_clip_sample_chain(const simmer_clip* clip, double seconds, const simmer_skeleton* skeleton,
                                uint32_t joint, size_t capacity, simmer_transform* chain, uint32_t* joints) {
  if (!fits(clip, skeleton, joint)) return 0;
  const std::size_t depth = depthOf(skeleton, joint);
  if (depth > capacity) return depth;
  auto at = static_cast<int32_t>(joint);
  for (std::size_t i = depth; i-- > 0;) {
    const auto index = static_cast<uint32_t>(at);
    simmer_clip_sample_joint(clip, seconds, index, &chain[i]);
    if (joints != nullptr) joints[i] = index;
    at = simmer_skeleton_parent(skeleton, index);
  }
  return depth;
}

size_t simmer_clip_sample_world(const simmer_clip* clip, double seconds, const simmer_skeleton* skeleton,
                                uint32_t joint, float matrix[3][4]) {
  std::size_t depth = 0;
  simmer_transform local;
  simmer_clip_sample_joint(clip, seconds, simmer_clip_joints(clip), &local);  // the identity
  Matrix world = matrixOf(local);
  for (auto at = fits(clip, skeleton, joint) ? static_cast<int32_t>(joint) : -1; at >= 0;
       at = simmer_skeleton_parent(skeleton, static_cast<uint32_t>(at))) {
    simmer_clip_sample_joint(clip, seconds, static_cast<uint32_t>(at), &local);
    world = depth++ == 0 ? matrixOf(local) : multiply(matrixOf(local), world);
  }
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 4; ++column) matrix[row][column] = toFloat(world.m[row][column]);
  return depth;
}
