#include "plugins/animation/clip/transform.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/plugins/animation/clip/clip_fixtures.h"

namespace simmer::animation {
namespace {

const double kHalf = std::sqrt(0.5);

void expectNear(const Vector3& actual, const Vector3& expected, double tolerance = 1e-12) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

TEST(Quaternions, TurnVectorsByTheRightHand) {
  expectNear(rotate({0, 0, kHalf, kHalf}, {1, 0, 0}), {0, 1, 0});
  expectNear(rotate({kHalf, 0, 0, kHalf}, {0, 1, 0}), {0, 0, 1});
  expectNear(rotate({0, kHalf, 0, kHalf}, {0, 0, 1}), {1, 0, 0});
}

TEST(Quaternions, MultiplyTurnsByTheSecondFirst) {
  const Quaternion a{0, 0, kHalf, kHalf}, b{kHalf, 0, 0, kHalf};
  const Vector3 v{0.3, -0.4, 0.5};
  expectNear(rotate(multiply(a, b), v), rotate(a, rotate(b, v)));
}

TEST(Quaternions, NormaliseZeroToIdentity) {
  EXPECT_EQ(normalised({0, 0, 0, 0}), (Quaternion{0, 0, 0, 1}));
  EXPECT_EQ(normalised({std::nan(""), 0, 0, 0}), (Quaternion{0, 0, 0, 1}));
  EXPECT_EQ(normalised({0, -4, 0, 0}), (Quaternion{0, -1, 0, 0}));
}

TEST(Affine, ScalesThenTurnsThenMoves) {
  Transform local;
  local.translation = {10, 20, 30};
  local.rotation = test::aboutZ(90);
  local.scale = {2, 3, 4};
  const Affine map = Affine::of(local);
  expectNear(map.columns[0], {0, 2, 0}, 1e-6);
  expectNear(map.columns[1], {-3, 0, 0}, 1e-6);
  expectNear(map.columns[2], {0, 0, 4}, 1e-6);
  expectNear(map.columns[3], {10, 20, 30});
  EXPECT_NEAR(map.determinant(), 24, 1e-5);
}

TEST(Affine, NormalisesTheRotationFirst) {
  Transform local;
  local.rotation = {0, 0, 0, 0.5f};
  EXPECT_EQ(Affine::of(local).columns, Affine{}.columns);
}

TEST(Affine, OfAMirrorHasANegativeDeterminant) {
  Transform local;
  local.scale = {-1, 1, 1};
  EXPECT_DOUBLE_EQ(Affine::of(local).determinant(), -1);
}

TEST(Affine, ProductInheritsShear) {
  Transform parent, child;
  parent.scale = {2, 1, 1};
  child.rotation = test::aboutZ(45);
  child.translation = {1, 1, 0};
  const Affine world = Affine::of(parent) * Affine::of(child);
  // Stretched along x after the turn, the axes are no longer at a right angle.
  expectNear(world.columns[0], {2 * kHalf, kHalf, 0}, 1e-6);
  expectNear(world.columns[1], {-2 * kHalf, kHalf, 0}, 1e-6);
  expectNear(world.columns[3], {2, 1, 0});
}

TEST(Interpolate, MixesLinearlyAndTurnsOnTheShorterArc) {
  Transform a, b;
  a.translation = {1, 2, 3};
  b.translation = {3, 2, 1};
  b.scale = {3, 1, 1};
  b.rotation = test::aboutZ(80);
  for (float& component : b.rotation) component = -component;  // the same rotation
  const Transform middle = interpolate(a, b, 0.5);
  EXPECT_EQ(middle.translation, (std::array<float, 3>{2, 2, 2}));
  EXPECT_EQ(middle.scale, (std::array<float, 3>{2, 1, 1}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(middle.rotation[i], test::aboutZ(40)[i], 1e-7);
}

TEST(Interpolate, GivesTheEndsThemselves) {
  Transform a, b;
  a.translation = {0.1f, 0.2f, 0.3f};
  b.translation = {1e8f, 1, 1};
  EXPECT_EQ(interpolate(a, b, 0).translation, a.translation);
  EXPECT_EQ(interpolate(a, b, 1).translation, b.translation);
}

Quaternion widened(const std::array<float, 4>& rotation) {
  return {rotation[0], rotation[1], rotation[2], rotation[3]};
}

void expectSame(const Quaternion& actual, const Quaternion& expected, double tolerance = 1e-7) {
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

TEST(Arc, TurnsEvenlyOnTheShorterWay) {
  const Arc arc(widened(test::aboutZ(10)), widened(test::aboutZ(130)));
  for (const double t : {0.0, 0.2, 0.5, 0.9, 1.0}) expectSame(arc.at(t), widened(test::aboutZ(10 + 120 * t)));
  Quaternion negated = widened(test::aboutZ(130));
  for (double& v : negated) v = -v;  // the same rotation
  expectSame(Arc(widened(test::aboutZ(10)), negated).at(0.25), widened(test::aboutZ(40)));
  // 200 degrees one way are 160 the other.
  expectSame(Arc(widened(test::aboutZ(0)), widened(test::aboutZ(200))).at(0.5), widened(test::aboutZ(-80)));
}

TEST(Arc, GivesUnitLengthWhateverItIsGiven) {
  const Arc arc({0, 0, 0, 3}, {0, 0, 0.5, 0.5});
  expectSame(arc.at(1.0 / 3), widened(test::aboutZ(30)));
  expectSame(Arc({0, 0, 0, 1}, {0, 0, 0, 1}).at(0.3), {0, 0, 0, 1}, 0);
  const Arc tiny(widened(test::aboutZ(0)), widened(test::aboutZ(1e-3)));
  expectSame(tiny.at(0.5), widened(test::aboutZ(0.5e-3)), 1e-11);
}

TEST(Arc, IsHalfWayWhereInterpolateIs) {
  for (const double degrees : {1.0, 45.0, 89.0, 150.0, 179.0, 230.0}) {
    Transform a, b;
    a.rotation = test::aboutZ(20);
    b.rotation = test::aboutZ(20 + degrees);
    expectSame(Arc(widened(a.rotation), widened(b.rotation)).at(0.5), widened(interpolate(a, b, 0.5).rotation));
  }
}

}  // namespace
}  // namespace simmer::animation
