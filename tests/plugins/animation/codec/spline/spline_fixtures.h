#pragma once

#include "plugins/animation/codec/spline/encode.h"
#include "tests/plugins/animation/codec/test_clips.h"

namespace simmer::animation::test {

using spline::SkeletonPlace;

inline Result<Encoded> encodeAs(const Clip& clip, double toleranceM, const SplineSettings& settings = {}) {
  RecordingContext context;
  SIMMER_TRY(skeleton, writeSkeleton(*clip.skeleton));
  return encodeSpline(clip, skeleton, settings, toleranceM, context);
}

/// A file's world error, metres, through the runtime and a meter of its own; infinite when it can not be loaded.
inline double measuredM(const Clip& clip, const Bytes& file) {
  const Result<SkeletonFile> skeleton = writeSkeleton(*clip.skeleton);
  Result<DecodedClip> decoded = DecodedClip::load(file, skeleton->bytes);
  if (!decoded) return std::numeric_limits<double>::infinity();
  return ErrorMeter(clip).measure(decoded->poseSource()).worstM;
}

}  // namespace simmer::animation::test
