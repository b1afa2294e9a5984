#include "cooker/policy/toml_text.h"

#include <algorithm>

#include "cooker/policy/names.h"

namespace simmer {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr int kMaxDots = 16;

/// The index behind the string that opens at `open` (the end of the text when it does not close).
std::size_t stringEnd(std::string_view text, std::size_t open) {
  const char quote = text[open];
  const std::string fence(3, quote);
  const bool multiLine = text.substr(open, 3) == fence;
  std::size_t at = open + (multiLine ? 3 : 1);
  while (at < text.size()) {
    if (multiLine && text.substr(at, 3) == fence) {
      // Up to two quotes may stand directly before the closing fence.
      at += 3;
      while (at < text.size() && text[at] == quote) ++at;
      return at;
    }
    if (!multiLine && (text[at] == quote || text[at] == '\n')) return at + 1;
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  }
  return text.size();
}

/// A key of many parts ("a.a.a. …") makes as many tables inside each other, and the library takes them apart by
/// recursion: refused before it sees them. (It limits the depth of lists itself.)
Result<void> checkKeyDepth(std::string_view text, std::string_view file) {
  int dots = 0, line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = std::min(stringEnd(text, at), text.size());
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '\n') ++line;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{') dots = 0;
    if (c == '.' && ++dots > kMaxDots)
      return failAt(ErrorCode::InvalidInput, placeText(file, line, 1), "a key of more than {} parts", kMaxDots);
    ++at;
  }
  return {};
}

bool hasControlCharacter(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace

std::string placeText(std::string_view file, int line, int column) {
  return fmt::format("{}:{}:{}", file, line, column);
}

std::string placeText(std::string_view file, const toml::source_region& region) {
  return placeText(file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column));
}

Result<toml::table> parseToml(std::string_view text, std::string_view file) {
  if (text.size() > kMaxBytes)
    return failAt(ErrorCode::InvalidInput, std::string(file), "{} bytes, at most {} are read", text.size(), kMaxBytes);
  SIMMER_CHECK(checkKeyDepth(text, file));
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return failAt(ErrorCode::InvalidInput, placeText(file, error.source()), "{}", error.description());
  }
}

std::string_view kindText(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    case toml::node_type::none:
      break;
  }
  return "nothing";
}

namespace {

/// The range that a list of two numbers is.
std::optional<NumberRange> rangeOf(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (!list || list->size() != 2 || !list->get(0)->is_number() || !list->get(1)->is_number()) return std::nullopt;
  return NumberRange{*list->get(0)->value<double>(), *list->get(1)->value<double>()};
}

}  // namespace

Result<WrittenValue> writtenValue(std::string_view name, const toml::node& node, std::string_view file) {
  WrittenValue written;
  written.line = static_cast<int>(node.source().begin.line);
  written.column = static_cast<int>(node.source().begin.column);
  if (const auto* flag = node.as_boolean()) {
    written.value = flag->get();
  } else if (const auto* integer = node.as_integer()) {
    written.value = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    written.value = number->get();
  } else if (const auto* text = node.as_string()) {
    written.value = text->get();
  } else if (const auto range = rangeOf(node)) {
    written.value = rangeText(*range);
  } else {
    return failAt(ErrorCode::InvalidInput, placeText(file, node.source()), "{} is {}, expected a single value",
                  quotedName(name), kindText(node));
  }
  return written;
}

Result<std::string> textValue(std::string_view name, const toml::node& node, std::string_view file) {
  const std::string where = placeText(file, node.source());
  const auto* text = node.as_string();
  if (!text)
    return failAt(ErrorCode::InvalidInput, where, "{} is {}, expected a text", quotedName(name), kindText(node));
  if (text->get().empty()) return failAt(ErrorCode::InvalidInput, where, "{} is empty", quotedName(name));
  if (hasControlCharacter(text->get()))
    return failAt(ErrorCode::InvalidInput, where, "{} holds a control character", quotedName(name));
  return text->get();
}

Result<std::vector<PlacedText>> textList(std::string_view name, const toml::node& node, std::string_view file) {
  std::vector<PlacedText> texts;
  const auto* list = node.as_array();
  if (!list && !node.is_string())
    return failAt(ErrorCode::InvalidInput, placeText(file, node.source()),
                  "{} is {}, expected a text or a list of texts", quotedName(name), kindText(node));
  if (!list) {
    SIMMER_TRY(text, textValue(name, node, file));
    texts.push_back({text, node.source()});
    return texts;
  }
  for (const toml::node& element : *list) {
    SIMMER_TRY(text, textValue(name, element, file));
    texts.push_back({text, element.source()});
  }
  return texts;
}

}  // namespace simmer
