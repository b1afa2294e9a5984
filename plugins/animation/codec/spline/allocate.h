#pragma once

#include "plugins/animation/codec/spline/candidates.h"

namespace simmer::animation::spline {

/// What a bit is worth: a bit of the file counts 1.
struct Price {
  double memoryBit = 0.15;
  double of(const Candidate& candidate) const { return candidate.bits + memoryBit * candidate.memoryBits; }
};

/// The motions in the world that come of a track's decoded curve being off its signal: arrays as a Motion has them.
std::vector<float> effectOf(const Track& track, const std::vector<double>& curve, const Field& field);

/// Chooses a candidate for each track, `levels`[track][from tight to loose], so that the field stays within its
/// tolerance: time and again the step that saves most for the error it adds (a greedy knapsack with lazy evaluation,
/// Minoux 1978). The field starts with what stands still and ends with all chosen candidates applied.
std::vector<std::size_t> allocate(const std::vector<Track>& tracks, const std::vector<std::vector<Candidate>>& levels,
                                  const Price& price, Field& field);

}  // namespace simmer::animation::spline
