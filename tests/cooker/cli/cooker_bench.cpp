// First cook and no-op cook of a large project: the program as a build engineer runs it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/bench/bench_report.h"
#include "tests/cooker/cli/bench_program.h"
#include "tests/support/plugin_fixtures.h"

namespace {

namespace fs = std::filesystem;

using simmer::bench::ProgramRun;
using simmer::bench::readJson;
using simmer::bench::runProgram;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Small clips of our own, where the real ones are not at hand.
void writeOwnClips(const fs::path& folder, int files) {
  for (int i = 0; i < files; ++i) {
    const fs::path file = folder / ("d" + std::to_string(i % 200)) / ("walk" + std::to_string(i) + ".bvh");
    fs::create_directories(file.parent_path());
    std::ofstream out(file);
    out << "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
           "Yrotation\n"
           "JOINT Chest\n{\nOFFSET 0 40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 40 "
           "0\n}\n}\n}\n"
           "MOTION\nFrames: 60\nFrame Time: 0.0333333\n";
    for (int frame = 0; frame < 60; ++frame)
      out << i * 0.01 + frame << " 90 0 0 " << (frame * 7 + i) % 40 << " 0 0 0 " << frame << "\n";
  }
}

bool makeProject(const fs::path& project, int files) {
  fs::create_directories(project / "assets");
  std::ofstream(project / "simmer.toml") << "[project]\nsource = \"assets\"\noutput = \"cooked\"\n";
  const auto tool = simmer::test::sharedPath("tools/make_scale_project.py");
  if (!tool) {
    std::cerr << "../shared is not beside this checkout: cooking clips of our own instead of real ones\n";
    writeOwnClips(project / "assets", files);
    return true;
  }
  const ProgramRun made =
      run({"python3", tool->string(), "--out", (project / "assets").string(), "--files", std::to_string(files)},
          project / "made.txt");
  return made.exitCode == 0;
}

}  // namespace

int main(int argc, char** argv) {
  simmer::bench::BenchReport report("cooker", argc, argv);
  const int files = report.arguments().empty() ? 10000 : std::atoi(report.arguments()[0].c_str());
  if (files < 1) {
    std::cerr << "usage: bench_cooker [FILES] [--json FILE]\n";
    return 2;
  }
  const std::string simmer = simmer::bench::simmerProgram();
  const simmer::test::TemporaryFolder folder;
  const fs::path project = folder.path() / "project", json = folder.path() / "report.json";
  if (!makeProject(project, files)) {
    std::cerr << "the project could not be made\n";
    return 1;
  }
  for (const int threads : {1, 2}) {
    fs::remove_all(project / "cooked");
    fs::remove_all(project / ".simmer");
    const ProgramRun cook = runProgram({simmer, "cook", project, "--json", "--jobs", std::to_string(threads)}, json);
    const std::string name = "first cook, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    const auto totals = readJson(json)["totals"];
    report.add(name, totals.value("sources", 0.0) / cook.seconds, "sources/s");
    report.add(name + ", assets", totals.value("assets", 0.0) / cook.seconds, "assets/s");
    report.add(name + ", peak memory", cook.peakMb, "MB");
  }
  // The run after the first makes sure of what was written in the last moments of the first.
  runProgram({simmer, "cook", project}, folder.path() / "text.txt");
  std::vector<double> cooks, finds;
  double peak = 0;
  for (int i = 0; i < 9; ++i) {
    finds.push_back(
        runProgram({"find", project / "assets", "-printf", "%s %T@ %i %p\n"}, folder.path() / "find.txt").seconds);
    const ProgramRun cook = runProgram({simmer, "cook", project}, folder.path() / "text.txt");
    cooks.push_back(cook.seconds);
    peak = std::max(peak, cook.peakMb);
  }
  runProgram({simmer, "cook", project, "--json"}, json);
  const auto runs = readJson(json)["totals"]["plugin_runs"];
  report.add("no-op cook", median(cooks) * 1000, "ms", {}, "find: " + std::to_string(median(finds) * 1000) + " ms");
  report.add("no-op cook ÷ find", median(cooks) / median(finds), "×", 1.5);
  report.add("no-op cook, plugin runs",
             runs.value("describe", -1.0) + runs.value("cook", -1.0) + runs.value("measure", -1.0), "", 0);
  report.add("no-op cook, peak memory", peak, "MB");
  return report.finish();
}
