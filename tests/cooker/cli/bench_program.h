#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace simmer::bench {

/// How a program that was run ended.
struct ProgramRun {
  double seconds = 0;
  double peakMb = 0;
  int exitCode = 0;
};

/// Runs a program, found as a shell finds it, with its standard output in a file.
ProgramRun runProgram(std::vector<std::string> words, const std::filesystem::path& output);

/// The `simmer` beside this benchmark.
std::string simmerProgram();

/// What a file holds as JSON; discarded when it is none.
nlohmann::json readJson(const std::filesystem::path& file);

}  // namespace simmer::bench
