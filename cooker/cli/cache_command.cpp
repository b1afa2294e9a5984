#include <iostream>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cooker/cli/app.h"
#include "cooker/cli/project_session.h"
#include "cooker/engine/cook_project.h"
#include "cooker/engine/json.h"
#include "cooker/report/numbers.h"

namespace simmer {
namespace {

using Work = std::function<int(const Project&, SqliteStore&, bool json)>;

int withStore(CommandContext& context, bool json, const Work& work) {
  int exitCode = kFine;
  const auto project = context.project(std::filesystem::current_path(), exitCode);
  if (!project) return exitCode;
  const auto store = openStore(*project);
  return store ? work(*project, **store, json) : report(store.error());
}

int stats(const Project& project, SqliteStore& store, bool json) {
  const auto stats = store.stats();
  if (!stats) return report(stats.error());
  if (json) {
    std::cout << dump({{"path", project.cacheFile().string()},
                       {"records", stats->records},
                       {"notes", stats->notes},
                       {"blobs", stats->blobs},
                       {"blob_bytes", stats->blobBytes},
                       {"file_bytes", stats->fileBytes},
                       {"limit_bytes", project.cacheLimitBytes()},
                       {"corrupt_dropped", stats->corruptDropped}},
                      1)
              << "\n";
    return kFine;
  }
  std::cout << fmt::format(
      "cache     {}\nresults   {}\nblobs     {}, {}\non disk   {} of at most {}\ndamaged   {}\n",
      project.cacheFile().string(), countText(stats->records), countText(stats->blobs), bytesText(stats->blobBytes),
      bytesText(stats->fileBytes), bytesText(project.cacheLimitBytes()),
      stats->corruptDropped == 0 ? "none, ever" : countText(stats->corruptDropped) + " found and dropped");
  return kFine;
}

int verify(const Project&, SqliteStore& store, bool json) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto result = store.verify([&](double fraction) {
    if (terminal) fmt::print(stderr, "\r\x1b[Kchecking {:.0f} %", fraction * 100);
  });
  if (terminal) fmt::print(stderr, "\r\x1b[K");
  if (!result) return report(result.error());
  if (json) {
    Json corrupt = Json::array();
    for (const Digest& digest : result->corrupt) corrupt.push_back(digest.hex());
    std::cout << dump({{"checked", result->checked},
                       {"corrupt", corrupt},
                       {"missing", result->missing},
                       {"corrupt_records", result->corruptRecords},
                       {"corrupt_notes", result->corruptNotes},
                       {"rebuilt", result->rebuilt},
                       {"ok", result->ok()}},
                      1)
              << "\n";
  } else if (result->ok()) {
    std::cout << fmt::format("{} checked, all as they were stored\n", countOf(result->checked, "blob", "blobs"));
  } else {
    for (const Digest& digest : result->corrupt) std::cout << "damaged  " << digest.hex() << "\n";
    std::cout << fmt::format(
        "{} checked: {} damaged, {} without their blobs, {} damaged; all dropped, and cooked again when they are "
        "needed\n",
        countOf(result->checked, "blob", "blobs"), countText(result->corrupt.size()),
        countOf(result->missing, "result", "results"),
        countOf(result->corruptRecords + result->corruptNotes, "text", "texts"));
    if (result->rebuilt) std::cout << "the database itself was damaged and was made anew\n";
  }
  return result->ok() ? kFine : kVerification;
}

int collect(const Project& project, SqliteStore& store, bool json) {
  const auto keys = keysInUse(project);
  if (!keys) return report(keys.error());
  const auto result = store.gc(*keys);
  if (!result) return report(result.error());
  if (json) {
    std::cout << dump({{"records_dropped", result->recordsDropped},
                       {"blobs_dropped", result->blobsDropped},
                       {"bytes_freed", result->bytesFreed},
                       {"bytes_kept", result->bytesKept}},
                      1)
              << "\n";
    return kFine;
  }
  std::cout << fmt::format("dropped {} and {}: {} freed, {} kept of at most {}\n",
                           countOf(result->recordsDropped, "result", "results"),
                           countOf(result->blobsDropped, "blob", "blobs"), bytesText(result->bytesFreed),
                           bytesText(result->bytesKept), bytesText(project.cacheLimitBytes()));
  return kFine;
}

}  // namespace

void addCacheCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  CLI::App* cache = app.add_subcommand("cache", "Look at the cache, check it, or free its space");
  cache->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, Work work) {
    CLI::App* command = cache->add_subcommand(name, help);
    command->add_option("-p,--project", context.projectOption, "The project's folder");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print the result as JSON");
    command->callback(
        [&context, &exitCode, json, work = std::move(work)] { exitCode = withStore(context, *json, work); });
  };
  add("stats", "What the cache holds and takes", stats);
  add("verify", "Read everything in the cache and drop what is damaged (exit code 5 when something was)", verify);
  add("gc", "Drop what was not used for longest until the cache is within its limit", collect);
}

}  // namespace simmer
