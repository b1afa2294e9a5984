// Sizes, errors and times of codec `spline` on the corpus that other codecs were measured with, beside their bytes and,
// in the same run, a baseline that samples raw float32. See tests/bench/README.md for the options.

#include <algorithm>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>

#include "plugins/animation/codec/article/joint_error.h"
#include "plugins/animation/codec/decoded_clip.h"
#include "tests/plugins/animation/codec/spline/codec_totals.h"
#include "tests/support/plugin_fixtures.h"
#include "tests/support/rawclip.h"

namespace simmer::bench {
namespace {

using animation::Clip;
using animation::Effort;
namespace article = animation::article;

constexpr int kWrongUsage = 2;
constexpr const char* kUsage =
    "usage: bench_codec [--effort draft|default|max] [--clips NAME,NAME] [--tolerances MM,MM] [--json FILE]\n";

struct Options {
  Effort effort = Effort::Max;
  std::vector<std::string> clips;  ///< empty: all
  std::vector<std::string> tolerances = kTolerancesMm;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

std::optional<Effort> effortOf(const std::string& word) {
  if (word == "draft") return Effort::Draft;
  if (word == "default") return Effort::Default;
  if (word == "max") return Effort::Max;
  return std::nullopt;
}

/// Tolerances by their number, so that 0.1 finds "0.10".
std::optional<std::string> toleranceOf(const std::string& word) {
  for (const std::string& known : kTolerancesMm)
    if (std::strtod(known.c_str(), nullptr) == std::strtod(word.c_str(), nullptr)) return known;
  return std::nullopt;
}

std::optional<Options> parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return std::nullopt;
    if (words[i] == "--effort") {
      const auto effort = effortOf(words[i + 1]);
      if (!effort) return std::nullopt;
      options.effort = *effort;
    } else if (words[i] == "--clips") {
      options.clips = split(words[i + 1]);
    } else if (words[i] == "--tolerances") {
      options.tolerances.clear();
      for (const std::string& word : split(words[i + 1])) {
        const auto tolerance = toleranceOf(word);
        if (!tolerance) return std::nullopt;
        options.tolerances.push_back(*tolerance);
      }
    } else {
      return std::nullopt;
    }
  }
  return options;
}

bool isWanted(const Options& options, const std::string& clip) {
  return options.clips.empty() || std::ranges::find(options.clips, clip) != options.clips.end();
}

constexpr article::Sample kSamples[] = {article::Sample::Walk, article::Sample::Jump, article::Sample::Mocap};

/// The corpus in its order; the article's three clips where it is not there.
Result<std::vector<Clip>> readClips(const Options& options, bool& corpus) {
  std::vector<Clip> clips;
  const auto folder = test::sharedPath("bench");
  corpus = folder.has_value();
  if (!corpus) {
    fmt::print(
        "The corpus (../shared/bench) is not beside this checkout: only the article's three clips, and no bytes "
        "of other codecs.\n");
    for (const article::Sample sample : kSamples)
      if (isWanted(options, article::toString(sample)))
        clips.push_back(toClip(article::makeSample(sample), article::toString(sample)));
    return clips;
  }
  for (const std::string& name : firstColumn(*folder / "clips.tsv")) {
    if (!isWanted(options, name)) continue;
    SIMMER_TRY(clip, test::readRawclip(*folder / "clips" / (name + ".rawclip")));
    clips.push_back(std::move(clip));
  }
  return clips;
}

// ---- the article's clips at the article's errors ----

struct ArticleGoal {
  article::Sample sample;
  double errorMm;    ///< of the article's sixth technique, by its own measure
  double goalBytes;  ///< self-contained
  double bytes;      ///< the article's, without gzip
};
constexpr ArticleGoal kArticleGoals[] = {{article::Sample::Walk, 7.24, 900, 6688},
                                         {article::Sample::Jump, 8.40, 1000, 6106},
                                         {article::Sample::Mocap, 7.08, 950, 8894}};
constexpr int kHalvings = 7;
constexpr double kLoosest = 3;  // times the article's error: ours counts the skin and half frames too

/// The worst joint at the frames, by the article's measure, metres.
Result<double> articleErrorM(const article::DoubleClip& reference, const Clip& clip, const Bytes& file) {
  SIMMER_TRY(decoded, animation::DecodedClip::load(file));
  Clip played = clip;
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) decoded.pose(frame, &played.pose(frame, 0));
  return article::JointErrorMeter(reference).measure(article::toDouble(played)).maxM;
}

