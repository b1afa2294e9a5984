#include <algorithm>

#include "cooker/policy/names.h"
#include "cooker/policy/project.h"
#include "cooker/policy/rules.h"
#include "cooker/policy/toml_text.h"
#include "cooker/policy/values.h"

namespace simmer {
namespace {

/// What to do with a setting that the asset's plugin does not have.
enum class Unknown { Skip, Refuse };

/// simmer.toml files and sidecars say how sources are cooked; they are no sources.
bool isPolicyFile(std::string_view path) {
  if (path.ends_with(kSidecarSuffix)) return true;
  const std::size_t slash = path.rfind('/');
  return path.substr(slash == std::string_view::npos ? 0 : slash + 1) == kProjectFileName;
}

bool isImport(const PluginMetadata& plugin, std::string_view name) {
  const SettingSpec* spec = plugin.setting(name);
  return spec && spec->import;
}

}  // namespace

/// Builds one recipe, level by level from the lowest.
struct Project::Resolver {
  const Project& project;
  std::string_view path;
  const Sidecar* sidecar;
  const ItemDescription* item;
  const WrittenValues* clip = nullptr;  // of the sidecar
  const PluginMetadata* plugin = nullptr;
  std::vector<const PolicyRule*> matched;
  std::string fileProfile;  // decides how the file is read, whatever profile an item has
  Recipe recipe;

  void findLevels() {
    for (const PolicyRule& rule : project.m_rules->rules)
      if (rule.matches(path)) matched.push_back(&rule);
    if (!sidecar || !item) return;
    const auto found = sidecar->clips.find(item->id);
    if (found != sidecar->clips.end()) clip = &found->second;
  }

  void collectTags() {
    for (const PolicyRule* rule : matched) recipe.tags.insert(rule->tags.begin(), rule->tags.end());
    const auto add = [&](const std::vector<WrittenValue>& tags) {
      for (const WrittenValue& tag : tags) recipe.tags.insert(std::get<std::string>(tag.value));
    };
    if (!sidecar) return;
    add(sidecar->tags);
    const auto found = item ? sidecar->clipTags.find(item->id) : sidecar->clipTags.end();
    if (found != sidecar->clipTags.end()) add(found->second);
  }

  Result<void> choosePlugin() {
    for (const PolicyRule* rule : matched) {
      if (rule->plugin.empty()) continue;
      recipe.plugin = rule->plugin;
      recipe.pluginOrigin = {rule->layer.label, kProjectFileName, rule->pluginLine};
    }
    if (const WrittenValue* written = find(sidecar ? &sidecar->values : nullptr, "plugin")) {
      const auto* name = std::get_if<std::string>(&written->value);
      if (!name) return refuse(*written, sidecar->file, "there is no plugin " + canonicalText(written->value));
      if (*name != kNoPlugin && !project.m_catalog->find(*name))
        return refuse(*written, sidecar->file, noSuchPlugin(*name, *project.m_catalog, true));
      recipe.plugin = *name;
      recipe.pluginOrigin = {"sidecar", sidecar->file, written->line};
    }
    if (recipe.plugin.empty()) {
      plugin = project.m_catalog->pluginFor(path);
      if (plugin) recipe.plugin = plugin->name;
      recipe.pluginOrigin = {"plugin pattern", {}, 0};
    } else if (recipe.plugin != kNoPlugin) {
      plugin = project.m_catalog->find(recipe.plugin);
    }
    return {};
  }

  Result<void> chooseProfile() {
    for (const PolicyRule* rule : matched)
      if (!rule->profile.empty()) setProfile(rule->profile, {rule->layer.label, kProjectFileName, rule->profileLine});
    const WrittenValue* ofFile = find(sidecar ? &sidecar->values : nullptr, "profile");
    if (ofFile) SIMMER_CHECK(takeProfile(*ofFile, {"sidecar", sidecar->file, ofFile->line}));
    fileProfile = recipe.profile;
    if (item && !ofFile) {
      const auto embedded = item->embedded.find("profile");
      if (embedded != item->embedded.end()) SIMMER_CHECK(takeItemProfile({embedded->second, 0, 0}, assetOrigin()));
    }
    if (const WrittenValue* written = find(clip, "profile"))
      SIMMER_CHECK(takeItemProfile(*written, clipOrigin(item->id, written->line)));
    return {};
  }

