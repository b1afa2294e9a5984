#include "tests/bench/bench_report.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/plugin_fixtures.h"

namespace simmer::bench {
namespace {

BenchReport makeReport(std::vector<std::string> words) {
  words.insert(words.begin(), "bench_sample");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return BenchReport("sample", static_cast<int>(pointers.size()), pointers.data());
}

TEST(BenchReport, TableAlignsItsColumns) {
  BenchReport report = makeReport({});
  report.add("cook", 12.34567, "µs", 20.0, "other: 15 µs");
  report.add("files per second", 18000, "1/s");
  EXPECT_EQ(report.table(),
            "sample            value  unit  goal  reference\n"
            "cook              12.35  µs      20  other: 15 µs\n"
            "files per second  18000  1/s\n");
}

TEST(BenchReport, JsonHasEveryMember) {
  BenchReport report = makeReport({});
  report.add("cook", 1.5, "s", 2.0, 1.25);
  report.add("name \"quoted\"", 3, "s", {}, "text");
  report.add("nothing measured", std::numeric_limits<double>::infinity(), "s");
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json, nlohmann::json::parse(R"({"benchmark": "sample", "rows": [
    {"name": "cook", "value": 1.5, "unit": "s", "goal": 2.0, "reference": 1.25},
    {"name": "name \"quoted\"", "value": 3.0, "unit": "s", "goal": null, "reference": "text"},
    {"name": "nothing measured", "value": null, "unit": "s", "goal": null, "reference": null}]})"));
}

TEST(BenchReport, DetailsStandInTheFileAlone) {
  BenchReport report = makeReport({});
  report.add("all", 3, "ms");
  report.addDetail("one of many", 1, "ms");
  EXPECT_EQ(report.table(),
            "sample  value  unit  goal  reference\n"
            "all         3  ms\n");
  const auto rows = nlohmann::json::parse(report.json()).at("rows");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].at("name"), "one of many");
}

TEST(BenchReport, WritesTheFileThatWasAskedForAndLeavesOtherWords) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path() / "out.json";
  BenchReport report = makeReport({"fast", "--json", file, "10"});
  report.add("cook", 1, "s");
  EXPECT_EQ(report.arguments(), (std::vector<std::string>{"fast", "10"}));
  ASSERT_EQ(report.finish(), 0);
  const auto bytes = readFile(file);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(asText(*bytes), report.json());
}

TEST(BenchReport, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(makeReport({"--json"}).finish(), 2);
  EXPECT_EQ(makeReport({"--json", "/proc/none/out.json"}).finish(), 1);
}

}  // namespace
}  // namespace simmer::bench
