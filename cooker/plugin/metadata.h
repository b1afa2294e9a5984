#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/base/glob.h"
#include "cooker/plugin/setting.h"

namespace simmer {

/// A part of a plugin that decides bytes, with a version of its own. The key holds the parts that an item used, so a
/// new importer for one format does not recook the others.
struct PartSpec {
  std::string name;  ///< "importer.bvh"
  std::int64_t version = 0;
  std::vector<std::string> suffixes;  ///< used for sources that end so (lower case, with the dot); empty: for all
  std::string setting;                ///< used when this setting …
  std::string equals;                 ///< … has this value; empty: always
};

/// A command that a plugin adds to the command line.
struct CommandSpec {
  std::string name;
  std::string usage;  ///< "FILE [--json]"
  std::string help;
  bool createsProject = false;  ///< its first word is a folder in which a project file is written first
};

/// Settings for parts of an item that are addressed by their names, for example joints: a sidecar sets them in tables
/// such as [joint."hand_*"].
struct TableSpec {
  std::string name;  ///< "joint"
  std::string help;
  std::vector<SettingSpec> settings;  ///< a default says what holds where nobody sets anything

  const SettingSpec* setting(std::string_view name) const;
};

/// What a plugin says of itself, read without loading it. PLUGINS.md specifies the JSON.
struct PluginMetadata {
  std::string name;
  std::string version;
  std::string summary;
  std::vector<Glob> patterns;  ///< sources it takes when no rule names a plugin; case does not count
  std::vector<SettingSpec> settings;
  std::vector<TableSpec> tables;
  std::vector<PartSpec> parts;
  std::vector<CommandSpec> commands;
  /// Settings for a quick look: a cook with them is fast and its size grows and shrinks as that of others does. Empty
  /// where the plugin has no such.
  Settings draft;

  /// The metadata that this JSON object spells, or InvalidInput naming the member that is wrong.
  static Result<PluginMetadata> parse(std::string_view json);

  bool takes(std::string_view sourcePath) const;
  /// The setting of this name, or null.
  const SettingSpec* setting(std::string_view name) const;
  /// The table of this name, or null.
  const TableSpec* table(std::string_view name) const;
  /// Every setting with its default value.
  Settings defaults() const;
  /// "name version" of each part that a source of this name, cooked with these settings, uses; in the metadata's order.
  std::vector<std::string> usedParts(std::string_view sourceName, const Settings& settings) const;
  /// Names and versions of all parts: changes whenever any result of the plugin may.
  std::string versionText() const;
};

}  // namespace simmer
