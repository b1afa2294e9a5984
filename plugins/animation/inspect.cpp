#include "plugins/animation/inspect.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "plugins/animation/codec/decoded_clip.h"

namespace simmer::animation {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostPoints = 4'000'000;  // joints times samples of one answer

Json originsOf(const std::vector<Affine>& world) {
  Json origins = Json::array();
  for (const Affine& joint : world) origins.push_back(joint.columns[3]);
  return origins;
}

double distance(const Vector3& a, const Vector3& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return std::sqrt(x * x + y * y + z * z);
}

Json headOf(const RequestedClip& requested) {
  const Clip& clip = requested.clip;
  Json head{{"clip", clip.id},
            {"rate_hz", clip.rateHz},
            {"frames", clip.frames},
            {"duration_s", clip.durationS()},
            {"height_m", requested.objectHeightM},
            {"tolerance_mm", requested.toleranceM * 1000}};
  Json joints = Json::array();
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    joints.push_back({{"name", clip.skeleton->names[joint]}, {"parent", clip.skeleton->parents[joint]}});
    if (!clip.toleranceScale.empty()) joints.back()["tolerance_scale"] = clip.toleranceScale[joint];
  }
  head["joints"] = std::move(joints);
  return head;
}

Json sampleOf(const Clip& clip, DecodedClip* decoded, double seconds) {
  const double time = seconds * clip.rateHz;
  std::vector<Transform> pose(clip.joints());
  std::vector<Affine> reference(clip.joints()), actual(clip.joints());
  samplePose(clip, time, pose.data());
  toWorld(*clip.skeleton, pose.data(), reference.data());
  Json sample{{"time_s", seconds}, {"reference", originsOf(reference)}};
  if (decoded == nullptr) return sample;
  decoded->pose(time, pose.data());
  toWorld(*clip.skeleton, pose.data(), actual.data());
  sample["decoded"] = originsOf(actual);
  Json errors = Json::array();
  for (std::size_t joint = 0; joint < clip.joints(); ++joint)
    errors.push_back(distance(reference[joint].columns[3], actual[joint].columns[3]) * 1000);
  sample["error_mm"] = std::move(errors);
  return sample;
}

}  // namespace

Result<Bytes> inspectClip(const RequestedClip& requested, const Artifact* artifact, const Window& window,
                          Context& context) {
  const Clip& clip = requested.clip;
  if (window.samples == 0 || !std::isfinite(window.startS) || !std::isfinite(window.endS) ||
      window.endS < window.startS)
    return fail(ErrorCode::InvalidInput, "a window of {} samples from {} s to {} s", window.samples, window.startS,
                window.endS);
  if (std::uint64_t{window.samples} * std::max<std::size_t>(clip.joints(), 1) > kMostPoints)
    return fail(ErrorCode::InvalidInput, "{} samples of {} joints, at most {} points fit in an answer", window.samples,
                clip.joints(), kMostPoints);
  std::optional<DecodedClip> decoded;
  if (artifact != nullptr) {
    if (artifact->outputs.empty()) return fail(ErrorCode::Corrupt, "the artifact has no output");
    const ByteView skeleton = artifact->outputs.size() > 1 ? ByteView(artifact->outputs[1].bytes) : ByteView();
    SIMMER_TRY(loaded, DecodedClip::load(artifact->outputs[0].bytes, skeleton));
    if (simmer_clip_joints(loaded.clip()) != clip.joints())
      return fail(ErrorCode::Corrupt, "the artifact has {} joints, the source has {}",
                  simmer_clip_joints(loaded.clip()), clip.joints());
    decoded = std::move(loaded);
  }
  Json answer = headOf(requested);
  Json samples = Json::array();
  for (std::uint32_t i = 0; i < window.samples; ++i) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled");
    const double part = window.samples > 1 ? static_cast<double>(i) / (window.samples - 1) : 0;
    const double seconds = window.startS + (window.endS - window.startS) * part;
    samples.push_back(sampleOf(clip, decoded ? &*decoded : nullptr, seconds));
  }
  answer["samples"] = std::move(samples);
  const std::string text = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Bytes(text.begin(), text.end());
}

}  // namespace simmer::animation
