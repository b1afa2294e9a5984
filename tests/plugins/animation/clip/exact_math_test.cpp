#include "plugins/animation/clip/exact_math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace simmer::animation::exact {
namespace {

// Bits of arguments and results as V8's Math gives them, which is a port of fdlibm too.
using Bits = std::uint64_t;

double number(Bits bits) {
  return std::bit_cast<double>(bits);
}
Bits bits(double value) {
  return std::bit_cast<Bits>(value);
}

constexpr Bits kSinCos[][3] = {
    {0x3fe0000000000000u, 0x3fdeaee8744b05f0u, 0x3fec1528065b7d50u},
    {0xbfe921fb54442d19u, 0xbfe6a09e667f3bcdu, 0x3fe6a09e667f3bccu},
    {0x3ff0000000000000u, 0x3feaed548f090ceeu, 0x3fe14a280fb5068cu},
    {0x3ff921fb54442d18u, 0x3ff0000000000000u, 0x3c91a62633145c07u},
    {0xbff921fb54442d18u, 0xbff0000000000000u, 0x3c91a62633145c07u},
    {0x4000000000000000u, 0x3fed18f6ead1b446u, 0xbfdaa22657537205u},
    {0x4002d97c7f3321d2u, 0x3fe6a09e667f3bcdu, 0xbfe6a09e667f3bccu},
    {0x400921fb54442d18u, 0x3ca1a62633145c07u, 0xbff0000000000000u},
    {0xc00921fb54442d18u, 0xbca1a62633145c07u, 0xbff0000000000000u},
    {0x401921fb54442d18u, 0xbcb1a62633145c07u, 0x3ff0000000000000u},
    {0x4024000000000000u, 0xbfe1689ef5f34f52u, 0xbfead9ac890c6b1fu},
    {0xc036000000000000u, 0x3f8220a29f6eb9f4u, 0xbfefffadd8d4acdau},
    {0x4040800000000000u, 0x3fefff4728416238u, 0xbf8b30d6d8f65f78u},
    {0x4059000000000000u, 0xbfe03425b78c4db8u, 0x3feb981dbf665fdfu},
    {0x4076300000000000u, 0xbeff9bd0307d1de3u, 0xbfefffffffc18e4cu},
    {0xc086300000000000u, 0xbf0f9bd0303f6fafu, 0x3fefffffff063930u},
    {0x40c3880000000000u, 0xbfd38f2fa75d9289u, 0xbfee780e88ec4409u},
    {0x40fe240c9fbe76c9u, 0xbfeff50e60ab53f9u, 0x3faa74d27c41b22au},
    {0x412921fb33333333u, 0xbfb0858be515492bu, 0x3fefeeebfee47670u},
    {0xc13921fb1999999au, 0x3fcd13bbb59477f3u, 0x3fef29d4cbd35cb6u},
    {0x3e112e0be826d695u, 0x3e112e0be826d695u, 0x3ff0000000000000u},
    {0x01a56e1fc2f8f359u, 0x01a56e1fc2f8f359u, 0x3ff0000000000000u},
};
constexpr Bits kAcos[][2] = {
    {0xbff0000000000000u, 0x400921fb54442d18u}, {0xbfefffffca501acbu, 0x40092110dc45ea89u},
    {0xbfe8000000000000u, 0x400359d26f93b6c3u}, {0xbfe0000000000000u, 0x4000c152382d7366u},
    {0xbbc79ca10c924223u, 0x3ff921fb54442d18u}, {0x0000000000000000u, 0x3ff921fb54442d18u},
    {0x3c32725dd1d243acu, 0x3ff921fb54442d18u}, {0x3fd3333333333333u, 0x3ff441f5ecbeef59u},
    {0x3fe0000000000000u, 0x3ff0c152382d7366u}, {0x3fe6a09e667f3bcdu, 0x3fe921fb54442d18u},
    {0x3fefae147ae147aeu, 0x3fc21df72882bfd8u}, {0x3fefffffffffffffu, 0x3e50000000000000u},
    {0x3ff0000000000000u, 0x0000000000000000u},
};
constexpr Bits kAtan2[][3] = {
    {0x0000000000000000u, 0x3ff0000000000000u, 0x0000000000000000u},
    {0x0000000000000000u, 0xbff0000000000000u, 0x400921fb54442d18u},
    {0x8000000000000000u, 0xbff0000000000000u, 0xc00921fb54442d18u},
    {0x3ff0000000000000u, 0x0000000000000000u, 0x3ff921fb54442d18u},
    {0xbff0000000000000u, 0x0000000000000000u, 0xbff921fb54442d18u},
    {0x3ff0000000000000u, 0x3ff0000000000000u, 0x3fe921fb54442d18u},
    {0x3ff0000000000000u, 0xbff0000000000000u, 0x4002d97c7f3321d2u},
    {0xbff0000000000000u, 0xbff0000000000000u, 0xc002d97c7f3321d2u},
    {0x3fd3333333333333u, 0x4000000000000000u, 0x3fc30ed367d7cd04u},
    {0x3fe0000000000000u, 0x3ff0000000000000u, 0x3fddac670561bb4fu},
    {0x4008000000000000u, 0xc000000000000000u, 0x400145385fa3af72u},
    {0xc01c000000000000u, 0x3f847ae147ae147bu, 0xbff91c215d4de84du},
    {0x01a56e1fc2f8f359u, 0x7e37e43c8800759cu, 0x0000000000000000u},
    {0x7e37e43c8800759cu, 0xbddb7cdfd9d7bdbbu, 0x3ff921fb54442d18u},
    {0xb7a16c262777579cu, 0xbff0000000000000u, 0xc00921fb54442d18u},
    {0x4014000000000000u, 0x4008000000000000u, 0x3ff07c6c6947a6a8u},
    {0x4000000000000000u, 0x4008000000000000u, 0x3fe2d0ead6066395u},
    {0x7fe1ccf385ebc8a0u, 0x7fe1ccf385ebc8a0u, 0x3fe921fb54442d18u},
};
constexpr Bits kHypot[][5] = {
    {0x4008000000000000u, 0x4010000000000000u, 0x0000000000000000u, 0x0000000000000000u, 0x4014000000000000u},
    {0x7e37e43c8800759cu, 0x7e37e43c8800759cu, 0x7e37e43c8800759cu, 0x7e37e43c8800759cu, 0x7e47e43c8800759cu},
    {0x01a56e1fc2f8f359u, 0x01b56e1fc2f8f359u, 0x0000000000000000u, 0x0000000000000000u, 0x01b7f5ac55394354u},
    {0x3fb999999999999au, 0x3fc999999999999au, 0x3fd3333333333333u, 0x3fd999999999999au, 0x3fe186f174f88473u},
    {0xbfe6666666666666u, 0x3fb999999999999au, 0x3fe6666666666666u, 0x3fb999999999999au, 0x3ff0000000000000u},
    {0x3fe0000000000000u, 0x3fe0000000000000u, 0x3fe0000000000000u, 0x3fe0000000000000u, 0x3ff0000000000000u},
};

TEST(ExactMath, SinAndCosMatchToTheLastBit) {
  for (const auto& [x, sine, cosine] : kSinCos) {
    EXPECT_EQ(bits(sin(number(x))), sine) << number(x);
    EXPECT_EQ(bits(cos(number(x))), cosine) << number(x);
  }
}

TEST(ExactMath, AcosMatchesToTheLastBit) {
  for (const auto& [x, angle] : kAcos) EXPECT_EQ(bits(acos(number(x))), angle) << number(x);
}

TEST(ExactMath, Atan2MatchesToTheLastBit) {
  for (const auto& [y, x, angle] : kAtan2)
    EXPECT_EQ(bits(atan2(number(y), number(x))), angle) << number(y) << ", " << number(x);
}

TEST(ExactMath, HypotMatchesToTheLastBit) {
  for (const auto& row : kHypot) {
    const double values[] = {number(row[0]), number(row[1]), number(row[2]), number(row[3])};
    EXPECT_EQ(bits(hypot(values, 4)), row[4]) << values[0];
  }
}

// The C library is an independent implementation, good to about one last bit.
TEST(ExactMath, IsCloseToTheLibraryEverywhere) {
  for (int i = -40000; i <= 40000; ++i) {
    const double x = i * 0.00371 * std::sqrt(std::abs(i));
    ASSERT_NEAR(sin(x), std::sin(x), 3e-16) << x;
    ASSERT_NEAR(cos(x), std::cos(x), 3e-16) << x;
    const double part = i / 40000.0;
    ASSERT_NEAR(acos(part), std::acos(part), 6e-16) << part;
    ASSERT_NEAR(atan2(part, x), std::atan2(part, x), 6e-16) << x;
  }
}

TEST(ExactMath, StaysInRangeFarFromZero) {
  for (const double x : {1.7e6, -4.2e9, 1e22, -1e300, std::numeric_limits<double>::max()}) {
    const double s = sin(x), c = cos(x);
    EXPECT_NEAR(s * s + c * c, 1, 1e-15) << x;
    EXPECT_EQ(sin(-x), -s) << x;
    EXPECT_EQ(cos(-x), c) << x;
  }
}

TEST(ExactMath, GivesNanWhereThereIsNoValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double x : {nan, infinity, -infinity}) {
    EXPECT_TRUE(std::isnan(sin(x)));
    EXPECT_TRUE(std::isnan(cos(x)));
    EXPECT_TRUE(std::isnan(acos(x)));
  }
  EXPECT_TRUE(std::isnan(acos(1.0000001)));
  EXPECT_TRUE(std::isnan(atan2(nan, 1)));
  EXPECT_TRUE(std::isnan(atan2(1, nan)));
}

