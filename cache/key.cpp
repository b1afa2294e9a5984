#include "cache/key.h"

#include <cassert>

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

}  // namespace simmer
