#include <cmath>

#include "plugins/animation/runtime/clip_samplers.h"

namespace simmer::runtime {
namespace {

constexpr double kSnapFrames = 1e-6;
constexpr std::uint8_t kNoDigest[kDigestBytes] = {};

Moment momentAt(const simmer_clip* clip, double seconds) {
  const double last = clip->frames - 1;
  double time = seconds * clip->rate;
  if (!(time > 0)) time = 0;  // also NaN
  if (time > last) time = last;
  const double nearest = static_cast<std::uint32_t>(time + 0.5);
  if (std::fabs(time - nearest) <= kSnapFrames) time = nearest;
  const auto frame = static_cast<std::uint32_t>(time);
  return {frame, time - frame};
}

const KeyedClip* keyed(const simmer_clip* clip) {
  return static_cast<const KeyedClip*>(clip);
}
const SplineClip* spline(const simmer_clip* clip) {
  return static_cast<const SplineClip*>(clip);
}
bool isSpline(const simmer_clip* clip) {
  return clip->codec == Codec::Spline;
}

void sampleJoints(const simmer_clip* clip, double seconds, const std::uint32_t* mask, simmer_transform* joints) {
  const Moment moment = momentAt(clip, seconds);
  if (isSpline(clip)) return sampleSplinePose(spline(clip), moment, mask, joints);
  sampleKeyedPose(keyed(clip), moment, mask, joints);
}

void sampleJoint(const simmer_clip* clip, const Moment& moment, std::uint32_t joint, simmer_transform& out) {
  if (joint >= clip->joints) {
    out = kIdentity;
  } else if (isSpline(clip)) {
    sampleSplineJoint(spline(clip), moment, joint, out);
  } else {
    sampleKeyedJoint(keyed(clip), moment, joint, out);
  }
}

}  // namespace
}  // namespace simmer::runtime

using namespace simmer::runtime;

uint32_t simmer_clip_joints(const simmer_clip* clip) {
  return clip->joints;
}
uint32_t simmer_clip_frames(const simmer_clip* clip) {
  return clip->frames;
}
uint32_t simmer_clip_scalars(const simmer_clip* clip) {
  return clip->scalars;
}
double simmer_clip_rate(const simmer_clip* clip) {
  return clip->rate;
}
double simmer_clip_duration(const simmer_clip* clip) {
  return (clip->frames - 1) / clip->rate;
}

const uint8_t* simmer_clip_skeleton_digest(const simmer_clip* clip) {
  if (!isSpline(clip)) return keyed(clip)->digest;
  return spline(clip)->hasDigest != 0 ? bytesOf(clip) + sizeof(SplineClip) : kNoDigest;
}

const char* simmer_clip_scalar_name(const simmer_clip* clip, uint32_t index) {
  if (index >= clip->scalars) return "";
  const std::uint32_t table = isSpline(clip) ? nameTableOf(spline(clip)) : keyed(clip)->at.nameAt;
  const std::uint32_t names = isSpline(clip) ? table + 4 * clip->scalars : keyed(clip)->at.names;
  return inClip<char>(clip, names) + inClip<std::uint32_t>(clip, table)[index];
}

double simmer_clip_loop_time(const simmer_clip* clip, double seconds) {
  const double duration = simmer_clip_duration(clip);
  if (!(duration > 0) || !std::isfinite(seconds)) return 0;
  double wrapped = std::fmod(seconds, duration);
  if (wrapped < 0) wrapped += duration;
  return wrapped < duration ? wrapped : 0;  // a sum may be rounded up
}

void simmer_clip_sample_pose(const simmer_clip* clip, double seconds, simmer_transform* joints) {
  sampleJoints(clip, seconds, nullptr, joints);
}

void simmer_clip_sample_joints(const simmer_clip* clip, double seconds, const uint32_t* mask,
                               simmer_transform* joints) {
  sampleJoints(clip, seconds, mask, joints);
}

void simmer_clip_sample_joint(const simmer_clip* clip, double seconds, uint32_t joint, simmer_transform* out) {
  sampleJoint(clip, momentAt(clip, seconds), joint, *out);
}

float simmer_clip_sample_scalar(const simmer_clip* clip, double seconds, uint32_t index) {
  if (index >= clip->scalars) return 0;
  const Moment moment = momentAt(clip, seconds);
  return isSpline(clip) ? sampleSplineScalar(spline(clip), moment, index)
                        : sampleKeyedScalar(keyed(clip), moment, index);
}
