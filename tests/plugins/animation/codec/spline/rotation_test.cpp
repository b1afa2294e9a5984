#include "plugins/animation/codec/spline/rotation.h"

#include <random>

#include <gtest/gtest.h>

namespace simmer::animation::spline {
namespace {

Quaternion randomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return normalised({normal(random), normal(random), normal(random), normal(random)});
}

double angleBetween(const Quaternion& a, const Quaternion& b) {
  const Quaternion d = multiply(conjugate(a), b);
  return 2 * std::atan2(std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), std::abs(d[3]));
}

TEST(Rotation, ExponentialUndoesTheLogarithm) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Quaternion q = randomRotation(random);
    const Quaternion again = exponential(logarithm(q));
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(again[c], q[c], 1e-12);
  }
  for (const double tiny : {0.0, 1e-300, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3}) {
    const Vector3 v = logarithm(exponential({tiny, -tiny, 0}));
    EXPECT_NEAR(v[0], tiny, 1e-12 * (1 + tiny));
    EXPECT_NEAR(v[1], -tiny, 1e-12 * (1 + tiny));
  }
}

TEST(Rotation, TheLogarithmIsExactOnBothSidesOfItsSeries) {
  for (double angle = 0.001; angle < 1; angle += 0.001) {
    const Vector3 v = logarithm({0, std::sin(angle / 2), 0, std::cos(angle / 2)});
    EXPECT_NEAR(v[1], angle, 4e-16) << angle;
    const Vector3 other = logarithm({0, std::sin(angle / 2), 0, -std::cos(angle / 2)});  // the long way round
    EXPECT_NEAR(other[1], 6.283185307179586 - angle, 1e-12) << angle;
  }
}

TEST(Rotation, TurnOfChangeIsTheDerivative) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1.7, 1.7);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 300; ++i) {
    const Vector3 v{uniform(random), uniform(random), uniform(random)};
    const Matrix3 turn = turnOfChange(v);
    for (std::size_t c = 0; c < 3; ++c) {
      Vector3 moved = v;
      moved[c] += kStep;
      const Vector3 change = logarithm(multiply(exponential(moved), conjugate(exponential(v))));
      for (std::size_t r = 0; r < 3; ++r) EXPECT_NEAR(change[r] / kStep, turn[3 * r + c], 2e-5);
    }
  }
}

// A component's step is √2 / 2^bits, so rounding is off by half of it in three of them and what follows in the fourth.
TEST(Rotation, PackingIsAsFineAsItsBits) {
  std::mt19937 random(3);
  for (const unsigned bits : {4u, 8u, 12u, 15u, 20u, 24u})
    for (int i = 0; i < 300; ++i) {
      const Quaternion q = randomRotation(random);
      const double step = 1.4142135623730951 / static_cast<double>((1u << bits) - 2);
      EXPECT_LE(angleBetween(q, unpackRotation(packRotation(q, bits), bits)), 2 * 1.75 * step + 1e-7) << bits;
    }
  for (const unsigned bits : {4u, 12u, 15u})
    EXPECT_EQ(unpackRotation(packRotation({0, 0, 0, 1}, bits), bits), (Quaternion{0, 0, 0, 1}));
}

}  // namespace
}  // namespace simmer::animation::spline
