#include "plugins/animation/clip/error_measure.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace simmer::animation {
namespace {

// Two probes at once.
using Pair = double __attribute__((vector_size(16)));

/// Squared distances of a joint's probes: its origin, and points at `radius` along its axes.
std::array<double, 4> squaredDistances(const Affine& a, const Affine& b, double radius) {
  const Pair first{0, radius}, second{radius, radius};
  Pair low{0, 0}, high{0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const Pair originA{a.columns[3][i], a.columns[3][i]}, originB{b.columns[3][i], b.columns[3][i]};
    const Pair x = (originA + first * Pair{0, a.columns[0][i]}) - (originB + first * Pair{0, b.columns[0][i]});
    const Pair y = (originA + second * Pair{a.columns[1][i], a.columns[2][i]}) -
                   (originB + second * Pair{b.columns[1][i], b.columns[2][i]});
    low += x * x;
    high += y * y;
  }
  return {low[0], low[1], high[0], high[1]};
}

/// What is not a number is as far as can be.
double orInfinite(double distance) {
  return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
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
    : m_reference(std::move(reference)),
      m_clip(m_reference->clip()),
      m_radii(skinRadii(*m_clip.skeleton, m_clip.probeRadiusM)),
      m_weights(errorWeights(m_clip)) {}

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
  double worst = 0, worstOrigin = 0, unscaled = 0;
  WorldError error;
  for (std::uint32_t half = 0; half + 1 < 2 * m_clip.frames && worst <= stopAboveM * stopAboveM; ++half) {
    decoded(half * 0.5, pose.data());
    if (const std::size_t broken = firstNotFinite(pose.data(), joints); broken < joints) {
      constexpr double kInfinite = std::numeric_limits<double>::infinity();
      return {kInfinite, kInfinite, kInfinite, broken, half * 0.5};
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
      std::array<double, 4> distances = squaredDistances(world[joint], reference[joint], m_radii[joint]);
      if (!m_weights.empty()) {
        for (const double distance : distances) unscaled = std::max(unscaled, orInfinite(distance));
        for (double& distance : distances) distance *= m_weights[joint];
      }
      if (!(distances[0] <= worstOrigin)) worstOrigin = orInfinite(distances[0]);
      for (const double distance : distances) {
        if (distance <= worst || orInfinite(distance) <= worst) continue;
        worst = orInfinite(distance);
        error.joint = joint;
        error.timeInFrames = half * 0.5;
      }
    }
  }
  error.worstM = std::sqrt(worst);
  error.jointM = std::sqrt(worstOrigin);
  error.unscaledM = m_weights.empty() ? error.worstM : std::sqrt(unscaled);
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
