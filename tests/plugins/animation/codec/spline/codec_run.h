#pragma once

#include <string>

#include "plugins/animation/codec/spline/encode.h"
#include "tests/plugins/animation/codec/spline/decode_times.h"

namespace simmer::bench {

/// A clip encoded at one tolerance, checked and timed.
struct CodecRun {
  std::string clip;
  std::string toleranceMm;  ///< as in reference.tsv: "7.03"
  double errorMm = 0;       ///< by bench measure v1, through the runtime
  bool within = false;      ///< whether that is at most the tolerance
  std::string how;
  Bytes file;
  double rawBytes = 0, artifactBytes = 0, memoryBytes = 0;
  double encodeSeconds = 0, unitSeconds = 0;  ///< unit: to sample every frame once with the raw-lerp baseline
  unsigned measured = 0;                      ///< encodings that the search measured
  double loadSeconds = 0;
  DecodeTimes decode;

  double units() const { return encodeSeconds / unitSeconds; }
};

/// Self-contained bytes: without joint names and parents, to poses without another file. What can not be encoded, or
/// not be loaded, is an error.
Result<CodecRun> runCodec(const animation::Clip& clip, const std::string& toleranceMm, animation::Effort effort);

}  // namespace simmer::bench
