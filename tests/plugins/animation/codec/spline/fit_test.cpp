#include "plugins/animation/codec/spline/fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/spline/random_knots.h"

namespace simmer::animation::spline::test {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Gaussian elimination with pivots.
std::vector<double> solveDense(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < n; ++r)
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = i + 1; r < n; ++r) {
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

double weightOf(const std::vector<float>& weights, std::size_t row) {
  return weights.empty() ? 1 : static_cast<double>(weights[row]);
}

/// Sum of weighted squares of one component's differences.
double squares(const std::vector<double>& curve, const std::vector<double>& signal, const std::vector<float>& weights,
               unsigned components, unsigned c) {
  double sum = 0;
  for (std::size_t row = 0; row < curve.size() / components; ++row) {
    const double d = curve[row * components + c] - signal[row * components + c];
    sum += weightOf(weights, row) * d * d;
  }
  return sum;
}

struct Problem {
  Basis basis;
  std::vector<double> signal;
  std::vector<float> weights;
  unsigned components = 1;
  Matrix normal;
  std::vector<std::vector<double>> right;  // [component][point]
};

Problem randomProblem(KnotKind kind, std::mt19937& random, bool weighted) {
  const std::int32_t last = 2 * static_cast<std::int32_t>(20 + random() % 60);
  Problem p;
  Knots knots = randomKnots(kind, last, random);
  knots.spacing = 2 + knots.spacing % 14;
  p.basis = makeBasis(knots, last);
  constexpr unsigned kComponents[] = {1, 3, 4};
  p.components = kComponents[random() % 3];
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < p.basis.rows() * p.components; ++i)
    p.signal.push_back(std::sin(static_cast<double>(i) * 0.07) + 0.1 * normal(random));
  if (weighted)
    for (std::size_t i = 0; i < p.basis.rows(); ++i) p.weights.push_back(0.25f + static_cast<float>(random() % 8));
  const std::size_t n = p.basis.points;
  p.normal.assign(n, std::vector<double>(n, 0));
  p.right.assign(p.components, std::vector<double>(n, 0));
  for (std::size_t row = 0; row < p.basis.rows(); ++row)
    for (std::size_t i = 0; i <= p.basis.degree; ++i) {
      const std::size_t a = static_cast<std::size_t>(p.basis.first[row]) + i;
      const double w = weightOf(p.weights, row) * p.basis.weights[4 * row + i];
      for (std::size_t j = 0; j <= p.basis.degree; ++j)
        p.normal[a][static_cast<std::size_t>(p.basis.first[row]) + j] += w * p.basis.weights[4 * row + j];
      for (unsigned c = 0; c < p.components; ++c) p.right[c][a] += w * p.signal[row * p.components + c];
    }
  return p;
}

// A little of the points' own squares is a part of what is least, so that those stay small that no row holds.
void addRidge(Matrix& normal) {
  double trace = 0;
  for (std::size_t i = 0; i < normal.size(); ++i) trace += normal[i][i];
  for (std::size_t i = 0; i < normal.size(); ++i) normal[i][i] += 1e-7 * trace / static_cast<double>(normal.size());
}

TEST(Fitter, FindsTheLeastSquares) {
  std::mt19937 random(3);
  for (const KnotKind kind : kKnotKinds)
    for (int round = 0; round < 20; ++round) {
      Problem p = randomProblem(kind, random, round % 2 == 1);
      addRidge(p.normal);
      std::vector<double> curve, best;
      evaluate(p.basis, Fitter(p.basis, p.weights).solve(p.signal, p.components), p.components, curve);
      std::vector<double> dense(p.basis.points * p.components);
      for (unsigned c = 0; c < p.components; ++c) {
        const std::vector<double> points = solveDense(p.normal, p.right[c]);
        for (std::size_t i = 0; i < points.size(); ++i) dense[i * p.components + c] = points[i];
      }
      evaluate(p.basis, dense, p.components, best);
      for (std::size_t i = 0; i < curve.size(); ++i)
        ASSERT_NEAR(curve[i], best[i], 1e-6) << "kind " << static_cast<int>(kind);
    }
}

// Babai's nearest plane: what rounding adds to the squares is at most a quarter of a squared step for each unit of the
// factorised diagonal, which is never above the normal matrix's own.
TEST(Fitter, RoundsToNearbyWholeSteps) {
  std::mt19937 random(4);
  for (const KnotKind kind : kKnotKinds)
    for (const double step : {0.003, 0.05, 0.7}) {
      const Problem p = randomProblem(kind, random, false);
      const Fitter fitter(p.basis, p.weights);
      std::vector<double> exact, rounded;
      evaluate(p.basis, fitter.solve(p.signal, p.components), p.components, exact);
      evaluate(p.basis, fitter.solveRounded(p.signal, p.components, step), p.components, step, rounded);
      double trace = 0;
      for (std::size_t i = 0; i < p.basis.points; ++i) trace += p.normal[i][i];
      for (unsigned c = 0; c < p.components; ++c)
        EXPECT_LE(squares(rounded, p.signal, p.weights, p.components, c),
                  squares(exact, p.signal, p.weights, p.components, c) + step * step / 4 * trace * 1.001 + 1e-6);
    }
}

TEST(Fitter, LeavesOutWhatDoesNotCount) {
  const std::int32_t last = 80;
  const Basis basis = makeBasis({KnotKind::UniformCubic, 8, 0, {}}, last);
  std::vector<double> signal(basis.rows(), 1.0), curve;
  std::vector<float> weights(basis.rows(), 1.0f);
  for (std::size_t h = 30; h < 36; ++h) {
    signal[h] = 1000;
    weights[h] = 0;
  }
  evaluate(basis, Fitter(basis, weights).solve(signal, 1), 1, curve);
  for (const double value : curve) EXPECT_NEAR(value, 1, 1e-3);
}

TEST(Fitter, SquaredErrorsAreThoseOfTheCurve) {
  std::mt19937 random(11);
  for (const KnotKind kind : kKnotKinds) {
    if (kind == KnotKind::Hold) continue;
    const Problem p = randomProblem(kind, random, false);
    const std::vector<double> points = Fitter(p.basis, p.weights).solve(p.signal, p.components);
    std::vector<double> curve, errors;
    evaluate(p.basis, points, p.components, curve);
    squaredErrors(p.basis, points, p.signal, p.components, errors);
    ASSERT_EQ(errors.size(), p.basis.rows());
    for (std::size_t row = 0; row < errors.size(); ++row) {
      double sum = 0;
      for (std::size_t i = row * p.components; i < (row + 1) * p.components; ++i)
        sum += (curve[i] - p.signal[i]) * (curve[i] - p.signal[i]);
      EXPECT_DOUBLE_EQ(errors[row], sum);
    }
  }
}

TEST(Fitter, FewerRowsOfASmoothSignalGiveTheSameCurve) {
  constexpr std::int32_t last = 400;
  std::vector<double> signal;
  for (std::int32_t h = 0; h <= last; ++h) signal.push_back(std::sin(h * 0.03));
  const Knots knots{KnotKind::UniformCubic, 32, 0, {}};
  const Basis all = makeBasis(knots, last), thin = makeThinBasis(knots, last);
  const std::vector<float> none;
  std::vector<double> expected, curve;
  evaluate(all, Fitter(all, none).solve(signal, 1), 1, expected);
  evaluate(all, Fitter(thin, none).solve(signal, 1), 1, curve);
  for (std::size_t h = 0; h < curve.size(); ++h) EXPECT_NEAR(curve[h], expected[h], 1e-3);
}

}  // namespace
}  // namespace simmer::animation::spline::test