  Result<void> applyLevels() {
    applyDefaults();
    const auto& rules = *project.m_rules;
    SIMMER_CHECK(applyLayer(rules.screen));
    if (const auto layer = rules.plugins.find(recipe.plugin); layer != rules.plugins.end())
      SIMMER_CHECK(applyLayer(layer->second));
    SIMMER_CHECK(applyProfiles());
    for (const PolicyRule* rule : matched) SIMMER_CHECK(applyLayer(rule->layer));
    if (item && !item->embedded.empty()) SIMMER_CHECK(applyEmbedded());
    if (!sidecar) return {};
    SIMMER_CHECK(apply(sidecar->values, {"sidecar", sidecar->file, 0}, Unknown::Refuse, {"profile", "plugin"}));
    if (clip) {
      SIMMER_CHECK(checkClip(*clip));
      SIMMER_CHECK(apply(*clip, clipOrigin(item->id, 0), Unknown::Refuse, {"profile"}));
    }
    return applyTables(item ? std::optional<std::string_view>(item->id) : std::nullopt);
  }

  /// Looks at what the sidecar says of every clip, so that a mistake shows even where the clip is never cooked.
  Result<void> checkAllClips() {
    if (!sidecar || item) return {};
    const Recipe whole = recipe;
    for (const auto& [id, values] : sidecar->clips) {
      recipe = whole;
      SIMMER_CHECK(checkClip(values));
      if (const WrittenValue* written = find(&values, "profile"))
        SIMMER_CHECK(takeItemProfile(*written, clipOrigin(id, written->line)));
      SIMMER_CHECK(apply(values, clipOrigin(id, 0), Unknown::Refuse, {"profile"}));
      SIMMER_CHECK(applyTables(id));
    }
    recipe = whole;
    return {};
  }

 private:
  /// What the sidecar's tables set, for one clip of it or for those that have no table of their own.
  Result<void> applyTables(std::optional<std::string_view> clipId) {
    recipe.tables.clear();
    recipe.tableOrigins.clear();
    for (const SidecarTable& table : sidecar->tables) {
      if (!table.clip.empty() && table.clip != clipId) continue;
      const TableSpec* spec = plugin->table(table.name);
      if (!spec) return refuseTable(table);
      TableSettings settings{table.name, table.pattern, {}};
      for (const auto& [name, written] : table.values) {
        SIMMER_TRY(value, checkTableValue(*spec, name, written));
        if (value != spec->setting(name)->defaultValue || isSetAbove(*spec, name))
          settings.settings.emplace(name, value);
      }
      if (settings.settings.empty()) continue;  // says what holds anyway
      recipe.tables.push_back(std::move(settings));
      recipe.tableOrigins.push_back(
          {fmt::format("sidecar {} {}", table.name, table.pattern), sidecar->file, table.line});
    }
    return {};
  }

  /// Whether a table further up in the file may have set this to something else than its default.
  bool isSetAbove(const TableSpec& spec, const std::string& name) const {
    return std::any_of(recipe.tables.begin(), recipe.tables.end(), [&](const TableSettings& above) {
      return above.table == spec.name && above.settings.contains(name);
    });
  }

  Result<SettingValue> checkTableValue(const TableSpec& table, const std::string& name, const WrittenValue& written) {
    std::vector<std::string_view> names;
    for (const SettingSpec& spec : table.settings) names.push_back(spec.name);
    const SettingSpec* spec = table.setting(name);
    if (!spec)
      return refuse<SettingValue>(
          written, sidecar->file,
          fmt::format("unknown key {} in a {} table{}", quotedName(name), table.name, nameAdvice(name, names)));
    auto checked = spec->check(written.value);
    if (!checked) return refuse<SettingValue>(written, sidecar->file, checked.error().message);
    return checked;
  }

