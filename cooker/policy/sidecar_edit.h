#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cooker/plugin/setting.h"

namespace simmer {

/// A value as TOML spells it: true, 12, 0.5, "max".
std::string tomlText(const SettingValue& value);
std::string tomlText(const std::vector<std::string>& texts);

/// Changes one value in the text of a sidecar and leaves the rest as a person wrote it: comments, order, spaces, line
/// ends. `path` leads to the value: {"effort"}, {"clip", "Run", "effort"}, {"joint", "hand_*", "tolerance_scale"};
/// tables on it are added where they are missing. `value` is TOML. The changed text is read back and compared before it
/// is given: InvalidInput when the place can not be changed without touching more (the message says to edit the file by
/// hand), or when the text is no TOML; `file` is for messages.
Result<std::string> setInToml(std::string_view text, std::string_view file, const std::vector<std::string>& path,
                              std::string_view value);

/// As setInToml(), from "profile.background.pixel_budget=2". A value that is no TOML is taken as a text.
Result<std::string> setInToml(std::string_view text, std::string_view file, std::string_view assignment);

/// Takes a value out, with its comment on the same line, and tables that are empty then. NotFound when it is not set.
Result<std::string> unsetInToml(std::string_view text, std::string_view file, const std::vector<std::string>& path);

}  // namespace simmer
