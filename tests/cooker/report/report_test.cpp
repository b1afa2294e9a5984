#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cooker/report/cook_json.h"
#include "cooker/report/cook_text.h"
#include "cooker/report/numbers.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

TEST(Numbers, BytesHaveThreeDigits) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(1000), "1.00 kB");
  EXPECT_EQ(bytesText(6688), "6.69 kB");
  EXPECT_EQ(bytesText(216016), "216 kB");
  EXPECT_EQ(bytesText(999'499), "999 kB");
  EXPECT_EQ(bytesText(999'500), "1.00 MB");
  EXPECT_EQ(bytesText(28'800'000), "28.8 MB");
}

TEST(Numbers, MeasuredRoundsUpAndToleranceDown) {
  EXPECT_EQ(measuredMmText(6.701), "6.71");
  EXPECT_EQ(measuredMmText(7.03), "7.03");
  EXPECT_EQ(measuredMmText(0.001), "0.01");
  EXPECT_EQ(measuredMmText(56.21), "56.3");
  EXPECT_EQ(measuredMmText(9.996), "10.0");
  EXPECT_EQ(measuredMmText(-1), "–");
  EXPECT_EQ(toleranceMmText(56.25), "56.2");
  EXPECT_EQ(toleranceMmText(7.03125), "7.03");
  EXPECT_EQ(toleranceMmText(0.002), "0.002");
  EXPECT_EQ(toleranceMmText(0), "–");
  EXPECT_EQ(measuredPxText(0.953), "0.96");
  EXPECT_EQ(measuredPxText(0.5), "0.50");
}

TEST(Numbers, RatiosCountsAndTimes) {
  EXPECT_EQ(ratioText(246, 1), "246×");
  EXPECT_EQ(ratioText(460, 10), "46.0×");
  EXPECT_EQ(ratioText(731, 100), "7.31×");
  EXPECT_EQ(ratioText(5, 0), "–");
  EXPECT_EQ(countText(1), "1");
  EXPECT_EQ(countText(1204), "1,204");
  EXPECT_EQ(countText(1234567), "1,234,567");
  EXPECT_EQ(durationText(0.744), "744 ms");
  EXPECT_EQ(durationText(3.14), "3.1 s");
  EXPECT_EQ(durationText(250), "4 min 10 s");
  EXPECT_EQ(durationText(8400), "2 h 20 min");
}

TEST(Numbers, WidthCountsWhatAScreenShows) {
  EXPECT_EQ(displayWidth("walk"), 4U);
  EXPECT_EQ(displayWidth("прыжок"), 6U);
  EXPECT_EQ(displayWidth("走る"), 4U);
  EXPECT_EQ(displayWidth("e\u0301"), 1U);
  EXPECT_EQ(shortenedMiddle("characters/hero/walk.glb", 14), "char…/walk.glb");
  for (std::size_t width = 3; width < 30; ++width)
    EXPECT_LE(displayWidth(shortenedMiddle("動画/キャラクター/走る.glb", width)), width);
}

TEST(Table, LeavesOutColumnsThatSayNothing) {
  TextTable table({{"name"}, {"empty"}, {"n", TextTable::Align::Right}});
  table.add({"a", "–", "1"});
  table.add({"long name", "", "20"});
  EXPECT_EQ(table.text(80), "name        n\na           1\nlong name  20\n");
}

CookReport sample() {
  CookReport report;
  AssetRow row;
  row.source = "walk.glb";
  row.item = "Run";
  row.named = true;
  row.profile = "npc";
  row.state = AssetState::Cooked;
  row.toleranceM = 0.00703;
  row.metresPerPixel = 0.00703;
  row.measures = {{std::string(kWorldError), 6.701, 7.03, "mm"}, {"joint error", 5, 7.03, "mm"}};
  row.rawBytes = 216016;
  row.artifactBytes = 6688;
  report.rows.push_back(row);
  AssetRow failed;
  failed.source = "bad.bvh";
  failed.message = "line 3: frame count is 41, MOTION says 40";
  failed.outputs = {{"bad.bvh.clip", {}, 10}};
  report.rows.push_back(failed);
  report.totals.assets = report.totals.sources = 2;
  report.totals.cooked = report.totals.failed = 1;
  report.totals.rawBytes = 216016;
  report.totals.artifactBytes = 6688;
  report.cookRuns = 1;
  return report;
}

TEST(CookText, ShowsRowsFailuresAndTotals) {
  const std::string text = cookText(sample(), {120, 200});
  EXPECT_NE(text.find("walk.glb · Run  npc      216 kB  6.69 kB  32.3×          7.03      6.71  0.96  cooked"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("✕ bad.bvh\n    line 3: frame count is 41, MOTION says 40\n    its last good output stays"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2 assets from 2 sources: 1 cooked · 1 failed"), std::string::npos) << text;
  EXPECT_NE(text.find("raw 216 kB → cooked 6.69 kB"), std::string::npos) << text;
}

TEST(CookText, SaysHowManyRowsItLeavesOut) {
  CookReport report;
  for (int i = 0; i < 300; ++i) {
    AssetRow row;
    row.source = fmt::format("walk{}.bvh", i);
    row.state = i == 299 ? AssetState::Cooked : AssetState::Unchanged;
    report.rows.push_back(row);
  }
  report.totals.assets = 300;
  const std::string text = cookText(report, {120, 10});
  EXPECT_NE(text.find("… and 290 more"), std::string::npos) << text;
  EXPECT_NE(text.find("walk299.bvh"), std::string::npos) << "what is new is shown first";
}

TEST(CookJson, HasNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(cookJson(sample()));
  EXPECT_DOUBLE_EQ(json["assets"][0]["error_mm"], 6.701);
  EXPECT_DOUBLE_EQ(json["assets"][0]["joint_error_mm"], 5);
  EXPECT_TRUE(json["assets"][1]["error_mm"].is_null());
  EXPECT_EQ(json["assets"][1]["state"], "failed");
  EXPECT_EQ(json["totals"]["plugin_runs"]["cook"], 1);
}

}  // namespace
}  // namespace simmer
