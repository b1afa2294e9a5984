#include "plugins/animation/codec/spline/knots.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/spline/fit.h"
#include "plugins/animation/codec/spline/spline_file.h"
#include "tests/plugins/animation/codec/spline/random_knots.h"

namespace simmer::animation::spline::test {
namespace {

constexpr std::uint32_t kFrameCounts[] = {2, 3, 17, 100, 333};

TEST(Knots, WeightsOfEveryMomentSumToOne) {
  std::mt19937 random(1);
  for (const KnotKind kind : kKnotKinds)
    for (const std::uint32_t frames : kFrameCounts)
      for (int round = 0; round < 20; ++round) {
        const auto last = static_cast<std::int32_t>(runtime::lastHalfFrame(frames));
        const Basis basis = makeBasis(randomKnots(kind, last, random), last);
        ASSERT_EQ(basis.rows(), static_cast<std::size_t>(last) + 1);
        for (std::size_t row = 0; row < basis.rows(); ++row) {
          double sum = 0;
          for (unsigned i = 0; i < 4; ++i) {
            EXPECT_GE(basis.weights[4 * row + i], i <= basis.degree ? -1e-7f : 0.0f);
            sum += static_cast<double>(basis.weights[4 * row + i]);
          }
          EXPECT_NEAR(sum, 1, 1e-6);
          ASSERT_GE(basis.first[row], 0);
          ASSERT_LE(static_cast<std::size_t>(basis.first[row]) + basis.degree, basis.points - 1);
        }
      }
}

TEST(Knots, CurvesOfStraightPointsAreStraight) {
  // A B-spline whose control points stand on a line over its Greville abscissas is that line.
  const Basis basis = makeBasis({KnotKind::UniformCubic, 4, 0, {}}, 40);
  std::vector<double> points(basis.points), curve;
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = 4 * (static_cast<double>(i) - 1);
  evaluate(basis, points, 1, curve);
  for (std::size_t h = 0; h < curve.size(); ++h) EXPECT_NEAR(curve[h], static_cast<double>(h), 1e-5);
}

TEST(Knots, RowsAreTheHalfFramesAskedFor) {
  const Knots knots{KnotKind::UniformCubic, 6, 0, {}};
  const Basis all = makeBasis(knots, 100), some = makeBasis(knots, 100, {9, 12, 4});
  ASSERT_EQ(some.rows(), 12u);
  for (std::size_t row = 0; row < some.rows(); ++row) {
    const std::size_t h = 9 + 4 * row;
    EXPECT_EQ(some.halfFrames[row], static_cast<std::int32_t>(h));
    EXPECT_EQ(some.first[row], all.first[h]);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(some.weights[4 * row + i], all.weights[4 * h + i]);
  }
}

TEST(Knots, AThinBasisHasTheSameCurveAtFewerHalfFrames) {
  std::mt19937 random(5);
  for (const KnotKind kind : {KnotKind::UniformCubic, KnotKind::UniformLinear, KnotKind::TreeCubic}) {
    const std::int32_t last = 2 * static_cast<std::int32_t>(60 + random() % 200);
    const Knots knots = randomKnots(kind, last, random);
    const Basis all = makeBasis(knots, last), thin = makeThinBasis(knots, last);
    EXPECT_EQ(thin.points, all.points);
    EXPECT_LT(thin.rows(), all.rows());
    EXPECT_EQ(thin.halfFrames.front(), 0);
    EXPECT_EQ(thin.halfFrames.back(), last);
    float sum = 0;
    for (std::size_t row = 0; row < thin.rows(); ++row) {
      const auto h = static_cast<std::size_t>(thin.halfFrames[row]);
      EXPECT_LT(row == 0 ? -1 : thin.halfFrames[row - 1], thin.halfFrames[row]);
      EXPECT_EQ(thin.first[row], all.first[h]);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(thin.weights[4 * row + i], all.weights[4 * h + i]);
      sum += thin.stands[row];
    }
    EXPECT_EQ(sum, static_cast<float>(all.rows()));
    for (std::size_t h = 0; h < all.rows(); h += 2)  // no frame is left out
      EXPECT_TRUE(std::ranges::binary_search(thin.halfFrames, static_cast<std::int32_t>(h)));
  }
}

TEST(Knots, SplitsHalveASpanDownToACell) {
  Knots tree = coarsestTree(KnotKind::TreeCubic, 1, 200);
  EXPECT_EQ(tree.positions, (std::vector<std::int32_t>{0, 64, 128, 192, 200}));
  EXPECT_EQ(splitOf(tree, 0, 64, 200), 32);
  EXPECT_EQ(splitOf(tree, 192, 200, 200), 196);  // the first half that the clip still has
  EXPECT_EQ(splitOf(tree, 64, 66, 200), -1);
}

/// A clip of one joint at rest and one scalar track with these control points.
Bytes fileOf(const Knots& knots, const std::vector<std::int32_t>& points, std::uint32_t frames) {
  Skeleton skeleton{{"root"}, {-1}, {Transform{}}, {}, 0};
  CodedClip clip;
  clip.parts.kinds.resize(1, {PartKind::Default, PartKind::Default, PartKind::Default});
  clip.parts.base.resize(1);
  CodedScalar& scalar = clip.scalars.emplace_back();
  scalar.kind = PartKind::Spline;
  scalar.track.part = Part::Scalar;
  scalar.track.components = 1;
  scalar.coded = {knots, 160, points};  // a step of 1
  const auto file = writeSplineClip({1, frames, 30, {"s"}, {}}, clip, skeleton, SkeletonPlace::None, {});
  EXPECT_TRUE(file) << file.error().text();
  return file ? *file : Bytes();
}

// What the encoder computes and what the game gives must be the same curve.
TEST(Knots, TheRuntimeHasTheSameCurve) {
  EXPECT_EQ(runtime::stepOf(160), 1);
  std::mt19937 random(2);
  for (const KnotKind kind : kKnotKinds)
    for (const std::uint32_t frames : kFrameCounts)
      for (int round = 0; round < 20; ++round) {
        const auto last = static_cast<std::int32_t>(runtime::lastHalfFrame(frames));
        const Knots knots = randomKnots(kind, last, random);
        const Basis basis = makeBasis(knots, last);
        std::vector<std::int32_t> points(basis.points);
        for (std::int32_t& point : points) point = static_cast<std::int32_t>(random() % 2001) - 1000;
        std::vector<double> curve;
        evaluate(basis, points, 1, 1, curve);
        const auto decoded = DecodedClip::load(fileOf(knots, points, frames));
        ASSERT_TRUE(decoded) << decoded.error().text();
        for (std::size_t h = 0; h < curve.size(); ++h)
          ASSERT_NEAR(decoded->scalar(static_cast<double>(h) / 2, 0), curve[h], 2e-3)
              << "kind " << static_cast<int>(kind) << ", " << frames << " frames, half frame " << h;
      }
}

}  // namespace
}  // namespace simmer::animation::spline::test
