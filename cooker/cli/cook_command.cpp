#include <csignal>
#include <iostream>
#include <thread>

#include <CLI/CLI.hpp>

#include "cooker/cli/app.h"
#include "cooker/cli/interrupt.h"
#include "cooker/cli/progress.h"
#include "cooker/cli/project_lock.h"
#include "cooker/cli/project_session.h"
#include "cooker/engine/cook_project.h"
#include "cooker/report/cook_json.h"
#include "cooker/report/cook_text.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxTableRows = 200;

struct CookArguments {
  std::vector<std::string> paths;
  unsigned jobs = 0;
  bool force = false;
  bool dryRun = false;
  bool json = false;
};

Result<std::vector<std::string>> selection(const Project& project, const std::vector<std::string>& paths) {
  std::vector<std::string> only;
  for (const std::string& given : paths) {
    SIMMER_TRY(path, insideSource(project, given));
    if (path.empty()) return std::vector<std::string>{};
    only.push_back(path.back() == '/' ? path.substr(0, path.size() - 1) : path);
  }
  return only;
}

int exitCodeOf(const CookReport& report) {
  return report.totals.failed > 0 || !report.problems.empty() ? kAssetFailed : kFine;
}

int cook(const CookArguments& arguments, CommandContext& context) {
  int exitCode = kFine;
  const fs::path start = arguments.paths.empty() ? fs::current_path() : fs::absolute(arguments.paths.front());
  const auto project = context.project(start, exitCode);
  if (!project) return exitCode;
  const auto only = selection(*project, arguments.paths);
  if (!only) return report(only.error());
  const auto lock = ProjectLock::take(project->stateFolder());
  if (!lock) return report(lock.error());

  std::unique_ptr<SqliteStore> store;
  const StoreOpener openStore = [&]() -> Result<Store*> {
    auto opened = simmer::openStore(*project);
    if (!opened) return tl::unexpected(opened.error());
    store = std::move(*opened);
    return store.get();
  };
  Progress progress(false);
  CookOptions options;
  options.jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  options.force = arguments.force;
  options.dryRun = arguments.dryRun;
  options.only = *only;
  options.unchangedRows = arguments.json ? std::numeric_limits<std::uint64_t>::max() : kMaxTableRows;
  options.events = [&](const CookEvent& event) { progress(event); };
  options.cancelled = interrupted;
  stopOnInterrupt();
  InlineExecutor executor(context.catalog());
  const auto done = cookProject(*project, context.catalog(), executor, openStore, options);
  if (!done) return report(done.error());
  std::cout << (arguments.json ? cookJson(*done) : cookText(*done, {outputWidth(), kMaxTableRows})) << std::flush;
  if (!std::cout) return report({ErrorCode::Io, "can not write the report", "standard output"});
  if (done->cancelled) return 128 + SIGINT;
  if (store)
    if (const auto swept = keepWithinLimit(*project, *store); !swept) return report(swept.error());
  return exitCodeOf(*done);
}

}  // namespace

void addCookCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  const auto arguments = std::make_shared<CookArguments>();
  CLI::App* command = app.add_subcommand("cook", "Bring the outputs of a project up to date and show what was saved");
  command->add_option("PATH", arguments->paths,
                      "The project, or files and folders of its sources; all of the project here when none is given");
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  command->add_option("-j,--jobs", arguments->jobs, "How many assets at a time; as many as cores when not given")
      ->check(CLI::Range(1, 1024));
  command->add_flag("-f,--force", arguments->force, "Cook again even what the cache has");
  command->add_flag("-n,--dry-run", arguments->dryRun, "Say what would be cooked, and cook and publish nothing");
  command->add_flag("--json", arguments->json, "Print the report as JSON");
  command->callback([arguments, &context, &exitCode] { exitCode = cook(*arguments, context); });
}

}  // namespace simmer
