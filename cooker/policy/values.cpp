#include "cooker/policy/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cooker/policy/names.h"

namespace simmer {
namespace {

constexpr double kMaxBytes = 9.0e18;  // what the cache's counters hold

SettingSpec numberSpec(std::string_view name, double standard, double low, double high, std::string help) {
  SettingSpec spec;
  spec.name = name;
  spec.type = SettingSpec::Type::Number;
  spec.defaultValue = standard;
  spec.minimum = low;
  spec.maximum = high;
  spec.help = std::move(help);
  return spec;
}

/// Bytes to one of this unit ("kB" is 1000, "KiB" 1024); 0 for a unit we do not know.
double unitBytes(std::string_view unit) {
  std::string upper(unit);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  const bool binary = upper.size() == 3 && upper[1] == 'I';
  if (binary) upper.erase(1, 1);
  constexpr std::string_view kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  double bytes = 1;
  for (const std::string_view known : kUnits) {
    if (upper == known) return bytes;
    bytes *= binary ? 1024 : 1000;
  }
  return 0;
}

}  // namespace

const std::vector<SettingSpec>& toleranceSpecs() {
  static const std::vector<SettingSpec> kSpecs = {
      numberSpec(kPixelBudget, ToleranceRule{}.pixelBudget, 0.001, 1000, "pixels of error that may be seen"),
      numberSpec(kScreenHeight, ToleranceRule{}.screenHeightPx, 1, 100'000, "how tall it stands on the screen, pixels"),
      numberSpec(kDistance, 5.0, 1e-3, 1e6, "how far the camera is from it, metres; instead of screen_height_px"),
      numberSpec(kFieldOfView, ToleranceRule{}.fovDeg, 0.1, 179, "the camera's vertical field of view, degrees"),
      numberSpec(kViewport, ToleranceRule{}.viewportPx, 1, 100'000, "height of the camera's picture, pixels"),
      numberSpec(kObjectHeight, 1.8, 1e-4, 1e5, "how tall it is in the world, metres"),
      numberSpec(kToleranceMm, 1.0, 1e-6, 1e6, "error allowed outright, millimetres"),
  };
  return kSpecs;
}

const SettingSpec* toleranceSpec(std::string_view name) {
  const auto& specs = toleranceSpecs();
  const auto found =
      std::find_if(specs.begin(), specs.end(), [&](const SettingSpec& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

void setTolerance(ToleranceRule& rule, std::string_view name, double value) {
  if (name == kPixelBudget) rule.pixelBudget = value;
  if (name == kScreenHeight) {
    rule.screenHeightPx = value;
    rule.distanceM.reset();
  }
  if (name == kDistance) rule.distanceM = value;
  if (name == kFieldOfView) rule.fovDeg = value;
  if (name == kViewport) rule.viewportPx = value;
  if (name == kObjectHeight) rule.objectHeightM = value;
  if (name == kToleranceMm) rule.toleranceM = value / 1000.0;
}

const std::vector<std::string_view>& screenNames() {
  static const std::vector<std::string_view> kNames = {kPixelBudget, kScreenHeight, kDistance, kFieldOfView, kViewport};
  return kNames;
}

std::string conflictOf(const WrittenValues& values) {
  if (!values.contains(kScreenHeight) || !values.contains(kDistance)) return {};
  return fmt::format("{} and {} both say how tall it stands on the screen: keep one", kScreenHeight, kDistance);
}

std::vector<std::string_view> validNames(std::vector<std::string_view> own, const Catalog& catalog,
                                         const PluginMetadata* plugin) {
  std::vector<std::string_view> names = std::move(own);
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const SettingSpec& spec : toleranceSpecs()) add(spec.name);
  const auto addPlugin = [&](const PluginMetadata& metadata) {
    for (const SettingSpec& spec : metadata.settings) add(spec.name);
  };
  if (plugin) {
    addPlugin(*plugin);
  } else {
    for (const PluginMetadata* metadata : catalog.plugins()) addPlugin(*metadata);
  }
  return names;
}

Result<void> checkValue(std::string_view name, const SettingValue& value, const Catalog& catalog,
                        const PluginMetadata* plugin, const std::vector<std::string_view>& own) {
  if (const SettingSpec* spec = toleranceSpec(name)) {
    SIMMER_CHECK(spec->check(value));
    return {};
  }
  const std::vector<const PluginMetadata*> plugins =
      plugin ? std::vector<const PluginMetadata*>{plugin} : catalog.plugins();
  std::optional<Error> refusal;
  for (const PluginMetadata* metadata : plugins) {
    const SettingSpec* spec = metadata->setting(name);
    if (!spec) continue;
    auto checked = spec->check(value);
    if (checked) return {};
    if (!refusal) refusal = std::move(checked).error();
  }
  if (refusal) return tl::unexpected(*refusal);
  const std::string advice = nameAdvice(name, validNames(own, catalog, plugin));
  if (plugin)
    return fail(ErrorCode::InvalidInput, "plugin '{}' has no setting {}{}", plugin->name, quotedName(name), advice);
  return fail(ErrorCode::InvalidInput, "unknown key {}{}", quotedName(name), advice);
}

std::string noSuchPlugin(std::string_view name, const Catalog& catalog, bool orNone) {
  std::vector<std::string_view> names;
  for (const PluginMetadata* metadata : catalog.plugins()) names.push_back(metadata->name);
  if (orNone) names.push_back(kNoPlugin);
  return fmt::format("there is no plugin {}{}", quotedName(name), nameAdvice(name, names));
}

Result<std::uint64_t> parseByteSize(const SettingValue& value, std::uint64_t minimum) {
  double bytes = -1;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) bytes = static_cast<double>(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) {
    double number = 0;
    const char* const end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, number, std::chars_format::fixed);
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    if (error == std::errc() && unitBytes(unit) > 0) bytes = number * unitBytes(unit);
  }
  if (!(bytes >= static_cast<double>(minimum) && bytes <= kMaxBytes))
    return fail(ErrorCode::InvalidInput, "{} is no size: expected a number of bytes or a text such as \"10 GB\"{}",
                canonicalText(value), minimum > 0 ? fmt::format(", at least {} MB", minimum / 1'000'000) : "");
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace simmer
