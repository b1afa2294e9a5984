#include "plugins/animation/codec/article/pipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "plugins/animation/codec/article/curve.h"

namespace simmer::animation::article {
namespace {

/// Signs chosen so that neighbours are less than half a turn apart as quaternions: then their components are
/// continuous curves.
void align(std::span<Quaternion> rotations) {
  for (std::size_t i = 1; i < rotations.size(); ++i)
    if (dot(rotations[i - 1], rotations[i]) < 0)
      for (double& component : rotations[i]) component = -component;
}

DoubleClip aligned(DoubleClip clip) {
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) align(clip.rotation(joint));
  return clip;
}

std::vector<std::uint32_t> allFrames(std::uint32_t frames) {
  std::vector<std::uint32_t> keys(frames);
  std::iota(keys.begin(), keys.end(), 0u);
  return keys;
}

void quantise(ScalarPlan& track) {
  const auto [low, high] = std::ranges::minmax(track.values);
  track.low = low;
  track.range = high - low;
  for (const double value : track.values) {
    const double unit = track.range == 0 ? 0 : roundHalfUp((value - track.low) / track.range * 65535);
    track.quantised.push_back(static_cast<std::uint16_t>(unit));
  }
}

/// One component's curve through the keys; `value(key)` gives its points, `put(frame, value)` takes the frames.
template <class Value, class Put>
void reconstruct(const std::vector<std::uint32_t>& keys, Interpolation interpolation, Value value, Put put) {
  const auto slope = [&](std::size_t key) {
    const std::size_t from = key == 0 ? 0 : key - 1;
    const std::size_t to = std::min(key + 1, keys.size() - 1);
    return (value(to) - value(from)) / (keys[to] - keys[from]);
  };
  const bool cubic = interpolation == Interpolation::Cubic;
  for (std::size_t key = 0; key + 1 < keys.size(); ++key) {
    const double h = keys[key + 1] - keys[key];
    const double p0 = value(key), p1 = value(key + 1);
    const double m0 = cubic ? slope(key) * h : 0, m1 = cubic ? slope(key + 1) * h : 0;
    const std::uint32_t end = keys[key + 1] + (key + 2 == keys.size() ? 1 : 0);
    for (std::uint32_t frame = keys[key]; frame < end; ++frame) {
      const double u = (frame - keys[key]) / h;
      put(frame, cubic ? HermiteWeights(u).mix(p0, m0, p1, m1) : p0 + (p1 - p0) * u);
    }
  }
}

void decodeScalar(const ScalarPlan& track, Interpolation interpolation, std::span<double> out) {
  if (track.keys.size() == 1) {
    std::ranges::fill(out, track.decoded(0));
    return;
  }
  reconstruct(
      track.keys, interpolation, [&](std::size_t key) { return track.decoded(key); },
      [&](std::uint32_t frame, double value) { out[frame] = value; });
}

void decodeRotation(const RotationPlan& track, Interpolation interpolation, std::span<Quaternion> out) {
  const std::vector<Quaternion> values = track.decoded();
  if (track.keys.size() == 1) {
    std::ranges::fill(out, exactlyNormalised(values.front()));
    return;
  }
  for (std::size_t i = 0; i < 4; ++i)
    reconstruct(
        track.keys, interpolation, [&](std::size_t key) { return values[key][i]; },
        [&](std::uint32_t frame, double value) { out[frame][i] = value; });
  for (Quaternion& q : out) q = exactlyNormalised(q);
}

}  // namespace

double leverDegrees(double toleranceMm) {
  return (toleranceMm / 1000 / kLeverM) * 180 / std::numbers::pi;
}

double ScalarPlan::decoded(std::size_t i) const {
  if (quantised.empty()) return values[i];
  return low + (range == 0 ? 0 : quantised[i] / 65535.0 * range);
}

std::vector<Quaternion> RotationPlan::decoded() const {
  if (packed.empty()) return values;
  std::vector<Quaternion> result;
  result.reserve(packed.size());
  for (const std::uint32_t word : packed) result.push_back(unpackRotation(word));
  align(result);
  return result;
}

std::size_t Plan::keys() const {
  std::size_t count = 0;
  for (const ScalarPlan& track : scalars) count += track.keys.size();
  for (const RotationPlan& track : rotations) count += track.keys.size();
  return count;
}

std::size_t Plan::constantScalars() const {
  return static_cast<std::size_t>(std::ranges::count(scalars, true, &ScalarPlan::constant));
}

