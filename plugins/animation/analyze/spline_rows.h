#pragma once

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/codec/article/joint_error.h"

namespace simmer::animation {

/// What codec `spline` makes of a clip at one tolerance.
struct SplineRow {
  double toleranceMm = 0;       ///< of the world error: joints and skin, at frames and between
  std::size_t bytes = 0;        ///< of the clip's file, which gives poses without another one
  std::size_t memoryBytes = 0;  ///< as a game holds it
  double worldErrorM = 0;
  article::JointError error;  ///< by the article's measure
};

/// One encoding, without scalar tracks as the article's have none, at effort `default`, measured through the runtime;
/// `meter` has the same clip as its reference. Nothing where the tolerance can not be met. Unsupported, Cancelled.
Result<std::optional<SplineRow>> splineRow(const Clip& clip, const article::JointErrorMeter& meter, double toleranceMm,
                                           Context& context);

}  // namespace simmer::animation
