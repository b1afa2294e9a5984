#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cooker/report/numbers.h"
#include "cooker/report/read_report.h"
#include "cooker/report/report_html.h"
#include "cooker/report/report_json.h"
#include "cooker/report/report_junit.h"
#include "cooker/report/report_sarif.h"
#include "cooker/report/report_text.h"
#include "tests/cooker/report/report_fixtures.h"

namespace simmer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHostile = "<script>alert(1)</script>\"'&]]>\x1b[31m\xFF\n{}\u202E.bvh";

ProjectReport hostileReport() {
  AssetRow row = assetRow(kHostile, 10, kHostile);
  row.item = kHostile;
  row.named = true;
  row.tags = {kHostile};
  AssetRow failed = failedRow("z" + kHostile, kHostile);
  failed.profile = kHostile;
  Budget budget;
  budget.name = kHostile;
  budget.maxBytes = 1;
  const ProjectState before = stateOf({assetRow(kHostile, 5, "")});
  ProjectReport report = reportOf({row, failed}, {budget}, &before);
  report.name = kHostile;
  report.warnings = {{ErrorCode::InvalidInput, kHostile, kHostile}};
  return report;
}

TEST(Numbers, ChangesHaveSignAndUnit) {
  EXPECT_EQ(changeText(100'000'000, 101'900'000), "▲ 1.90 MB (+1.9 %)");
  EXPECT_EQ(changeText(3000, 2988), "▼ 12 B (−0.4 %)");
  EXPECT_EQ(changeText(5, 5), "=");
  EXPECT_EQ(changeText(0, 5), "▲ 5 B (new)");
  EXPECT_EQ(changeText(5, 0), "▼ 5 B (−100.0 %)");
  EXPECT_EQ(growthText(100, 1200), "×12");
  EXPECT_EQ(growthText(1'000'000, 1'000'001), "+<0.1 %");
  EXPECT_EQ(fromToText(560, 512), "560 → 512 B");
  EXPECT_EQ(fromToText(412'000, 1'020'000), "412 kB → 1.02 MB");
  EXPECT_EQ(usedText(0.9991), "100.0 %");
  EXPECT_EQ(usedText(0.95), "95.0 %");
}

TEST(Numbers, AnErrorWithinItsToleranceIsNeverShownAboveIt) {
  EXPECT_EQ(errorMmText(2.585, 2.589), "2.58");
  EXPECT_EQ(toleranceMmText(2.589), "2.58");
  EXPECT_EQ(errorMmText(2.5, 2.589), "2.50");
  EXPECT_EQ(errorMmText(2.5892, 2.589), "2.59") << "one above it is";
  EXPECT_EQ(errorMmText(-1, 2), "–");
}

TEST(ReportJson, IsReadBackAsTheSameState) {
  AssetRow shared = assetRow("fox.glb", 10);
  shared.tags = {"a", "b"};
  shared.outputs.push_back({"fox.glb.skeleton", {}, 99});
  ProjectReport report = reportOf({shared, assetRow("walk.bvh", 20), failedRow("x.bvh", "no")});
  report.now.files["nobody.clip"] = 3;
  const auto state = readReport(reportJson(report));
  ASSERT_TRUE(state) << state.error().text();
  EXPECT_EQ(state->files, report.now.files);
  EXPECT_EQ(state->timeMs, report.now.timeMs);
  EXPECT_EQ(state->totals.shippedBytes, report.now.totals.shippedBytes);
  EXPECT_EQ(state->totals.artifactBytes, report.now.totals.artifactBytes);
  EXPECT_EQ(state->rows[0].tags, shared.tags);
  EXPECT_TRUE(compare(*state, report.now).changes.empty());
}

TEST(ReadReport, TakesNothingElse) {
  const auto message = [](const std::string& text) {
    const auto state = readReport(text);
    return state ? "taken" : std::string(toString(state.error().code)) + ": " + state.error().message;
  };
  EXPECT_THAT(message("{}"), HasSubstr("invalid-input: this is no report"));
  EXPECT_THAT(message(""), HasSubstr("invalid-input: this is no report"));
  EXPECT_THAT(message("[1]"), HasSubstr("invalid-input"));
  EXPECT_THAT(message("{\"schema\": 2}"),
              HasSubstr("unsupported: the report has schema 2, this program reads schema 1"));
  EXPECT_THAT(message("{\"schema\": \"1\"}"), HasSubstr("invalid-input"));
  EXPECT_THAT(message(std::string(100'000, '[')), HasSubstr("invalid-input"));
  const std::string good = reportJson(reportOf({assetRow("a.bvh", 10)}));
  ASSERT_EQ(message(good), "taken");
  for (const char* bad : {"-1", "1.5", "1e300", "18446744073709551615", "\"10\"", "null", "{}"}) {
    std::string text = good;
    const std::string member = "\"artifact_bytes\": 10";
    for (std::size_t at = text.find(member); at != std::string::npos; at = text.find(member, at + 1))
      text.replace(at, member.size(), std::string("\"artifact_bytes\": ") + bad);
    EXPECT_THAT(message(text), HasSubstr("invalid-input")) << bad;
  }
}

TEST(Forms, HostileNamesStayText) {
  const ProjectReport report = hostileReport();
  for (const std::string& text : {reportHtml(report), reportJunit(report)}) {
    EXPECT_THAT(text, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;]]&gt;"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xFF")));
  }
  for (const std::string& text : {reportText(report, 200), budgetText(report, 200)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << "it would reach the terminal";
    EXPECT_THAT(text, Not(HasSubstr("\u202E")));
  }
  for (const std::string& text : {reportJson(report), reportSarif(report, "1"), budgetJson(report)})
    EXPECT_TRUE(Json::accept(text)) << text;
}

TEST(Junit, HasASuiteForEachProfileAndOneForBudgets) {
  AssetRow ignored = assetRow("readme.glb", 0, "");
  ignored.state = AssetState::Ignored;
  ignored.message = "nothing to cook in it";
  Budget budget;
  budget.name = "total";
  budget.maxGrowthPercent = 1;
  AssetRow over = assetRow("over.bvh", 5);
  over.measures[0].bound = 6;
  const std::string xml =
      reportJunit(reportOf({assetRow("a.bvh", 3), failedRow("b.bvh", "line 3: no"), over, ignored}, {budget}));
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"Emberfall\" tests=\"5\" failures=\"2\" errors=\"0\">"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"npc\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"(no profile)\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"asset-failed\" message=\"line 3: no\">"));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"over-bound\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"nothing to cook in it\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"no baseline: growth is not known, at most +1 %\"/>"));
}

