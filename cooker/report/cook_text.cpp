#include "cooker/report/cook_text.h"

#include <algorithm>

#include "cooker/report/numbers.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

using Align = TextTable::Align;

bool inTable(const AssetRow& row) {
  return row.state != AssetState::Failed && row.state != AssetState::Ignored;
}

std::string rowBytes(std::uint64_t bytes) {
  return bytes == 0 ? "–" : bytesText(bytes);
}

void addRow(TextTable& table, const AssetRow& row) {
  table.add({assetName(row), row.profile, rowBytes(row.rawBytes), rowBytes(row.artifactBytes),
             ratioText(row.rawBytes, row.artifactBytes), toleranceMmText(row.toleranceM * 1000),
             errorMmText(row.worldErrorMm(), row.toleranceM * 1000), measuredPxText(row.worldErrorPx()),
             std::string(toString(row.state))});
}

/// Rows that say something new come first in who may stay when there are too many.
std::vector<const AssetRow*> chosenRows(const CookReport& report, std::size_t most) {
  std::vector<const AssetRow*> rows;
  for (const AssetRow& row : report.rows)
    if (inTable(row)) rows.push_back(&row);
  if (rows.size() <= most) return rows;
  std::stable_partition(rows.begin(), rows.end(),
                        [](const AssetRow* row) { return row->state != AssetState::Unchanged; });
  rows.resize(most);
  std::stable_sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->source < b->source; });
  return rows;
}

std::string failuresText(const CookReport& report) {
  std::string text;
  for (const AssetRow& row : report.rows) {
    if (row.state != AssetState::Failed) continue;
    text += fmt::format("✕ {}\n    {}\n", assetName(row), row.message);
    if (!row.outputs.empty()) text += "    its last good output stays in place\n";
  }
  for (const TreeProblem& problem : report.problems)
    text += fmt::format("! {}\n    {}\n", problem.path, problem.message);
  for (const Error& warning : report.warnings) text += fmt::format("! {}\n", warning.text());
  return text;
}

std::string statesText(const Totals& totals) {
  std::vector<std::string> parts;
  const auto part = [&](std::uint64_t count, std::string_view word) {
    if (count > 0) parts.push_back(fmt::format("{} {}", countText(count), word));
  };
  part(totals.cooked, "cooked");
  part(totals.cached, "from the cache");
  part(totals.unchanged, "unchanged");
  part(totals.stale, "would be cooked");
  part(totals.ignored, "with nothing to cook");
  part(totals.failed, "failed");
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string totalsText(const CookReport& report) {
  const Totals& totals = report.totals;
  if (totals.assets == 0) return "Nothing to cook: no file below the source folder is taken by a plugin.\n";
  std::string text = fmt::format("{} from {}: {}\n", countOf(totals.assets, "asset", "assets"),
                                 countOf(totals.sources, "source", "sources"), statesText(totals));
  if (totals.artifactBytes > 0) {
    const double saved = 100 - 100.0 * static_cast<double>(totals.artifactBytes) /
                                   static_cast<double>(std::max<std::uint64_t>(totals.rawBytes, 1));
    text += fmt::format("raw {} → cooked {}   {} smaller, {:.1f} % saved   (sources {})\n", bytesText(totals.rawBytes),
                        bytesText(totals.artifactBytes), ratioText(totals.rawBytes, totals.artifactBytes),
                        std::max(0.0, saved), bytesText(totals.sourceBytes));
  }
  if (totals.worstErrorMm > 0)
    text += fmt::format("largest error {} mm; no asset uses more than {:.1f} % of its tolerance; {} over\n",
                        measuredMmText(totals.worstErrorMm), std::min(100.0, totals.worstUsed * 100), totals.overBound);
  if (report.outputsRemoved > 0)
    text += fmt::format("removed {} whose source is gone\n", countOf(report.outputsRemoved, "output", "outputs"));
  const std::uint64_t runs = report.cookRuns + report.describeRuns + report.measureRuns;
  text +=
      fmt::format("{} in {}{}\n", runs == 0 ? "no plugin ran" : countOf(report.cookRuns, "cook", "cooks"),
                  durationText(report.seconds), report.nothingChanged ? ": nothing changed since the last run" : "");
  return text;
}

}  // namespace

std::string assetName(const AssetRow& row) {
  return !row.named ? row.source : row.source + " · " + row.item;
}

std::string cookText(const CookReport& report, const TextOptions& options) {
  TextTable table({{"asset", Align::Left},
                   {"profile", Align::Left},
                   {"raw", Align::Right},
                   {"cooked", Align::Right},
                   {"ratio", Align::Right},
                   {"tolerance mm", Align::Right},
                   {"error mm", Align::Right},
                   {"px", Align::Right},
                   {"state", Align::Left}});
  const std::vector<const AssetRow*> rows = chosenRows(report, options.maxRows);
  for (const AssetRow* row : rows) addRow(table, *row);
  std::string text;
  if (!table.empty()) text += table.text(options.width) + "\n";
  const std::size_t all = static_cast<std::size_t>(std::count_if(report.rows.begin(), report.rows.end(), inTable));
  if (all > rows.size()) text += fmt::format("… and {} more (--json lists all)\n\n", countText(all - rows.size()));
  const std::string failures = failuresText(report);
  if (!failures.empty()) text += failures + "\n";
  if (report.cancelled) text += "Stopped. What was finished is kept; the next run goes on from here.\n";
  return text + totalsText(report);
}

}  // namespace simmer
