#include "plugins/animation/codec/spline/fit.h"

#include <algorithm>
#include <cmath>

namespace simmer::animation::spline {
namespace {

constexpr std::size_t kBand = 3;  // control points that one row joins, less one
constexpr double kRidge = 1e-7;   // of the mean diagonal: points that no row holds stay finite

template <unsigned Components, class Points, class Visit>
inline void forEachValue(const Basis& basis, const Points& points, Visit visit) {
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    const float* const weights = &basis.weights[4 * row];
    const auto* const from = &points[static_cast<std::size_t>(basis.first[row]) * Components];
    double sum[Components] = {};
    for (unsigned i = 0; i <= basis.degree; ++i)
      for (unsigned c = 0; c < Components; ++c) sum[c] += static_cast<double>(weights[i]) * from[i * Components + c];
    visit(row, sum);
  }
}

template <unsigned Components>
void addErrors(const Basis& basis, const std::vector<double>& points, const std::vector<double>& signal,
               std::vector<double>& errors) {
  forEachValue<Components>(basis, points, [&](std::size_t row, const double* value) {
    double sum = 0;
    const double* const expected = &signal[static_cast<std::size_t>(basis.halfFrames[row]) * Components];
    for (unsigned c = 0; c < Components; ++c) {
      const double off = value[c] - expected[c];
      sum += off * off;
    }
    errors[row] = sum;
  });
}

template <unsigned Components, class Points>
void evaluateRows(const Basis& basis, const Points& points, double step, std::vector<double>& curve) {
  forEachValue<Components>(basis, points, [&](std::size_t row, const double* value) {
    for (unsigned c = 0; c < Components; ++c) curve[row * Components + c] = value[c] * step;
  });
}

template <class Points>
void evaluateAny(const Basis& basis, const Points& points, unsigned components, double step,
                 std::vector<double>& curve) {
  curve.resize(basis.rows() * components);
  if (components == 1) return evaluateRows<1>(basis, points, step, curve);
  if (components == 3) return evaluateRows<3>(basis, points, step, curve);
  evaluateRows<4>(basis, points, step, curve);
}

/// How much a row counts.
inline double weightOf(const Basis& basis, const std::vector<float>& weights, std::size_t row) {
  const double stands = basis.stands.empty() ? 1.0 : static_cast<double>(basis.stands[row]);
  return weights.empty() ? stands
                         : stands * static_cast<double>(weights[static_cast<std::size_t>(basis.halfFrames[row])]);
}

/// Calls `visit(first, begin, end)` for the rows from begin to end that start with the same control point.
template <class Visit>
inline void forEachSpan(const Basis& basis, Visit visit) {
  const std::size_t rows = basis.rows();
  for (std::size_t begin = 0; begin < rows;) {
    std::size_t end = begin + 1;
    while (end < rows && basis.first[end] == basis.first[begin]) ++end;
    visit(static_cast<std::size_t>(basis.first[begin]), begin, end);
    begin = end;
  }
}

/// The normal equations' matrix: what rows of one span add stays in registers meanwhile.
template <unsigned Degree>
void addNormal(const Basis& basis, const std::vector<float>& weights, std::vector<double>& diagonal,
               std::vector<double>& lower) {
  forEachSpan(basis, [&](std::size_t first, std::size_t begin, std::size_t end) {
    double sums[Degree + 1][Degree + 1];
    for (unsigned a = 0; a <= Degree; ++a) {
      sums[a][0] = diagonal[first + a];
      for (unsigned b = a + 1; b <= Degree; ++b) sums[a][b - a] = lower[(first + a) * kBand + b - a - 1];
    }
    for (std::size_t row = begin; row < end; ++row) {
      const double weight = weightOf(basis, weights, row);
      double w[Degree + 1];
      for (unsigned a = 0; a <= Degree; ++a) w[a] = basis.weights[4 * row + a];
      for (unsigned a = 0; a <= Degree; ++a) {
        const double wa = w[a] * weight;
        for (unsigned b = a; b <= Degree; ++b) sums[a][b - a] += wa * w[b];
      }
    }
    for (unsigned a = 0; a <= Degree; ++a) {
      diagonal[first + a] = sums[a][0];
      for (unsigned b = a + 1; b <= Degree; ++b) lower[(first + a) * kBand + b - a - 1] = sums[a][b - a];
    }
  });
}

/// Their right-hand side, in the same way.
template <unsigned Degree, unsigned Components>
void addRight(const Basis& basis, const std::vector<float>& weights, const std::vector<double>& signal,
              std::vector<double>& side) {
  forEachSpan(basis, [&](std::size_t first, std::size_t begin, std::size_t end) {
    double sums[Degree + 1][Components];
    double* const to = &side[first * Components];
    for (unsigned i = 0; i <= Degree; ++i)
      for (unsigned c = 0; c < Components; ++c) sums[i][c] = to[i * Components + c];
    for (std::size_t row = begin; row < end; ++row) {
      const double weight = weightOf(basis, weights, row);
      double values[Components];
      const double* const from = &signal[static_cast<std::size_t>(basis.halfFrames[row]) * Components];
      for (unsigned c = 0; c < Components; ++c) values[c] = from[c];
      for (unsigned i = 0; i <= Degree; ++i) {
        const double w = weight * basis.weights[4 * row + i];
        for (unsigned c = 0; c < Components; ++c) sums[i][c] += w * values[c];
      }
    }
    for (unsigned i = 0; i <= Degree; ++i)
      for (unsigned c = 0; c < Components; ++c) to[i * Components + c] = sums[i][c];
  });
}

}  // namespace

