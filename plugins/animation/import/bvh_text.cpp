#include "plugins/animation/import/bvh_text.h"

#include <charconv>
#include <cmath>

#include "plugins/animation/import/source_file.h"

namespace simmer::animation::bvh {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether a number that std::from_chars finds out of range is too small rather than too large.
bool underflows(std::string_view word) {
  const std::size_t exponent = word.find_first_of("eE");
  return exponent == std::string_view::npos ? word.find_first_of("123456789") > word.find('.')
                                            : word.substr(exponent + 1).starts_with('-');
}

}  // namespace

bool sameWord(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

void Text::skipSpace() {
  for (; m_at < m_text.size() && isSpace(m_text[m_at]); ++m_at) {
    const char c = m_text[m_at];
    const bool insideCrLf = c == '\r' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n';
    if (isNewline(c) && !insideCrLf) ++m_line;
  }
}

std::string_view Text::peek() {
  skipSpace();
  std::size_t end = m_at;
  if (end < m_text.size() && (m_text[end] == '{' || m_text[end] == '}')) return m_text.substr(m_at, 1);
  while (end < m_text.size() && !isSpace(m_text[end]) && m_text[end] != '{' && m_text[end] != '}') ++end;
  return m_text.substr(m_at, end - m_at);
}

std::string_view Text::word() {
  const std::string_view found = peek();
  m_at += found.size();
  return found;
}

std::string_view Text::restOfLine() {
  std::size_t end = m_at;
  while (end < m_text.size() && !isNewline(m_text[end]) && m_text[end] != '{') ++end;
  const std::string_view found = m_text.substr(m_at, end - m_at);
  m_at = end;
  return trimmed(found);
}

std::string_view Text::name() {
  skipSpace();
  return restOfLine();
}

bool Text::keyword(std::string_view keyword) {
  skipSpace();
  if (!sameWord(m_text.substr(m_at, keyword.size()), keyword)) return false;
  const std::size_t end = m_at + keyword.size();
  if (end < m_text.size() && !isSpace(m_text[end]) && m_text[end] != ':') return false;
  m_at = end;
  while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) ++m_at;
  if (m_at < m_text.size() && m_text[m_at] == ':') ++m_at;
  return true;
}

std::string Text::where() const {
  return fmt::format("line {}", m_line);
}

Result<double> toNumber(std::string_view word, std::string_view what) {
  std::string_view digits = word;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = !digits.empty() && end == digits.data() + digits.size();
  if (whole && error == std::errc::result_out_of_range && underflows(digits)) return 0.0;
  if (whole && error == std::errc() && std::isfinite(value)) return value;
  if (word.empty()) return fail(ErrorCode::InvalidInput, "the file ends where {} is expected", what);
  return fail(ErrorCode::InvalidInput, "{} is {}, expected a finite number", what, inQuotes(word));
}

}  // namespace simmer::animation::bvh
