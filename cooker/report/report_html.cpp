#include "cooker/report/report_html.h"

#include <algorithm>

#include "cooker/report/cook_text.h"
#include "cooker/report/escape.h"
#include "cooker/report/html_parts.h"
#include "cooker/report/moment.h"
#include "cooker/report/numbers.h"
#include "cooker/report/report_text.h"

namespace simmer {
namespace {

constexpr std::size_t kMostProblems = 200;
constexpr std::size_t kFirstProblems = 6;  // that show without a click
constexpr std::size_t kMostFolders = 60;

std::string section(const std::string& title, const std::string& content, const char* classes = "") {
  return fmt::format("<section class=\"{}\"><h2>{}</h2>\n{}</section>\n", classes, markupText(title), content);
}

std::string figure(const std::string& title, const std::string& value, const std::string& below) {
  return fmt::format("<div class=\"figure\"><small>{}</small><b>{}</b><small>{}</small></div>\n", title,
                     markupText(value), below.empty() ? "&nbsp;" : below);
}

std::string profileHtml(const std::string& profile) {
  if (profile.empty()) return "<span><span class=\"mark\"></span>no profile</span>";
  constexpr std::string_view kMarked[] = {"hero", "npc", "background", "camera"};
  const bool marked = std::find(std::begin(kMarked), std::end(kMarked), profile) != std::end(kMarked);
  return fmt::format("<span><span class=\"mark {}\"></span>{}</span>", marked ? profile : "", nameHtml(profile));
}

std::string figuresHtml(const ProjectReport& report) {
  const Totals& t = report.now.totals;
  const Totals* before = report.comparison ? &report.comparison->before : nullptr;
  // One change has a colour: what the cooking is for.
  const auto change = [&](std::uint64_t Totals::*bytes) {
    return before ? changeText(before->*bytes, t.*bytes) : std::string();
  };
  std::string html = "<section class=\"figures\">\n";
  html += figure("shipped", bytesText(t.shippedBytes), change(&Totals::shippedBytes));
  html +=
      figure("cooked", bytesText(t.artifactBytes), before ? changeHtml(before->artifactBytes, t.artifactBytes) : "");
  html += figure("raw (float32)", bytesText(t.rawBytes), change(&Totals::rawBytes));
  html += figure("ratio", ratioText(t.rawBytes, t.artifactBytes),
                 before ? "was " + ratioText(before->rawBytes, before->artifactBytes) : "");
  html += figure("in memory", bytesText(t.memoryBytes), change(&Totals::memoryBytes));
  html += figure("assets", countText(t.assets), fmt::format("{} failed", countText(t.failed)));
  html += figure("largest error", t.worstErrorMm > 0 ? measuredMmText(t.worstErrorMm) + " mm" : "–",
                 t.worstUsed > 0 ? usedText(t.worstUsed) + " of a tolerance used" : "");
  return html + "</section>\n";
}

/// A list of which the first few show at once.
std::string listHtml(const std::vector<std::string>& items) {
  const std::size_t first = items.size() <= kFirstProblems + 1 ? items.size() : kFirstProblems;
  const auto list = [&](std::size_t begin, std::size_t end) {
    return fmt::format("<ul class=\"problems\">\n{}</ul>\n",
                       fmt::join(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                 items.begin() + static_cast<std::ptrdiff_t>(end), ""));
  };
  std::string html = list(0, first);
  if (items.size() > first)
    html += fmt::format("<details><summary>{} more</summary>\n{}</details>\n", countText(items.size() - first),
                        list(first, items.size()));
  return html;
}

/// What a person has to do something about, topmost.
std::string problemsHtml(const ProjectReport& report) {
  std::vector<std::string> items;
  if (report.now.totals.overBound > 0)
    items.push_back(fmt::format("<li><b class=\"fail\">✕ {} above the tolerance</b></li>\n",
                                countOf(report.now.totals.overBound, "published asset is", "published assets are")));
  const auto failed = report.failed();
  for (std::size_t i = 0; i < std::min(failed.size(), kMostProblems); ++i)
    items.push_back(fmt::format("<li><b class=\"fail\">✕ {}</b><br>{}{}</li>\n",
                                markupText(cleanLine(assetName(*failed[i]))), markupText(failed[i]->message),
                                failed[i]->outputs.empty() ? "" : "<br>↺ its last good output ships"));
  if (failed.size() > kMostProblems)
    items.push_back(fmt::format("<li>{} more failed</li>\n", countText(failed.size() - kMostProblems)));
  for (std::size_t i = 0; i < std::min(report.warnings.size(), kMostProblems); ++i)
    items.push_back(fmt::format("<li class=\"w\"><span class=\"warn\">!</span> {}</li>\n",
                                markupText(cleanLine(report.warnings[i].text()))));
  if (report.warnings.size() > kMostProblems)
    items.push_back(
        fmt::format("<li class=\"w\">{} more warnings</li>\n", countText(report.warnings.size() - kMostProblems)));
  if (items.empty()) return section("Problems", "<p>✓ No problems.</p>\n");
  return section("Problems", listHtml(items), "long");
}

/// Who is to blame for a budget, below its line.
void addCulprits(HtmlTable& table, const BudgetVerdict& verdict) {
  for (std::size_t i = 0; i < std::min(verdict.culprits.size(), kFirstProblems); ++i) {
    const Culprit& culprit = verdict.culprits[i];
    const bool error = culprit.errorMm >= 0;
    const std::string bytes =
        culprit.before && *culprit.before > 0 ? fromToText(*culprit.before, culprit.after) : bytesText(culprit.after);
    table.add({nameHtml(culprit.name), "", error ? measuredPxText(culprit.errorPx) + " px" : bytes,
               error            ? measuredMmText(culprit.errorMm) + " mm"
               : culprit.before ? changeHtml(*culprit.before, culprit.after)
                                : ""},
              "inner");
  }
}

std::string budgetsHtml(const ProjectReport& report) {
  if (report.budgets.empty()) return {};
  HtmlTable table({{"budget"}, {"at most", true}, {"used", true}, {""}});
  for (const BudgetVerdict& verdict : report.budgets) {
    for (const LimitCheck& check : verdict.limits) {
      const bool over = check.verdict == Verdict::Exceeded;
      const double part = over ? 1 : check.used && check.most > 0 ? std::clamp(*check.used / check.most, 0.0, 1.0) : 0;
      const char* word = over                                   ? "<span class=\"fail\">✕ exceeded</span>"
                         : check.verdict == Verdict::NoBaseline ? "<span class=\"warn\">! no baseline</span>"
                                                                : "fine";
      table.add({nameHtml(verdict.budget.name), mostText(check), usedText(check),
                 fmt::format("<span class=\"bar{}\"><i style=\"width:{:.1f}%\"></i></span>{}", over ? " over" : "",
                             part * 100, word)});
    }
    addCulprits(table, verdict);
  }
  return section("Budgets", table.html(), "long");
}

const Totals* find(const std::vector<GroupSum>& groups, const std::string& name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const GroupSum& g) { return g.name == name; });
  return found == groups.end() ? nullptr : &found->totals;
}