Fitter::Fitter(const Basis& basis, const std::vector<float>& weights) : m_basis(basis), m_weights(weights) {
  m_diagonal.assign(basis.points, 0.0);
  m_lower.assign(basis.points * kBand, 0.0);
  if (basis.degree == 3) {
    addNormal<3>(basis, weights, m_diagonal, m_lower);
  } else if (basis.degree == 1) {
    addNormal<1>(basis, weights, m_diagonal, m_lower);
  } else {
    addNormal<0>(basis, weights, m_diagonal, m_lower);
  }
  factorise();
}

void Fitter::factorise() {
  const std::size_t count = m_basis.points;
  double trace = 0;
  for (const double d : m_diagonal) trace += d;
  const double ridge = kRidge * trace / static_cast<double>(count) + 1e-12;
  for (double& d : m_diagonal) d += ridge;
  for (std::size_t i = 0; i < count; ++i) {
    const double d = m_diagonal[i];
    double* const row = &m_lower[i * kBand];
    const std::size_t reach = std::min(kBand, count - 1 - i);
    double scaled[kBand];
    for (std::size_t j = 0; j < reach; ++j) scaled[j] = row[j] / d;
    for (std::size_t j = 0; j < reach; ++j) {
      m_diagonal[i + 1 + j] -= scaled[j] * row[j];
      for (std::size_t k = j + 1; k < reach; ++k) m_lower[(i + 1 + j) * kBand + k - j - 1] -= scaled[j] * row[k];
    }
    for (std::size_t j = 0; j < reach; ++j) row[j] = scaled[j];
  }
}

template <unsigned Components>
void Fitter::rightSide(const std::vector<double>& signal, std::vector<double>& side) const {
  if (m_basis.degree == 3) {
    addRight<3, Components>(m_basis, m_weights, signal, side);
  } else if (m_basis.degree == 1) {
    addRight<1, Components>(m_basis, m_weights, signal, side);
  } else {
    addRight<0, Components>(m_basis, m_weights, signal, side);
  }
  // Forward, from the farthest of the points before: only the nearest has to be waited for.
  for (std::size_t i = 1; i < m_basis.points; ++i)
    for (std::size_t j = std::min(kBand, i); j-- > 0;) {
      const double lower = m_lower[(i - 1 - j) * kBand + j];
      for (unsigned c = 0; c < Components; ++c) side[i * Components + c] -= lower * side[(i - 1 - j) * Components + c];
    }
}

std::vector<double> Fitter::rightSide(const std::vector<double>& signal, unsigned components) const {
  std::vector<double> side(m_basis.points * components, 0.0);
  if (components == 1) {
    rightSide<1>(signal, side);
  } else if (components == 3) {
    rightSide<3>(signal, side);
  } else {
    rightSide<4>(signal, side);
  }
  return side;
}

std::vector<double> Fitter::solve(const std::vector<double>& signal, unsigned components) const {
  std::vector<double> points = rightSide(signal, components);
  const std::size_t count = m_basis.points;
  for (std::size_t i = count; i-- > 0;)
    for (unsigned c = 0; c < components; ++c) {
      double value = points[i * components + c] / m_diagonal[i];
      for (std::size_t j = 0; j < kBand && i + 1 + j < count; ++j)
        value -= m_lower[i * kBand + j] * points[(i + 1 + j) * components + c];
      points[i * components + c] = value;
    }
  return points;
}

std::vector<std::int32_t> Fitter::solveRounded(const std::vector<double>& signal, unsigned components,
                                               double step) const {
  const std::vector<double> side = rightSide(signal, components);
  const std::size_t count = m_basis.points;
  std::vector<std::int32_t> points(side.size());
  for (std::size_t i = count; i-- > 0;)
    for (unsigned c = 0; c < components; ++c) {
      double value = side[i * components + c] / m_diagonal[i] / step;
      for (std::size_t j = 0; j < kBand && i + 1 + j < count; ++j)
        value -= m_lower[i * kBand + j] * points[(i + 1 + j) * components + c];
      points[i * components + c] = static_cast<std::int32_t>(std::floor(value + 0.5));
    }
  return points;
}

void squaredErrors(const Basis& basis, const std::vector<double>& points, const std::vector<double>& signal,
                   unsigned components, std::vector<double>& errors) {
  errors.resize(basis.rows());
  if (components == 1) return addErrors<1>(basis, points, signal, errors);
  if (components == 3) return addErrors<3>(basis, points, signal, errors);
  addErrors<4>(basis, points, signal, errors);
}

void evaluate(const Basis& basis, const std::vector<double>& points, unsigned components, std::vector<double>& curve) {
  evaluateAny(basis, points, components, 1.0, curve);
}

void evaluate(const Basis& basis, const std::vector<std::int32_t>& points, unsigned components, double step,
              std::vector<double>& curve) {
  evaluateAny(basis, points, components, step, curve);
}

}  // namespace simmer::animation::spline
