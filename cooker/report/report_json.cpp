#include "cooker/report/report_json.h"

#include "cooker/report/cook_json.h"
#include "cooker/report/moment.h"

namespace simmer {
namespace {

Json groupsJson(const std::vector<GroupSum>& groups, const char* key) {
  Json list = Json::array();
  for (const GroupSum& group : groups) list.push_back({{key, group.name}, {"totals", totalsJson(group.totals)}});
  return list;
}

/// As in the report of a cook, less what tells of the machine or the run.
Json reportAsset(const AssetRow& row) {
  Json json = assetJson(row);
  for (const char* name : {"plugin_ran", "seconds", "log"}) json.erase(name);
  json["named"] = row.named;
  json["mm_per_pixel"] = row.metresPerPixel > 0 ? Json(row.metresPerPixel * 1000) : Json(nullptr);
  return json;
}

/// Published files that no asset lists: a cook was stopped before it had written down whose they are.
Json otherFiles(const ProjectState& state) {
  FileBytes others = state.files;
  for (const AssetRow& row : state.rows)
    for (const PublishedOutput& output : row.outputs) others.erase(output.path);
  Json list = Json::array();
  for (const auto& [path, bytes] : others) list.push_back({{"path", path}, {"bytes", bytes}});
  return list;
}

Json pointJson(std::int64_t run, std::int64_t timeMs) {
  return {{"run", run > 0 ? Json(run) : Json(nullptr)}, {"time", timeMs > 0 ? Json(isoTime(timeMs)) : Json(nullptr)}};
}

Json runJson(const HistoryRun& run) {
  Json json = pointJson(run.id, run.timeMs);
  json["totals"] = totalsJson(run.totals);
  return json;
}

Json runsJson(const std::vector<HistoryRun>& runs) {
  Json list = Json::array();
  for (const HistoryRun& run : runs) list.push_back(runJson(run));
  return list;
}

Json comparisonJson(const Comparison& comparison) {
  Json changes = Json::array();
  for (const FileChange& change : comparison.changes)
    changes.push_back({{"kind", toString(change.kind)},
                       {"output", change.path},
                       {"source", change.source},
                       {"clip", change.item},
                       {"profile", change.profile},
                       {"before_bytes", change.before},
                       {"after_bytes", change.after},
                       {"cause", change.cause}});
  Json json = pointJson(comparison.run, comparison.timeMs);
  json["label"] = comparison.label;
  json["totals"] = totalsJson(comparison.before);
  json["profiles"] = groupsJson(comparison.profiles, "profile");
  json["folders"] = groupsJson(comparison.folders, "folder");
  json["changes"] = changes;
  return json;
}

Json limitJson(const LimitCheck& check) {
  return {{"limit", toString(check.limit)},
          {"most", check.most},
          {"used", check.used ? Json(*check.used) : Json(nullptr)},
          {"left", check.used ? Json(check.most - *check.used) : Json(nullptr)},
          {"verdict", toString(check.verdict)}};
}

Json budgetsJson(const std::vector<BudgetVerdict>& verdicts) {
  Json list = Json::array();
  for (const BudgetVerdict& verdict : verdicts) {
    Json limits = Json::array(), culprits = Json::array();
    for (const LimitCheck& check : verdict.limits) limits.push_back(limitJson(check));
    for (const Culprit& culprit : verdict.culprits)
      culprits.push_back({{"name", culprit.name},
                          {"source", culprit.source},
                          {"clip", culprit.item},
                          {"before_bytes", culprit.before ? Json(*culprit.before) : Json(nullptr)},
                          {"after_bytes", culprit.after},
                          {"error_mm", figure(culprit.errorMm)},
                          {"error_px", figure(culprit.errorPx)}});
    const Budget& budget = verdict.budget;
    list.push_back({{"name", budget.name},
                    {"scope", toString(budget.scope)},
                    {"of", budget.of},
                    {"size", budget.size == Budget::Size::Memory ? "memory" : "artifact"},
                    {"line", budget.line},
                    {"column", budget.column},
                    {"assets", verdict.assets},
                    {"used_bytes", verdict.used},
                    {"baseline_bytes", verdict.before ? Json(*verdict.before) : Json(nullptr)},
                    {"limits", limits},
                    {"culprits", culprits},
                    {"verdict", toString(verdict.verdict)}});
  }
  return list;
}

Json sinceJson(const Since& since) {
  return {{"from", since.from ? runJson(*since.from) : Json(nullptr)}, {"runs", runsJson(since.runs)}};
}

}  // namespace

std::string reportJson(const ProjectReport& report) {
  Json assets = Json::array(), warnings = Json::array();
  for (const AssetRow& row : report.now.rows) assets.push_back(reportAsset(row));
  for (const Error& warning : report.warnings)
    warnings.push_back({{"place", warning.where}, {"message", warning.message}});
  return dump({{"schema", kReportSchema},
               {"project", report.name},
               {"time", isoTime(report.timeMs)},
               {"run", report.now.run > 0 ? Json(report.now.run) : Json(nullptr)},
               {"cooked_ms", report.now.timeMs},
               {"totals", totalsJson(report.now.totals)},
               {"profiles", groupsJson(report.profiles, "profile")},
               {"folders", groupsJson(report.folders, "folder")},
               {"budgets", budgetsJson(report.budgets)},
               {"warnings", warnings},
               {"comparison", report.comparison ? comparisonJson(*report.comparison) : Json(nullptr)},
               {"since", report.since ? sinceJson(*report.since) : Json(nullptr)},
               {"history", runsJson(report.runs)},
               {"assets", assets},
               {"other_files", otherFiles(report.now)}},
              1) +
         "\n";
}

std::string budgetJson(const ProjectReport& report) {
  Json baseline = nullptr;
  if (report.comparison) baseline = pointJson(report.comparison->run, report.comparison->timeMs);
  return dump({{"schema", kReportSchema},
               {"verdict", toString(report.verdict())},
               {"baseline", baseline},
               {"budgets", budgetsJson(report.budgets)}},
              1) +
         "\n";
}

}  // namespace simmer
