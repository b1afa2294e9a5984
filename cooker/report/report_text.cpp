#include "cooker/report/report_text.h"

#include <algorithm>

#include "cooker/report/cook_text.h"
#include "cooker/report/escape.h"
#include "cooker/report/moment.h"
#include "cooker/report/numbers.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

using Align = TextTable::Align;

std::string nameOf(const AssetRow& row) {
  return cleanLine(assetName(row));
}

const Totals* find(const std::vector<GroupSum>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupSum& g) { return g.name == name; });
  return found == groups.end() ? nullptr : &found->totals;
}

std::string statesText(const Totals& totals) {
  std::string text = countText(totals.assets - totals.failed - totals.ignored) + " fine";
  if (totals.failed > 0) text += fmt::format(" · {} failed", countText(totals.failed));
  if (totals.ignored > 0) text += fmt::format(" · {} with nothing to cook", countText(totals.ignored));
  return text;
}

std::string totalsText(const ProjectReport& report) {
  const Totals& t = report.now.totals;
  std::string text = fmt::format("{} as cooked by {}\n", cleanLine(report.name), report.now.label);
  text += fmt::format("{} from {}: {}\n", countOf(t.assets, "asset", "assets"), countOf(t.sources, "source", "sources"),
                      statesText(t));
  text += fmt::format("raw {} → cooked {}   {} smaller   (sources {}, in memory {})\n", bytesText(t.rawBytes),
                      bytesText(t.artifactBytes), ratioText(t.rawBytes, t.artifactBytes), bytesText(t.sourceBytes),
                      bytesText(t.memoryBytes));
  std::uint64_t files = 0;
  for (const auto& [path, bytes] : report.now.files) files += bytes;
  text += fmt::format("shipped {}: {} of {}, and the manifest of {}", bytesText(t.shippedBytes),
                      countOf(report.now.files.size(), "file", "files"), bytesText(files),
                      bytesText(t.shippedBytes - std::min(files, t.shippedBytes)));
  if (report.comparison)
    text += fmt::format("   {} against {}", changeText(report.comparison->before.shippedBytes, t.shippedBytes),
                        cleanLine(report.comparison->label));
  text += "\n";
  if (t.worstErrorMm > 0)
    text += fmt::format("largest error {} mm; no asset uses more than {} of its tolerance; {} over\n",
                        measuredMmText(t.worstErrorMm), usedText(std::min(t.worstUsed, 1.0)), t.overBound);
  return text;
}

/// `groups` with their sums; with a baseline also what came to them, and those that are gone.
std::string groupsText(const char* title, const char* noName, const std::vector<GroupSum>& groups,
                       const std::vector<GroupSum>* before, std::size_t width) {
  TextTable table({{title},
                   {"assets", Align::Right},
                   {"failed", Align::Right},
                   {"raw", Align::Right},
                   {"cooked", Align::Right},
                   {"ratio", Align::Right},
                   {"shipped", Align::Right},
                   {"change", Align::Left}});
  const auto add = [&](const std::string& name, const Totals& t, const std::string& change) {
    table.add({name.empty() ? noName : cleanLine(name), countText(t.assets), t.failed > 0 ? countText(t.failed) : "–",
               bytesText(t.rawBytes), bytesText(t.artifactBytes), ratioText(t.rawBytes, t.artifactBytes),
               bytesText(t.shippedBytes), change});
  };
  for (const GroupSum& group : groups) {
    const Totals* old = before ? find(*before, group.name) : nullptr;
    add(group.name, group.totals, before ? changeText(old ? old->shippedBytes : 0, group.totals.shippedBytes) : "");
  }
  if (before)
    for (const GroupSum& group : *before)
      if (!find(groups, group.name)) add(group.name, Totals{}, changeText(group.totals.shippedBytes, 0));
  return table.empty() ? std::string() : "\n" + table.text(width);
}

std::size_t depthOf(const std::string& folder) {
  return folder.empty() ? 0 : static_cast<std::size_t>(std::count(folder.begin(), folder.end(), '/')) + 1;
}

/// The folders of the uppermost level at which there is more than one; at most `most`, largest first in who may stay.
std::vector<GroupSum> upperFolders(const std::vector<GroupSum>& folders, std::size_t most) {
  std::vector<GroupSum> level;
  for (std::size_t depth = 1;; ++depth) {
    std::vector<GroupSum> next;
    for (const GroupSum& folder : folders)
      if (depthOf(folder.name) == depth) next.push_back(folder);
    if (next.empty()) break;
    level = std::move(next);
    if (level.size() > 1) break;
  }
  std::stable_sort(level.begin(), level.end(),
                   [](const GroupSum& a, const GroupSum& b) { return a.totals.shippedBytes > b.totals.shippedBytes; });
  if (level.size() > most) level.resize(most);
  std::sort(level.begin(), level.end(), [](const GroupSum& a, const GroupSum& b) { return a.name < b.name; });
  return level;
}

/// The same folders of another state, and all others as one without a name: the sums add up to the whole.
std::vector<GroupSum> withOthers(const std::vector<GroupSum>& folders, const std::vector<GroupSum>& names) {
  std::vector<GroupSum> some;
  Totals others;
  if (const Totals* all = find(folders, "")) others = *all;
  constexpr std::uint64_t Totals::*kShown[] = {&Totals::assets, &Totals::failed, &Totals::rawBytes,
                                               &Totals::artifactBytes, &Totals::shippedBytes};
  for (const GroupSum& name : names) {
    const Totals* totals = find(folders, name.name);
    if (!totals) continue;
    some.push_back({name.name, *totals});
    for (const auto member : kShown) others.*member -= totals->*member;
  }
  if (others.assets > 0) some.push_back({"", others});
  return some;
}

