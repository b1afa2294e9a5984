#pragma once

#include <string>
#include <string_view>

namespace simmer {

// Names and messages come from files that somebody else wrote. These make them harmless in what is written of them.

/// Valid UTF-8 that XML 1.0 allows: broken bytes and control characters (but tab and line feed) become U+FFFD.
std::string cleanText(std::string_view text);
/// As cleanText(), on one line: for a terminal and for tables.
std::string cleanLine(std::string_view text);
/// Clean, with & < > " and ' as entities: for text and attributes of XML and HTML.
std::string markupText(std::string_view text);
/// A path as a relative URI reference: what is neither unreserved nor '/' is written %XX, byte by byte.
std::string uriPath(std::string_view path);

}  // namespace simmer