/// The fewest bytes whose error by the article's measure is no larger than the article's.
Result<void> runArticleClip(BenchReport& report, const ArticleGoal& goal, Effort effort) {
  const article::DoubleClip reference = article::makeSample(goal.sample);
  const Clip clip = toClip(reference, article::toString(goal.sample));
  double low = goal.errorMm, high = goal.errorMm * kLoosest;
  std::optional<CodecRun> best;
  double bestError = 0;
  for (int i = 0; i <= kHalvings; ++i) {
    const double tolerance = i == 0 ? low : (low + high) / 2;
    SIMMER_TRY(run, runCodec(clip, fmt::format("{:.3f}", tolerance), effort));
    SIMMER_TRY(errorM, articleErrorM(reference, clip, run.file));
    const bool meets = errorM * 1000 <= goal.errorMm;
    if (i > 0) (meets ? low : high) = tolerance;
    if (!meets || (best && best->artifactBytes <= run.artifactBytes)) continue;
    best = std::move(run);
    bestError = errorM * 1000;
  }
  if (!best) return fail(ErrorCode::ToleranceUnmet, "the article's error of {} mm is not met", goal.errorMm);
  const std::string title = fmt::format("article's {} at its {:.2f} mm, ", clip.id, goal.errorMm);
  const bool sized = effort == Effort::Max;
  report.add(title + "artifact", best->artifactBytes, "B", sized ? std::optional(goal.goalBytes) : std::nullopt,
             fmt::format("the article: {:.0f} B", goal.bytes));
  report.add(title + "memory", best->memoryBytes, "B");
  report.add(title + "error by its measure", bestError, "mm", goal.errorMm,
             fmt::format("{:.2f} mm by bench measure v1", best->errorMm));
  return {};
}

// ---- all ----

/// The number of clips over their tolerance, each with a line that names it.
int complain(const std::vector<CodecRun>& runs) {
  int over = 0;
  for (const CodecRun& run : runs)
    if (!run.within) {
      fmt::print(stderr, "{} is off by {:.6f} mm, more than the {} mm allowed\n", run.clip, run.errorMm,
                 run.toleranceMm);
      ++over;
    }
  return over;
}

Result<int> runAll(BenchReport& report, const Options& options) {
  bool corpus = false;
  SIMMER_TRY(clips, readClips(options, corpus));
  for (const std::string& name : options.clips)
    if (std::ranges::find(clips, name, &Clip::id) == clips.end())
      return fail(ErrorCode::NotFound, "there is no clip '{}'", name);
  const PeerSizes peers(corpus ? *test::sharedPath("bench") / "reference.tsv" : std::filesystem::path());
  int over = 0;
  for (const std::string& tolerance : options.tolerances) {
    printHeading(tolerance);
    std::vector<CodecRun> runs;
    for (const Clip& clip : clips) {
      auto run = runCodec(clip, tolerance, options.effort);
      if (!run) return fail(run.error().code, "{} at {} mm: {}", clip.id, tolerance, run.error().text());
      printRun(*run, peers);
      addDetails(report, *run);
      run->file.clear();
      runs.push_back(std::move(*run));
    }
    addTotals(report, tolerance, runs, peers, options.effort);
    over += complain(runs);
  }
  if (options.clips.empty())
    for (const ArticleGoal& goal : kArticleGoals) SIMMER_CHECK(runArticleClip(report, goal, options.effort));
  return over;
}

}  // namespace
}  // namespace simmer::bench

int main(int argc, char** argv) {
  simmer::bench::BenchReport report("codec", argc, argv);
  const auto options = simmer::bench::parse(report.arguments());
  if (!options) {
    std::fputs(simmer::bench::kUsage, stderr);
    return simmer::bench::kWrongUsage;
  }
  const auto over = simmer::bench::runAll(report, *options);
  if (!over) {
    fmt::print(stderr, "bench_codec: {}\n", over.error().text());
    return 1;
  }
  fmt::print("\n");
  const int code = report.finish();
  return code == 0 && *over > 0 ? 1 : code;
}