  Result<void> refuseTable(const SidecarTable& table) const {
    std::vector<std::string_view> names = {"clip"};
    for (const TableSpec& spec : plugin->tables) names.push_back(spec.name);
    return failAt(ErrorCode::InvalidInput, placeText(sidecar->file, table.line, table.column),
                  "unknown table [{}.{}]{}", table.name, table.pattern, nameAdvice(table.name, names));
  }

  static const WrittenValue* find(const WrittenValues* values, std::string_view name) {
    if (!values) return nullptr;
    const auto found = values->find(name);
    return found == values->end() ? nullptr : &found->second;
  }

  Origin assetOrigin() const { return {"asset", std::string(path), 0}; }
  Origin clipOrigin(std::string_view id, int line) const {
    return {fmt::format("sidecar clip {}", id), sidecar->file, line};
  }

  /// An error at a value: with line and column where it stands in a file of ours, else inside the item of the asset.
  template <class T = void>
  Result<T> refuse(const WrittenValue& written, std::string_view file, std::string message) const {
    std::string where = written.line > 0 ? placeText(file, written.line, written.column)
                                         : fmt::format("settings in the asset, item {}", quotedName(item->id));
    return tl::unexpected(Error{ErrorCode::InvalidInput, std::move(message), std::move(where)});
  }

  void setProfile(std::string_view name, Origin origin) {
    recipe.profile = name;
    recipe.profileOrigin = std::move(origin);
  }

  /// A profile that the asset or its sidecar names.
  Result<void> takeProfile(const WrittenValue& written, Origin origin) {
    const auto& profiles = project.m_rules->profiles;
    const auto* name = std::get_if<std::string>(&written.value);
    if (name && profiles.contains(*name)) {
      setProfile(*name, std::move(origin));
      return {};
    }
    std::vector<std::string_view> names;
    names.reserve(profiles.size());
    for (const auto& [known, layer] : profiles) names.push_back(known);
    return refuse(written, origin.file,
                  fmt::format("there is no profile {}{}", name ? quotedName(*name) : canonicalText(written.value),
                              name ? nameAdvice(*name, names) : std::string()));
  }

  /// A profile for one item: it must not decide how the whole file is read.
  Result<void> takeItemProfile(const WrittenValue& written, Origin origin) {
    const std::string file = origin.file;
    SIMMER_CHECK(takeProfile(written, std::move(origin)));
    if (recipe.profile == fileProfile) return {};
    for (const auto& [setting, value] : project.m_rules->profiles.find(recipe.profile)->second.values)
      if (isImport(*plugin, setting))
        return refuse(written, file,
                      fmt::format("profile '{}' sets '{}', which decides how the whole file is read: name the profile "
                                  "for the whole file",
                                  recipe.profile, setting));
    return {};
  }

  Result<void> applyProfiles() {
    const auto& profiles = project.m_rules->profiles;
    if (!fileProfile.empty() && fileProfile != recipe.profile) {
      // An item with a profile of its own is read as the whole file is.
      ValueLayer import = profiles.find(fileProfile)->second;
      std::erase_if(import.values, [&](const auto& entry) { return !isImport(*plugin, entry.first); });
      SIMMER_CHECK(applyLayer(import));
    }
    if (recipe.profile.empty()) return {};
    return applyLayer(profiles.find(recipe.profile)->second);
  }

  Result<void> checkClip(const WrittenValues& values) const {
    for (const auto& [name, written] : values) {
      if (isImport(*plugin, name))
        return refuse(
            written, sidecar->file,
            fmt::format("'{}' decides how the whole file is read: it stands above the first [clip], not in it", name));
      if (name == "plugin")
        return refuse(written, sidecar->file, "'plugin' holds for the whole file: it stands above the first [clip]");
    }
    return {};
  }

