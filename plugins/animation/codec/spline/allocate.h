#pragma once

#include "plugins/animation/codec/spline/candidates.h"

namespace simmer::animation::spline {

/// One way to encode a track, and what it does in the world.
struct Level {
  CodedTrack coded;
  double cost = 0;
  std::vector<float> effect;  ///< motions as a Motion has them, for the rows of a field
};

/// The motions in the world that come of a track's decoded curve, at the rows of a field, being off its signal.
std::vector<float> effectOf(const Track& track, const std::vector<double>& curve, const Field& field);

/// Chooses a level for each track, `levels`[track][from tight to loose], so that the field stays within its tolerance:
/// time and again the step that saves most for the error it adds (a greedy knapsack with lazy evaluation, Minoux 1978).
/// The field starts with what stands still and ends with all chosen levels applied.
std::vector<std::size_t> allocate(const std::vector<Track>& tracks, const std::vector<std::vector<Level>>& levels,
                                  Field& field);

}  // namespace simmer::animation::spline
