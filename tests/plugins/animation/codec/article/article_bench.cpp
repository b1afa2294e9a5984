// How long the article's pipeline takes to encode a clip: ours against the article's own program in the same run, and
// the incremental fit against the one that evaluates every frame for every key.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "cooker/base/file.h"
#include "plugins/animation/codec/article/pipeline.h"
#include "tests/bench/bench_report.h"
#include "tests/plugins/animation/codec/article/plain_fit.h"
#include "tests/support/plugin_fixtures.h"
#include "tests/support/rawclip.h"

namespace simmer::animation::article {
namespace {

using simmer::bench::BenchReport;

constexpr int kRounds = 9, kWarmUps = 3;
constexpr Sample kSamples[] = {Sample::Walk, Sample::Jump, Sample::Mocap};

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double medianMs(const std::function<void()>& work, int rounds = kRounds) {
  for (int i = 0; i < std::min(rounds, kWarmUps); ++i) work();
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) times.push_back(milliseconds(work));
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[static_cast<std::size_t>(rounds / 2)];
}

/// The article's program up to its report, with a loop behind it that times plan() and encodeTracks().
std::optional<std::string> timedProgram() {
  const auto folder = simmer::test::sharedPath("seeds");
  if (!folder) return std::nullopt;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (!entry.path().filename().string().starts_with("000")) continue;
    const auto bytes = readFile(entry.path());
    if (!bytes) return std::nullopt;
    const std::string_view text = asText(*bytes);
    const std::size_t start = text.find("#!/usr/bin/env node");
    const std::size_t end = text.find("\nfor (const [name, clip] of Object.entries(CLIPS))", start);
    if (start == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
    return std::string(text.substr(start, end - start)) + fmt::format(R"(
for (const [name, clip] of Object.entries(CLIPS)) for (const quant of [false, true]) {{
  const work = () => encodeTracks(plan(clip, 1/1000, mmToDeg(1), true, quant, true), quant).length;
  for (let i = 0; i < {}; i++) work();
  const times = [];
  for (let i = 0; i < {}; i++) {{
    const t0 = process.hrtime.bigint(); work(); times.push(Number(process.hrtime.bigint() - t0) / 1e6);
  }}
  times.sort((a, b) => a - b);
  console.log(name, quant ? 6 : 5, times[{}], work());
}}
)",
                                                                      kWarmUps, kRounds, kRounds / 2);
  }
  return std::nullopt;
}

struct Timed {
  double ms = 0;
  std::size_t bytes = 0;
};

/// By "walk 5": clip and technique. Empty, with a line that says why, when the program cannot run.
std::map<std::string, Timed> runArticle() {
  const auto program = timedProgram();
  if (!program) {
    fmt::print("The article with its program is not beside this checkout: no figures to compare with.\n");
    return {};
  }
  const simmer::test::TemporaryFolder folder;
  const auto file = folder.path() / "anim-compress.js";
  if (!writeFileAtomically(file, asBytes(*program))) return {};
  std::map<std::string, Timed> results;
  FILE* pipe = ::popen(fmt::format("node '{}'", file.string()).c_str(), "r");
  if (pipe == nullptr) return {};
  char name[16];
  int technique = 0;
  Timed timed;
  while (std::fscanf(pipe, "%15s %d %lf %zu", name, &technique, &timed.ms, &timed.bytes) == 4)
    results[fmt::format("{} {}", name, technique)] = timed;
  if (::pclose(pipe) != 0 || results.empty())
    fmt::print("node is not installed or did not run the article's program: no figures to compare with.\n");
  return results;
}

void compareWithArticle(BenchReport& report) {
  const auto article = runArticle();
  for (const Sample sample : kSamples) {
    const DoubleClip clip = makeSample(sample);
    for (const bool quantise : {false, true}) {
      std::size_t bytes = 0;
      const auto encode = [&] {
        Planner planner(clip);  // refines anew each time, as the article does
        const Plan plan = planner.plan({true, 1, Interpolation::Cubic, quantise});
        bytes = encodeTracks(plan).size();
        if (decode(plan).frames != clip.frames) bytes = 0;  // the article's plan() decodes too
      };
      const double ms = medianMs(encode);
      const std::string key = fmt::format("{} {}", toString(sample), quantise ? 6 : 5);
      const std::string name = fmt::format("{}, technique {}", toString(sample), quantise ? 6 : 5);
      const auto found = article.find(key);
      if (found == article.end()) {
        report.add(name, ms, "ms");
        continue;
      }
      report.add(name, ms, "ms", found->second.ms, found->second.ms);
      if (found->second.bytes != bytes)
        fmt::print("{}: {} bytes, the article's program has {}\n", name, bytes, found->second.bytes);
    }
  }
}

template <class Value>
std::vector<Value> copied(std::span<const Value> values) {
  return {values.begin(), values.end()};
}

/// Keys of all tracks that move, by either way.
std::size_t fitAll(const DoubleClip& clip, Interpolation interpolation, bool plainly) {
  const double degrees = leverDegrees(1);
  const bool cubic = interpolation == Interpolation::Cubic;
  std::size_t keys = 0;
  for (std::size_t id = 0; id < 6 * clip.joints(); ++id) {
    const auto values = id % 6 < 3 ? clip.translation(id / 6, id % 3) : clip.scale(id / 6, id % 3);
    if (isConstant(values)) continue;
    keys += plainly ? plain::fitScalar(copied(values), 0.001, cubic).size()
                    : refineScalar(values, interpolation, 0.001).keys(0.001).size();
  }
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const auto values = clip.rotation(joint);
    if (isConstant(values)) continue;
    keys += plainly ? plain::fitRotation(copied(values), degrees, cubic).size()
                    : refineRotation(values, interpolation, degrees).keys(degrees).size();
  }
  return keys;
}

void compareFits(BenchReport& report) {
  const auto file = simmer::test::sharedPath("bench/clips/cmu_jumps_120.rawclip");
  const auto clip = file ? simmer::test::readRawclip(*file) : fail(ErrorCode::NotFound, "not there");
  if (!clip) {
    fmt::print("cmu_jumps_120.rawclip is not beside this checkout: the fits are not compared.\n");
    return;
  }
  DoubleClip values = toDouble(*clip);
  for (std::size_t joint = 0; joint < values.joints(); ++joint)
    for (std::uint32_t frame = 1; frame < values.frames; ++frame)
      if (dot(values.rotation(joint)[frame - 1], values.rotation(joint)[frame]) < 0)
        for (double& component : values.rotation(joint)[frame]) component = -component;
  for (const auto interpolation : {Interpolation::Linear, Interpolation::Cubic}) {
    std::size_t ours = 0, plain = 0;
    const double plainMs = medianMs([&] { plain = fitAll(values, interpolation, true); }, 1);
    const double ms = medianMs([&] { ours = fitAll(values, interpolation, false); });
    const char* name = interpolation == Interpolation::Cubic ? "cubic" : "linear";
    report.add(fmt::format("fit of 1,200 frames of 31 joints, {}", name), ms, "ms", plainMs / 10, plainMs);
    if (ours != plain) fmt::print("{}: {} keys, expected {}\n", name, ours, plain);
  }
}

}  // namespace
}  // namespace simmer::animation::article

int main(int argc, char** argv) {
  simmer::bench::BenchReport report("article", argc, argv);
  simmer::animation::article::compareWithArticle(report);
  simmer::animation::article::compareFits(report);
  return report.finish();
}
