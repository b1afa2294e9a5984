// What it is worth to give each clip the error that a player can not see: the article's project of 200 clips, and the
// real clips of ../shared/data under three profiles, against one tolerance for all; and how near what-if comes to the
// truth.

#include <cmath>
#include <fstream>
#include <iostream>
#include <map>

#include "tests/bench/bench_report.h"
#include "tests/cooker/cli/bench_program.h"
#include "tests/support/plugin_fixtures.h"

namespace {

namespace fs = std::filesystem;
using simmer::bench::readJson;
using simmer::bench::runProgram;

constexpr const char* kProfiles =
    "[project]\nsource = \"assets\"\noutput = \"cooked\"\n"
    "[profile.hero]\nscreen_height_px = 900\npixel_budget = 0.5\n"
    "[profile.npc]\nscreen_height_px = 256\npixel_budget = 1.0\n"
    "[profile.background]\nscreen_height_px = 64\npixel_budget = 1.0\n"
    "[profile.global]\ntolerance_mm = 0.1\n";

struct Sizes {
  double raw = 0, cooked = 0, assets = 0, failed = 0, over = 0;
};

/// Kilobytes of an answer of what-if.
struct Asked {
  double now = 0, then = 0;
};

class Bench {
 public:
  Bench(simmer::bench::BenchReport& report, fs::path folder) : m_report(report), m_folder(std::move(folder)) {}

  void run(const std::string& effort) {
    articleProject(effort);
    const auto data = simmer::test::sharedPath("data");
    if (!data) {
      std::cerr << "../shared/data is not beside this checkout: the article's project alone\n";
      return;
    }
    for (const char* format : {"bvh", "glb", "gltf"})
      if (fs::exists(*data / format))
        fs::copy(*data / format, project("data") / "assets" / format, fs::copy_options::recursive);
    realClips(effort);
    articlePerChannel();
  }

 private:
  fs::path project(const std::string& name) const {
    fs::create_directories(m_folder / name / "assets");
    return m_folder / name;
  }

  void write(const fs::path& file, const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }

  std::string settings(const std::string& profile, const std::string& effort) const {
    return std::string(kProfiles) + "[plugin.animation]\neffort = \"" + effort +
           "\"\n[[rule]]\nmatch = \"*\"\nprofile = \"" + profile + "\"\n";
  }

  Sizes cook(const fs::path& folder) {
    runProgram({simmer::bench::simmerProgram(), "cook", folder.string(), "--json"}, m_folder / "cook.json");
    const auto document = readJson(m_folder / "cook.json");
    Sizes sizes;
    for (const auto& asset : document["assets"]) {
      if (asset["state"] == "failed" || asset["state"] == "ignored") continue;
      sizes.raw += asset.value("raw_bytes", 0.0);
      sizes.cooked += asset.value("artifact_bytes", 0.0);
      ++sizes.assets;
    }
    sizes.failed = document["totals"].value("failed", -1.0);
    sizes.over = document["totals"].value("over_bound", -1.0);
    return sizes;
  }

  /// 200 clips of 2 s on average: windows of the article's walk and mocap clips, and its jump a little slower or
  /// faster.
  void articleProject(const std::string& effort) {
    const fs::path demo = m_folder / "demo", made = project("article");
    runProgram({simmer::bench::simmerProgram(), "demo", demo.string()}, m_folder / "demo.txt");
    for (int i = 0; i < 200; ++i) {
      const char* const clip = i % 3 == 0 ? "walk" : i % 3 == 1 ? "jump" : "mocap";
      const fs::path source = made / "assets" / (std::string(clip) + std::to_string(i) + ".raw");
      fs::copy(demo / "assets" / "background" / (std::string(clip) + ".raw"), source);
      const double part = (i / 3) / 66.0;  // 0 to 1
      const double start = std::round(part * 60) / 60;
      write(source.string() + ".simmer.toml",
            i % 3 == 1 ? "retime = " + std::to_string(1.8 + 0.4 * part) + "\n"
                       : "range = [" + std::to_string(start) + ", " + std::to_string(start + 119.0 / 60) + "]\n");
    }
    write(made / "simmer.toml", settings("npc", effort));
    const Sizes sizes = cook(made);
    m_report.add("article's project, clips", sizes.assets, "", 200);
    m_report.add("article's project, raw", sizes.raw / 1e6, "MB", {}, 28.8);
    m_report.add("article's project, npc (7.03 mm)", sizes.cooked / 1e6, "MB", 0.49,
                 "article 0.89 MB, gzipped 0.49 MB");
    m_report.add("article's project, over the tolerance", sizes.over, "", 0);
  }

