#include "cooker/plugin/setting.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace simmer {
namespace {

SettingSpec spec(SettingSpec::Type type, std::optional<double> low = {}, std::optional<double> high = {}) {
  SettingSpec result;
  result.name = "s";
  result.type = type;
  result.minimum = low;
  result.maximum = high;
  result.choices = {"article", "spline"};
  return result;
}

using Type = SettingSpec::Type;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SettingSpec, GivesTheValueAsTheSettingHoldsIt) {
  EXPECT_EQ(spec(Type::Boolean).check(true), SettingValue(true));
  EXPECT_EQ(spec(Type::Integer, 0, 9).check(std::int64_t{9}), SettingValue(std::int64_t{9}));
  EXPECT_EQ(spec(Type::Number, 0, 9).check(0.0), SettingValue(0.0));
  EXPECT_EQ(spec(Type::Number).check(std::int64_t{3}), SettingValue(3.0)) << "a whole number is a number";
  EXPECT_EQ(spec(Type::Text).check(std::string("x")), SettingValue("x"));
  EXPECT_EQ(spec(Type::Choice).check(std::string("spline")), SettingValue("spline"));
}

TEST(SettingSpec, ARangeHasOneSpelling) {
  const SettingSpec range = spec(Type::Range, 0, 10);
  EXPECT_EQ(range.check(std::string("0.50..2.0")), SettingValue("0.5..2"));
  EXPECT_EQ(range.check(std::string("3..3")), SettingValue("3..3"));
  EXPECT_EQ(range.check(std::string("-0..1")), SettingValue("0..1"));
  EXPECT_EQ(range.check(std::string()), SettingValue("")) << "all of it";
  for (const char* text : {"2..1", "1", "1..", "..1", "1..2..3", "a..b", "1..nan", "0..inf", " 1..2", "1.. 2", "1...2"})
    EXPECT_FALSE(range.check(std::string(text))) << text;
  EXPECT_EQ(range.check(std::string("1..11")).error().message, "s is 11, expected 0 to 10");
  EXPECT_EQ(range.check(2.0).error().message, "s is 2, expected two numbers, the larger one last, such as \"0.5..2\"");
  const Settings settings = {{"s", "0.5..2"}, {"all", ""}};
  EXPECT_EQ(settingRange(settings, "s"), (NumberRange{0.5, 2}));
  EXPECT_EQ(settingRange(settings, "all"), std::nullopt);
}

TEST(SettingSpec, SaysWhatWasSeenAndWhatIsExpected) {
  struct Case {
    SettingSpec spec;
    SettingValue value;
    const char* message;
  };
  const std::vector<Case> cases = {
      {spec(Type::Boolean), std::int64_t{1}, "s is 1, expected true or false"},
      {spec(Type::Integer), 1.5, "s is 1.5, expected a whole number"},
      {spec(Type::Integer), 2.0, "s is 2, expected a whole number"},
      {spec(Type::Integer, 0, 9), std::int64_t{10}, "s is 10, expected 0 to 9"},
      {spec(Type::Integer, {}, 9), std::int64_t{10}, "s is 10, expected at most 9"},
      {spec(Type::Number, 0.5), 0.25, "s is 0.25, expected at least 0.5"},
      {spec(Type::Number), kNan, "s is nan, expected a number"},
      {spec(Type::Number, 0), kInfinity, "s is inf, expected a number"},
      {spec(Type::Number), std::string("1"), "s is \"1\", expected a number"},
      {spec(Type::Text), false, "s is false, expected a text"},
      {spec(Type::Choice), std::string("Spline"), "s is \"Spline\", expected one of article, spline"},
      {spec(Type::Choice), true, "s is true, expected one of article, spline"},
  };
  for (const Case& c : cases) {
    const auto checked = c.spec.check(c.value);
    ASSERT_FALSE(checked) << c.message;
    EXPECT_EQ(checked.error().code, ErrorCode::InvalidInput);
    EXPECT_EQ(checked.error().message, c.message);
  }
}

TEST(CanonicalText, TheSameValueHasTheSameText) {
  EXPECT_EQ(canonicalText(true), "true");
  EXPECT_EQ(canonicalText(std::int64_t{-12}), "-12");
  EXPECT_EQ(canonicalText(0.01), "0.01");
  EXPECT_EQ(canonicalText(1.0), "1");
  EXPECT_EQ(canonicalText(-0.0), canonicalText(0.0));
  EXPECT_EQ(canonicalText(1e300), "1e+300");
  EXPECT_EQ(canonicalText(std::string("spline")), "\"spline\"");
}

TEST(CanonicalText, NumbersKeepEveryBit) {
  for (const double number : {0.1, 1.0 / 3.0, 7.03125e-3, 5e-324, std::nextafter(1.0, 2.0)})
    EXPECT_EQ(std::strtod(canonicalText(number).c_str(), nullptr), number);
}

TEST(CanonicalText, ATextStaysOnItsLine) {
  // Values stand one to a line: no text may look like the end of its line and another value.
  EXPECT_EQ(canonicalText(std::string("a\"b\\c\nd\te\x01")), R"("a\"b\\c\nd\te\x01")");
  EXPECT_EQ(canonicalText(std::string("größer")), "\"größer\"");
}

}  // namespace
}  // namespace simmer
