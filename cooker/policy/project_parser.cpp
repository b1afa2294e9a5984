#include "cooker/policy/project_parser.h"

#include "cooker/policy/names.h"
#include "cooker/policy/values.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string_view>;

constexpr std::size_t kMaxPatterns = 1024;
constexpr std::uint64_t kMinCacheBytes = 1'000'000;

Result<const toml::table*> tableOf(const toml::key& key, const toml::node& node, std::string_view form) {
  if (const toml::table* table = node.as_table()) return table;
  return failAt(ErrorCode::InvalidInput, place(key.source()), "{} is {}, expected a table {}", quotedName(key.str()),
                kindText(node), form);
}

}  // namespace

std::string place(const toml::source_region& region) {
  return placeText(kProjectFileName, region);
}

tl::unexpected<Error> placed(Error error, const toml::source_region& region) {
  // A place inside the value ("character 3" of a pattern) goes into the message.
  if (!error.where.empty()) error.message = fmt::format("{}: {}", error.where, error.message);
  error.where = place(region);
  return tl::unexpected(std::move(error));
}

tl::unexpected<Error> unknownKey(const toml::key& key, std::string_view table, const Names& valid) {
  return failAt(ErrorCode::InvalidInput, place(key.source()), "unknown key {}{}{}", quotedName(key.str()), table,
                nameAdvice(key.str(), valid));
}

fs::path normalPath(const fs::path& path) {
  std::error_code error;
  fs::path normal = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) normal = fs::absolute(path, error).lexically_normal();
  return normal.has_filename() || normal == normal.root_path() ? normal : normal.parent_path();
}

bool isInside(const fs::path& path, const fs::path& folder) {
  const std::string &inner = path.native(), &outer = folder.native();
  if (!inner.starts_with(outer)) return false;
  return inner.size() == outer.size() || outer.ends_with('/') || inner[outer.size()] == '/';
}

Result<void> Project::Parser::parseFile(std::string_view text) {
  SIMMER_TRY(file, parseToml(text, kProjectFileName));
  // Profiles first: rules and budgets name them, in whatever order they stand.
  for (const auto& [key, node] : file)
    if (key.str() == "profile") SIMMER_CHECK(parseTable(key, node));
  for (const auto& [key, node] : file)
    if (key.str() != "profile") SIMMER_CHECK(parseTable(key, node));
  return checkPaths(file);
}

Result<void> Project::Parser::parseTable(const toml::key& key, const toml::node& node) {
  const std::string_view name = key.str();
  if (name == "rule") return parseRules(node);
  if (name == "budget") return parseBudgets(node);
  struct Known {
    const char* name;
    const char* form;
    Result<void> (Parser::*parse)(const toml::table&);
  };
  constexpr Known kTables[] = {{"project", "[project]", &Parser::parseProject},
                               {"cache", "[cache]", &Parser::parseCache},
                               {"screen", "[screen]", &Parser::parseScreen},
                               {"profile", "[profile.NAME]", &Parser::parseProfiles},
                               {"plugin", "[plugin.NAME]", &Parser::parsePlugins}};
  for (const Known& known : kTables) {
    if (name != known.name) continue;
    SIMMER_TRY(table, tableOf(key, node, known.form));
    return (this->*known.parse)(*table);
  }
  return unknownKey(key, "", {"project", "cache", "screen", "profile", "rule", "plugin", "budget"});
}

Result<fs::path> Project::Parser::pathValue(std::string_view name, const toml::node& node) const {
  SIMMER_TRY(text, textValue(name, node, kProjectFileName));
  return normalPath(project.m_root / text);
}

Result<void> Project::Parser::parseProject(const toml::table& table) {
  for (const auto& [key, node] : table) {
    if (key.str() == "source" || key.str() == "output") {
      SIMMER_TRY(path, pathValue(key.str(), node));
      (key.str() == "source" ? project.m_source : project.m_output) = path;
      if (key.str() == "source") project.m_sourcePlace = place(node.source());
    } else if (key.str() == "ignore") {
      SIMMER_CHECK(parseIgnore(node));
    } else if (key.str() == "cache") {
      SIMMER_CHECK(parseCachePath(key, node));
    } else {
      return unknownKey(key, " in [project]", {"source", "output", "ignore", "cache"});
    }
  }
  return {};
}

Result<void> Project::Parser::parseIgnore(const toml::node& node) {
  SIMMER_TRY(globs, parseGlobs("ignore", node));
  rules.ignore = std::move(globs);
  return {};
}

