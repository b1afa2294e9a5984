#include "tests/bench/bench_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cooker/base/file.h"

namespace simmer::bench {
namespace {

constexpr std::size_t kColumns = 5;
using Cells = std::array<std::string, kColumns>;

/// Four significant digits, whole numbers in full: figures of one column stay comparable.
std::string numberText(double value) {
  if (std::isfinite(value) && std::abs(value) < 1e15 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

/// The width of a text on a terminal: one column per UTF-8 character.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, widthOf(text)), ' ');
  return right ? space + text : text + space;
}

/// JSON has no infinity: such a figure is null.
nlohmann::ordered_json jsonNumber(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

BenchReport::BenchReport(std::string name, int argc, char** argv) : m_name(std::move(name)) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word != "--json") {
      m_arguments.push_back(word);
    } else if (i + 1 < argc) {
      m_jsonFile = argv[++i];
    } else {
      m_jsonFileMissing = true;
    }
  }
}

void BenchReport::add(std::string name, double value, std::string unit, std::optional<double> goal,
                      std::string reference) {
  m_rows.push_back({std::move(name), value, std::move(unit), goal, {}, std::move(reference), false});
}

void BenchReport::add(std::string name, double value, std::string unit, std::optional<double> goal, double reference) {
  m_rows.push_back({std::move(name), value, std::move(unit), goal, reference, {}, false});
}

void BenchReport::addDetail(std::string name, double value, std::string unit) {
  add(std::move(name), value, std::move(unit));
  m_rows.back().detail = true;
}

std::string BenchReport::table() const {
  std::vector<Cells> lines = {{m_name, "value", "unit", "goal", "reference"}};
  for (const Row& row : m_rows)
    if (!row.detail)
      lines.push_back({row.name, numberText(row.value), row.unit, row.goal ? numberText(*row.goal) : "",
                       row.referenceNumber ? numberText(*row.referenceNumber) : row.referenceText});
  std::array<std::size_t, kColumns> widths{};
  for (const Cells& line : lines)
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], widthOf(line[i]));
  std::string text;
  for (const Cells& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < kColumns; ++i)
      row += padded(line[i], widths[i], /*right=*/i == 1 || i == 3) + (i + 1 < kColumns ? "  " : "");
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

std::string BenchReport::json() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : m_rows) {
    nlohmann::ordered_json json;
    json["name"] = row.name;
    json["value"] = jsonNumber(row.value);
    json["unit"] = row.unit;
    json["goal"] = row.goal ? jsonNumber(*row.goal) : nullptr;
    json["reference"] = nullptr;
    if (row.referenceNumber) json["reference"] = jsonNumber(*row.referenceNumber);
    if (!row.referenceText.empty()) json["reference"] = row.referenceText;
    rows.push_back(std::move(json));
  }
  nlohmann::ordered_json report;
  report["benchmark"] = m_name;
  report["rows"] = std::move(rows);
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

int BenchReport::finish() const {
  std::fputs(table().c_str(), stdout);
  if (m_jsonFileMissing) {
    std::fputs("--json needs the name of a file\n", stderr);
    return 2;
  }
  if (!m_jsonFile) return 0;
  const auto written = writeFileAtomically(std::filesystem::absolute(*m_jsonFile), asBytes(json()));
  if (!written) fmt::print(stderr, "{}: {}\n", *m_jsonFile, written.error().text());
  return written ? 0 : 1;
}

}  // namespace simmer::bench
