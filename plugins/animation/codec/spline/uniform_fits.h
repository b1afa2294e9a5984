#pragma once

#include <map>
#include <memory>
#include <utility>

#include "plugins/animation/codec/spline/fit.h"

namespace simmer::animation::spline {

/// Uniform knots with the equations of their fits, which all tracks of a clip share where every row counts. Made when
/// first asked for.
class UniformFits {
 public:
  struct Entry {
    Entry(Basis made);

    std::shared_ptr<const Basis> basis;
    Fitter fitter;
  };

  /// The clip's last half frame; whether fits look at fewer of them where spans are long.
  UniformFits(std::int32_t last, bool thin) : m_last(last), m_thin(thin) {}

  std::int32_t last() const { return m_last; }
  /// Of any knots, as fits see them.
  Basis basisOf(const Knots& knots) const { return m_thin ? makeThinBasis(knots, m_last) : makeBasis(knots, m_last); }
  /// Of uniform knots of a kind. Stands as long as this object.
  const Entry& of(KnotKind kind, std::uint32_t spacing);

 private:
  std::int32_t m_last;
  bool m_thin;
  std::map<std::pair<KnotKind, std::uint32_t>, Entry> m_entries;
};

}  // namespace simmer::animation::spline
