#pragma once

// What the HTML report is put together from.

#include <string>
#include <vector>

#include "cooker/report/project_report.h"

namespace simmer {

extern const char* const kHtmlStyle;   ///< the content of <style>
extern const char* const kHtmlScript;  ///< the content of <script>; the page is whole without it

/// The treemap of all published files: area is bytes, colour how much of the tolerance is used or what is saved. Files
/// that are too small to see are one tile "n more" of their folder.
std::string treemapHtml(const ProjectReport& report);
/// Shipped bytes after every cook, as a line.
std::string historyHtml(const std::vector<HistoryRun>& runs);

/// A table; cells are HTML already.
class HtmlTable {
 public:
  struct Column {
    std::string title;
    bool number = false;
  };
  explicit HtmlTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}
  void add(const std::vector<std::string>& cells, const char* rowClass = "");
  bool empty() const { return m_rows.empty(); }
  std::string html() const;

 private:
  std::vector<Column> m_columns;
  std::string m_rows;
};

/// "▲ 1.90 MB (+1.8 %)" in the colour of what grew or shrank.
std::string changeHtml(std::uint64_t before, std::uint64_t after);
/// A name that may be cut in narrow columns; its whole text as a tooltip.
std::string nameHtml(const std::string& name);

}  // namespace simmer
