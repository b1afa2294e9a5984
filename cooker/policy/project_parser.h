#pragma once

#include <filesystem>
#include <string_view>

#include "cooker/policy/project.h"
#include "cooker/policy/rules.h"
#include "cooker/policy/toml_text.h"

namespace simmer {

/// Turns the text of a project file into a Project. Lives for one parse.
struct Project::Parser {
  const Catalog& catalog;
  Project project;
  PolicyRules rules;

  Result<void> parseFile(std::string_view text);

 private:
  Result<void> parseTable(const toml::key& key, const toml::node& node);
  Result<void> parseProject(const toml::table& table);
  Result<void> parseCache(const toml::table& table);
  Result<void> parseCachePath(const toml::key& key, const toml::node& node);
  Result<void> parseIgnore(const toml::node& node);
  Result<void> parseScreen(const toml::table& table);
  Result<void> parseProfiles(const toml::table& table);
  Result<void> parsePlugins(const toml::table& table);
  Result<void> parseRules(const toml::node& node);
  Result<void> parseRule(const toml::node& node);
  Result<void> parseMatch(PolicyRule& rule, const toml::table& table);
  Result<void> parseRuleNames(PolicyRule& rule, const toml::table& table);
  Result<void> parseBudgets(const toml::node& node);
  Result<Budget> parseBudget(const toml::table& table) const;
  Result<void> parseBudgetScope(Budget& budget, const toml::table& table) const;
  Result<void> checkScope(const Budget& budget, const toml::node& node) const;
  Result<void> parseBudgetLimits(Budget& budget, const toml::table& table) const;
  Result<std::vector<PlacedGlob>> parseGlobs(std::string_view name, const toml::node& node) const;
  Result<void> parseValues(ValueLayer& layer, const toml::table& table, const PluginMetadata* plugin,
                           const std::vector<std::string_view>& own);
  Result<std::filesystem::path> pathValue(std::string_view name, const toml::node& node) const;
  Result<void> checkPaths(const toml::table& file) const;
};

// What its two .cpp files share.

std::string place(const toml::source_region& region);
/// The same error at this place.
tl::unexpected<Error> placed(Error error, const toml::source_region& region);
tl::unexpected<Error> unknownKey(const toml::key& key, std::string_view table,
                                 const std::vector<std::string_view>& valid);

template <class Map>
std::vector<std::string_view> namesOf(const Map& map) {
  std::vector<std::string_view> names;
  names.reserve(map.size());
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

/// The path with links resolved as far as it exists, absolute, without '.', '..' and a '/' at the end.
std::filesystem::path normalPath(const std::filesystem::path& path);
/// Whether `path` is `folder` or lies in it. Both are normalPath()s.
bool isInside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace simmer
