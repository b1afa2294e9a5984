#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cooker/policy/project.h"
#include "cooker/report/budget_check.h"
#include "cooker/report/comparison.h"
#include "cooker/report/project_state.h"

namespace simmer {

/// What to hold a project against, as a person says it.
struct ReportRequest {
  std::string at;          ///< what to report, as `baseline`; empty: what the last cook left
  std::string baseline;    ///< a file written with --json, or a point in history (parseMoment()); empty: none
  std::string since;       ///< a point in history; empty: none
  std::size_t top = 10;    ///< how many assets a list names
  std::int64_t nowMs = 0;  ///< milliseconds since 1970 (UTC)
};

/// What every run since a point in history left.
struct Since {
  std::string label;               ///< of the state before them: "#3 of 2026-11-30 12:00", or that there was none
  std::optional<HistoryRun> from;  ///< nothing: the project had not been cooked by then
  std::vector<HistoryRun> runs;
};

/// Everything that is said of a project, in whatever form. Holds no path outside the project's folder.
struct ProjectReport {
  std::string name;        ///< of the project's folder
  std::string sourcePath;  ///< the folders as seen from it: "assets"
  std::string outputPath;
  std::int64_t timeMs = 0;  ///< when it was made
  std::size_t top = 10;
  ProjectState now;  ///< or at the point that was asked for
  std::vector<GroupSum> profiles, folders;
  std::vector<Error> warnings;   ///< of the project's files, with places
  std::vector<HistoryRun> runs;  ///< that ended their work, oldest first
  std::optional<Comparison> comparison;
  std::optional<Since> since;
  std::vector<BudgetVerdict> budgets;

  std::vector<const AssetRow*> failed() const;
  std::vector<const AssetRow*> largest() const;   ///< published assets, at most `top`, largest artifact first
  std::vector<const AssetRow*> mostUsed() const;  ///< at most `top`, whoever uses most of its tolerance first
  /// The verdict on all budgets: the worst one.
  Verdict verdict() const;
};

/// Reads what the last cook left; cooks nothing. NotFound when nothing was cooked yet, and when a point in history is
/// not there; InvalidInput when `baseline` or `since` is nothing of the kind; else Io or Corrupt.
Result<ProjectReport> makeReport(const Project& project, const ReportRequest& request);

}  // namespace simmer
