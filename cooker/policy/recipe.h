#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

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
  /// Origins of the tolerance values that are set or have a built-in value, by their names.
  std::map<std::string, Origin, std::less<>> toleranceOrigins;
  /// What sidecar tables such as [joint."hand_*"] set, in the order in which they stand: the last one that matches
  /// holds.
  std::vector<TableSettings> tables;
  std::vector<Origin> tableOrigins;  ///< one for each of `tables`
  std::set<std::string, std::less<>> tags;

  Settings values() const;
  /// The settings marked import.
  Settings importValues(const struct PluginMetadata& metadata) const;
  /// What decides bytes, in canonical form: plugin, settings in alphabetical order, tables, tolerance rule. Origins,
  /// tags and the profile's name are not in it: the same effective values give the same text.
  std::string canonicalText() const;
};

}  // namespace simmer