std::size_t Plan::constantRotations() const {
  return static_cast<std::size_t>(std::ranges::count(rotations, true, &RotationPlan::constant));
}

Result<void> checkFits(const Clip& clip) {
  constexpr std::size_t kLimit = std::numeric_limits<std::uint16_t>::max();
  if (clip.frames > kLimit)
    return fail(ErrorCode::Unsupported, "the clip has {} frames, the article's pipeline counts up to {}", clip.frames,
                kLimit);
  if (6 * clip.joints() > kLimit)
    return fail(ErrorCode::Unsupported, "the clip has {} joints, the article's pipeline counts up to {}", clip.joints(),
                kLimit / 6);
  return {};
}

Planner::Planner(const DoubleClip& clip, double finestToleranceMm)
    : m_clip(aligned(clip)), m_finestToleranceMm(finestToleranceMm) {
  for (std::size_t id = 0; id < 6 * m_clip.joints(); ++id) m_constantScalars.push_back(isConstant(scalar(id)));
  for (std::size_t joint = 0; joint < m_clip.joints(); ++joint)
    m_constantRotations.push_back(isConstant(m_clip.rotation(joint)));
}

std::span<const double> Planner::scalar(std::size_t id) const {
  return id % 6 < 3 ? m_clip.translation(id / 6, id % 3) : m_clip.scale(id / 6, id % 3);
}

const Planner::Refined& Planner::refined(Interpolation interpolation, double toleranceMm) {
  auto& refined = m_refined[static_cast<std::size_t>(interpolation)];
  if (refined && refined->toleranceMm <= toleranceMm) return *refined;
  refined = Refined{std::min(toleranceMm, m_finestToleranceMm), {}, {}};
  for (std::size_t id = 0; id < 6 * m_clip.joints(); ++id)
    refined->scalars.push_back(refineScalar(scalar(id), interpolation, refined->toleranceMm / 1000));
  for (std::size_t joint = 0; joint < m_clip.joints(); ++joint)
    refined->rotations.push_back(
        refineRotation(m_clip.rotation(joint), interpolation, leverDegrees(refined->toleranceMm)));
  return *refined;
}

Plan Planner::plan(const Stages& stages) {
  Plan plan{stages, m_clip.skeleton, m_clip.frames, m_clip.rateHz, {}, {}};
  const Refined* fit = stages.toleranceMm ? &refined(stages.interpolation, *stages.toleranceMm) : nullptr;
  for (std::size_t id = 0; id < 6 * m_clip.joints(); ++id) {
    ScalarPlan track{static_cast<std::uint32_t>(id), stages.dropConstants && m_constantScalars[id], {0}, {}, 0, 0, {}};
    if (!track.constant)
      track.keys = fit ? fit->scalars[id].keys(*stages.toleranceMm / 1000) : allFrames(m_clip.frames);
    for (const std::uint32_t key : track.keys) track.values.push_back(scalar(id)[key]);
    if (stages.quantise) quantise(track);
    plan.scalars.push_back(std::move(track));
  }
  for (std::size_t joint = 0; joint < m_clip.joints(); ++joint) {
    RotationPlan track{
        static_cast<std::uint32_t>(joint), stages.dropConstants && m_constantRotations[joint], {0}, {}, {}};
    if (!track.constant)
      track.keys = fit ? fit->rotations[joint].keys(leverDegrees(*stages.toleranceMm)) : allFrames(m_clip.frames);
    for (const std::uint32_t key : track.keys) track.values.push_back(m_clip.rotation(joint)[key]);
    if (stages.quantise)
      for (const Quaternion& value : track.values) track.packed.push_back(packRotation(value));
    plan.rotations.push_back(std::move(track));
  }
  return plan;
}

DoubleClip decode(const Plan& plan) {
  DoubleClip clip = DoubleClip::atRest(plan.skeleton, plan.frames, plan.rateHz);
  for (const ScalarPlan& track : plan.scalars) {
    const std::size_t joint = track.id / 6, axis = track.id % 3;
    decodeScalar(track, plan.stages.interpolation,
                 track.id % 6 < 3 ? clip.translation(joint, axis) : clip.scale(joint, axis));
  }
  for (const RotationPlan& track : plan.rotations)
    decodeRotation(track, plan.stages.interpolation, clip.rotation(track.joint));
  return clip;
}

}  // namespace simmer::animation::article
