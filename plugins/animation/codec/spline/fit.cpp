#include "plugins/animation/codec/spline/fit.h"

#include <algorithm>
#include <cmath>

namespace simmer::animation::spline {
namespace {

constexpr std::size_t kBand = 3;  // control points that one row joins, less one
constexpr double kRidge = 1e-7;   // of the mean diagonal: points that no row holds stay finite

template <unsigned Components, class Points>
void evaluateRows(const Basis& basis, const Points& points, double step, std::vector<double>& curve) {
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    const float* const weights = &basis.weights[4 * row];
    const auto* const from = &points[static_cast<std::size_t>(basis.first[row]) * Components];
    double sum[Components] = {};
    for (unsigned i = 0; i <= basis.degree; ++i)
      for (unsigned c = 0; c < Components; ++c) sum[c] += static_cast<double>(weights[i]) * from[i * Components + c];
    for (unsigned c = 0; c < Components; ++c) curve[row * Components + c] = sum[c] * step;
  }
}

template <class Points>
void evaluateAny(const Basis& basis, const Points& points, unsigned components, double step,
                 std::vector<double>& curve) {
  curve.resize(basis.rows() * components);
  if (components == 1) return evaluateRows<1>(basis, points, step, curve);
  if (components == 3) return evaluateRows<3>(basis, points, step, curve);
  evaluateRows<4>(basis, points, step, curve);
}

}  // namespace

Fitter::Fitter(const Basis& basis, const std::vector<float>& weights) : m_basis(basis), m_weights(weights) {
  const std::size_t count = basis.points;
  m_diagonal.assign(count, 0.0);
  m_lower.assign(count * kBand, 0.0);
  for (std::size_t row = 0; row < basis.rows(); ++row) {
    const double weight = weights.empty() ? 1.0 : static_cast<double>(weights[row]);
    const float* const w = &basis.weights[4 * row];
    const auto first = static_cast<std::size_t>(basis.first[row]);
    for (unsigned a = 0; a <= basis.degree; ++a) {
      const double wa = static_cast<double>(w[a]) * weight;
      m_diagonal[first + a] += wa * w[a];
      for (unsigned b = a + 1; b <= basis.degree; ++b) m_lower[(first + a) * kBand + b - a - 1] += wa * w[b];
    }
  }
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

std::vector<double> Fitter::rightSide(const std::vector<double>& signal, unsigned components) const {
  std::vector<double> side(m_basis.points * components, 0.0);
  for (std::size_t row = 0; row < m_basis.rows(); ++row) {
    const double weight = m_weights.empty() ? 1.0 : static_cast<double>(m_weights[row]);
    double* const to = &side[static_cast<std::size_t>(m_basis.first[row]) * components];
    for (unsigned i = 0; i <= m_basis.degree; ++i) {
      const double w = weight * m_basis.weights[4 * row + i];
      for (unsigned c = 0; c < components; ++c) to[i * components + c] += w * signal[row * components + c];
    }
  }
  const std::size_t count = m_basis.points;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < kBand && i + 1 + j < count; ++j)
      for (unsigned c = 0; c < components; ++c)
        side[(i + 1 + j) * components + c] -= m_lower[i * kBand + j] * side[i * components + c];
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

void evaluate(const Basis& basis, const std::vector<double>& points, unsigned components, std::vector<double>& curve) {
  evaluateAny(basis, points, components, 1.0, curve);
}

void evaluate(const Basis& basis, const std::vector<std::int32_t>& points, unsigned components, double step,
              std::vector<double>& curve) {
  evaluateAny(basis, points, components, step, curve);
}

}  // namespace simmer::animation::spline
