#include "cache/key.h"

#include <cassert>
#include <charconv>

#include <fmt/format.h>

namespace simmer {
namespace {

[[maybe_unused]] bool isLabel(std::string_view label) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !label.empty() && label.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

void KeyText::add(std::string_view label, std::string_view value) {
  assert(isLabel(label));
  fmt::format_to(std::back_inserter(m_text), "{} {}:", label, value.size());
  m_text.append(value);
  m_text += '\n';
}

Result<std::vector<std::pair<std::string, std::string>>> parseKeyText(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto corrupt = [&] { return fail(ErrorCode::Corrupt, "line {} of the key text is damaged", lines.size() + 1); };
  while (!text.empty()) {
    const std::size_t space = text.find(' '), colon = text.find(':');
    if (space == std::string_view::npos || colon == std::string_view::npos || colon < space) return corrupt();
    std::size_t length = 0;
    const char* const end = text.data() + colon;
    const auto [rest, error] = std::from_chars(text.data() + space + 1, end, length);
    if (error != std::errc() || rest != end || length >= text.size() - colon - 1) return corrupt();
    if (text[colon + 1 + length] != '\n') return corrupt();
    lines.emplace_back(text.substr(0, space), text.substr(colon + 1, length));
    text.remove_prefix(colon + length + 2);
  }
  return lines;
}

}  // namespace simmer
