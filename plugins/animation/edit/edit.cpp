#include "plugins/animation/edit/edit.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/clip/error_measure.h"

namespace simmer::animation {
namespace {

/// How far a clip is from what it was.
double displacement(const Clip& before, const Clip& after) {
  const auto playing = [&](double time, Transform* pose) { samplePose(after, time, pose); };
  return ErrorMeter(before).measure(playing).unscaledM;
}

}  // namespace

Result<void> cutToRange(Clip& clip, const NumberRange& rangeS) {
  const double last = rangeS.last * clip.rateHz;
  if (!(last <= (clip.frames - 1) + 0.5))
    return fail(ErrorCode::InvalidInput, "the range ends at {} s, the clip at {:.6g} s", rangeS.last, clip.durationS());
  const auto end = std::min(static_cast<std::uint32_t>(std::round(last)) + 1, clip.frames);
  const auto begin = std::min(static_cast<std::uint32_t>(std::round(rangeS.first * clip.rateHz)), end - 1);
  const auto keep = [&](auto& values, std::size_t perFrame) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(end * perFrame), values.end());
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(begin * perFrame));
  };
  keep(clip.poses, clip.joints());
  for (ScalarTrack& track : clip.scalars) keep(track.values, 1);
  clip.frames = end - begin;
  return {};
}

Result<void> setLength(Clip& clip, double seconds) {
  if (clip.frames == 1) return {};
  const double rateHz = (clip.frames - 1) / seconds;
  if (!(rateHz > 0) || !std::isfinite(rateHz))
    return fail(ErrorCode::InvalidInput, "{} frames in {} s are {} frames a second, expected a finite rate above 0",
                clip.frames, seconds, rateHz);
  clip.rateHz = rateHz;
  return {};
}

Result<Displacements> edit(Clip& clip, const EditOptions& options, bool measured, Context& context) {
  Displacements displacements;
  if (options.rangeS) SIMMER_CHECK(cutToRange(clip, *options.rangeS));
  if (options.denoiseHz > 0) {
    const Clip before = measured ? clip : Clip();
    SIMMER_CHECK(denoise(clip, options.denoiseHz, context));
    if (measured) displacements.denoiseM = displacement(before, clip);
  }
  if (options.lengthS > 0) SIMMER_CHECK(setLength(clip, options.lengthS));
  if (options.loop == Loop::Close) closeLoop(clip);
  if (options.loop == Loop::Blend) {
    const Clip before = measured ? clip : Clip();
    blendLoop(clip);
    if (measured) displacements.loopM = displacement(before, clip);
  }
  return displacements;
}

}  // namespace simmer::animation
