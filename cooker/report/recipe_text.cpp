#include "cooker/report/recipe_text.h"

#include <algorithm>

#include "cooker/policy/names.h"
#include "cooker/policy/values.h"
#include "cooker/report/numbers.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

constexpr const char* kTolerance = "tolerance";

/// A value of a recipe as it is shown, in the order of the table.
struct Shown {
  std::string name;
  std::string value;
  Origin origin;
};

/// Text without its quotes: a person reads it.
std::string valueText(const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return canonicalText(value);
  return text->empty() ? "(empty)" : *text;
}

std::string toleranceValue(const ToleranceRule& rule, std::string_view name) {
  const auto number = [](double value) { return canonicalText(SettingValue(value)); };
  if (name == kPixelBudget) return number(rule.pixelBudget);
  if (name == kScreenHeight) return number(rule.screenHeightPx);
  if (name == kDistance) return number(rule.distanceM.value_or(0));
  if (name == kFieldOfView) return number(rule.fovDeg);
  if (name == kViewport) return number(rule.viewportPx);
  if (name == kObjectHeight) return number(rule.objectHeightM.value_or(0));
  return number(rule.toleranceM.value_or(0) * 1000);
}

/// The names whose values decide the tolerance.
std::vector<std::string_view> decidingNames(const ToleranceRule& rule) {
  if (rule.toleranceM) return {kToleranceMm};
  if (rule.distanceM) return {kPixelBudget, kDistance, kFieldOfView, kViewport};
  return {kPixelBudget, kScreenHeight, kObjectHeight};
}

std::vector<Shown> shownValues(const Recipe& recipe) {
  std::vector<Shown> all = {{"plugin", recipe.plugin, recipe.pluginOrigin}};
  if (!recipe.profile.empty()) all.push_back({"profile", recipe.profile, recipe.profileOrigin});
  for (const std::string_view name : decidingNames(recipe.tolerance))
    if (const auto origin = recipe.toleranceOrigins.find(name); origin != recipe.toleranceOrigins.end())
      all.push_back({std::string(name), toleranceValue(recipe.tolerance, name), origin->second});
  for (const auto& [name, resolved] : recipe.settings)
    all.push_back({name, valueText(resolved.value), resolved.origin});
  for (std::size_t i = 0; i < recipe.tables.size(); ++i)
    for (const auto& [name, value] : recipe.tables[i].settings)
      all.push_back({fmt::format("{} {} {}", recipe.tables[i].table, recipe.tables[i].pattern, name), valueText(value),
                     recipe.tableOrigins[i]});
  return all;
}

/// Where the deciding values come from: named once where one place says them all.
std::string originsText(const Recipe& recipe) {
  std::vector<std::pair<std::string_view, const Origin*>> origins;
  for (const std::string_view name : decidingNames(recipe.tolerance)) {
    const auto origin = recipe.toleranceOrigins.find(name);
    if (origin != recipe.toleranceOrigins.end()) origins.emplace_back(name, &origin->second);
  }
  const auto same = [&](const auto& entry) {
    return entry.second->label == origins.front().second->label && entry.second->file == origins.front().second->file;
  };
  if (std::all_of(origins.begin(), origins.end(), same)) return origins.front().second->text();
  std::string text;
  for (const auto& [name, origin] : origins)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, origin->text());
  return text;
}

std::string heightText(const Recipe& recipe, const ItemDescription& item) {
  if (recipe.tolerance.objectHeightM) return {};
  if (item.heightM > 0)
    return fmt::format("; height measured from {}", item.heightFrom.empty() ? "the source" : item.heightFrom);
  return fmt::format("; no height could be measured: {} assumed, as for a person",
                     metresText(recipe.tolerance.heightM(0)));
}

/// "simmer.toml:14" as JSON.
Json originJson(const Origin& origin) {
  return {{"label", origin.label},
          {"file", origin.file.empty() ? Json(nullptr) : Json(origin.file)},
          {"line", origin.line > 0 ? Json(origin.line) : Json(nullptr)}};
}

}  // namespace

std::string toleranceText(const Recipe& recipe, const ItemDescription& item) {
  const ToleranceRule& rule = recipe.tolerance;
  const std::string mm = toleranceMmText(rule.resolve(item.heightM) * 1000);
  const std::string origins = originsText(recipe);
  if (rule.toleranceM) return fmt::format("{} mm outright ({})", mm, origins);
  const std::string height = metresText(rule.heightM(item.heightM));
  if (!rule.distanceM)
    return fmt::format("{} px × {} ÷ {} px = {} mm ({}{})", rule.pixelBudget, height, rule.screenHeightPx, mm, origins,
                       heightText(recipe, item));
  return fmt::format("{} px × 2 × {} × tan({}° ÷ 2) ÷ {} px = {} mm ({}; there {} stand {:.0f} px tall)",
                     rule.pixelBudget, metresText(*rule.distanceM), rule.fovDeg, rule.viewportPx, mm, origins, height,
                     rule.onScreenPx(item.heightM));
}

std::string recipeText(std::string_view title, const Recipe& recipe, const ItemDescription& item, std::size_t width) {
  TextTable table(
      {{"setting", TextTable::Align::Left}, {"value", TextTable::Align::Left}, {"from", TextTable::Align::Left}});
  for (const Shown& shown : shownValues(recipe)) table.add({shown.name, shown.value, shown.origin.text()});
  std::string text = fmt::format("{}\n{}: {}\n", title, kTolerance, toleranceText(recipe, item));
  if (!recipe.tags.empty()) text += fmt::format("tags: {}\n", fmt::join(recipe.tags, ", "));
  return text + "\n" + table.text(width);
}

Result<std::string> settingText(std::string_view name, const Recipe& recipe, const ItemDescription& item,
                                const PluginMetadata& plugin) {
  if (name == kTolerance) return toleranceText(recipe, item) + "\n";
  const SettingSpec* spec = toleranceSpec(name) ? toleranceSpec(name) : plugin.setting(name);
  const std::vector<Shown> all = shownValues(recipe);
  std::string text;
  for (const Shown& shown : all) {
    if (shown.name != name && !(shown.name.ends_with(name) && shown.name.ends_with(fmt::format(" {}", name)))) continue;
    text += fmt::format("{} = {} ({})\n", shown.name, shown.value, shown.origin.text());
  }
  const bool decides = !text.empty();
  if (!decides && toleranceSpec(name))
    text = fmt::format("{} decides nothing here: {}\n", name, toleranceText(recipe, item));
  if (text.empty()) {
    std::vector<std::string_view> names = {kTolerance};
    for (const Shown& shown : all) names.push_back(shown.name);
    return fail(ErrorCode::InvalidInput, "there is no setting {}{}", quotedName(name), nameAdvice(name, names));
  }
  if (spec) text += fmt::format("  {}\n", spec->help);
  if (decides && toleranceSpec(name)) text += fmt::format("  tolerance: {}\n", toleranceText(recipe, item));
  return text;
}

Json recipeJson(const Recipe& recipe, const ItemDescription& item) {
  Json values = Json::array();
  for (const Shown& shown : shownValues(recipe))
    values.push_back({{"name", shown.name}, {"value", shown.value}, {"origin", originJson(shown.origin)}});
  return {{"tolerance_mm", recipe.tolerance.resolve(item.heightM) * 1000},
          {"tolerance", toleranceText(recipe, item)},
          {"height_m", recipe.tolerance.heightM(item.heightM)},
          {"on_screen_px", recipe.tolerance.onScreenPx(item.heightM)},
          {"tags", recipe.tags},
          {"values", values}};
}

}  // namespace simmer
