#include "cooker/report/budget_check.h"

#include <algorithm>
#include <map>

#include "cooker/base/glob.h"
#include "cooker/report/cook_text.h"

namespace simmer {
namespace {

using Rows = std::vector<const AssetRow*>;

/// A thing that takes bytes: a published file, or an asset in memory.
struct Part {
  const AssetRow* row = nullptr;
  std::string name;
  std::string item;
  std::uint64_t bytes = 0;
};
using Parts = std::map<std::string, Part>;

bool isBelow(const std::string& source, const std::string& folder) {
  return folder.empty() || folder == "." ||
         (source.size() > folder.size() && source.starts_with(folder) && source[folder.size()] == '/');
}

/// The assets of a state that a budget is about.
Rows rowsOf(const Budget& budget, const ProjectState& state) {
  std::optional<Glob> glob;
  if (budget.scope == Budget::Scope::Asset)
    if (auto parsed = Glob::parse(budget.of)) glob = std::move(*parsed);
  const auto covers = [&](const AssetRow& row) {
    switch (budget.scope) {
      case Budget::Scope::Total:
        return true;
      case Budget::Scope::Folder:
        return isBelow(row.source, budget.of);
      case Budget::Scope::Profile:
        return row.profile == budget.of;
      case Budget::Scope::Tag:
        return std::find(row.tags.begin(), row.tags.end(), budget.of) != row.tags.end();
      case Budget::Scope::Asset:
        return glob && glob->matches(row.source);
    }
    return false;
  };
  Rows rows;
  for (const AssetRow& row : state.rows)
    if (covers(row)) rows.push_back(&row);
  return rows;
}

Parts partsOf(const Budget& budget, const Rows& rows) {
  Parts parts;
  for (const AssetRow* row : rows) {
    if (budget.size == Budget::Size::Memory) {
      parts.emplace(row->source + '\n' + row->item, Part{row, assetName(*row), row->item, row->memoryBytes});
      continue;
    }
    for (std::size_t o = 0; o < row->outputs.size(); ++o) {
      const PublishedOutput& output = row->outputs[o];
      Part part{row, o == 0 ? assetName(*row) : output.path, o == 0 ? row->item : std::string(), output.bytes};
      parts.emplace(output.path, std::move(part));
    }
  }
  return parts;
}

std::uint64_t sumOf(const Parts& parts) {
  std::uint64_t sum = 0;
  for (const auto& [key, part] : parts) sum += part.bytes;
  return sum;
}

double growthOf(const Culprit& culprit) {
  return static_cast<double>(culprit.after) - static_cast<double>(culprit.before.value_or(0));
}

/// Who grew most; with no baseline, who is largest.
std::vector<Culprit> byBytes(const Parts& now, const Parts* before, std::size_t most) {
  std::vector<Culprit> culprits;
  for (const auto& [key, part] : now) {
    Culprit culprit{part.name, part.row->source, part.item, {}, part.bytes};
    if (before) {
      const auto old = before->find(key);
      culprit.before = old == before->end() ? 0 : old->second.bytes;
      if (culprit.after <= *culprit.before) continue;
    }
    culprits.push_back(std::move(culprit));
  }
  std::stable_sort(culprits.begin(), culprits.end(),
                   [](const Culprit& a, const Culprit& b) { return growthOf(a) > growthOf(b); });
  if (culprits.size() > most) culprits.resize(most);
  return culprits;
}

bool aboveErrors(const Budget& budget, const AssetRow& row) {
  return (budget.maxErrorMm && row.worldErrorMm() > *budget.maxErrorMm) ||
         (budget.maxErrorPx && row.worldErrorPx() > *budget.maxErrorPx);
}

void addByError(BudgetVerdict& verdict, const Rows& rows, std::size_t most) {
  std::vector<Culprit> culprits;
  for (const AssetRow* row : rows)
    if (aboveErrors(verdict.budget, *row))
      culprits.push_back(
          {assetName(*row), row->source, row->item, {}, row->artifactBytes, row->worldErrorMm(), row->worldErrorPx()});
  std::stable_sort(culprits.begin(), culprits.end(),
                   [](const Culprit& a, const Culprit& b) { return a.errorMm > b.errorMm; });
  if (culprits.size() > most) culprits.resize(most);
  verdict.culprits.insert(verdict.culprits.end(), culprits.begin(), culprits.end());
}

void addLimit(BudgetVerdict& verdict, LimitCheck::Limit limit, const std::optional<double>& most,
              std::optional<double> used) {
  if (!most) return;
  const Verdict limitVerdict = used && *used > *most                         ? Verdict::Exceeded
                               : !used && limit == LimitCheck::Limit::Growth ? Verdict::NoBaseline
                                                                             : Verdict::Fine;
  verdict.limits.push_back({limit, *most, used, limitVerdict});
  verdict.verdict = std::max(verdict.verdict, limitVerdict);
}

/// The largest of these errors; nothing when none is known.
template <class Error>
std::optional<double> worstOf(const Rows& rows, Error error) {
  std::optional<double> worst;
  for (const AssetRow* row : rows)
    if (const double value = error(*row); value >= 0) worst = std::max(worst.value_or(0), value);
  return worst;
}

BudgetVerdict check(const Budget& budget, const ProjectState& now, const ProjectState* baseline, std::size_t most) {
  using Limit = LimitCheck::Limit;
  BudgetVerdict verdict;
  verdict.budget = budget;
  const Rows rows = rowsOf(budget, now);
  const Parts parts = partsOf(budget, rows);
  verdict.assets = rows.size();
  verdict.used = sumOf(parts);
  std::optional<Parts> before;
  if (baseline) {
    before = partsOf(budget, rowsOf(budget, *baseline));
    verdict.before = sumOf(*before);
  }
  const double used = static_cast<double>(verdict.used);
  addLimit(verdict, Limit::Bytes, budget.maxBytes ? std::optional(static_cast<double>(*budget.maxBytes)) : std::nullopt,
           used);
  std::optional<double> growth;
  // What was empty grows by no percentage that could be held against a limit.
  if (verdict.before && *verdict.before > 0) {
    const double old = static_cast<double>(*verdict.before);
    growth = 100 * (used - old) / old;
  }
  addLimit(verdict, Limit::Growth, budget.maxGrowthPercent, growth);
  const bool bytesExceeded = verdict.verdict == Verdict::Exceeded;
  addLimit(verdict, Limit::ErrorMm, budget.maxErrorMm, worstOf(rows, [](auto& row) { return row.worldErrorMm(); }));
  addLimit(verdict, Limit::ErrorPx, budget.maxErrorPx, worstOf(rows, [](auto& row) { return row.worldErrorPx(); }));
  if (bytesExceeded) verdict.culprits = byBytes(parts, before ? &*before : nullptr, most);
  if (verdict.verdict == Verdict::Exceeded) addByError(verdict, rows, most);
  return verdict;
}

}  // namespace

std::string_view toString(Verdict verdict) {
  constexpr std::string_view kTexts[] = {"fine", "no-baseline", "exceeded"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

std::string_view toString(LimitCheck::Limit limit) {
  constexpr std::string_view kTexts[] = {"max_bytes", "max_growth_percent", "max_error_mm", "max_error_px"};
  return kTexts[static_cast<std::size_t>(limit)];
}

std::vector<BudgetVerdict> checkBudgets(const std::vector<Budget>& budgets, const ProjectState& now,
                                        const ProjectState* baseline, std::size_t mostCulprits) {
  std::vector<BudgetVerdict> verdicts;
  verdicts.reserve(budgets.size());
  for (const Budget& budget : budgets) verdicts.push_back(check(budget, now, baseline, mostCulprits));
  return verdicts;
}

}  // namespace simmer
