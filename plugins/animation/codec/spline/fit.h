#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "plugins/animation/codec/spline/knots.h"

namespace simmer::animation::spline {

/// Least-squares control points over one basis: the banded normal equations, factorised once for any number of
/// right-hand sides.
class Fitter {
 public:
  /// `weights` has one for each half frame, or is empty: all one. Keeps a reference to the basis, which must outlive
  /// it.
  Fitter(const Basis& basis, const std::vector<float>& weights);

  /// The points [point][component] whose curve is closest to `signal` [half frame][component].
  std::vector<double> solve(const std::vector<double>& signal, unsigned components) const;
  /// The same in whole steps, each point rounded with those before it free to make up for it (Babai's nearest plane).
  std::vector<std::int32_t> solveRounded(const std::vector<double>& signal, unsigned components, double step) const;

 private:
  void factorise();
  template <unsigned Components>
  void rightSide(const std::vector<double>& signal, std::vector<double>& side) const;
  std::vector<double> rightSide(const std::vector<double>& signal, unsigned components) const;

  const Basis& m_basis;
  const std::vector<float>& m_weights;
  std::vector<double> m_diagonal;  // of L·D·Lᵀ
  std::vector<double> m_lower;     // [point][3]: L below the diagonal
};

/// A value in whole steps, held where 32 bits end.
inline std::int32_t roundedTo(double value, double step) {
  return static_cast<std::int32_t>(std::floor(std::clamp(value / step, -1e8, 1e8) + 0.5));
}

/// How far a curve is off its signal [half frame][component] at every row, squared, all components together.
void squaredErrors(const Basis& basis, const std::vector<double>& points, const std::vector<double>& signal,
                   unsigned components, std::vector<double>& errors);

/// The curve of the points [point][component] at every row.
void evaluate(const Basis& basis, const std::vector<double>& points, unsigned components, std::vector<double>& curve);
void evaluate(const Basis& basis, const std::vector<std::int32_t>& points, unsigned components, double step,
              std::vector<double>& curve);

}  // namespace simmer::animation::spline