TEST(Sarif, KnowsPlaces) {
  const auto place = [](const std::string& message) {
    const PlacedMessage placed = splitPlace(message);
    return fmt::format("{}|{}|{}|{}", placed.file, placed.line, placed.column, placed.text);
  };
  EXPECT_EQ(place("simmer.toml:3:5: text"), "simmer.toml|3|5|text");
  EXPECT_EQ(place("hero/a b.bvh.simmer.toml:2:1: a: b"), "hero/a b.bvh.simmer.toml|2|1|a: b");
  EXPECT_EQ(place("line 12: text"), "|12|0|line 12: text");
  EXPECT_EQ(place("see simmer.toml: 3"), "|0|0|see simmer.toml: 3");
  EXPECT_EQ(place("text: simmer.toml:3:5: x"), "|0|0|text: simmer.toml:3:5: x");
  EXPECT_EQ(place("simmer.toml:99999999999999:5: x"), "|0|0|simmer.toml:99999999999999:5: x");
  EXPECT_EQ(place(""), "|0|0|");
}

TEST(Sarif, ResultsHaveRulesLevelsAndPlaces) {
  Budget budget;
  budget.name = "total";
  budget.maxBytes = 1;
  budget.line = 7;
  budget.column = 1;
  ProjectReport report =
      reportOf({assetRow("a.bvh", 3), failedRow("x y.bvh", "x y.bvh.simmer.toml:2:4: no such key")}, {budget});
  report.warnings = {{ErrorCode::InvalidInput, "no source matches", "simmer.toml:9:3"},
                     {ErrorCode::InvalidInput, "a sidecar without a source", "q.bvh.simmer.toml"}};
  const Json run = Json::parse(reportSarif(report, "0.1"))["runs"][0];
  std::vector<std::string> results;
  for (const Json& result : run["results"]) {
    const Json& at = result["locations"][0]["physicalLocation"];
    results.push_back(fmt::format("{} {} {} {} {}", result["ruleId"].get<std::string>(),
                                  result["level"].get<std::string>(), at["artifactLocation"]["uri"].get<std::string>(),
                                  at["artifactLocation"]["uriBaseId"].get<std::string>(),
                                  at.contains("region") ? at["region"]["startLine"].get<int>() : 0));
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  }
  EXPECT_THAT(results, testing::ElementsAre("asset-failed error x%20y.bvh.simmer.toml SOURCES 2",
                                            "budget-exceeded error simmer.toml PROJECT 7",
                                            "warning warning simmer.toml PROJECT 9",
                                            "warning warning q.bvh.simmer.toml SOURCES 0"));
}

TEST(Html, StaysSmallForLargeProjects) {
  for (const std::size_t count : {2'000U, 20'000U}) {
    std::vector<AssetRow> rows;
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back(assetRow(fmt::format("characters/group{:02}/character{:05}/walk_forward_{:05}.bvh", i % 40, i, i),
                              100 + i * 7919 % 5000));
    std::sort(rows.begin(), rows.end(), [](const AssetRow& a, const AssetRow& b) { return a.source < b.source; });
    const std::string html = reportHtml(reportOf(rows));
    EXPECT_LT(html.size(), 1'000'000U) << count;
    EXPECT_EQ(html.find(" more in characters/group") != std::string::npos, count > 2'000) << count;
  }
}

/// Every file is in one tile, alone or with others.
TEST(Html, TheTreemapLosesNoFile) {
  std::vector<AssetRow> rows;
  for (std::size_t i = 0; i < 5'000; ++i)
    rows.push_back(assetRow(fmt::format("{}/{}/{}/{:04}.bvh", "abc"[i % 3], i % 7, i % 113, i),
                            i % 90 == 0 ? 90'000 : 50 + i % 11));
  rows.push_back(assetRow("root.bvh", 60));
  rows.push_back(assetRow("tiny/x.bvh", 1));
  std::sort(rows.begin(), rows.end(), [](const AssetRow& a, const AssetRow& b) { return a.source < b.source; });
  const std::string html = reportHtml(reportOf(rows));
  const std::regex title("<title>(?:([0-9,]+) (?:files?|more) in )?[^<]*</title></rect>");
  std::size_t files = 0, tiles = 0;
  for (std::sregex_iterator found(html.begin(), html.end(), title), end; found != end; ++found, ++tiles) {
    std::string count = (*found)[1].str();
    std::erase(count, ',');
    files += count.empty() ? 1 : std::stoul(count);
  }
  EXPECT_EQ(files, rows.size());
  EXPECT_LT(tiles, 2'100U);
  EXPECT_GT(tiles, 56U) << "large files stand alone";
}

TEST(Html, FetchesNothing) {
  const std::string html = reportHtml(hostileReport());
  for (const char* link : {"http:", "https:", "src=", "href=", "url(", "@import"})
    EXPECT_THAT(html, Not(HasSubstr(link)));
}

}  // namespace
}  // namespace simmer::test
