#pragma once

#include <string>
#include <vector>

namespace simmer {

/// Text in columns. Widths count what a terminal shows.
class TextTable {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };

  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}
  /// `cells` has one element for each column.
  void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
  bool empty() const { return m_rows.empty(); }
  /// Title line and rows, two spaces between columns, each line ended. Columns that are "–" or empty in every row are
  /// left out. The first column gives way until the lines fit into `width`.
  std::string text(std::size_t width) const;

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace simmer
