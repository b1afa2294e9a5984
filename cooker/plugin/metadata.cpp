#include "cooker/plugin/metadata.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

namespace simmer {
namespace {

using Json = nlohmann::json;

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

template <class T>
const T* byName(const std::vector<T>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// "a number", "an object": what a JSON value is.
std::string kindText(const Json& value) {
  return fmt::format("{} {}", value.is_object() || value.is_array() ? "an" : "a", value.type_name());
}

template <class T>
bool holds(const Json& value) {
  if constexpr (std::is_same_v<T, std::string>) return value.is_string();
  if constexpr (std::is_same_v<T, bool>) return value.is_boolean();
  if constexpr (std::is_same_v<T, double>) return value.is_number();
  if constexpr (std::is_same_v<T, std::int64_t>) return value.is_number_integer();
  if constexpr (std::is_same_v<T, Json>) return value.is_array();
  return false;
}

/// A member of an object; an absent one gives `fallback`, or an error when there is none.
template <class T>
Result<T> member(const Json& object, const std::string& where, const char* name, std::optional<T> fallback = {}) {
  if (!object.is_object()) return failAt(ErrorCode::InvalidInput, where, "expected an object");
  const auto found = object.find(name);
  if (found == object.end()) {
    if (fallback) return *fallback;
    return failAt(ErrorCode::InvalidInput, where, "'{}' is missing", name);
  }
  if (!holds<T>(*found)) return failAt(ErrorCode::InvalidInput, where, "'{}' is {}", name, kindText(*found));
  return found->get<T>();
}

Result<std::vector<std::string>> texts(const Json& object, const std::string& where, const char* name) {
  SIMMER_TRY(array, member<Json>(object, where, name, Json::array()));
  std::vector<std::string> result;
  for (const Json& value : array) {
    if (!value.is_string()) return failAt(ErrorCode::InvalidInput, where, "'{}' holds {}", name, kindText(value));
    result.push_back(value.get<std::string>());
  }
  return result;
}

Result<SettingSpec::Type> parseType(const std::string& text, const std::string& where) {
  if (text == "boolean") return SettingSpec::Type::Boolean;
  if (text == "integer") return SettingSpec::Type::Integer;
  if (text == "number") return SettingSpec::Type::Number;
  if (text == "text") return SettingSpec::Type::Text;
  if (text == "choice") return SettingSpec::Type::Choice;
  if (text == "range") return SettingSpec::Type::Range;
  return failAt(ErrorCode::InvalidInput, where,
                "type is \"{}\", expected boolean, integer, number, text, choice or range", text);
}

Result<std::optional<double>> optionalNumber(const Json& object, const std::string& where, const char* name) {
  if (!object.contains(name)) return std::optional<double>();
  SIMMER_TRY(number, member<double>(object, where, name));
  return std::optional(number);
}

Result<SettingValue> parseValue(const Json& value, const std::string& where) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return failAt(ErrorCode::InvalidInput, where, "'default' is {}", kindText(value));
}

Result<SettingSpec> parseSetting(const Json& json, const std::string& where) {
  SettingSpec spec;
  SIMMER_TRY(name, member<std::string>(json, where, "name"));
  SIMMER_TRY(type, member<std::string>(json, where, "type"));
  SIMMER_TRY(help, member<std::string>(json, where, "help"));
  SIMMER_TRY(import, member<bool>(json, where, "import", false));
  SIMMER_TRY(kind, parseType(type, where));
  SIMMER_TRY(choices, texts(json, where, "choices"));
  SIMMER_TRY(low, optionalNumber(json, where, "min"));
  SIMMER_TRY(high, optionalNumber(json, where, "max"));
  spec = {name, kind, {}, low, high, choices, help, import};
  if (!json.contains("default")) return failAt(ErrorCode::InvalidInput, where, "'default' is missing");
  SIMMER_TRY(value, parseValue(json["default"], where));
  auto checked = spec.check(value);
  if (!checked) return failAt(ErrorCode::InvalidInput, where, "{}", checked.error().message);
  spec.defaultValue = *checked;
  return spec;
}

/// Values for settings that the metadata declares.
Result<Settings> parseDraft(const Json& json, const std::vector<SettingSpec>& settings) {
  Settings draft;
  if (!json.contains("draft")) return draft;
  if (!json["draft"].is_object()) return fail(ErrorCode::InvalidInput, "'draft' is {}", kindText(json["draft"]));
  for (const auto& [name, member] : json["draft"].items()) {
    const SettingSpec* spec = byName(settings, name);
    if (!spec) return failAt(ErrorCode::InvalidInput, "draft", "there is no setting '{}'", name);
    SIMMER_TRY(value, parseValue(member, "draft"));
    auto checked = spec->check(value);
    if (!checked) return failAt(ErrorCode::InvalidInput, "draft", "{}", checked.error().message);
    draft.emplace(name, std::move(*checked));
  }
  return draft;
}

template <class T, class Parse>
Result<std::vector<T>> parseEach(const Json& json, const std::string& place, const char* name, Parse parse) {
  SIMMER_TRY(array, member<Json>(json, place, name, Json::array()));
  std::vector<T> result;
  for (std::size_t i = 0; i < array.size(); ++i) {
    SIMMER_TRY(value, parse(array[i], fmt::format("{}{}{}[{}]", place, place.empty() ? "" : ".", name, i)));
    result.push_back(std::move(value));
  }
  return result;
}

/// Settings or tables, each of which needs a name of its own.
template <class T, class Parse>
Result<std::vector<T>> parseNamed(const Json& json, const std::string& place, const char* name, Parse parse) {
  SIMMER_TRY(all, parseEach<T>(json, place, name, parse));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (all[j].name == all[i].name)
        return failAt(ErrorCode::InvalidInput, fmt::format("{}[{}]", name, i), "the name '{}' is taken", all[i].name);
  return std::move(all);
}

Result<TableSpec> parseTable(const Json& json, const std::string& where) {
  SIMMER_TRY(name, member<std::string>(json, where, "name"));
  SIMMER_TRY(help, member<std::string>(json, where, "help"));
  SIMMER_TRY(settings, parseNamed<SettingSpec>(json, where, "settings", parseSetting));
  if (name.empty() || name == "clip")
    return failAt(ErrorCode::InvalidInput, where, "'name' is \"{}\", which sidecars use for something else", name);
  return TableSpec{name, help, std::move(settings)};
}

Result<PartSpec> parsePart(const Json& json, const std::string& where) {
  PartSpec part;
  SIMMER_TRY(name, member<std::string>(json, where, "name"));
  SIMMER_TRY(version, member<std::int64_t>(json, where, "version"));
  SIMMER_TRY(suffixes, texts(json, where, "suffixes"));
  SIMMER_TRY(setting, member<std::string>(json, where, "setting", std::string()));
  SIMMER_TRY(equals, member<std::string>(json, where, "equals", std::string()));
  return PartSpec{name, version, suffixes, setting, equals};
}

Result<CommandSpec> parseCommand(const Json& json, const std::string& where) {
  SIMMER_TRY(name, member<std::string>(json, where, "name"));
  SIMMER_TRY(usage, member<std::string>(json, where, "usage", std::string()));
  SIMMER_TRY(help, member<std::string>(json, where, "help"));
  SIMMER_TRY(createsProject, member<bool>(json, where, "creates_project", false));
  return CommandSpec{name, usage, help, createsProject};
}

}  // namespace

Result<PluginMetadata> PluginMetadata::parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail(ErrorCode::InvalidInput, "the metadata is not a JSON object");
  PluginMetadata metadata;
  SIMMER_TRY(name, member<std::string>(json, "", "name"));
  SIMMER_TRY(version, member<std::string>(json, "", "version"));
  SIMMER_TRY(summary, member<std::string>(json, "", "summary"));
  SIMMER_TRY(patterns, texts(json, "", "patterns"));
  SIMMER_TRY(settings, parseNamed<SettingSpec>(json, "", "settings", parseSetting));
  SIMMER_TRY(tables, parseNamed<TableSpec>(json, "", "tables", parseTable));
  SIMMER_TRY(parts, parseEach<PartSpec>(json, "", "parts", parsePart));
  SIMMER_TRY(commands, parseEach<CommandSpec>(json, "", "commands", parseCommand));
  SIMMER_TRY(draft, parseDraft(json, settings));
  if (name.empty()) return fail(ErrorCode::InvalidInput, "'name' is empty");
  if (name == "none") return fail(ErrorCode::InvalidInput, "'name' is \"none\", which rules use for no plugin");
  if (parts.empty()) return fail(ErrorCode::InvalidInput, "'parts' is empty: no version would stand in a key");
  metadata = {name,
              version,
              summary,
              {},
              std::move(settings),
              std::move(tables),
              std::move(parts),
              std::move(commands),
              std::move(draft)};
  for (const std::string& pattern : patterns) {
    SIMMER_TRY(glob, Glob::parse(pattern, Glob::Case::Insensitive));
    metadata.patterns.push_back(std::move(glob));
  }
  return metadata;
}

