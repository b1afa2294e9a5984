#include "cooker/base/result.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return failAt(ErrorCode::InvalidInput, "line 3", "{} is odd, expected an even number", number);
  return number / 2;
}

Result<int> quarter(int number) {
  SIMMER_TRY(once, half(number));
  SIMMER_TRY(twice, half(once));
  return twice;
}

Result<void> isDivisible(int number) {
  SIMMER_CHECK(quarter(number));
  return {};
}

TEST(Result, TryGivesTheValueOrReturnsTheError) {
  EXPECT_EQ(quarter(12), 3);
  EXPECT_EQ(quarter(6).error(), (Error{ErrorCode::InvalidInput, "3 is odd, expected an even number", "line 3"}));
}

TEST(Result, CheckReturnsTheErrorOnly) {
  EXPECT_TRUE(isDivisible(8));
  EXPECT_EQ(isDivisible(7).error().message, "7 is odd, expected an even number");
}

TEST(Error, TextHasThePlaceInFront) {
  EXPECT_EQ(half(1).error().text(), "line 3: 1 is odd, expected an even number");
  EXPECT_EQ((Error{ErrorCode::Io, "disk full", {}}).text(), "disk full");
}

TEST(ErrorCodes, HaveTheirNames) {
  EXPECT_EQ(toString(ErrorCode::InvalidInput), "invalid-input");
  EXPECT_EQ(toString(ErrorCode::ToleranceUnmet), "tolerance-unmet");
  EXPECT_EQ(toString(ErrorCode::PluginCrashed), "plugin-crashed");
  EXPECT_EQ(toString(ErrorCode::Corrupt), "corrupt");
}

TEST(ErrorCodes, OnlyThreeAreKeptAsAnswers) {
  for (const auto code : {ErrorCode::InvalidInput, ErrorCode::Unsupported, ErrorCode::ToleranceUnmet})
    EXPECT_TRUE(isDeterministic(code)) << toString(code);
  for (const auto code : {ErrorCode::Io, ErrorCode::Timeout, ErrorCode::PluginCrashed, ErrorCode::Cancelled,
                          ErrorCode::NotFound, ErrorCode::Corrupt})
    EXPECT_FALSE(isDeterministic(code)) << toString(code);
}

}  // namespace
}  // namespace simmer