std::string groupsHtml(const char* title, const std::vector<GroupSum>& groups, const std::vector<GroupSum>* before,
                       std::string (*nameOf)(const std::string&)) {
  HtmlTable table({{title},
                   {"assets", true},
                   {"raw", true},
                   {"cooked", true},
                   {"ratio", true},
                   {"shipped", true},
                   {before ? "change" : ""}});
  for (const GroupSum& group : groups) {
    const Totals& t = group.totals;
    const Totals* old = before ? find(*before, group.name) : nullptr;
    table.add({nameOf(group.name), countText(t.assets), bytesText(t.rawBytes), bytesText(t.artifactBytes),
               ratioText(t.rawBytes, t.artifactBytes), bytesText(t.shippedBytes),
               before ? changeHtml(old ? old->shippedBytes : 0, t.shippedBytes) : ""});
  }
  return table.html();
}

/// Indented by depth; at most kMostFolders of them, those that ship most.
std::string foldersHtml(const ProjectReport& report) {
  std::vector<GroupSum> folders = report.folders;
  const std::size_t all = folders.size();
  if (all > kMostFolders) {
    std::stable_sort(folders.begin(), folders.end(), [](const GroupSum& a, const GroupSum& b) {
      return a.totals.shippedBytes > b.totals.shippedBytes;
    });
    folders.resize(kMostFolders);
    std::sort(folders.begin(), folders.end(), [](const GroupSum& a, const GroupSum& b) { return a.name < b.name; });
  }
  const auto nameOf = [](const std::string& folder) {
    return folder.empty() ? std::string("<span>all</span>") : nameHtml(folder + "/");
  };
  std::string html = groupsHtml("folder", folders, report.comparison ? &report.comparison->folders : nullptr, nameOf);
  if (all > kMostFolders) html += fmt::format("<p class=\"quiet\">{} more</p>\n", countText(all - kMostFolders));
  return html;
}

std::string assetsHtml(const std::vector<const AssetRow*>& rows) {
  HtmlTable table(
      {{"asset"}, {"raw", true}, {"cooked", true}, {"ratio", true}, {"error mm", true}, {"px", true}, {"used", true}});
  for (const AssetRow* row : rows)
    table.add({nameHtml(assetName(*row)), bytesText(row->rawBytes), bytesText(row->artifactBytes),
               ratioText(row->rawBytes, row->artifactBytes), errorMmText(row->worldErrorMm(), row->toleranceM * 1000),
               measuredPxText(row->worldErrorPx()),
               row->toleranceM > 0 ? usedText(row->worldErrorMm() / 1000 / row->toleranceM) : "–"});
  return table.empty() ? "<p class=\"quiet\">None.</p>\n" : table.html();
}

