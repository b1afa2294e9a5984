#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// A value as it stands in a TOML file.
struct WrittenValue {
  SettingValue value;
  int line = 0;
  int column = 0;
};
using WrittenValues = std::map<std::string, WrittenValue, std::less<>>;

/// A table such as [joint."hand_*"], or [clip."Run".joint."hand_*"] for one clip alone.
struct SidecarTable {
  std::string name;     ///< "joint"
  std::string pattern;  ///< a glob
  std::string clip;     ///< empty: for all of them
  int line = 0;
  int column = 0;
  WrittenValues values;
};

/// The overrides beside a source: `<source>.simmer.toml`. Whole-file values at the top, per clip in [clip."NAME"], per
/// part with a name in the plugin's own tables.
struct Sidecar {
  std::string file;  ///< path inside the source tree, for messages
  WrittenValues values;
  std::vector<WrittenValue> tags;  ///< texts
  std::map<std::string, WrittenValues, std::less<>> clips;
  std::map<std::string, std::vector<WrittenValue>, std::less<>> clipTags;
  std::map<std::string, int, std::less<>> clipLines;  ///< where each clip's table begins
  std::vector<SidecarTable> tables;                   ///< those for all clips first, then in the order of the file

  /// InvalidInput with `where` = "file:line:column". Which settings exist is checked when they are resolved, since that
  /// depends on the plugin.
  static Result<Sidecar> parse(std::string_view toml, std::string file);

  /// InvalidInput when a clip is named that the source does not have, or a table's pattern matches none of its names;
  /// with the nearest one that it has.
  Result<void> checkNames(const Description& description) const;
};

}  // namespace simmer
