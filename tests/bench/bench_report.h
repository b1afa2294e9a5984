#pragma once

#include <optional>
#include <string>
#include <vector>

namespace simmer::bench {

/// What a benchmark prints and writes: one row per figure.
///
///     int main(int argc, char** argv) {
///       simmer::bench::BenchReport report("cooker", argc, argv);
///       report.add("no-op cook", seconds, "s", 0.3, "find: 0.21 s");
///       return report.finish();
///     }
class BenchReport {
 public:
  /// Takes `--json FILE` from the command line; any other argument is left in arguments().
  BenchReport(std::string name, int argc, char** argv);

  /// The words of the command line that are not the report's own, in their order.
  const std::vector<std::string>& arguments() const { return m_arguments; }

  /// One figure. `goal` is what the value should reach or stay under, `reference` what it is compared with: the same
  /// measurement of another program in the same run, or a published figure.
  void add(std::string name, double value, std::string unit, std::optional<double> goal = {},
           std::string reference = {});
  void add(std::string name, double value, std::string unit, std::optional<double> goal, double reference);

  /// A figure that is for the file alone: there are too many of its kind for a table.
  void addDetail(std::string name, double value, std::string unit);

  /// Prints the table, and writes
  /// {"benchmark": NAME, "rows": [{"name", "value", "unit", "goal", "reference"}]} when a file was asked for; `goal`
  /// and `reference` are null when they were not given. Gives the exit code of the program: 0, 1 when the file can not
  /// be written, 2 when --json had no file.
  int finish() const;

  /// The table as text, without the details.
  std::string table() const;
  /// The JSON as text.
  std::string json() const;

 private:
  struct Row {
    std::string name;
    double value = 0;
    std::string unit;
    std::optional<double> goal;
    std::optional<double> referenceNumber;
    std::string referenceText;
    bool detail = false;  // not in the table
  };

  std::string m_name;
  std::vector<std::string> m_arguments;
  std::optional<std::string> m_jsonFile;
  bool m_jsonFileMissing = false;
  std::vector<Row> m_rows;
};

}  // namespace simmer::bench
