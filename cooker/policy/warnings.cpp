#include <algorithm>
#include <set>

#include "cooker/policy/names.h"
#include "cooker/policy/project.h"
#include "cooker/policy/rules.h"

namespace simmer {
namespace {

using Paths = std::vector<std::string_view>;

constexpr std::string_view kWildcards = "*?[{\\";

std::string_view nameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}
std::string_view folderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
}
std::string_view suffixOf(std::string_view path) {
  const std::string_view name = nameOf(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

/// What stands directly in a folder ("npc/"): "walk.bvh", or "heroes/" for what lies deeper. Paths are sorted, so equal
/// ones follow each other.
std::vector<std::string_view> entriesOf(std::string_view folder, const Paths& paths) {
  std::vector<std::string_view> entries;
  for (auto path = std::lower_bound(paths.begin(), paths.end(), folder);
       path != paths.end() && path->starts_with(folder); ++path) {
    const std::string_view rest = path->substr(folder.size());
    const std::string_view entry =
        rest.substr(0, std::min(rest.find('/'), rest.size()) + (rest.find('/') != rest.npos));
    if (entries.empty() || entries.back() != entry) entries.push_back(entry);
  }
  return entries;
}

/// The same pattern with the first folder or name that is not there replaced by the nearest one that is; empty when no
/// name is near.
std::string nearestPattern(std::string_view pattern, const Paths& paths) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t slash = pattern.find('/', begin);
    const std::string_view part = pattern.substr(begin, slash == std::string_view::npos ? slash : slash + 1 - begin);
    if (part.find_first_of(kWildcards) != std::string_view::npos) break;
    const std::vector<std::string_view> entries = entriesOf(pattern.substr(0, begin), paths);
    if (std::find(entries.begin(), entries.end(), part) == entries.end()) {
      const std::string_view nearest = nearestName(part, entries);
      if (nearest.empty()) return {};
      return fmt::format("{}{}{}", pattern.substr(0, begin), nearest, pattern.substr(begin + part.size()));
    }
    if (slash == std::string_view::npos) return {};
    begin = slash + 1;
  }
  const std::string_view suffix = suffixOf(pattern);
  if (suffix.empty() || suffix.find_first_of(kWildcards) != std::string_view::npos) return {};
  std::set<std::string_view> suffixes;
  for (const std::string_view path : paths) suffixes.insert(suffixOf(path));
  const std::string_view nearest = nearestName(suffix, {suffixes.begin(), suffixes.end()});
  if (nearest.empty() || nearest == suffix) return {};
  return fmt::format("{}{}", pattern.substr(0, pattern.size() - suffix.size()), nearest);
}

std::string adviceFor(std::string_view pattern, const Paths& paths) {
  const std::string nearest = nearestPattern(pattern, paths);
  return nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest);
}

Error warning(std::string where, std::string message) {
  return {ErrorCode::InvalidInput, std::move(message), std::move(where)};
}

std::string placeOf(const PlacedGlob& pattern) {
  return fmt::format("{}:{}:{}", kProjectFileName, pattern.line, pattern.column);
}

void addRuleWarnings(const PolicyRules& rules, const Paths& sources, std::vector<Error>& warnings) {
  for (const PolicyRule& rule : rules.rules)
    for (const PlacedGlob& pattern : rule.match) {
      if (std::any_of(sources.begin(), sources.end(), [&](auto path) { return pattern.glob.matches(path); })) continue;
      warnings.push_back(
          warning(placeOf(pattern), fmt::format("no source matches {} of {}{}", quotedName(pattern.glob.pattern()),
                                                rule.layer.label, adviceFor(pattern.glob.pattern(), sources))));
    }
}

/// Whether the glob matches the file or a folder that it is in.
bool matchesSomewhere(const Glob& glob, std::string_view path) {
  if (glob.matches(path)) return true;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    if (glob.matches(path.substr(0, slash)) || glob.matches(path.substr(0, slash + 1))) return true;
  return false;
}

void addIgnoreWarnings(const PolicyRules& rules, const Paths& paths, std::vector<Error>& warnings) {
  for (const PlacedGlob& pattern : rules.ignore) {
    const auto matches = [&](auto path) { return matchesSomewhere(pattern.glob, path); };
    // What is ignored often comes and goes ("*.tmp"): only a likely slip of the hand is worth a word.
    const std::string advice = adviceFor(pattern.glob.pattern(), paths);
    if (advice.empty() || std::any_of(paths.begin(), paths.end(), matches)) continue;
    warnings.push_back(warning(placeOf(pattern), fmt::format("'ignore' names {}, which matches no file{}",
                                                             quotedName(pattern.glob.pattern()), advice)));
  }
}

void addSidecarWarnings(const Paths& paths, std::vector<Error>& warnings) {
  for (const std::string_view path : paths) {
    if (!path.ends_with(kSidecarSuffix)) continue;
    const std::string_view source = path.substr(0, path.size() - std::string_view(kSidecarSuffix).size());
    if (std::binary_search(paths.begin(), paths.end(), source)) continue;
    std::vector<std::string_view> beside = entriesOf(folderOf(path), paths);
    std::erase_if(beside, [](auto name) { return name.ends_with('/') || name.ends_with(kSidecarSuffix); });
    const std::string_view nearest = nearestName(nameOf(source), beside);
    warnings.push_back(
        warning(std::string(path),
                fmt::format("a sidecar without a source: {} is not there{}", quotedName(nameOf(source)),
                            nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest))));
  }
}

}  // namespace

std::vector<Error> Project::warnings(const std::vector<std::string_view>& paths) const {
  Paths sources;
  for (const std::string_view path : paths)
    if (!path.ends_with(kSidecarSuffix) && nameOf(path) != kProjectFileName && !ignored(path)) sources.push_back(path);
  std::vector<Error> found;
  addRuleWarnings(*m_rules, sources, found);
  addIgnoreWarnings(*m_rules, paths, found);
  addSidecarWarnings(paths, found);
  return found;
}

}  // namespace simmer
