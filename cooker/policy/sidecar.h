#pragma once

#include <map>
#include <string>
#include <string_view>

#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// A value as it stands in a TOML file.
struct WrittenValue {
  SettingValue value;
  int line = 0;
  int column = 0;
};
using WrittenValues = std::map<std::string, WrittenValue, std::less<>>;

/// The overrides beside a source: `<source>.simmer.toml`. Whole-file values at the top, per clip in [clip."NAME"].
struct Sidecar {
  std::string file;  ///< path inside the source tree, for messages
  WrittenValues values;
  std::map<std::string, WrittenValues, std::less<>> clips;
  std::map<std::string, int, std::less<>> clipLines;  ///< where each clip's table begins

  /// InvalidInput with `where` = "file:line:column". Which settings exist is checked when they are resolved, since that
  /// depends on the plugin.
  static Result<Sidecar> parse(std::string_view toml, std::string file);

  /// InvalidInput when a clip is named that the source does not have, with the nearest one that it has.
  Result<void> checkClips(const Description& description) const;
};

}  // namespace simmer
