#pragma once

#include <vector>

#include "plugins/animation/clip/error_measure.h"

namespace simmer::animation::test {

using Point = std::array<double, 3>;

/// A point from a joint's own axes into its parent's: T · R · S, by the formula of Rodrigues.
inline Point toParent(const Transform& t, const Point& p) {
  double q[4], length = 0;
  for (const float v : t.rotation) length += static_cast<double>(v) * v;
  for (std::size_t i = 0; i < 4; ++i) q[i] = t.rotation[i] / std::sqrt(length);
  const Point v{p[0] * t.scale[0], p[1] * t.scale[1], p[2] * t.scale[2]};
  const Point once{q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0]};
  const Point twice{q[1] * once[2] - q[2] * once[1], q[2] * once[0] - q[0] * once[2], q[0] * once[1] - q[1] * once[0]};
  Point out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = t.translation[i] + v[i] + 2 * (q[3] * once[i] + twice[i]);
  return out;
}

inline Point toWorld(const Clip& clip, const std::vector<Transform>& pose, std::size_t joint, Point p) {
  for (std::int32_t at = static_cast<std::int32_t>(joint); at >= 0; at = clip.skeleton->parents[std::size_t(at)])
    p = toParent(pose[std::size_t(at)], p);
  return p;
}

/// [joint]: how far it or points of its skin are off at most, at frames and half frames, metres: computed point by
/// point up the chain, apart from ErrorMeter. For clips without jumps, whose rest pose has no scale.
inline std::vector<double> jointErrors(const Clip& clip, const PoseSource& decoded, double radiusM) {
  std::vector<double> worst(clip.joints(), 0.0);
  std::vector<Transform> expected(clip.joints()), actual(clip.joints());
  for (std::uint32_t half = 0; half + 1 < 2 * clip.frames; ++half) {
    samplePose(clip, half * 0.5, expected.data());
    decoded(half * 0.5, actual.data());
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      for (const Point& probe : {Point{}, {radiusM, 0, 0}, {0, radiusM, 0}, {0, 0, radiusM}}) {
        const Point a = toWorld(clip, expected, joint, probe), b = toWorld(clip, actual, joint, probe);
        double square = 0;
        for (std::size_t i = 0; i < 3; ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
        worst[joint] = std::max(worst[joint], std::sqrt(square));
      }
  }
  return worst;
}

}  // namespace simmer::animation::test
