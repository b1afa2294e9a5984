#pragma once

#include "plugins/animation/codec/spline/allocate.h"

namespace simmer::animation::spline {

/// Moves single control points to cheaper neighbours wherever the world's error leaves room, or to better ones where it
/// does not: coordinate descent on λ · bits + penalty. The field holds the current error and follows.
struct RefineOptions {
  double bitWorth = 0.1;     ///< λ: penalty that a bit may cost
  float limit = 1;           ///< no error (squared, of the tolerance's) may become worse than this
  bool repair = false;       ///< look at moves that cost bits, but only where the tolerance is missed
  std::vector<char> missed;  ///< [half frame], for repairs
};
/// One pass over all tracks; how many points it moved.
std::size_t refine(const std::vector<Track>& tracks, std::vector<CodedTrack>& coded, std::int32_t last,
                   const RefineOptions& options, Field& field);

}  // namespace simmer::animation::spline
