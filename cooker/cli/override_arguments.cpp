#include "cooker/cli/override_arguments.h"

#include <charconv>

#include "cooker/policy/names.h"
#include "cooker/policy/sidecar_edit.h"
#include "cooker/policy/values.h"

namespace simmer {
namespace {

constexpr std::string_view kTags = "tags";

/// "joint.hand_*.tolerance_scale" as its three parts, where the plugin has such a table; else the name alone. A clip
/// that the asset names stands in front.
std::vector<std::string> pathOf(const NamedAsset& asset, std::string_view name) {
  std::vector<std::string> path;
  if (asset.item) path = {"clip", *asset.item};
  const std::size_t first = name.find('.'), last = name.rfind('.');
  const bool table = first != last && asset.contents.plugin->table(name.substr(0, first));
  if (!table) {
    path.emplace_back(name);
    return path;
  }
  path.emplace_back(name.substr(0, first));
  path.emplace_back(name.substr(first + 1, last - first - 1));
  path.emplace_back(name.substr(last + 1));
  return path;
}

template <class T>
std::optional<SettingValue> number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end ? std::optional<SettingValue>(value) : std::nullopt;
}

/// The value as the setting's type reads it; a text where it does not, so that the check can say what was seen.
SettingValue valueOf(const SettingSpec& spec, std::string_view text) {
  std::optional<SettingValue> value;
  if (spec.type == SettingSpec::Type::Boolean && (text == "true" || text == "false")) value = text == "true";
  if (spec.type == SettingSpec::Type::Integer || spec.type == SettingSpec::Type::Number)
    value = number<std::int64_t>(text);
  if (spec.type == SettingSpec::Type::Number && !value) value = number<double>(text);
  return value.value_or(SettingValue(std::string(text)));
}

std::vector<std::string> splitTags(std::string_view text) {
  std::vector<std::string> tags;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view tag = text.substr(0, comma);
    while (tag.starts_with(' ')) tag.remove_prefix(1);
    while (tag.ends_with(' ')) tag.remove_suffix(1);
    if (!tag.empty()) tags.emplace_back(tag);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return tags;
}

/// The specification of what the path sets; null for names that are texts (profile, plugin).
Result<const SettingSpec*> specOf(const NamedAsset& asset, const Catalog& catalog,
                                  const std::vector<std::string>& path) {
  const PluginMetadata& plugin = *asset.contents.plugin;
  const std::string& name = path.back();
  const std::size_t depth = path.size() - (asset.item ? 2 : 0);
  if (depth == 3) {
    const TableSpec& table = *plugin.table(path[path.size() - 3]);
    if (const SettingSpec* spec = table.setting(name)) return spec;
    std::vector<std::string_view> names;
    for (const SettingSpec& spec : table.settings) names.push_back(spec.name);
    return fail(ErrorCode::InvalidInput, "a {} has no setting {}{}", table.name, quotedName(name),
                nameAdvice(name, names));
  }
  if (name == "profile" || name == "plugin") return nullptr;
  if (const SettingSpec* spec = toleranceSpec(name)) return spec;
  if (const SettingSpec* spec = plugin.setting(name)) return spec;
  std::vector<std::string_view> names = validNames({"profile", "plugin", kTags}, catalog, &plugin);
  std::vector<std::string> tables;
  for (const TableSpec& table : plugin.tables) tables.push_back(table.name + ".NAME.SETTING");
  names.insert(names.end(), tables.begin(), tables.end());
  return fail(ErrorCode::InvalidInput, "there is no setting {}{}", quotedName(name), nameAdvice(name, names));
}

}  // namespace

Result<SidecarChange> parseSetting(const NamedAsset& asset, const Catalog& catalog, std::string_view given) {
  const std::size_t equals = given.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(ErrorCode::InvalidInput, "{}: expected key=value, such as tolerance_mm=0.5", quotedName(given));
  const std::string_view text = given.substr(equals + 1);
  SidecarChange change{pathOf(asset, given.substr(0, equals)), {}};
  if (change.path.back() == kTags) {
    change.value = tomlText(splitTags(text));
    return change;
  }
  SIMMER_TRY(spec, specOf(asset, catalog, change.path));
  SettingValue value = std::string(text);
  if (spec) {
    value = valueOf(*spec, text);
    SIMMER_CHECK(spec->check(value));
  }
  change.value = tomlText(value);
  return change;
}

SidecarChange parseUnset(const NamedAsset& asset, std::string_view name) {
  return {pathOf(asset, name), {}};
}

}  // namespace simmer