TEST(ExactMath, Atan2KnowsTheAxesAndInfinities) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double y : {0.0, -0.0, 1.0, -1.0, infinity, -infinity})
    for (const double x : {0.0, -0.0, 2.0, -2.0, infinity, -infinity})
      EXPECT_EQ(bits(atan2(y, x)), bits(std::atan2(y, x))) << y << ", " << x;
}

TEST(ExactMath, HypotOfExtremes) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const double withInfinity[] = {1, -infinity, nan}, withNan[] = {1, nan, 2}, zeros[] = {0, -0.0};
  EXPECT_EQ(hypot(withInfinity, 3), infinity);  // as IEEE 754 asks
  EXPECT_TRUE(std::isnan(hypot(withNan, 3)));
  EXPECT_EQ(bits(hypot(zeros, 2)), bits(0.0));
  EXPECT_EQ(hypot(zeros, 0), 0);
}

TEST(ExactMath, CubeRootIsWithinTwoUlp) {
  EXPECT_EQ(exact::cbrt(0), 0);
  EXPECT_EQ(exact::cbrt(1), 1);
  EXPECT_DOUBLE_EQ(exact::cbrt(27), 3);
  EXPECT_DOUBLE_EQ(exact::cbrt(-8), -2);
  for (double x = 1e-300; x < 1e300; x *= 1.7e3) {
    const double root = exact::cbrt(x);
    EXPECT_NEAR(root * root * root / x, 1, 2e-15) << x;
  }
}

}  // namespace
}  // namespace simmer::animation::exact
