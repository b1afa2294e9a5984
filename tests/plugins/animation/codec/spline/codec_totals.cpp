#include "tests/plugins/animation/codec/spline/codec_totals.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace simmer::bench {
namespace {

using animation::Effort;

struct Goal {
  const char* toleranceMm;
  double artifact, memory;  ///< parts of ACL's bytes, at effort max
};
constexpr Goal kGoals[] = {{"0.10", 0.45, 0.90}, {"0.50", 0.40, 0.80},  {"1.67", 0.38, 0.78}, {"3.52", 0.34, 0.70},
                           {"7.03", 0.33, 0.66}, {"14.06", 0.29, 0.56}, {"28.13", 0.25, 0.45}};

constexpr double kDraftUnits = 115, kDefaultUnits = 2300;
constexpr double kDecodeGoal = 0.8;
// Loading in GB/s of raw float32, at the coarse tolerances and at the finest.
constexpr double kLoadGoal = 2, kFineLoadGoal = 1;
constexpr const char* kAclDecode = "ACL 1.63, ozz 1.44";
constexpr const char* kAclRandomDecode = "ACL 1.48, ozz 7.60";

struct Sum {
  double ours = 0, theirs = 0;
  std::size_t clips = 0;
  double ratio() const { return ours / theirs; }
};

/// Our bytes beside another codec's, over the clips that it reaches.
Sum beside(const std::vector<CodecRun>& runs, const PeerSizes& peers, const std::string& codec,
           double CodecRun::*bytes) {
  Sum sum;
  for (const CodecRun& run : runs)
    if (const auto theirs = peers.bytes(run.clip, run.toleranceMm, codec)) {
      sum.ours += run.*bytes;
      sum.theirs += *theirs;
      ++sum.clips;
    }
  return sum;
}

double sumOf(const std::vector<CodecRun>& runs, double CodecRun::*member) {
  double sum = 0;
  for (const CodecRun& run : runs) sum += run.*member;
  return sum;
}

double medianOf(const std::vector<CodecRun>& runs, double DecodeTimes::*member) {
  std::vector<double> values;
  for (const CodecRun& run : runs) values.push_back(run.decode.*member);
  return median(values);
}

std::string ratioText(double ours, std::optional<double> theirs) {
  return theirs ? fmt::format("{:.2f}", ours / *theirs) : "-";
}

void addSizes(BenchReport& report, const std::string& title, const std::vector<CodecRun>& runs, const PeerSizes& peers,
              const Goal* goal) {
  report.add(title + "artifact", sumOf(runs, &CodecRun::artifactBytes), "B");
  report.add(title + "memory", sumOf(runs, &CodecRun::memoryBytes), "B");
  const auto add = [&](const char* what, const char* codec, double CodecRun::*bytes, std::optional<double> limit) {
    const Sum sum = beside(runs, peers, codec, bytes);
    if (sum.clips == 0) return;
    report.add(fmt::format("{}{} ÷ {}", title, what, codec), sum.ratio(), "×", limit,
               fmt::format("{:.0f} ÷ {:.0f} B, {} clips", sum.ours, sum.theirs, sum.clips));
  };
  const auto limit = [&](double Goal::*part) { return goal == nullptr ? std::nullopt : std::optional(goal->*part); };
  add("artifact", "acl", &CodecRun::artifactBytes, limit(&Goal::artifact));
  add("artifact", "acl_zstd19", &CodecRun::artifactBytes, {});
  add("artifact", "ozz", &CodecRun::artifactBytes, {});
  add("artifact", "ozz_gz6", &CodecRun::artifactBytes, {});
  add("artifact", "meshopt_gz6", &CodecRun::artifactBytes, goal == nullptr ? std::nullopt : std::optional(1.0));
  add("memory", "acl", &CodecRun::memoryBytes, limit(&Goal::memory));
  add("memory", "ozz", &CodecRun::memoryBytes, {});
}

}  // namespace

const std::vector<std::string> kTolerancesMm{"0.10", "0.50", "1.67", "3.52", "7.03", "14.06", "28.13"};

void printHeading(const std::string& toleranceMm) {
  fmt::print(
      "\n{:>5} mm               artifact  x acl    memory  x acl    encode         load            pose ns    x raw\n"
      "                            B              B              ms   units      us   GB/s    seq    rnd   seq   rnd"
      "  error mm\n",
      toleranceMm);
}

