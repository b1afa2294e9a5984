#pragma once

#include "plugins/animation/clip/error_measure.h"

namespace simmer::test {

/// What "bench measure v1" says of a decoded clip, metres.
struct BenchError {
  double worst = 0;   ///< of every probe
  double origin = 0;  ///< of the joints' origins alone
};

/// The measure that the reference sizes of the corpus were made with: a second implementation, which shares nothing
/// with ErrorMeter. Written from its description, with 3 × 3 matrices and a way up to the root for each joint instead
/// of a pass in order. Knows nothing of stepped tracks, as the corpus has none. A value that is not finite counts as an
/// infinite error.
BenchError benchMeasure(const animation::Clip& clip, const animation::PoseSource& decoded);

}  // namespace simmer::test
