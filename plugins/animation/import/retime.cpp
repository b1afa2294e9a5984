#include "plugins/animation/import/retime.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/clip/error_measure.h"
#include "plugins/animation/clip/kinematics.h"

namespace simmer::animation {
namespace {

constexpr double kMaxTransforms = 4e6;  // of the result: two seconds of measuring
constexpr double kMaxBetween = 1000;    // frames of the result to one of the source: more is a mistake in a unit
constexpr double kFrameSlack = 1e-6;    // of a frame: what rounding may add to a duration
constexpr int kPointsBetween = 4;

/// The largest distance of the joints' origins, metres.
double distance(const std::vector<Affine>& a, const std::vector<Affine>& b) {
  double largest = 0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double difference = a[joint].columns[3][axis] - b[joint].columns[3][axis];
      square += difference * difference;
    }
    largest = std::max(largest, square);
  }
  return std::sqrt(largest);
}

Result<double> errorBetweenFrames(const Clip& source, const Clip& target, Context& context) {
  std::vector<Transform> pose(source.joints());
  std::vector<Affine> expected(source.joints()), found(source.joints());
  const double perFrame = source.rateHz / target.rateHz;
  double worst = 0;
  for (std::uint32_t frame = 0; frame + 1 < target.frames; ++frame) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled");
    for (int point = 1; point <= kPointsBetween; ++point) {
      const double time = frame + static_cast<double>(point) / (kPointsBetween + 1);
      samplePose(source, time * perFrame, pose.data());
      toWorld(*source.skeleton, pose.data(), expected.data());
      samplePose(target, time, pose.data());
      toWorld(*source.skeleton, pose.data(), found.data());
      worst = std::max(worst, distance(expected, found));
    }
  }
  return worst;
}

}  // namespace

Result<Clip> retimed(const Clip& clip, double rateHz, Context& context) {
  if (!(rateHz > 0) || !std::isfinite(rateHz))
    return fail(ErrorCode::InvalidInput, "the sample rate is {}, expected above 0", rateHz);
  if (clip.frames > 1 && rateHz > kMaxBetween * clip.rateHz)
    return fail(ErrorCode::InvalidInput,
                "a sample rate of {} Hz for a source of {} Hz, expected at most {} times as much", rateHz, clip.rateHz,
                kMaxBetween);
  const double intervals = std::ceil(clip.durationS() * rateHz - kFrameSlack);
  if (!((intervals + 1) * static_cast<double>(std::max<std::size_t>(clip.joints(), 1)) <= kMaxTransforms))
    return fail(ErrorCode::InvalidInput, "a sample rate of {} Hz gives more than {} transforms", rateHz,
                kMaxTransforms);
  Clip result = clip;
  result.rateHz = rateHz;
  result.frames = static_cast<std::uint32_t>(std::max(intervals, 0.0)) + 1;
  result.poses.resize(std::size_t{result.frames} * clip.joints());
  const double perFrame = clip.rateHz / rateHz;
  for (std::uint32_t frame = 0; frame < result.frames; ++frame)
    samplePose(clip, frame * perFrame, result.poses.data() + frame * clip.joints());
  for (std::size_t track = 0; track < clip.scalars.size(); ++track) {
    std::vector<float>& values = result.scalars[track].values;
    values.resize(result.frames);
    for (std::uint32_t frame = 0; frame < result.frames; ++frame)
      values[frame] = static_cast<float>(sampleScalar(clip.scalars[track], frame * perFrame));
  }
  SIMMER_TRY(error, errorBetweenFrames(clip, result, context));
  result.resampleErrorM = error;
  return result;
}

}  // namespace simmer::animation
