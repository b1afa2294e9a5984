#include "cooker/report/escape.h"

#include <cstdint>

#include <fmt/format.h>

namespace simmer {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

/// Bytes of the UTF-8 character that `text` begins with, or 0 when it begins with none (also overlong forms,
/// surrogates, and what lies above U+10FFFF).
std::size_t characterLength(std::string_view text, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    code = first;
    return 1;
  }
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  return code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? 0 : length;
}

/// Not control characters, nor those that turn the direction of what follows: a name could hide its end with them.
bool isHarmless(std::uint32_t code) {
  const bool control = (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code < 0xA0);
  const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return !control && !direction && code != 0xFFFE && code != 0xFFFF;
}

}  // namespace

std::string cleanText(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t length = characterLength(text, code);
    if (length > 0 && isHarmless(code))
      clean += text.substr(0, length);
    else
      clean += kReplacement;
    text.remove_prefix(length > 0 ? length : 1);
  }
  return clean;
}

std::string cleanLine(std::string_view text) {
  std::string line = cleanText(text);
  for (char& c : line)
    if (c == '\n' || c == '\t') c = ' ';
  return line;
}

std::string markupText(std::string_view text) {
  std::string escaped;
  for (const char c : cleanText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string uriPath(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || std::string_view("-._~/").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace simmer
