#include "cooker/plugin/plugin_api.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/cooker/plugin/fixtures/fixture_plugin.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

ToleranceRule rule(double budget, double screen, std::optional<double> height = {}) {
  ToleranceRule result;
  result.pixelBudget = budget;
  result.screenHeightPx = screen;
  result.objectHeightM = height;
  return result;
}

TEST(ToleranceRule, GivesTheArticlesMillimetresToAPixel) {
  struct Row {
    double px;
    double mm;  // to two decimals, as the article prints them
  };
  for (const Row& row :
       {Row{48, 37.50}, Row{64, 28.13}, Row{128, 14.06}, Row{256, 7.03}, Row{512, 3.52}, Row{1080, 1.67}})
    EXPECT_NEAR(rule(1, row.px).resolve(1.8) * 1000, row.mm, 0.0051) << row.px;
}

TEST(ToleranceRule, BuiltInIsHalfAPixelAt540) {
  EXPECT_NEAR(ToleranceRule{}.resolve(1.8) * 1000, 1.6667, 1e-4);
}

TEST(ToleranceRule, AGivenHeightStandsAboveTheMeasuredOne) {
  EXPECT_DOUBLE_EQ(rule(2, 100, 3.0).resolve(1.0), 0.06);
  EXPECT_DOUBLE_EQ(rule(2, 100).resolve(1.0), 0.02);
}

TEST(ToleranceRule, WhatHasNoHeightCountsAsAPerson) {
  EXPECT_DOUBLE_EQ(rule(1, 100).resolve(0), 0.018);
  EXPECT_DOUBLE_EQ(rule(1, 100).resolve(-1), 0.018);
  EXPECT_DOUBLE_EQ(rule(1, 100).resolve(std::numeric_limits<double>::quiet_NaN()), 0.018);
}

TEST(ToleranceRule, ALengthOutrightDecidesAlone) {
  ToleranceRule outright = rule(2, 100, 3.0);
  outright.toleranceM = 0.005;
  EXPECT_DOUBLE_EQ(outright.resolve(1.0), 0.005);
  EXPECT_DOUBLE_EQ(outright.metresPerPixel(1.0), 0.03) << "what a pixel is does not change";
}

TEST(AssetPlugin, HasNoViewAndNoCommandsUnlessItSaysSo) {
  const FixturePlugin plugin;
  MemoryReader reader("a", "b");
  RecordingContext context;
  EXPECT_EQ(plugin.inspect({}, reader, nullptr, {}, context).error().code, ErrorCode::Unsupported);
  std::ostringstream out, err;
  Arguments arguments{{}, out, err, false};
  EXPECT_EQ(plugin.run("dance", arguments, context), 2);
  EXPECT_EQ(err.str(), "this plugin has no command 'dance'\n");
}

}  // namespace
}  // namespace simmer::test
