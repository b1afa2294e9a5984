#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cooker/engine/asset_row.h"
#include "cooker/engine/state_db.h"

namespace simmer {

using FileBytes = std::map<std::string, std::uint64_t>;  ///< published files by their path, without the manifest

/// A project as it stood after a cook: now, after an earlier one, or as a report told it.
struct ProjectState {
  std::string label;        ///< "#12 of 2026-11-30 12:00"
  std::int64_t timeMs = 0;  ///< when that cook began; 0: not known
  std::int64_t run = 0;     ///< of the history; 0: none
  /// In the order of their sources. Their outputs are files of `files`, with these bytes.
  std::vector<AssetRow> rows;
  FileBytes files;
  Totals totals;  ///< shippedBytes counts the manifest too
};

/// As the last cook left the project. `manifestBytes` is the manifest's size.
Result<ProjectState> currentState(StateDb& state, std::uint64_t manifestBytes);
/// As the project stood after a finished run of its history.
Result<ProjectState> stateAfter(History history, const HistoryRun& run);
/// Gives the rows of a history, which hold none, their outputs back: which file is whose is told by its name.
void attachOutputs(std::vector<AssetRow>& rows, const FileBytes& files);

/// Sums of some of a state's assets. A file that several of them give counts once in artifactBytes and in shippedBytes;
/// shippedBytes counts the last good outputs of failed assets too, artifactBytes does not.
Totals totalsOfRows(const std::vector<const AssetRow*>& rows);
void addTotals(Totals& to, const Totals& more);

struct GroupSum {
  std::string name;  ///< a profile, or a folder's path; empty: none, or the source folder itself
  Totals totals;
};
/// In alphabetical order, those without one last.
std::vector<GroupSum> sumsByProfile(const std::vector<AssetRow>& rows);
/// Of every folder with all that lies below it, sorted by path: the first is the source folder itself.
std::vector<GroupSum> sumsByFolder(const std::vector<AssetRow>& rows);

/// Calls `visit` with the rows of each source, which stand together.
void forEachSource(const std::vector<AssetRow>& rows,
                   const std::function<void(const std::vector<const AssetRow*>&)>& visit);

}  // namespace simmer
