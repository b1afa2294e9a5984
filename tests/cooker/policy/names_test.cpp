#include "cooker/policy/names.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

const std::vector<std::string_view> kValid = {"pixel_budget", "screen_height_px", "object_height_m", "tolerance_mm"};

TEST(NearestName, IsTheOneThatWasMeant) {
  EXPECT_EQ(nearestName("pixel_bugdet", kValid), "pixel_budget") << "two letters exchanged";
  EXPECT_EQ(nearestName("pixelbudget", kValid), "pixel_budget") << "one left out";
  EXPECT_EQ(nearestName("PIXEL-BUDGET", kValid), "pixel_budget") << "case and hyphen";
  EXPECT_EQ(nearestName("screen_height", kValid), "screen_height_px") << "without its unit";
  EXPECT_EQ(nearestName("tolerance", kValid), "tolerance_mm");
  EXPECT_EQ(nearestName("colour", kValid), "");
  EXPECT_EQ(nearestName("", kValid), "");
  EXPECT_EQ(nearestName("x", {"a", "b"}), "") << "one letter for another is no misspelling";
  EXPECT_EQ(nearestName("nonne", {"none", "nun"}), "none");
}

TEST(NearestName, ALongNameCostsNothing) {
  EXPECT_EQ(nearestName(std::string(1'000'000, 'p'), kValid), "");
}

TEST(QuotedName, StaysShortAndOnOneLine) {
  EXPECT_EQ(quotedName("walk"), "'walk'");
  EXPECT_EQ(quotedName("a\nb\x7f"), "'a\\x0ab\\x7f'");
  EXPECT_EQ(quotedName(std::string(100, 'a')), "'" + std::string(60, 'a') + "…'");
  EXPECT_EQ(quotedName(std::string(59, 'a') + "ööö"), "'" + std::string(59, 'a') + "…'") << "whole characters only";
}

TEST(NameAdvice, NamesTheNearestOrAll) {
  EXPECT_EQ(nameAdvice("tolerance", kValid), "; did you mean 'tolerance_mm'?");
  EXPECT_EQ(nameAdvice("colour", {"path", "limit"}), "; expected one of path, limit");
  EXPECT_EQ(nameAdvice("colour", {"path"}), "; expected path");
  EXPECT_EQ(nameAdvice("colour", {}), "");
}

}  // namespace
}  // namespace simmer
