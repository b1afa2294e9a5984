#include "cooker/report/cook_json.h"

namespace simmer {
namespace {

/// The totals with what tells of this run.
Json runTotalsJson(const CookReport& report) {
  const Totals& t = report.totals;
  Json json = totalsJson(t);
  json.update(
      {{"cooked", t.cooked},
       {"cached", t.cached},
       {"unchanged", t.unchanged},
       {"stale", t.stale},
       {"plugin_runs", {{"describe", report.describeRuns}, {"cook", report.cookRuns}, {"measure", report.measureRuns}}},
       {"outputs_removed", report.outputsRemoved},
       {"seconds", report.seconds},
       {"nothing_changed", report.nothingChanged},
       {"cancelled", report.cancelled}});
  return json;
}

}  // namespace

Json figure(double value) {
  return value < 0 ? Json(nullptr) : Json(value);
}

Json totalsJson(const Totals& t) {
  return {{"sources", t.sources},
          {"assets", t.assets},
          {"failed", t.failed},
          {"ignored", t.ignored},
          {"source_bytes", t.sourceBytes},
          {"raw_bytes", t.rawBytes},
          {"artifact_bytes", t.artifactBytes},
          {"memory_bytes", t.memoryBytes},
          {"shipped_bytes", t.shippedBytes},
          {"worst_error_mm", t.worstErrorMm},
          {"worst_used", t.worstUsed},
          {"over_bound", t.overBound}};
}

Json assetJson(const AssetRow& row) {
  Json outputs = Json::array();
  for (const PublishedOutput& output : row.outputs)
    outputs.push_back({{"path", output.path}, {"sha256", output.digest.hex()}, {"bytes", output.bytes}});
  return {{"source", row.source},
          {"clip", row.item},
          {"plugin", row.plugin},
          {"profile", row.profile},
          {"tags", row.tags},
          {"state", toString(row.state)},
          {"codec", row.codec},
          {"key", row.key},
          {"tolerance_mm", row.toleranceM > 0 ? Json(row.toleranceM * 1000) : Json(nullptr)},
          {"error_mm", figure(row.worldErrorMm())},
          {"joint_error_mm", figure(row.measured("joint error", -1))},
          {"error_px", figure(row.worldErrorPx())},
          {"measures", toJson(row.measures)},
          {"source_bytes", row.sourceBytes},
          {"raw_bytes", row.rawBytes},
          {"artifact_bytes", row.artifactBytes},
          {"memory_bytes", row.memoryBytes},
          {"plugin_ran", row.ran},
          {"seconds", row.seconds},
          {"message", row.message},
          {"log", row.log},
          {"outputs", outputs}};
}

std::string cookJson(const CookReport& report) {
  Json assets = Json::array(), problems = Json::array(), warnings = Json::array();
  for (const AssetRow& row : report.rows) assets.push_back(assetJson(row));
  for (const TreeProblem& problem : report.problems)
    problems.push_back({{"path", problem.path}, {"message", problem.message}});
  for (const Error& warning : report.warnings)
    warnings.push_back({{"place", warning.where}, {"message", warning.message}});
  return dump({{"assets", assets}, {"totals", runTotalsJson(report)}, {"problems", problems}, {"warnings", warnings}},
              1) +
         "\n";
}

}  // namespace simmer
