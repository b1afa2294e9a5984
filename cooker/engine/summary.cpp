#include "cooker/engine/summary.h"

#include <set>

#include "cooker/engine/json.h"
#include "cooker/engine/state_db.h"

namespace simmer {
namespace {

/// Each number of the totals with its name, for writing and reading alike.
template <class Totals, class Visit>
void visitTotals(Totals& t, Visit visit) {
  visit("sources", t.sources);
  visit("assets", t.assets);
  visit("cooked", t.cooked);
  visit("cached", t.cached);
  visit("unchanged", t.unchanged);
  visit("failed", t.failed);
  visit("ignored", t.ignored);
  visit("stale", t.stale);
  visit("source_bytes", t.sourceBytes);
  visit("raw_bytes", t.rawBytes);
  visit("artifact_bytes", t.artifactBytes);
  visit("memory_bytes", t.memoryBytes);
  visit("shipped_bytes", t.shippedBytes);
  visit("over_bound", t.overBound);
  visit("worst_error_mm", t.worstErrorMm);
  visit("worst_used", t.worstUsed);
}

}  // namespace

Totals totalsOf(const std::vector<AssetRow>& rows) {
  Totals totals;
  std::set<std::string> shared;  // outputs that several items of the source give
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool first = i == 0 || rows[i].source != rows[i - 1].source;
    totals.add(rows[i], first);
    if (first) shared.clear();
    if (rows[i].state == AssetState::Failed) continue;
    for (std::size_t o = 1; o < rows[i].outputs.size(); ++o)
      if (shared.insert(rows[i].outputs[o].path).second) totals.artifactBytes += rows[i].outputs[o].bytes;
  }
  return totals;
}

Json totalsToJson(const Totals& totals) {
  Json json = Json::object();
  visitTotals(totals, [&](const char* name, const auto& value) { json[name] = value; });
  return json;
}

Totals totalsFromJson(const Json& json) {
  Totals totals;
  visitTotals(totals, [&](const char* name, auto& value) { json.at(name).get_to(value); });
  return totals;
}

Summary Summary::of(const CookReport& report) {
  Summary summary;
  summary.totals = report.totals;
  summary.warnings = report.warnings;
  summary.totals.unchanged += summary.totals.cooked + summary.totals.cached;
  summary.totals.cooked = summary.totals.cached = 0;
  for (const AssetRow& row : report.rows)
    if (row.state == AssetState::Failed) summary.failed.push_back(row);
  return summary;
}

std::string Summary::toJsonText() const {
  Json json = {{"totals", totalsToJson(totals)}, {"failed", StateDb::joinRows(failed)}, {"warnings", Json::array()}};
  for (const Error& warning : warnings) json["warnings"].push_back(simmer::toJson(warning));
  return dump(json);
}

Result<Summary> Summary::fromJson(std::string_view text) {
  return parseJson<Summary>(text, [](const Json& json) -> Result<Summary> {
    Summary summary;
    summary.totals = totalsFromJson(json.at("totals"));
    SIMMER_TRY(failed, StateDb::splitRows(json.at("failed").get<std::string>()));
    summary.failed = std::move(failed);
    for (const Json& warning : json.at("warnings")) summary.warnings.push_back(errorFromJson(warning));
    return summary;
  });
}

}  // namespace simmer