void printRun(const CodecRun& run, const PeerSizes& peers) {
  const auto acl = peers.bytes(run.clip, run.toleranceMm, "acl");
  fmt::print(
      "{:<20} {:>9.0f} {:>6} {:>9.0f} {:>6} {:>8.0f} {:>7.0f} {:>7.0f} {:>6.2f} {:>6.0f} {:>6.0f} {:>5.2f} {:>5.2f}"
      "  {:.4f}{}{}\n",
      run.clip, run.artifactBytes, ratioText(run.artifactBytes, acl), run.memoryBytes, ratioText(run.memoryBytes, acl),
      run.encodeSeconds * 1e3, run.units(), run.loadSeconds * 1e6, run.rawBytes / run.loadSeconds * 1e-9,
      run.decode.sequentialNs, run.decode.randomNs, run.decode.sequentialRatio, run.decode.randomRatio, run.errorMm,
      run.within ? "" : "  OVER", run.how == "spline" ? "" : "  " + run.how);
  std::fflush(stdout);
}

void addDetails(BenchReport& report, const CodecRun& run) {
  const std::string title = fmt::format("{} mm, {}, ", run.toleranceMm, run.clip);
  report.addDetail(title + "error", run.errorMm, "mm");
  report.addDetail(title + "artifact", run.artifactBytes, "B");
  report.addDetail(title + "memory", run.memoryBytes, "B");
  report.addDetail(title + "encode", run.encodeSeconds * 1e3, "ms");
  report.addDetail(title + "encode units", run.units(), "units");
  report.addDetail(title + "encodings measured", run.measured, "");
  report.addDetail(title + "load", run.loadSeconds * 1e6, "µs");
  report.addDetail(title + "load speed", run.rawBytes / run.loadSeconds * 1e-9, "GB/s");
  report.addDetail(title + "pose forwards", run.decode.sequentialNs, "ns");
  report.addDetail(title + "pose at random", run.decode.randomNs, "ns");
  report.addDetail(title + "raw pose forwards", run.decode.rawSequentialNs, "ns");
  report.addDetail(title + "raw pose at random", run.decode.rawRandomNs, "ns");
  report.addDetail(title + "pose ÷ raw forwards", run.decode.sequentialRatio, "×");
  report.addDetail(title + "pose ÷ raw at random", run.decode.randomRatio, "×");
}

void addTotals(BenchReport& report, const std::string& toleranceMm, const std::vector<CodecRun>& runs,
               const PeerSizes& peers, Effort effort) {
  const std::string title = toleranceMm + " mm, ";
  const auto goal = std::ranges::find(kGoals, toleranceMm, &Goal::toleranceMm);
  const bool sized = effort == Effort::Max && goal != std::end(kGoals);
  const auto over = std::ranges::count(runs, false, &CodecRun::within);
  report.add(title + "clips over tolerance", static_cast<double>(over), "clips", 0.0,
             fmt::format("of {}", runs.size()));
  addSizes(report, title, runs, peers, sized ? goal : nullptr);
  const double encode = sumOf(runs, &CodecRun::encodeSeconds), raw = sumOf(runs, &CodecRun::rawBytes);
  report.add(title + "encode", encode * 1e3, "ms");
  const auto units = effort == Effort::Draft     ? std::optional(kDraftUnits)
                     : effort == Effort::Default ? std::optional(kDefaultUnits)
                                                 : std::nullopt;
  report.add(title + "encode units", encode / sumOf(runs, &CodecRun::unitSeconds), "units", units,
             std::string("ACL: 114 medium, 141 highest"));
  report.add(title + "load", raw / sumOf(runs, &CodecRun::loadSeconds) * 1e-9, "GB/s",
             toleranceMm == "0.10" ? kFineLoadGoal : kLoadGoal, std::string("of raw float32"));
  report.add(title + "pose ÷ raw forwards, median", medianOf(runs, &DecodeTimes::sequentialRatio), "×", kDecodeGoal,
             std::string(kAclDecode));
  report.add(title + "pose ÷ raw at random, median", medianOf(runs, &DecodeTimes::randomRatio), "×", kDecodeGoal,
             std::string(kAclRandomDecode));
  report.add(title + "pose at random ÷ forwards, median", medianOf(runs, &DecodeTimes::randomToSequential), "×", 1.0,
             std::string());
}

}  // namespace simmer::bench
