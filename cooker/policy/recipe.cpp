#include "cooker/policy/recipe.h"

#include "cooker/plugin/metadata.h"

namespace simmer {

std::string Origin::text() const {
  if (file.empty()) return label;
  return line > 0 ? fmt::format("{}, {}:{}", label, file, line) : fmt::format("{}, {}", label, file);
}

Settings Recipe::values() const {
  Settings plain;
  for (const auto& [name, resolved] : settings) plain.emplace_hint(plain.end(), name, resolved.value);
  return plain;
}

Settings Recipe::importValues(const PluginMetadata& metadata) const {
  Settings plain;
  for (const SettingSpec& spec : metadata.settings) {
    const auto found = spec.import ? settings.find(spec.name) : settings.end();
    if (found != settings.end()) plain.emplace(spec.name, found->second.value);
  }
  return plain;
}

std::string Recipe::canonicalText() const {
  std::string text = fmt::format("plugin {}\n", simmer::canonicalText(SettingValue(plugin)));
  for (const auto& [name, resolved] : settings)
    text += fmt::format("setting {} {}\n", name, simmer::canonicalText(resolved.value));
  for (const TableSettings& table : tables)
    for (const auto& [name, value] : table.settings)
      text += fmt::format("{} {} {} {}\n", table.table, simmer::canonicalText(SettingValue(table.pattern)), name,
                          simmer::canonicalText(value));
  const auto number = [](double value) { return simmer::canonicalText(SettingValue(value)); };
  // A tolerance outright leaves the other values without effect, so they do not stand in the text.
  if (tolerance.toleranceM) return text + fmt::format("tolerance_m {}\n", number(*tolerance.toleranceM));
  text += fmt::format("pixel_budget {}\n", number(tolerance.pixelBudget));
  if (tolerance.distanceM) {
    // What a camera shows of a metre does not depend on how tall the object is.
    text += fmt::format("distance_m {}\n", number(*tolerance.distanceM));
    text += fmt::format("fov_deg {}\n", number(tolerance.fovDeg));
    return text + fmt::format("viewport_px {}\n", number(tolerance.viewportPx));
  }
  text += fmt::format("screen_height_px {}\n", number(tolerance.screenHeightPx));
  text += fmt::format("object_height_m {}\n",
                      tolerance.objectHeightM ? number(*tolerance.objectHeightM) : std::string("measured"));
  return text;
}

}  // namespace simmer
