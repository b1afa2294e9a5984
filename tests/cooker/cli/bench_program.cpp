#include "tests/cooker/cli/bench_program.h"

#include <chrono>
#include <fstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char** environ;

namespace simmer::bench {

namespace fs = std::filesystem;

ProgramRun runProgram(std::vector<std::string> words, const fs::path& output) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  ProgramRun result;
  result.exitCode = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0 ? 0 : 127;
  posix_spawn_file_actions_destroy(&actions);
  if (result.exitCode != 0) return result;
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.peakMb = static_cast<double>(usage.ru_maxrss) / 1024;
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return result;
}

std::string simmerProgram() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "simmer").string();
}

nlohmann::json readJson(const fs::path& file) {
  std::ifstream stream(file);
  return nlohmann::json::parse(stream, nullptr, false);
}

}  // namespace simmer::bench