/// Who grew most, then the rest of what changed.
std::string changesHtml(const ProjectReport& report) {
  if (!report.comparison) return {};
  const Comparison& comparison = *report.comparison;
  const std::string title = "What changed since " + comparison.label;
  if (comparison.changes.empty()) return section(title, "<p>Every file has the size it had then.</p>\n");
  HtmlTable table({{"file"}, {"bytes", true}, {"change"}, {"cause"}});
  const std::size_t most = std::max<std::size_t>(report.top, 20);
  std::vector<const FileChange*> shown;
  for (const FileChange& change : comparison.changes) shown.push_back(&change);
  std::stable_partition(shown.begin(), shown.end(), [](const FileChange* c) { return c->after > c->before; });
  for (std::size_t i = 0; i < std::min(most, shown.size()); ++i) {
    const FileChange& c = *shown[i];
    const bool both = c.kind == FileChange::Kind::Grew || c.kind == FileChange::Kind::Shrank;
    table.add({nameHtml(c.name), both ? fromToText(c.before, c.after) : bytesText(std::max(c.before, c.after)),
               both                              ? changeHtml(c.before, c.after)
               : c.kind == FileChange::Kind::New ? std::string("<span class=\"grew\">▲ new</span>")
                                                 : std::string("<span class=\"shrank\">▼ gone</span>"),
               markupText(cleanLine(c.cause))});
  }
  std::string html = table.html();
  if (shown.size() > most) html += fmt::format("<p class=\"quiet\">{} more</p>\n", countText(shown.size() - most));
  return section(title, html, "long");
}

}  // namespace

void HtmlTable::add(const std::vector<std::string>& cells, const char* rowClass) {
  m_rows += fmt::format("<tr class=\"{}\">", rowClass);
  for (std::size_t i = 0; i < cells.size(); ++i)
    m_rows += fmt::format("<td class=\"{}\">{}</td>", m_columns[i].number ? "n" : i == 0 ? "name" : "", cells[i]);
  m_rows += "</tr>\n";
}

std::string HtmlTable::html() const {
  std::string head;
  for (const Column& column : m_columns)
    head += fmt::format("<th class=\"{}\">{}</th>", column.number ? "n" : "", markupText(column.title));
  return fmt::format("<div class=\"scroll\"><table><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
                     head, m_rows);
}

std::string changeHtml(std::uint64_t before, std::uint64_t after) {
  return fmt::format("<span class=\"{}\">{}</span>",
                     after > before   ? "grew"
                     : after < before ? "shrank"
                                      : "quiet",
                     changeText(before, after));
}

std::string nameHtml(const std::string& name) {
  const std::string line = cleanLine(name);
  const std::size_t folder = line.rfind('/', line.size() < 2 ? 0 : line.size() - 2) + 1;  // npos + 1 is 0
  return fmt::format("<span title=\"{}\"><i>{}</i><b>{}</b></span>", markupText(line),
                     markupText(line.substr(0, folder)), markupText(line.substr(folder)));
}

std::string reportHtml(const ProjectReport& report) {
  const std::string name = markupText(cleanLine(report.name));
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0} – Simmer</title>\n<style>{1}</style></head>\n<body class=\"by-ratio\">\n"
      "<header><h1>{0}</h1><p>As cooked by {2}; written {3}.{4}</p></header>\n",
      name, kHtmlStyle, markupText(report.now.label), timeText(report.timeMs),
      report.comparison ? markupText(" Changes are against " + cleanLine(report.comparison->label) + ".") : "");
  html += figuresHtml(report);
  html += report.budgets.empty()
              ? problemsHtml(report)
              : "<div class=\"columns\">\n" + problemsHtml(report) + budgetsHtml(report) + "</div>\n";
  html += section("What ships", treemapHtml(report));
  html += section("Shipped after each cook", historyHtml(report.runs));
  html += changesHtml(report);
  html += "<div class=\"columns\">\n";
  html += section("By profile", groupsHtml("profile", report.profiles,
                                           report.comparison ? &report.comparison->profiles : nullptr, profileHtml));
  html += section("By folder", foldersHtml(report), "long");
  html += section("Largest", assetsHtml(report.largest()));
  html += section("Most of its tolerance used", assetsHtml(report.mostUsed()));
  return html + "</div>\n<script>" + kHtmlScript + "</script>\n</body></html>\n";
}

}  // namespace simmer
