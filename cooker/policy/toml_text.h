#pragma once

// How this module reads TOML. Only its own .cpp files include this header.

#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "cooker/base/result.h"
#include "cooker/policy/sidecar.h"

namespace simmer {

/// The document that `text` spells. InvalidInput with `where` = "file:line:column"; also when it is above 1 MiB or
/// nested deeper than a settings file ever is.
Result<toml::table> parseToml(std::string_view text, std::string_view file);

/// "file:line:column".
std::string placeText(std::string_view file, const toml::source_region& region);
std::string placeText(std::string_view file, int line, int column);

/// "a text", "a list", …: what a value is, for messages.
std::string_view kindText(const toml::node& node);

/// A single value with its place; a list of two numbers is a range. InvalidInput when it is another list, a table, a
/// date or a time.
Result<WrittenValue> writtenValue(std::string_view name, const toml::node& node, std::string_view file);

/// A text; InvalidInput when it is something else, empty, or holds control characters.
Result<std::string> textValue(std::string_view name, const toml::node& node, std::string_view file);

/// A text or a list of texts, each with its place.
struct PlacedText {
  std::string text;
  toml::source_region region;
};
Result<std::vector<PlacedText>> textList(std::string_view name, const toml::node& node, std::string_view file);

}  // namespace simmer
