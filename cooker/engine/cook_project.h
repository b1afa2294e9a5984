#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cache/store.h"
#include "cooker/engine/asset_row.h"
#include "cooker/engine/events.h"
#include "cooker/engine/job.h"
#include "cooker/policy/project.h"
#include "cooker/scan/walk.h"

namespace simmer {

struct CookOptions {
  unsigned jobs = 1;              ///< threads
  bool force = false;             ///< run the plugins even for what the cache has
  bool dryRun = false;            ///< look everything up, cook and publish nothing
  std::vector<std::string> only;  ///< files and folders inside the source tree; empty: all of it
  /// When nothing changed, the report holds all rows if there are at most this many, else those of failed assets only.
  std::uint64_t unchangedRows = 0;
  EventSink events;                 ///< may be empty
  std::function<bool()> cancelled;  ///< may be empty
};

struct CookReport {
  std::vector<AssetRow> rows;  ///< in the order of their sources; of all assets that were gone through
  Totals totals;
  std::uint64_t describeRuns = 0, cookRuns = 0, measureRuns = 0;
  std::size_t outputsRemoved = 0;
  std::vector<TreeProblem> problems;  ///< files the scan could not take
  std::vector<Error> warnings;        ///< what a person may have meant otherwise: Project::warnings()
  double seconds = 0;
  bool cancelled = false;
  bool nothingChanged = false;  ///< neither sources, settings, plugins nor outputs changed since the last run
};

/// Opens the store when it is needed; a run in which nothing changed never does.
using StoreOpener = std::function<Result<Store*>()>;

/// Brings the output tree up to date: scans, resolves recipes, looks up, cooks what misses, measures, stores,
/// publishes, removes outputs whose source is gone, and replaces the manifest. A failed asset keeps its last good
/// outputs. Errors are of the run as a whole (a tree or database that can not be read); an asset's own stand in its
/// row.
Result<CookReport> cookProject(const Project& project, const Catalog& catalog, Executor& executor,
                               const StoreOpener& openStore, const CookOptions& options);

/// The keys of all assets as the last run left them: what a cache must not drop.
Result<std::set<Key>> keysInUse(const Project& project);

}  // namespace simmer
