#pragma once

#include <string>

#include "cooker/report/project_report.h"

namespace simmer::test {

/// A published asset with one file.
inline AssetRow assetRow(const std::string& source, std::uint64_t bytes, const std::string& profile = "npc") {
  AssetRow row;
  row.source = source;
  row.item = "clip";
  row.plugin = "animation";
  row.profile = profile;
  row.state = AssetState::Unchanged;
  row.codec = "spline";
  row.key = sha256(source + std::to_string(bytes)).hex();
  row.toleranceM = 0.007;
  row.metresPerPixel = 0.007;
  row.measures = {{std::string(kWorldError), 6.5, 7, "mm"}};
  row.sourceBytes = 5000;
  row.rawBytes = 4000;
  row.artifactBytes = bytes;
  row.memoryBytes = 2 * bytes;
  row.outputs = {{source + ".clip", {}, bytes}};
  return row;
}

inline AssetRow failedRow(const std::string& source, const std::string& message) {
  AssetRow row;
  row.source = source;
  row.message = message;
  return row;
}

/// Rows in the order of their sources, with what follows from them; the manifest has 100 bytes.
inline ProjectState stateOf(std::vector<AssetRow> rows) {
  ProjectState state;
  state.label = "#1 of 2026-11-30 12:00";
  state.run = 1;
  state.timeMs = 1'796'000'000'000;
  std::vector<const AssetRow*> all;
  for (const AssetRow& row : rows) {
    all.push_back(&row);
    for (const PublishedOutput& output : row.outputs) state.files[output.path] = output.bytes;
  }
  state.totals = totalsOfRows(all);
  state.totals.shippedBytes += 100;
  state.rows = std::move(rows);
  return state;
}

inline ProjectReport reportOf(std::vector<AssetRow> rows, const std::vector<Budget>& budgets = {},
                              const ProjectState* baseline = nullptr) {
  ProjectReport report;
  report.name = "Emberfall";
  report.sourcePath = "assets";
  report.outputPath = "cooked";
  report.timeMs = 1'796'100'000'000;
  report.now = stateOf(std::move(rows));
  report.profiles = sumsByProfile(report.now.rows);
  report.folders = sumsByFolder(report.now.rows);
  if (baseline) report.comparison = compare(*baseline, report.now);
  report.budgets = checkBudgets(budgets, report.now, baseline, report.top);
  HistoryRun run;
  run.id = 1;
  run.timeMs = report.now.timeMs;
  run.totals = report.now.totals;
  run.finished = true;
  report.runs = {run};
  return report;
}

}  // namespace simmer::test
