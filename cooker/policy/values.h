#pragma once

// Which names and values the tables of a project file and of a sidecar may hold.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/plugin/catalog.h"
#include "cooker/policy/recipe.h"
#include "cooker/policy/sidecar.h"

namespace simmer {

inline constexpr std::string_view kPixelBudget = "pixel_budget";
inline constexpr std::string_view kScreenHeight = "screen_height_px";
inline constexpr std::string_view kDistance = "distance_m";
inline constexpr std::string_view kFieldOfView = "fov_deg";
inline constexpr std::string_view kViewport = "viewport_px";
inline constexpr std::string_view kObjectHeight = "object_height_m";
inline constexpr std::string_view kToleranceMm = "tolerance_mm";
inline constexpr std::string_view kNoPlugin = "none";  ///< the name that leaves a file alone

/// The values that make a tolerance rule, specified as a plugin's settings are.
const std::vector<SettingSpec>& toleranceSpecs();
/// The specification of one of them, or null.
const SettingSpec* toleranceSpec(std::string_view name);
/// The names of those that say how large things are on the screen: what [screen] may hold.
const std::vector<std::string_view>& screenNames();

/// Sets one of them in the rule; `value` has passed its specification. Of screen_height_px and distance_m the one that
/// was set last decides.
void setTolerance(ToleranceRule& rule, std::string_view name, double value);

/// The names that a table may hold: `own`, the tolerance values, then the settings of `plugin` (of every plugin of the
/// catalog when it is null), each once.
std::vector<std::string_view> validNames(std::vector<std::string_view> own, const Catalog& catalog,
                                         const PluginMetadata* plugin);

/// Checks a tolerance value or plugin setting. With a plugin it has to be one of its settings; without, a setting of
/// any plugin, and at least one has to accept the value. `own` are further names that the table knows, for the advice.
Result<void> checkValue(std::string_view name, const SettingValue& value, const Catalog& catalog,
                        const PluginMetadata* plugin, const std::vector<std::string_view>& own);

/// That there is no plugin of this name, with the nearest one; `none` is a name too where a file may be left alone.
std::string noSuchPlugin(std::string_view name, const Catalog& catalog, bool orNone);

/// Two values of one level that say the same in two ways (screen_height_px, distance_m): a message that names them, or
/// empty.
std::string conflictOf(const WrittenValues& values);

/// A size in bytes: a whole number, or a text such as "10 GB", "512 kB" (powers of 1000), "1.5 MiB" (of 1024).
Result<std::uint64_t> parseByteSize(const SettingValue& value, std::uint64_t minimum = 0);

}  // namespace simmer
