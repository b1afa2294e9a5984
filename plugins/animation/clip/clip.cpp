#include "plugins/animation/clip/clip.h"

#include <algorithm>
#include <cmath>

namespace simmer::animation {
namespace {

/// The place is spelled only where something is wrong: a long clip has millions of poses.
Result<void> validatePose(const Transform& pose, std::uint32_t frame, std::size_t joint) {
  const auto where = [&] { return fmt::format("frame {}, joint {}", frame, joint); };
  double length = 0;
  for (const float v : pose.rotation) length += static_cast<double>(v) * v;
  for (const auto& part : {pose.translation, pose.scale})
    for (const float v : part)
      if (!std::isfinite(v)) return failAt(ErrorCode::InvalidInput, where(), "the transform is not finite");
  if (!(std::abs(std::sqrt(length) - 1) <= 1e-3))
    return failAt(ErrorCode::InvalidInput, where(), "the rotation has length {}, expected 1", std::sqrt(length));
  return {};
}

Result<void> validateDemands(const Clip& clip) {
  for (const auto* const demands : {&clip.toleranceScale, &clip.probeRadiusM}) {
    const bool scale = demands == &clip.toleranceScale;
    const char* const what = scale ? "tolerance scales" : "probe radii";
    if (!demands->empty() && demands->size() != clip.joints())
      return fail(ErrorCode::InvalidInput, "{} {} for {} joints", demands->size(), what, clip.joints());
    for (std::size_t joint = 0; joint < demands->size(); ++joint)
      if (const float value = (*demands)[joint]; !std::isfinite(value) || !(scale ? value > 0 : value >= 0))
        return failAt(ErrorCode::InvalidInput, fmt::format("joint {}", joint), "{} among its {}", value, what);
  }
  return {};
}

}  // namespace

Result<void> validate(const Clip& clip) {
  if (!clip.skeleton) return fail(ErrorCode::InvalidInput, "the clip has no skeleton");
  SIMMER_CHECK(validate(*clip.skeleton));
  if (clip.frames == 0) return fail(ErrorCode::InvalidInput, "the clip has no frames");
  if (!(clip.rateHz > 0) || !std::isfinite(clip.rateHz))
    return fail(ErrorCode::InvalidInput, "the frame rate is {}, expected above 0", clip.rateHz);
  if (clip.poses.size() != clip.frames * clip.joints() || (!clip.step.empty() && clip.step.size() != clip.joints()))
    return fail(ErrorCode::InvalidInput, "{} transforms for {} frames of {} joints", clip.poses.size(), clip.frames,
                clip.joints());
  SIMMER_CHECK(validateDemands(clip));
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      SIMMER_CHECK(validatePose(clip.pose(frame, joint), frame, joint));
  for (const ScalarTrack& track : clip.scalars) {
    if (track.values.size() != clip.frames)
      return failAt(ErrorCode::InvalidInput, track.name, "{} values for {} frames", track.values.size(), clip.frames);
    if (!std::all_of(track.values.begin(), track.values.end(), [](float v) { return std::isfinite(v); }))
      return failAt(ErrorCode::InvalidInput, track.name, "a value is not finite");
  }
  return {};
}

std::vector<double> errorWeights(const Clip& clip) {
  std::vector<double> weights;
  for (const float scale : clip.toleranceScale) weights.push_back(1 / (static_cast<double>(scale) * scale));
  return weights;
}

void samplePose(const Clip& clip, double timeInFrames, Transform* pose) {
  const double last = clip.frames - 1;
  const double time = std::clamp(timeInFrames, 0.0, last);
  const auto before = static_cast<std::uint32_t>(time);
  const std::uint32_t after = std::min(before + 1, clip.frames - 1);
  const double fraction = time - before;
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const Transform& held = clip.pose(before, joint);
    if (fraction == 0) {
      pose[joint] = held;
      continue;
    }
    pose[joint] = interpolate(held, clip.pose(after, joint), fraction);
    if (clip.steps(joint, Channel::Translation)) pose[joint].translation = held.translation;
    if (clip.steps(joint, Channel::Rotation)) pose[joint].rotation = held.rotation;
    if (clip.steps(joint, Channel::Scale)) pose[joint].scale = held.scale;
  }
}

}  // namespace simmer::animation
