#include "plugins/animation/clip/kinematics.h"

#include <cmath>

namespace simmer::animation {
namespace {

// Two columns of a map at once. Each lane does what Affine::of() and the product of two maps do, in their order, so
// that the bits are the same.
using Pair = double __attribute__((vector_size(16)));

/// The rows of two neighbouring columns.
struct Columns {
  Pair rows[3];
};

inline void multiply(const Affine& parent, const Columns& child, double originPart, std::size_t column, Affine& world) {
  for (std::size_t r = 0; r < 3; ++r) {
    const Pair sum = child.rows[0] * parent.columns[0][r] + child.rows[1] * parent.columns[1][r] +
                     child.rows[2] * parent.columns[2][r] + Pair{0, parent.columns[3][r] * originPart};
    world.columns[column][r] = sum[0];
    world.columns[column + 1][r] = sum[1];
  }
}

inline void addJoint(const Affine& parent, const Transform& local, Affine& world) {
  const auto& r = local.rotation;
  const auto [x, y, z, w] = normalised({r[0], r[1], r[2], r[3]});
  const double sx = local.scale[0], sy = local.scale[1], sz = local.scale[2];
  const Pair scale{sx, sy};
  const Columns axes{Pair{1 - 2 * (y * y + z * z), 2 * (x * y - z * w)} * scale,
                     Pair{2 * (x * y + z * w), 1 - 2 * (x * x + z * z)} * scale,
                     Pair{2 * (x * z - y * w), 2 * (y * z + x * w)} * scale};
  const Columns rest{Pair{2 * (x * z + y * w) * sz, local.translation[0]},
                     Pair{2 * (y * z - x * w) * sz, local.translation[1]},
                     Pair{(1 - 2 * (x * x + y * y)) * sz, local.translation[2]}};
  multiply(parent, axes, 0, 0, world);
  multiply(parent, rest, 1, 2, world);
}

}  // namespace

void toWorld(const Skeleton& skeleton, const Transform* pose, Affine* world) {
  for (std::size_t joint = 0; joint < skeleton.size(); ++joint) {
    const std::int32_t parent = skeleton.parents[joint];
    if (parent < 0) {
      world[joint] = Affine::of(pose[joint]);
    } else {
      addJoint(world[static_cast<std::size_t>(parent)], pose[joint], world[joint]);
    }
  }
}

}  // namespace simmer::animation
