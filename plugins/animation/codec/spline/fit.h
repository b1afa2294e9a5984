#pragma once

#include <cstdint>
#include <vector>

#include "plugins/animation/codec/spline/knots.h"

namespace simmer::animation::spline {

/// Least-squares control points over one basis: the banded normal equations, factorised once for any number of
/// right-hand sides.
class Fitter {
 public:
  /// `weights` has one for each row, or is empty: all one. Keeps a reference to the basis, which must outlive it.
  Fitter(const Basis& basis, const std::vector<float>& weights);

  /// The points [point][component] whose curve is closest to `signal` [row][component].
  std::vector<double> solve(const std::vector<double>& signal, unsigned components) const;
  /// The same in whole steps, each point rounded with those before it free to make up for it (Babai's nearest plane).
  std::vector<std::int32_t> solveRounded(const std::vector<double>& signal, unsigned components, double step) const;

 private:
  std::vector<double> rightSide(const std::vector<double>& signal, unsigned components) const;

  const Basis& m_basis;
  const std::vector<float>& m_weights;
  std::vector<double> m_diagonal;  // of L·D·Lᵀ
  std::vector<double> m_lower;     // [point][3]: L below the diagonal
};

/// The curve of the points [point][component] at every row.
void evaluate(const Basis& basis, const std::vector<double>& points, unsigned components, std::vector<double>& curve);
void evaluate(const Basis& basis, const std::vector<std::int32_t>& points, unsigned components, double step,
              std::vector<double>& curve);

}  // namespace simmer::animation::spline