bool PluginMetadata::takes(std::string_view path) const {
  return std::any_of(patterns.begin(), patterns.end(), [&](const Glob& glob) { return glob.matches(path); });
}

const SettingSpec* PluginMetadata::setting(std::string_view wanted) const {
  return byName(settings, wanted);
}

const TableSpec* PluginMetadata::table(std::string_view wanted) const {
  return byName(tables, wanted);
}

const SettingSpec* TableSpec::setting(std::string_view wanted) const {
  return byName(settings, wanted);
}

Settings PluginMetadata::defaults() const {
  Settings values;
  for (const SettingSpec& spec : settings) values.emplace(spec.name, spec.defaultValue);
  return values;
}

std::vector<std::string> PluginMetadata::usedParts(std::string_view sourceName, const Settings& values) const {
  const std::string lowerName = lowerCase(sourceName);
  const auto used = [&](const PartSpec& part) {
    const bool suffix = part.suffixes.empty() || std::any_of(part.suffixes.begin(), part.suffixes.end(),
                                                             [&](auto& s) { return lowerName.ends_with(s); });
    if (!suffix || part.setting.empty()) return suffix;
    const auto value = values.find(part.setting);
    const auto* valueText = value == values.end() ? nullptr : std::get_if<std::string>(&value->second);
    return valueText && *valueText == part.equals;
  };
  std::vector<std::string> result;
  for (const PartSpec& part : parts)
    if (used(part)) result.push_back(fmt::format("{} {}", part.name, part.version));
  return result;
}

std::string PluginMetadata::versionText() const {
  std::string text = name;
  for (const PartSpec& part : parts) text += fmt::format(" {}={}", part.name, part.version);
  return text;
}

}  // namespace simmer
