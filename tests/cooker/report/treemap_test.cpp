#include "cooker/report/treemap.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace simmer {
namespace {

constexpr TreemapRect kFrame{10, 20, 600, 400};

double areaOf(const TreemapRect& rect) {
  return rect.width * rect.height;
}

std::vector<double> randomValues(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> exponent(0, 20), mantissa(1, 1000);
  std::vector<double> values(count);
  for (double& value : values) value = std::ldexp(mantissa(random), exponent(random));
  return values;
}

TEST(Treemap, AreasAreProportional) {
  const std::vector<double> values = randomValues(500, 1);
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  const auto tiles = squarify(values, kFrame);
  ASSERT_EQ(tiles.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(areaOf(tiles[i]), values[i] / total * areaOf(kFrame), 1e-6 * areaOf(kFrame)) << i;
}

TEST(Treemap, TilesStayInsideAndNeverOverlap) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto tiles = squarify(randomValues(60, seed), kFrame);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const TreemapRect& a = tiles[i];
      EXPECT_GE(a.x, kFrame.x - 1e-9);
      EXPECT_GE(a.y, kFrame.y - 1e-9);
      EXPECT_LE(a.x + a.width, kFrame.x + kFrame.width + 1e-9);
      EXPECT_LE(a.y + a.height, kFrame.y + kFrame.height + 1e-9);
      for (std::size_t j = 0; j < i; ++j) {
        const TreemapRect& b = tiles[j];
        const double across = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
        const double down = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
        EXPECT_FALSE(across > 1e-9 && down > 1e-9) << "tiles " << i << " and " << j << " of seed " << seed;
      }
    }
  }
}

/// The example of the paper: 6, 6, 4, 3, 2, 2, 1 in a frame of 6 × 4.
TEST(Treemap, LaysOutTheExampleOfThePaper) {
  const auto tiles = squarify({6, 6, 4, 3, 2, 2, 1}, {0, 0, 6, 4});
  const double expected[][4] = {{0, 0, 3, 2},
                                {0, 2, 3, 2},
                                {3, 0, 12.0 / 7, 7.0 / 3},
                                {33.0 / 7, 0, 9.0 / 7, 7.0 / 3},
                                {3, 7.0 / 3, 1.2, 5.0 / 3},
                                {4.2, 7.0 / 3, 1.2, 5.0 / 3},
                                {5.4, 7.0 / 3, 0.6, 5.0 / 3}};
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    EXPECT_NEAR(tiles[i].x, expected[i][0], 1e-9) << i;
    EXPECT_NEAR(tiles[i].y, expected[i][1], 1e-9) << i;
    EXPECT_NEAR(tiles[i].width, expected[i][2], 1e-9) << i;
    EXPECT_NEAR(tiles[i].height, expected[i][3], 1e-9) << i;
  }
}

/// The greedy choice leaves a few longer ones at its end.
TEST(Treemap, EqualValuesGiveTilesNearToSquares) {
  double sum = 0;
  for (const TreemapRect& tile : squarify(std::vector<double>(100, 3.0), kFrame)) {
    const double ratio = std::max(tile.width / tile.height, tile.height / tile.width);
    EXPECT_LT(ratio, 2.5);
    sum += ratio;
  }
  EXPECT_LT(sum / 100, 1.3);
}

TEST(Treemap, TakesAnyValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto tiles = squarify({0, -1, kInfinity, std::nan(""), 5, 1e308, 1e308}, kFrame);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(areaOf(tiles[i]), 0) << i;
  EXPECT_NEAR(areaOf(tiles[5]), areaOf(kFrame) / 2, 1e-6);
  EXPECT_TRUE(squarify({}, kFrame).empty());
  EXPECT_EQ(areaOf(squarify({1}, {0, 0, 0, 5}).front()), 0);
  EXPECT_NEAR(areaOf(squarify({1}, kFrame).front()), areaOf(kFrame), 1e-9);
}

TEST(Treemap, LaysOutManyAtOnce) {
  const auto tiles = squarify(randomValues(100'000, 7), kFrame);
  double sum = 0;
  for (const TreemapRect& tile : tiles) sum += areaOf(tile);
  EXPECT_NEAR(sum, areaOf(kFrame), 1);
}

}  // namespace
}  // namespace simmer