Result<std::vector<PlacedGlob>> Project::Parser::parseGlobs(std::string_view name, const toml::node& node) const {
  SIMMER_TRY(patterns, textList(name, node, kProjectFileName));
  if (patterns.size() > kMaxPatterns)
    return failAt(ErrorCode::InvalidInput, place(node.source()), "'{}' has {} patterns, at most {}", name,
                  patterns.size(), kMaxPatterns);
  std::vector<PlacedGlob> globs;
  for (const PlacedText& pattern : patterns) {
    auto glob = Glob::parse(pattern.text);
    if (!glob) return placed(std::move(glob).error(), pattern.region);
    globs.push_back(
        {std::move(*glob), static_cast<int>(pattern.region.begin.line), static_cast<int>(pattern.region.begin.column)});
  }
  return globs;
}

Result<void> Project::Parser::parseScreen(const toml::table& table) {
  const Names& valid = screenNames();
  for (const auto& [key, node] : table)
    if (std::find(valid.begin(), valid.end(), key.str()) == valid.end()) return unknownKey(key, " in [screen]", valid);
  return parseValues(rules.screen, table, nullptr, {});
}

/// The cache's place may stand in [project] or in [cache].
Result<void> Project::Parser::parseCachePath(const toml::key& key, const toml::node& node) {
  SIMMER_TRY(path, textValue(key.str(), node, kProjectFileName));
  if (!project.m_cachePath.empty())
    return failAt(ErrorCode::InvalidInput, place(node.source()),
                  "the cache's place stands twice, in [project] and in [cache]: keep one");
  // Kept as it was written: a '/' at its end says that it is a folder.
  project.m_cachePath = path;
  project.m_cachePlace = place(node.source());
  return {};
}

Result<void> Project::Parser::parseCache(const toml::table& table) {
  for (const auto& [key, node] : table) {
    if (key.str() == "path") {
      SIMMER_CHECK(parseCachePath(key, node));
    } else if (key.str() == "limit") {
      SIMMER_TRY(written, writtenValue(key.str(), node, kProjectFileName));
      auto limit = parseByteSize(written.value, kMinCacheBytes);
      if (!limit) return placed(std::move(limit).error(), node.source());
      project.m_cacheLimitBytes = *limit;
    } else {
      return unknownKey(key, " in [cache]", {"path", "limit"});
    }
  }
  return {};
}

Result<void> Project::Parser::parseProfiles(const toml::table& table) {
  for (const auto& [key, node] : table) {
    SIMMER_TRY(values, tableOf(key, node, "[profile.NAME]"));
    ValueLayer layer{fmt::format("profile {}", key.str()), {}};
    SIMMER_CHECK(parseValues(layer, *values, nullptr, {}));
    rules.profiles.emplace(std::string(key.str()), std::move(layer));
  }
  return {};
}

Result<void> Project::Parser::parsePlugins(const toml::table& table) {
  for (const auto& [key, node] : table) {
    SIMMER_TRY(values, tableOf(key, node, "[plugin.NAME]"));
    const PluginMetadata* plugin = catalog.find(key.str());
    if (!plugin)
      return failAt(ErrorCode::InvalidInput, place(key.source()), "{}", noSuchPlugin(key.str(), catalog, false));
    ValueLayer layer{fmt::format("plugin {}", key.str()), {}};
    SIMMER_CHECK(parseValues(layer, *values, plugin, {}));
    rules.plugins.emplace(std::string(key.str()), std::move(layer));
  }
  return {};
}

Result<void> Project::Parser::parseRules(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (!list)
    return failAt(ErrorCode::InvalidInput, place(node.source()), "'rule' is {}, expected [[rule]] for each rule",
                  kindText(node));
  for (const toml::node& rule : *list) SIMMER_CHECK(parseRule(rule));
  return {};
}

Result<void> Project::Parser::parseRule(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (!table)
    return failAt(ErrorCode::InvalidInput, place(node.source()), "a rule is {}, expected [[rule]]", kindText(node));
  PolicyRule rule;
  rule.layer.label = fmt::format("rule {}", rules.rules.size() + 1);
  SIMMER_CHECK(parseMatch(rule, *table));
  SIMMER_CHECK(parseRuleNames(rule, *table));
  SIMMER_CHECK(parseValues(rule.layer, *table, catalog.find(rule.plugin), {"match", "profile", "plugin", "tags"}));
  rules.rules.push_back(std::move(rule));
  return {};
}

