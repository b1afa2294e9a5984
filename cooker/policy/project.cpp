#include "cooker/policy/project.h"

#include <algorithm>
#include <cstdlib>

#include "cooker/base/file.h"
#include "cooker/policy/project_parser.h"
#include "cooker/policy/rules.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

/// What of the installed plugins decides recipes: which files they take, their settings and defaults, their versions.
void addCatalog(Hasher& hasher, const Catalog& catalog) {
  const auto add = [&](std::string_view label, std::string_view text) {
    hasher.add(asBytes(fmt::format("{} {}:", label, text.size())));
    hasher.add(asBytes(text));
  };
  const auto limit = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "-"; };
  for (const PluginMetadata* plugin : catalog.plugins()) {
    add("plugin", plugin->versionText());
    for (const Glob& glob : plugin->patterns) add("pattern", glob.pattern());
    const auto addSettings = [&](const std::vector<SettingSpec>& settings) {
      for (const SettingSpec& spec : settings) {
        add("setting", spec.name);
        add("type", toString(spec.type));
        add("default", canonicalText(spec.defaultValue));
        add("range", limit(spec.minimum) + " " + limit(spec.maximum) + (spec.import ? " import" : ""));
        for (const std::string& choice : spec.choices) add("choice", choice);
      }
    };
    addSettings(plugin->settings);
    for (const TableSpec& table : plugin->tables) {
      add("table", table.name);
      addSettings(table.settings);
    }
  }
}

/// Whether one of the globs matches a file, or a folder that is written with '/' at its end or without.
bool anyMatches(const std::vector<PlacedGlob>& globs, std::string_view path) {
  const bool folder = path.ends_with('/');
  return std::any_of(globs.begin(), globs.end(), [&](const PlacedGlob& placed) {
    return placed.glob.matches(path) || (folder && placed.glob.matches(path.substr(0, path.size() - 1)));
  });
}

}  // namespace

Result<fs::path> Project::findRoot(const fs::path& start) {
  std::error_code error;
  for (fs::path folder = normalPath(start);; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kProjectFileName, error)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return fail(ErrorCode::NotFound, "no {} here or in a folder above; `simmer init` makes one", kProjectFileName);
}

Result<Project> Project::load(const fs::path& root, const Catalog& catalog) {
  auto bytes = readFile(root / kProjectFileName, std::uint64_t{1} << 20);
  if (!bytes) {
    Error error = std::move(bytes).error();
    error.where = kProjectFileName;
    if (error.code == ErrorCode::NotFound) error.message = "it is not there; `simmer init` makes one";
    return tl::unexpected(std::move(error));
  }
  SIMMER_TRY(project, parse(asText(*bytes), root, catalog));
  std::error_code error;
  if (!fs::is_directory(project.source(), error))
    return failAt(ErrorCode::InvalidInput, project.m_sourcePlace, "the source folder '{}' is not there",
                  project.source().lexically_relative(project.root()).string());
  return project;
}

Result<Project> Project::parse(std::string_view toml, const fs::path& root, const Catalog& catalog) {
  Parser parser{catalog, {}, {}};
  Project& project = parser.project;
  project.m_root = normalPath(root);
  project.m_source = project.m_root;
  project.m_output = project.m_root / "cooked";
  project.m_catalog = &catalog;
  SIMMER_CHECK(parser.parseFile(toml));
  project.m_rules = std::make_shared<const PolicyRules>(std::move(parser.rules));
  Hasher hasher;
  hasher.add(asBytes(toml));
  addCatalog(hasher, catalog);
  project.m_digest = hasher.finish();
  return std::move(parser.project);
}

fs::path Project::cacheFile() const {
  fs::path path = m_cachePath;
  if (path.empty()) {
    const char* shared = std::getenv("SIMMER_CACHE");
    path = shared && *shared ? fs::path(shared) : fs::path(kStateFolderName) / "cache.db";
  }
  const bool saysFolder = !path.has_filename();  // a '/' at the end
  path = normalPath(m_root / path);
  std::error_code error;
  const bool file =
      !saysFolder && !fs::is_directory(path, error) && (path.extension() == ".db" || fs::is_regular_file(path, error));
  return file ? path : path / "cache.db";
}

bool Project::ignored(std::string_view path) const {
  const std::vector<PlacedGlob>& ignore = m_rules->ignore;
  if (ignore.empty()) return false;
  if (anyMatches(ignore, path)) return true;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos && slash + 1 < path.size();
       slash = path.find('/', slash + 1))
    if (anyMatches(ignore, path.substr(0, slash + 1))) return true;
  return false;
}

const std::vector<Budget>& Project::budgets() const {
  return m_rules->budgets;
}

std::vector<std::string> Project::profiles() const {
  std::vector<std::string> names;
  for (const auto& [name, layer] : m_rules->profiles) names.push_back(name);
  return names;
}

}  // namespace simmer
