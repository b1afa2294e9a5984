#include <cmath>

#include "cooker/report/escape.h"
#include "cooker/report/numbers.h"
#include "cooker/report/report_text.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

using Align = TextTable::Align;
using Limit = LimitCheck::Limit;

std::string percentText(double percent) {
  const std::string sign = percent < 0 ? "−" : "+";
  return fmt::format("{}{:.1f} %", sign, std::abs(percent));
}

/// The limit is written as the project file has it, but for digits that nobody writes.
std::string plainNumber(double value) {
  return fmt::format("{:.6g}", value);
}

std::uint64_t wholeBytes(double bytes) {
  return static_cast<std::uint64_t>(std::max(0.0, bytes));
}

std::string leftText(const LimitCheck& check) {
  if (!check.used) return "–";
  const double left = check.most - *check.used;
  switch (check.limit) {
    case Limit::Bytes:
      return left < 0 ? fmt::format("−{}", bytesText(wholeBytes(-left))) : bytesText(wholeBytes(left));
    case Limit::Growth:
      return percentText(left);
    default:
      return left < 0 ? "–" : fmt::format("{:.2f} {}", left, check.limit == Limit::ErrorMm ? "mm" : "px");
  }
}

std::string verdictText(const BudgetVerdict& verdict, const LimitCheck& check) {
  if (check.verdict == Verdict::Exceeded) return "✕ exceeded";
  if (check.verdict == Verdict::NoBaseline)
    return verdict.before ? "? was empty at the baseline" : "? no baseline (--baseline)";
  return verdict.assets == 0 ? "fine: no asset" : "fine";
}

}  // namespace

std::string mostText(const LimitCheck& check) {
  switch (check.limit) {
    case Limit::Bytes:
      return bytesText(wholeBytes(check.most));
    case Limit::Growth:
      return fmt::format("+{} %", plainNumber(check.most));
    case Limit::ErrorMm:
      return plainNumber(check.most) + " mm";
    case Limit::ErrorPx:
      return plainNumber(check.most) + " px";
  }
  return {};
}

std::string usedText(const LimitCheck& check) {
  if (!check.used) return "–";
  switch (check.limit) {
    case Limit::Bytes:
      return bytesText(wholeBytes(*check.used));
    case Limit::Growth:
      return percentText(*check.used);
    case Limit::ErrorMm:
      return measuredMmText(*check.used) + " mm";
    case Limit::ErrorPx:
      return measuredPxText(*check.used) + " px";
  }
  return {};
}

std::string limitText(const LimitCheck& check) {
  if (check.verdict == Verdict::NoBaseline) return fmt::format("growth is not known, at most {}", mostText(check));
  std::string text = fmt::format("{}, at most {}", usedText(check), mostText(check));
  // Two sizes may look the same in three digits.
  if (check.limit == Limit::Bytes && check.verdict == Verdict::Exceeded)
    text += fmt::format(" ({} over)", bytesText(wholeBytes(*check.used - check.most)));
  return text;
}

std::string culpritText(const Culprit& culprit) {
  const std::string name = cleanLine(culprit.name);
  if (culprit.errorMm >= 0)
    return fmt::format("{}  {} mm, {} px", name, measuredMmText(culprit.errorMm), measuredPxText(culprit.errorPx));
  if (!culprit.before) return fmt::format("{}  {}", name, bytesText(culprit.after));
  if (*culprit.before == 0) return fmt::format("{}  {} (new)", name, bytesText(culprit.after));
  return fmt::format("{}  {} ({})", name, fromToText(*culprit.before, culprit.after),
                     growthText(*culprit.before, culprit.after));
}

std::string budgetText(const ProjectReport& report, std::size_t width) {
  if (report.budgets.empty())
    return "No budgets: the project sets none. A [[budget]] in simmer.toml sets one:\n"
           "    [[budget]]\n    folder = \"npc\"\n    max_bytes = \"10 MB\"\n";
  TextTable table({{"budget"}, {"at most", Align::Right}, {"used", Align::Right}, {"left", Align::Right}, {"verdict"}});
  for (const BudgetVerdict& verdict : report.budgets)
    for (const LimitCheck& check : verdict.limits)
      table.add({cleanLine(verdict.budget.name) + (verdict.budget.size == Budget::Size::Memory ? " in memory" : ""),
                 mostText(check), usedText(check), leftText(check), verdictText(verdict, check)});
  std::string text = table.text(width);
  for (const BudgetVerdict& verdict : report.budgets) {
    if (verdict.verdict != Verdict::Exceeded) continue;
    for (const LimitCheck& check : verdict.limits)
      if (check.verdict == Verdict::Exceeded)
        text += fmt::format("\n✕ {} (simmer.toml:{}): {}\n", cleanLine(verdict.budget.name), verdict.budget.line,
                            limitText(check));
    for (const Culprit& culprit : verdict.culprits)
      text += fmt::format("    {} {}\n", culprit.before ? "▲" : "·", culpritText(culprit));
  }
  return text;
}

}  // namespace simmer
