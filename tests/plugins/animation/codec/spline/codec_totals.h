#pragma once

#include <optional>
#include <vector>

#include "tests/bench/bench_report.h"
#include "tests/plugins/animation/codec/spline/codec_run.h"
#include "tests/plugins/animation/codec/spline/peer_sizes.h"

namespace simmer::bench {

/// The tolerances that the other codecs' sizes are known at.
extern const std::vector<std::string> kTolerancesMm;

/// One line a clip, under headings, while a run goes on.
void printHeading(const std::string& toleranceMm);
void printRun(const CodecRun& run, const PeerSizes& peers);

/// Figures of single clips, for the file.
void addDetails(BenchReport& report, const CodecRun& run);

/// Sums over the clips of one tolerance. Ratios of bytes to another codec's are over the clips that it reaches at that
/// tolerance. Goals are those of effort max for sizes, each effort's own for its time.
void addTotals(BenchReport& report, const std::string& toleranceMm, const std::vector<CodecRun>& runs,
               const PeerSizes& peers, animation::Effort effort);

}  // namespace simmer::bench
