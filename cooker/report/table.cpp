#include "cooker/report/table.h"

#include <algorithm>

#include "cooker/report/numbers.h"

namespace simmer {
namespace {

constexpr std::size_t kLeastFirstColumn = 16;

std::string padded(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::size_t have = displayWidth(text);
  const std::string space(width > have ? width - have : 0, ' ');
  return align == TextTable::Align::Left ? text + space : space + text;
}

}  // namespace

std::string TextTable::text(std::size_t width) const {
  std::vector<std::size_t> shown, widths(m_columns.size());
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    const bool says =
        std::any_of(m_rows.begin(), m_rows.end(), [&](const auto& row) { return !row[c].empty() && row[c] != "–"; });
    if (!says && c > 0) continue;
    shown.push_back(c);
    widths[c] = displayWidth(m_columns[c].title);
    for (const auto& row : m_rows) widths[c] = std::max(widths[c], displayWidth(row[c]));
  }
  std::size_t others = 0;
  for (const std::size_t c : shown)
    if (c > 0) others += widths[c] + 2;
  const std::size_t room = width > others ? width - others : 0;
  widths[0] = std::min(widths[0], std::max(room, kLeastFirstColumn));
  std::string out;
  const auto line = [&](const auto& cell) {
    std::string text;
    for (const std::size_t c : shown)
      text += (c == 0 ? "" : "  ") +
              padded(c == 0 ? shortenedMiddle(cell(c), widths[0]) : cell(c), widths[c], m_columns[c].align);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t c) -> const std::string& { return m_columns[c].title; });
  for (const auto& row : m_rows) line([&](std::size_t c) -> const std::string& { return row[c]; });
  return out;
}

}  // namespace simmer
