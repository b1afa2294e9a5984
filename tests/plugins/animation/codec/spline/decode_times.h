#pragma once

#include <functional>
#include <vector>

#include "cooker/base/bytes.h"
#include "plugins/animation/clip/clip.h"
#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::bench {

/// Seconds that this thread has run. What other programs do on the machine does not count.
double cpuSeconds();

double median(std::vector<double> values);

/// What it takes to sample a clip, beside the raw-lerp baseline: medians of rounds in which all four take turns.
struct DecodeTimes {
  double sequentialNs = 0, randomNs = 0;        ///< a pose
  double rawSequentialNs = 0, rawRandomNs = 0;  ///< of the baseline
  double sequentialRatio = 0, randomRatio = 0;  ///< to the baseline: median of the rounds' own ratios
  double randomToSequential = 0;
};
DecodeTimes measureDecode(const animation::Clip& clip, const simmer_clip* decoded);

/// Seconds for loading a file, validation included: the median of rounds.
double measureLoad(ByteView file);

}  // namespace simmer::bench