Result<void> Project::Parser::parseMatch(PolicyRule& rule, const toml::table& table) {
  const toml::node* match = table.get("match");
  if (!match)
    return failAt(ErrorCode::InvalidInput, place(table.source()), "{} has no 'match': which files is it for?",
                  rule.layer.label);
  SIMMER_TRY(globs, parseGlobs("match", *match));
  if (globs.empty())
    return failAt(ErrorCode::InvalidInput, place(match->source()), "'match' has no pattern: which files is it for?");
  rule.match = std::move(globs);
  return {};
}

Result<void> Project::Parser::parseRuleNames(PolicyRule& rule, const toml::table& table) {
  if (const toml::node* node = table.get("profile")) {
    SIMMER_TRY(name, textValue("profile", *node, kProjectFileName));
    if (!rules.profiles.contains(name))
      return failAt(ErrorCode::InvalidInput, place(node->source()), "there is no profile {}{}", quotedName(name),
                    nameAdvice(name, namesOf(rules.profiles)));
    rule.profile = name;
    rule.profileLine = static_cast<int>(node->source().begin.line);
  }
  if (const toml::node* node = table.get("plugin")) {
    SIMMER_TRY(name, textValue("plugin", *node, kProjectFileName));
    if (name != kNoPlugin && !catalog.find(name))
      return failAt(ErrorCode::InvalidInput, place(node->source()), "{}", noSuchPlugin(name, catalog, true));
    rule.plugin = name;
    rule.pluginLine = static_cast<int>(node->source().begin.line);
  }
  if (const toml::node* node = table.get("tags")) {
    SIMMER_TRY(tags, textList("tags", *node, kProjectFileName));
    for (const PlacedText& tag : tags) rule.tags.push_back(tag.text);
  }
  return {};
}

Result<void> Project::Parser::parseValues(ValueLayer& layer, const toml::table& table, const PluginMetadata* plugin,
                                          const Names& own) {
  for (const auto& [key, node] : table) {
    if (std::find(own.begin(), own.end(), key.str()) != own.end()) continue;
    // The name before the value: a list under a misspelt key is first of all misspelt.
    const Names valid = validNames(own, catalog, plugin);
    if (std::find(valid.begin(), valid.end(), key.str()) == valid.end())
      return unknownKey(key, fmt::format(" in {}", layer.label), valid);
    SIMMER_TRY(written, writtenValue(key.str(), node, kProjectFileName));
    auto checked = checkValue(key.str(), written.value, catalog, plugin, own);
    if (!checked) return placed(std::move(checked).error(), node.source());
    layer.values.emplace(std::string(key.str()), std::move(written));
  }
  if (const std::string conflict = conflictOf(layer.values); !conflict.empty())
    return failAt(ErrorCode::InvalidInput, place(table.get(kDistance)->source()), "{}", conflict);
  return {};
}

Result<void> Project::Parser::checkPaths(const toml::table& file) const {
  const auto where = [&](const char* table, const char* key) {
    const toml::node* node = file[table][key].node();
    return node ? place(node->source()) : std::string(kProjectFileName);
  };
  const fs::path state = project.stateFolder(), cache = project.cacheFile();
  const fs::path &source = project.m_source, &output = project.m_output;
  if (source == output)
    return failAt(ErrorCode::InvalidInput, where("project", "output"),
                  "the output folder is the source folder: outputs would be taken for sources");
  if (isInside(source, output))
    return failAt(ErrorCode::InvalidInput, where("project", "output"),
                  "the output folder holds the source folder: sources could be taken for old outputs");
  if (isInside(source, state))
    return failAt(ErrorCode::InvalidInput, where("project", "source"),
                  "the source folder lies in {}, which is Simmer's own", kStateFolderName);
  if (isInside(output, state) || isInside(state, output))
    return failAt(ErrorCode::InvalidInput, where("project", "output"),
                  "the output folder and {}, which is Simmer's own, lie in each other", kStateFolderName);
  const char* const advice = project.m_cachePath.empty() ? "SIMMER_CACHE" : "[cache] path";
  if (isInside(cache, output) || (isInside(cache, source) && !isInside(cache, state)))
    return failAt(ErrorCode::InvalidInput, project.m_cachePlace,
                  "the cache lies among the {}: {} has to lead to {} or out of both folders",
                  isInside(cache, output) ? "outputs" : "sources", advice, kStateFolderName);
  return {};
}

}  // namespace simmer
