#include "cooker/report/key_changes.h"

#include <algorithm>

#include "cache/key.h"

namespace simmer {
namespace {

constexpr std::size_t kDigestShown = 12;

using Components = std::vector<std::pair<std::string, std::string>>;

/// A digest as far as a person compares it.
std::string shownDigest(const std::string& text) {
  return text.size() == 64 ? text.substr(0, kDigestShown) + "…" : text;
}

/// "codec.spline 2" under "part" as "part codec.spline" and "2": the last word is the value.
std::pair<std::string, std::string> splitLast(std::string_view label, const std::string& value) {
  const std::size_t space = value.rfind(' ');
  if (space == std::string::npos) return {std::string(label), value};
  return {fmt::format("{} {}", label, value.substr(0, space)), shownDigest(value.substr(space + 1))};
}

/// A line of a recipe's canonical text: "setting effort \"default\"", "joint \"hand_*\" tolerance_scale 0.5".
std::pair<std::string, std::string> recipeComponent(std::string_view line) {
  constexpr std::string_view kSetting = "setting ";
  if (line.starts_with(kSetting)) line.remove_prefix(kSetting.size());
  // A value may hold spaces when it is a text; a name holds none but a table's pattern in quotes.
  std::size_t space = line.find(' ');
  if (space != std::string_view::npos && line.substr(space).starts_with(" \"") &&
      line.find("\" ") != std::string_view::npos)
    space = line.find(' ', line.find("\" ") + 2);
  if (space == std::string_view::npos) return {std::string(line), {}};
  std::string_view value = line.substr(space + 1);
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  return {std::string(line.substr(0, space)), std::string(value)};
}

void addRecipe(std::string_view text, Components& components) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    components.push_back(recipeComponent(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Result<Components> componentsOf(std::string_view keyText) {
  SIMMER_TRY(lines, parseKeyText(keyText));
  Components components;
  for (const auto& [label, value] : lines) {
    if (label == "recipe")
      addRecipe(value, components);
    else if (label == "part")
      components.push_back(splitLast("part", value));
    else if (label == "dependency")
      components.push_back(splitLast("file", value));
    else if (label != "plugin")  // stands in the recipe too
      components.emplace_back(label, shownDigest(value));
  }
  return components;
}

/// The value of a component, taken out of the list; empty when it has none.
std::string take(Components& components, const std::string& name) {
  const auto found = std::find_if(components.begin(), components.end(), [&](auto& c) { return c.first == name; });
  if (found == components.end()) return {};
  std::string value = std::move(found->second);
  components.erase(found);
  return value;
}

}  // namespace

Result<std::vector<KeyChange>> keyChanges(std::string_view before, std::string_view now) {
  SIMMER_TRY(old, componentsOf(before));
  SIMMER_TRY(components, componentsOf(now));
  std::vector<KeyChange> changes;
  for (const auto& [name, value] : components) {
    std::string earlier = take(old, name);
    if (earlier != value) changes.push_back({name, std::move(earlier), value});
  }
  for (auto& [name, value] : old) changes.push_back({name, value, {}});
  return changes;
}

}  // namespace simmer