  void applyDefaults() {
    for (const SettingSpec& spec : plugin->settings)
      recipe.settings.emplace(spec.name, ResolvedValue{spec.defaultValue, {"plugin default", {}, 0}});
    for (const std::string_view name : {kPixelBudget, kScreenHeight, kFieldOfView, kViewport})
      recipe.toleranceOrigins.emplace(std::string(name), Origin{"built-in", {}, 0});
  }

  Result<void> applyLayer(const ValueLayer& layer) {
    return apply(layer.values, {layer.label, kProjectFileName, 0}, Unknown::Skip, {});
  }

  Result<void> applyEmbedded() {
    WrittenValues values;
    for (const auto& [name, value] : item->embedded) {
      if (isImport(*plugin, name))
        return refuse(
            {value, 0, 0}, {},
            fmt::format("'{}' decides how the file is read, so it can not stand in it: set it in {} or in the "
                        "sidecar",
                        name, kProjectFileName));
      values.emplace(name, WrittenValue{value, 0, 0});
    }
    return apply(values, assetOrigin(), Unknown::Refuse, {"profile"});
  }

  /// One level over what stands already. `own` are names that mean something else there.
  Result<void> apply(const WrittenValues& values, const Origin& level, Unknown unknown,
                     std::initializer_list<std::string_view> own) {
    if (const std::string conflict = conflictOf(values); !conflict.empty())
      return refuse(values.find(kDistance)->second, level.file, conflict);
    for (const auto& [name, written] : values) {
      if (std::find(own.begin(), own.end(), name) != own.end()) continue;
      const SettingSpec* tolerance = toleranceSpec(name);
      const SettingSpec* spec = tolerance ? tolerance : plugin->setting(name);
      if (!spec && unknown == Unknown::Skip) continue;
      if (!spec) {
        auto known = checkValue(name, written.value, *project.m_catalog, plugin, own);
        return refuse(written, level.file, known.error().message);
      }
      auto checked = spec->check(written.value);
      if (!checked) return refuse(written, level.file, checked.error().message);
      const Origin origin{level.label, level.file, written.line};
      if (tolerance)
        applyTolerance(name, std::get<double>(*checked), origin, values);
      else
        recipe.settings[name] = {std::move(*checked), origin};
    }
    return {};
  }

  /// A tolerance outright wins over pixels of its own level and of lower ones; pixels of a higher level end it. So do a
  /// height on the screen and a camera's distance with each other.
  void applyTolerance(std::string_view name, double value, const Origin& origin, const WrittenValues& level) {
    const bool pixels = name == kPixelBudget || name == kScreenHeight || name == kDistance;
    if (pixels && !level.contains(kToleranceMm)) {
      recipe.tolerance.toleranceM.reset();
      recipe.toleranceOrigins.erase(std::string(kToleranceMm));
    }
    if (name == kScreenHeight) recipe.toleranceOrigins.erase(std::string(kDistance));
    setTolerance(recipe.tolerance, name, value);
    recipe.toleranceOrigins.insert_or_assign(std::string(name), origin);
  }
};

Result<std::optional<Recipe>> Project::resolve(std::string_view sourcePath, const Sidecar* sidecar,
                                               const ItemDescription* item) const {
  if (isPolicyFile(sourcePath)) return std::optional<Recipe>();
  Resolver resolver{*this, sourcePath, sidecar, item, nullptr, nullptr, {}, {}, {}};
  resolver.findLevels();
  SIMMER_CHECK(resolver.choosePlugin());
  if (!resolver.plugin) return std::optional<Recipe>();
  SIMMER_CHECK(resolver.chooseProfile());
  resolver.collectTags();
  SIMMER_CHECK(resolver.applyLevels());
  SIMMER_CHECK(resolver.checkAllClips());
  return std::optional<Recipe>(std::move(resolver.recipe));
}

}  // namespace simmer
