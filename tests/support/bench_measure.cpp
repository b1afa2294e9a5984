#include "tests/support/bench_measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simmer::test {
namespace {

using animation::Clip;
using animation::dot;
using animation::normalised;
using animation::Quaternion;
using animation::rotate;
using animation::Skeleton;
using animation::Transform;
using animation::Vector3;

using Matrix = std::array<std::array<double, 3>, 3>;  // [row][column]
using Probes = std::array<Vector3, 4>;
struct Pose {
  Vector3 translation;
  Quaternion rotation;
  Vector3 scale;
};
struct Frame {
  Matrix linear;
  Vector3 origin;
};

Pose inDouble(const Transform& t) {
  const auto& r = t.rotation;
  return {{t.translation[0], t.translation[1], t.translation[2]},
          normalised({r[0], r[1], r[2], r[3]}),
          {t.scale[0], t.scale[1], t.scale[2]}};
}

Pose halfWay(const Pose& a, const Pose& b) {
  Pose result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.translation[i] = (a.translation[i] + b.translation[i]) / 2;
    result.scale[i] = (a.scale[i] + b.scale[i]) / 2;
  }
  const double sign = dot(a.rotation, b.rotation) < 0 ? -1 : 1;
  for (std::size_t i = 0; i < 4; ++i) result.rotation[i] = (a.rotation[i] + sign * b.rotation[i]) / 2;
  result.rotation = normalised(result.rotation);
  return result;
}

Frame local(const Pose& pose) {
  Frame frame{{}, pose.translation};
  for (std::size_t column = 0; column < 3; ++column) {
    Vector3 axis{0, 0, 0};
    axis[column] = pose.scale[column];
    const Vector3 turned = rotate(pose.rotation, axis);
    for (std::size_t row = 0; row < 3; ++row) frame.linear[row][column] = turned[row];
  }
  return frame;
}

Vector3 carry(const Frame& frame, const Vector3& v) {
  Vector3 result = frame.origin;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) result[row] += frame.linear[row][i] * v[i];
  return result;
}

/// The joint's origin and the points around it, carried up joint by joint.
Probes inWorld(const Skeleton& skeleton, const std::vector<Frame>& frames, std::size_t joint, double radius) {
  Probes probes{};
  for (std::size_t axis = 0; axis < 3; ++axis) probes[axis + 1][axis] = radius;
  for (auto at = static_cast<std::int32_t>(joint); at >= 0; at = skeleton.parents[static_cast<std::size_t>(at)])
    for (Vector3& probe : probes) probe = carry(frames[static_cast<std::size_t>(at)], probe);
  return probes;
}

std::vector<double> benchRadii(const Skeleton& skeleton) {
  std::vector<Frame> rest;
  for (const Transform& t : skeleton.rest) rest.push_back(local(inDouble(t)));
  Vector3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (std::size_t joint = 0; joint < rest.size(); ++joint) {
    const Vector3 origin = inWorld(skeleton, rest, joint, 0)[0];
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], origin[i]);
      high[i] = std::max(high[i], origin[i]);
    }
  }
  double height = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  if (height < 1e-6) height = 1.8;
  std::vector<double> radii;
  for (std::size_t joint = 0; joint < rest.size(); ++joint) {
    double volume = 1;  // |determinant| of a chain is the product of its scales
    for (auto at = static_cast<std::int32_t>(joint); at >= 0; at = skeleton.parents[static_cast<std::size_t>(at)])
      for (const float scale : skeleton.rest[static_cast<std::size_t>(at)].scale)
        volume *= std::abs(static_cast<double>(scale));
    const double side = std::cbrt(volume);
    radii.push_back(0.03 * height / 1.8 / (side < 1e-6 ? 1 : side));
  }
  return radii;
}

/// What a half frame is compared with.
struct Reference {
  std::vector<Frame> frames;
  std::vector<bool> leftOut;
};

Reference referenceAt(const Clip& clip, std::uint32_t half) {
  Reference reference;
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const Pose before = inDouble(clip.pose(half / 2, joint));
    const Pose after = inDouble(clip.pose((half + 1) / 2, joint));
    reference.frames.push_back(local(half % 2 == 0 ? before : halfWay(before, after)));
    const std::int32_t parent = clip.skeleton->parents[joint];
    reference.leftOut.push_back((parent >= 0 && reference.leftOut[static_cast<std::size_t>(parent)]) ||
                                std::abs(dot(before.rotation, after.rotation)) < std::sqrt(0.5));
  }
  return reference;
}

/// normalised() would make the identity of a rotation that is none, and so hide it.
bool isFinite(const std::vector<Transform>& pose) {
  const auto all = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
  };
  return std::all_of(pose.begin(), pose.end(),
                     [&](const Transform& t) { return all(t.translation) && all(t.rotation) && all(t.scale); });
}

double distance(const Vector3& a, const Vector3& b) {
  const double d = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
}

}  // namespace

BenchError benchMeasure(const Clip& clip, const animation::PoseSource& decoded) {
  const Skeleton& skeleton = *clip.skeleton;
  const std::vector<double> radii = benchRadii(skeleton);
  std::vector<Transform> pose(clip.joints());
  std::vector<Frame> actual(clip.joints());
  BenchError error;
  for (std::uint32_t half = 0; half + 1 < 2 * clip.frames; ++half) {
    decoded(half / 2.0, pose.data());
    if (!isFinite(pose)) return {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) actual[joint] = local(inDouble(pose[joint]));
    const Reference reference = referenceAt(clip, half);
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      if (reference.leftOut[joint]) continue;
      const Probes a = inWorld(skeleton, actual, joint, radii[joint]);
      const Probes b = inWorld(skeleton, reference.frames, joint, radii[joint]);
      for (std::size_t probe = 0; probe < a.size(); ++probe)
        error.worst = std::max(error.worst, distance(a[probe], b[probe]));
      error.origin = std::max(error.origin, distance(a[0], b[0]));
    }
  }
  return error;
}

}  // namespace simmer::test