  void realClips(const std::string& effort) {
    const fs::path folder = project("data");
    for (const char* profile : {"global", "hero", "npc", "background"}) {
      write(folder / "simmer.toml", settings(profile, effort));
      const Sizes sizes = cook(folder);
      const std::string name = std::string("real clips, ") + profile;
      m_report.add(
          name, sizes.cooked / 1e6, "MB", {},
          std::to_string(static_cast<int>(sizes.assets)) + " clips, raw " + std::to_string(sizes.raw / 1e6) + " MB");
      m_report.add(name + ", over the tolerance", sizes.over, "", 0);
    }
    // The cook before left the clips as the background profile has them.
    for (const char* change : {"profile.background.pixel_budget=2", "profile.background.pixel_budget=0.5",
                               "profile.background.screen_height_px=200"}) {
      const Asked fast = ask(folder, change, false), exact = ask(folder, change, true);
      m_report.add(std::string("what-if ") + change + ", off the truth", 100 * std::abs(fast.then / exact.then - 1),
                   "%", 5, std::to_string(exact.now / 1000) + " -> " + std::to_string(exact.then / 1000) + " kB");
    }
  }

  Asked ask(const fs::path& folder, const std::string& change, bool exact) {
    std::vector<std::string> words = {
        simmer::bench::simmerProgram(), "what-if", change, "--json", "--project", folder.string()};
    if (exact) words.emplace_back("--exact");
    runProgram(words, m_folder / "what_if.json");
    const auto total = readJson(m_folder / "what_if.json")["total"];
    return {total.value("now_bytes", 0.0), total.value("then_bytes", 0.0)};
  }

  /// The article's own way: 1 mm for each channel, whatever that adds up to in the world.
  void articlePerChannel() {
    double bytes = 0, packed = 0, worst = 0, clips = 0;
    // The clips that were cooked, by name: without names, analyze shows the first few of a file.
    std::map<std::string, std::vector<std::string>> words;
    const auto cooked = readJson(m_folder / "cook.json");
    for (const auto& asset : cooked["assets"]) {
      if (asset["state"] == "failed" || asset["state"] == "ignored") continue;
      auto& of = words[asset.value("source", "")];
      of.insert(of.end(), {"--clip", asset.value("clip", "")});
    }
    for (const auto& [source, clipWords] : words) {
      std::vector<std::string> command = {simmer::bench::simmerProgram(), "analyze",
                                          (project("data") / "assets" / source).string(), "--json"};
      command.insert(command.end(), clipWords.begin(), clipWords.end());
      const auto run = runProgram(command, m_folder / "analyze.json");
      if (run.exitCode != 0) continue;
      const auto document = readJson(m_folder / "analyze.json");
      for (const auto& clip : document["clips"])
        for (const auto& row : clip["techniques"]) {
          if (row.value("technique", 0) != 6) continue;  // all of the article's stages
          bytes += row.value("bytes", 0.0);
          packed += row.value("gzip_bytes", 0.0);
          worst = std::max(worst, row.value("joint_error_mm", 0.0));
          ++clips;
        }
    }
    m_report.add("real clips, article's 1 mm a channel", bytes / 1e6, "MB", {},
                 std::to_string(static_cast<int>(clips)) + " clips, gzipped " + std::to_string(packed / 1e6) +
                     " MB, worst error " + std::to_string(worst) + " mm");
  }

  simmer::bench::BenchReport& m_report;
  fs::path m_folder;
};

}  // namespace

int main(int argc, char** argv) {
  simmer::bench::BenchReport report("policy", argc, argv);
  const std::string effort = report.arguments().empty() ? "default" : report.arguments()[0];
  if (effort != "draft" && effort != "default" && effort != "max") {
    std::cerr << "usage: bench_policy [draft|default|max] [--json FILE]\n";
    return 2;
  }
  const simmer::test::TemporaryFolder folder;
  Bench(report, folder.path()).run(effort);
  return report.finish();
}
