#include "plugins/animation/import/gltf_matrix.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace simmer::animation::gltf {
namespace {

std::array<double, 16> matrixOf(const Affine& map) {
  std::array<double, 16> matrix{};
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 3; ++row) matrix[column * 4 + row] = map.columns[column][row];
  matrix[15] = 1;
  return matrix;
}

void expectSame(const Affine& a, const Affine& b, double tolerance) {
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_NEAR(a.columns[column][row], b.columns[column][row], tolerance) << column << ' ' << row;
}

TEST(GltfMatrix, AnyTransformComesBackAsTheSameMap) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-2, 2);
  for (int i = 0; i < 2000; ++i) {
    Transform local;
    for (float& v : local.translation) v = number(random);
    for (float& v : local.scale) v = number(random);
    for (float& v : local.rotation) v = number(random);
    const Affine map = Affine::of(local);
    const auto found = decompose(matrixOf(map));
    ASSERT_TRUE(found);
    expectSame(Affine::of(*found), map, 2e-6);
    double squared = 0;
    for (const float v : found->rotation) squared += static_cast<double>(v) * v;
    EXPECT_NEAR(squared, 1, 1e-6);
  }
}

TEST(GltfMatrix, HalfTurnsAndMirrorsAndFlatAxesAreFound) {
  const std::array<float, 3> scales[] = {{1, 1, 1}, {-1, 2, 3}, {1, -1, 1}, {-1, -1, -1}, {0, 1, 2}, {1, 0, 1},
                                         {1, 2, 0}, {0, 0, 2},  {3, 0, 0},  {0, 1, 0},    {0, 0, 0}};
  const std::array<float, 4> rotations[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0.6F, 0, 0.8F, 0}};
  for (const auto& scale : scales)
    for (const auto& rotation : rotations) {
      const Affine map = Affine::of({{1, 2, 3}, rotation, scale});
      const auto found = decompose(matrixOf(map));
      ASSERT_TRUE(found);
      expectSame(Affine::of(*found), map, 1e-6);
    }
}

TEST(GltfMatrix, WhatIsNoTransformIsRefused) {
  const std::array<double, 16> identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  ASSERT_TRUE(decompose(identity));
  const std::pair<std::size_t, double> damages[] = {{4, 0.01}, {3, 0.5}, {11, 1}, {15, 2}, {0, 1e40}, {12, NAN}};
  for (const auto& [at, value] : damages) {
    auto matrix = identity;
    matrix[at] = value;
    EXPECT_FALSE(decompose(matrix)) << at;
  }
}

}  // namespace
}  // namespace simmer::animation::gltf
