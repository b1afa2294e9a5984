#include "cooker/policy/names.h"
#include "cooker/policy/project_parser.h"
#include "cooker/policy/values.h"

namespace simmer {
namespace {

using Scope = Budget::Scope;

constexpr Scope kScopes[] = {Scope::Folder, Scope::Profile, Scope::Tag, Scope::Asset};
const std::vector<std::string_view> kNames = {
    "name", "folder",    "profile",      "tag",          "asset",
    "size", "max_bytes", "max_error_mm", "max_error_px", "max_growth_percent"};

/// A number above zero.
Result<double> positive(const toml::key& key, const toml::node& node) {
  SIMMER_TRY(written, writtenValue(key.str(), node, kProjectFileName));
  SettingSpec spec;
  spec.name = key.str();
  spec.type = SettingSpec::Type::Number;
  spec.minimum = 0;
  auto checked = spec.check(written.value);
  if (!checked) return placed(std::move(checked).error(), node.source());
  return std::get<double>(*checked);
}

}  // namespace

std::string_view toString(Budget::Scope scope) {
  constexpr std::string_view kTexts[] = {"total", "folder", "profile", "tag", "asset"};
  return kTexts[static_cast<std::size_t>(scope)];
}

Result<void> Project::Parser::parseBudgets(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (!list)
    return failAt(ErrorCode::InvalidInput, place(node.source()), "'budget' is {}, expected [[budget]] for each",
                  kindText(node));
  for (const toml::node& element : *list) {
    const toml::table* table = element.as_table();
    if (!table)
      return failAt(ErrorCode::InvalidInput, place(element.source()), "a budget is {}, expected [[budget]]",
                    kindText(element));
    SIMMER_TRY(budget, parseBudget(*table));
    rules.budgets.push_back(std::move(budget));
  }
  return {};
}

Result<Budget> Project::Parser::parseBudget(const toml::table& table) const {
  Budget budget;
  budget.line = static_cast<int>(table.source().begin.line);
  budget.column = static_cast<int>(table.source().begin.column);
  for (const auto& [key, node] : table)
    if (std::find(kNames.begin(), kNames.end(), key.str()) == kNames.end())
      return unknownKey(key, " in a budget", kNames);
  SIMMER_CHECK(parseBudgetScope(budget, table));
  SIMMER_CHECK(parseBudgetLimits(budget, table));
  budget.name = budget.scope == Scope::Total ? "total" : fmt::format("{} {}", toString(budget.scope), budget.of);
  if (const toml::node* node = table.get("name")) {
    SIMMER_TRY(name, textValue("name", *node, kProjectFileName));
    budget.name = name;
  }
  return budget;
}

Result<void> Project::Parser::parseBudgetScope(Budget& budget, const toml::table& table) const {
  for (const Scope scope : kScopes) {
    const toml::node* node = table.get(toString(scope));
    if (!node) continue;
    if (budget.scope != Scope::Total)
      return failAt(ErrorCode::InvalidInput, place(node->source()),
                    "a budget is for one thing, this one has '{}' and '{}'", toString(budget.scope), toString(scope));
    SIMMER_TRY(of, textValue(toString(scope), *node, kProjectFileName));
    budget.scope = scope;
    budget.of = scope == Scope::Folder && of.ends_with('/') ? of.substr(0, of.size() - 1) : of;
    SIMMER_CHECK(checkScope(budget, *node));
  }
  return {};
}

Result<void> Project::Parser::checkScope(const Budget& budget, const toml::node& node) const {
  if (budget.scope == Scope::Profile && !rules.profiles.contains(budget.of))
    return failAt(ErrorCode::InvalidInput, place(node.source()), "there is no profile {}{}", quotedName(budget.of),
                  nameAdvice(budget.of, namesOf(rules.profiles)));
  if (budget.scope != Scope::Asset) return {};
  auto glob = Glob::parse(budget.of);
  if (!glob) return placed(std::move(glob).error(), node.source());
  return {};
}

Result<void> Project::Parser::parseBudgetLimits(Budget& budget, const toml::table& table) const {
  for (const auto& [key, node] : table) {
    const std::string_view name = key.str();
    if (name == "max_bytes") {
      SIMMER_TRY(written, writtenValue(name, node, kProjectFileName));
      auto bytes = parseByteSize(written.value);
      if (!bytes) return placed(std::move(bytes).error(), node.source());
      budget.maxBytes = *bytes;
    } else if (name == "size") {
      SIMMER_TRY(size, textValue(name, node, kProjectFileName));
      if (size != "artifact" && size != "memory")
        return failAt(ErrorCode::InvalidInput, place(node.source()), "size is {}, expected artifact or memory",
                      quotedName(size));
      budget.size = size == "memory" ? Budget::Size::Memory : Budget::Size::Artifact;
    } else if (name.starts_with("max_")) {
      SIMMER_TRY(limit, positive(key, node));
      (name == "max_error_mm"   ? budget.maxErrorMm
       : name == "max_error_px" ? budget.maxErrorPx
                                : budget.maxGrowthPercent) = limit;
    }
  }
  if (budget.maxBytes || budget.maxGrowthPercent || budget.maxErrorMm || budget.maxErrorPx) return {};
  return failAt(ErrorCode::InvalidInput, place(table.source()),
                "a budget without a limit: expected max_bytes, max_growth_percent, max_error_mm or max_error_px");
}

}  // namespace simmer
