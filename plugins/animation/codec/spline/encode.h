#pragma once

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/codec/encoded.h"
#include "plugins/animation/codec/skeleton_file.h"
#include "plugins/animation/codec/spline/spline_file.h"

namespace simmer::animation {

/// How long the search for a small file may take.
enum class Effort { Draft, Default, Max };

struct SplineSettings {
  Effort effort = Effort::Default;
  spline::SkeletonPlace skeleton = spline::SkeletonPlace::Beside;
  double scalarTolerance = 0.001;  ///< error allowed on a scalar track, as a part of its range
};

/// The clip as a file of codec `spline` whose *measured* world error is at most `toleranceM`. Tracks are followed by
/// B-splines and straight lines of several closeness; a greedy search in world space picks one for each track, then
/// single control points are moved wherever the error leaves room. Where that does not meet the bound it is tried
/// tighter, and in the end the reference's own samples are stored. ToleranceUnmet when not even they meet it;
/// Unsupported when the clip is too large for the format; Cancelled.
Result<Encoded> encodeSpline(const Clip& clip, const SkeletonFile& skeleton, const SplineSettings& settings,
                             double toleranceM, Context& context);

}  // namespace simmer::animation
