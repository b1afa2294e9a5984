#pragma once

#include <map>
#include <string>

#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// Where a value comes from.
struct Origin {
  std::string label;  ///< "built-in", "profile npc", "rule 3", "sidecar", "sidecar clip Run", "asset", "plugin default"
  std::string file;   ///< "simmer.toml" or the sidecar's path inside the source tree; empty for built-in values
  int line = 0;       ///< 0 when there is no file

  /// "profile npc, simmer.toml:14".
  std::string text() const;
  bool operator==(const Origin&) const = default;
};

struct ResolvedValue {
  SettingValue value;
  Origin origin;
};

/// All settings that decide an output, each with its origin.
struct Recipe {
  std::string plugin;
  Origin pluginOrigin;
  std::string profile;  ///< empty: none
  Origin profileOrigin;
  std::map<std::string, ResolvedValue, std::less<>> settings;  ///< every setting of the plugin
  ToleranceRule tolerance;
  /// Origins of `pixel_budget`, `screen_height_px`, `object_height_m`, `tolerance_mm`; the latter two only when set.
  std::map<std::string, Origin, std::less<>> toleranceOrigins;

  Settings values() const;
  /// The settings marked import.
  Settings importValues(const struct PluginMetadata& metadata) const;
  /// What decides bytes, in canonical form: plugin, settings in alphabetical order, tolerance rule. Origins and the
  /// profile's name are not in it: the same effective values give the same text.
  std::string canonicalText() const;
};

}  // namespace simmer
