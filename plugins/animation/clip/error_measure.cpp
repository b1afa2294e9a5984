#include "plugins/animation/clip/error_measure.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace simmer::animation {
namespace {

double squaredDistance(const Vector3& a, const Vector3& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/// The first joint with a value that is not finite, or `joints`. Affine::of() would make the identity of such a
/// rotation and so hide it.
std::size_t firstNotFinite(const Transform* pose, std::size_t joints) {
  const auto allFinite = [](const auto& values) {
    float sum = 0;
    for (const float value : values) sum += value * 0;  // a NaN from here on when `value` is not finite
    return sum == 0;
  };
  for (std::size_t joint = 0; joint < joints; ++joint)
    if (!allFinite(pose[joint].translation) || !allFinite(pose[joint].rotation) || !allFinite(pose[joint].scale))
      return joint;
  return joints;
}

}  // namespace

ErrorMeter::ErrorMeter(const Clip& reference) : ErrorMeter(std::make_shared<WorldPoses>(reference)) {}

ErrorMeter::ErrorMeter(std::shared_ptr<const WorldPoses> reference)
    : m_reference(std::move(reference)), m_clip(m_reference->clip()), m_radii(skinRadii(*m_clip.skeleton)) {}

ErrorMeter::Probes ErrorMeter::toProbes(const Affine& world, std::size_t joint) const {
  const auto& columns = world.columns;
  Probes probes;
  probes[0] = columns[3];
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < 3; ++i) probes[axis + 1][i] = columns[3][i] + m_radii[joint] * columns[axis][i];
  return probes;
}

void ErrorMeter::findJumps(std::uint32_t frame, std::vector<char>& leftOut) const {
  for (std::size_t joint = 0; joint < leftOut.size(); ++joint) {
    const std::int32_t parent = m_clip.skeleton->parents[joint];
    const bool jumps =
        !m_clip.steps(joint, Channel::Rotation) && turnsFar(m_clip.pose(frame, joint), m_clip.pose(frame + 1, joint));
    leftOut[joint] = jumps || (parent >= 0 && leftOut[static_cast<std::size_t>(parent)]);
  }
}

WorldError ErrorMeter::measure(const PoseSource& decoded, double stopAboveM) const {
  const std::size_t joints = m_clip.joints();
  std::vector<Transform> pose(joints);
  std::vector<Affine> world(joints), scratch;
  std::vector<char> leftOut(joints);
  double worst = 0, worstOrigin = 0;
  WorldError error;
  for (std::uint32_t half = 0; half + 1 < 2 * m_clip.frames && worst <= stopAboveM * stopAboveM; ++half) {
    decoded(half * 0.5, pose.data());
    if (const std::size_t broken = firstNotFinite(pose.data(), joints); broken < joints) {
      constexpr double kInfinite = std::numeric_limits<double>::infinity();
      return {kInfinite, kInfinite, broken, half * 0.5};
    }
    toWorld(*m_clip.skeleton, pose.data(), world.data());
    const Affine* const reference = m_reference->at(half, scratch);
    if (half % 2 == 1) {
      findJumps(half / 2, leftOut);
    } else {
      std::fill(leftOut.begin(), leftOut.end(), 0);
    }
    for (std::size_t joint = 0; joint < joints; ++joint) {
      if (leftOut[joint]) continue;
      const Probes actual = toProbes(world[joint], joint), expected = toProbes(reference[joint], joint);
      for (std::size_t probe = 0; probe < 4; ++probe) {
        double distance = squaredDistance(actual[probe], expected[probe]);
        if (!std::isfinite(distance)) distance = std::numeric_limits<double>::infinity();
        if (probe == 0) worstOrigin = std::max(worstOrigin, distance);
        if (distance <= worst) continue;
        worst = distance;
        error.joint = joint;
        error.timeInFrames = half * 0.5;
      }
    }
  }
  error.worstM = std::sqrt(worst);
  error.jointM = std::sqrt(worstOrigin);
  return error;
}

double sampleScalar(const ScalarTrack& track, double timeInFrames) {
  const double last = static_cast<double>(track.values.size()) - 1;
  const double time = std::clamp(timeInFrames, 0.0, last);
  const auto before = static_cast<std::size_t>(time);
  const std::size_t after = std::min(before + 1, track.values.size() - 1);
  const double held = track.values[before];
  return track.step ? held : held + (track.values[after] - held) * (time - static_cast<double>(before));
}

double scalarUnit(const ScalarTrack& track) {
  if (track.values.empty()) return 1;
  const auto [low, high] = std::minmax_element(track.values.begin(), track.values.end());
  if (*high > *low) return static_cast<double>(*high) - *low;
  const double magnitude = std::max(std::abs(static_cast<double>(*low)), std::abs(static_cast<double>(*high)));
  return magnitude > 0 ? magnitude : 1;
}

double scalarError(const ScalarTrack& reference, const std::function<double(double)>& decoded) {
  if (reference.values.empty()) return 0;
  double worst = 0;
  for (std::size_t half = 0; half + 1 < 2 * reference.values.size(); ++half) {
    const double time = static_cast<double>(half) * 0.5;
    // A decoder gives float32: half-way between neighbours there is none.
    const auto expected = static_cast<double>(static_cast<float>(sampleScalar(reference, time)));
    const double difference = std::abs(decoded(time) - expected);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, difference);
  }
  return worst / scalarUnit(reference);
}

}  // namespace simmer::animation