std::string assetsText(const char* title, const std::vector<const AssetRow*>& rows, std::size_t width) {
  TextTable table({{title},
                   {"profile"},
                   {"raw", Align::Right},
                   {"cooked", Align::Right},
                   {"ratio", Align::Right},
                   {"tolerance mm", Align::Right},
                   {"error mm", Align::Right},
                   {"used", Align::Right}});
  for (const AssetRow* row : rows)
    table.add({nameOf(*row), cleanLine(row->profile), bytesText(row->rawBytes), bytesText(row->artifactBytes),
               ratioText(row->rawBytes, row->artifactBytes), toleranceMmText(row->toleranceM * 1000),
               errorMmText(row->worldErrorMm(), row->toleranceM * 1000),
               row->toleranceM > 0 ? usedText(row->worldErrorMm() / 1000 / row->toleranceM) : "–"});
  return table.empty() ? std::string() : "\n" + table.text(width);
}

std::string changesText(const ProjectReport& report, std::size_t width) {
  const Comparison& comparison = *report.comparison;
  if (comparison.changes.empty())
    return fmt::format("\nEvery file has the size it had in {}.\n", cleanLine(comparison.label));
  TextTable table({{"what changed"}, {"bytes", Align::Right}, {"change"}, {"cause"}});
  for (std::size_t i = 0; i < std::min(report.top, comparison.changes.size()); ++i) {
    const FileChange& change = comparison.changes[i];
    const bool was = change.kind == FileChange::Kind::New || change.kind == FileChange::Kind::Gone;
    table.add({cleanLine(change.name),
               was ? bytesText(std::max(change.before, change.after)) : fromToText(change.before, change.after),
               change.kind == FileChange::Kind::New    ? "▲ new"
               : change.kind == FileChange::Kind::Gone ? "▼ gone"
                                                       : changeText(change.before, change.after),
               cleanLine(change.cause)});
  }
  std::string text = "\n" + table.text(width);
  if (comparison.changes.size() > report.top)
    text +=
        fmt::format("… and {} more (--top N, --json lists all)\n", countText(comparison.changes.size() - report.top));
  return text;
}

std::string sinceText(const ProjectReport& report, std::size_t width) {
  const Since& since = *report.since;
  TextTable table({{"since then"},
                   {"assets", Align::Right},
                   {"failed", Align::Right},
                   {"raw", Align::Right},
                   {"cooked", Align::Right},
                   {"shipped", Align::Right},
                   {"change"}});
  const auto add = [&](const std::string& name, const Totals& t, const std::string& change) {
    table.add({name, countText(t.assets), t.failed > 0 ? countText(t.failed) : "–", bytesText(t.rawBytes),
               bytesText(t.artifactBytes), bytesText(t.shippedBytes), change});
  };
  const Totals nothing;
  const Totals* before = since.from ? &since.from->totals : &nothing;
  const Totals* const first = before;
  add(since.label, *before, "");
  for (const HistoryRun& run : since.runs) {
    add(fmt::format("#{} of {}", run.id, timeText(run.timeMs)), run.totals,
        changeText(before->shippedBytes, run.totals.shippedBytes));
    before = &run.totals;
  }
  return "\n" + table.text(width) +
         fmt::format("{} since {}: shipped {}\n", countOf(since.runs.size(), "cook", "cooks"), since.label,
                     changeText(first->shippedBytes, before->shippedBytes));
}

std::string problemsText(const ProjectReport& report) {
  std::string text;
  const auto failed = report.failed();
  for (std::size_t i = 0; i < std::min(failed.size(), std::max<std::size_t>(report.top, 10)); ++i) {
    text += fmt::format("✕ {}\n    {}\n", nameOf(*failed[i]), cleanLine(failed[i]->message));
    if (!failed[i]->outputs.empty()) text += "    its last good output ships\n";
  }
  const std::size_t shown = std::min(failed.size(), std::max<std::size_t>(report.top, 10));
  if (failed.size() > shown) text += fmt::format("✕ … and {} more failed\n", countText(failed.size() - shown));
  for (const Error& warning : report.warnings) text += fmt::format("! {}\n", cleanLine(warning.text()));
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string reportText(const ProjectReport& report, std::size_t width) {
  const Comparison* comparison = report.comparison ? &*report.comparison : nullptr;
  std::string text = totalsText(report);
  text += groupsText("by profile", "no profile", report.profiles, comparison ? &comparison->profiles : nullptr, width);
  const std::vector<GroupSum> upper = upperFolders(report.folders, report.top);
  const std::vector<GroupSum> old = comparison ? withOthers(comparison->folders, upper) : std::vector<GroupSum>();
  text += groupsText("by folder", upper.empty() ? "the source folder" : "all others", withOthers(report.folders, upper),
                     comparison ? &old : nullptr, width);
  text += assetsText("largest", report.largest(), width);
  text += assetsText("most of its tolerance used", report.mostUsed(), width);
  if (comparison) text += changesText(report, width);
  if (report.since) text += sinceText(report, width);
  text += problemsText(report);
  if (!report.budgets.empty()) text += "\n" + budgetText(report, width);
  return text;
}

}  // namespace simmer
