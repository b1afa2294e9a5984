#pragma once

#include "plugins/animation/codec/spline/field.h"
#include "plugins/animation/codec/spline/points.h"

namespace simmer::animation::spline {

/// How one pass over the control points weighs its moves: λ · bits + penalty.
struct RefineOptions {
  double bitWorth = 0.1;  ///< λ: penalty that a bit may cost
  bool repair = false;    ///< look at moves that cost bits, but only where the tolerance is missed
};

/// Moves single control points to cheaper neighbours wherever the world's error leaves room, or to better ones where it
/// does not: coordinate descent, in a window of the clip's time. Points that reach beyond the window stay where they
/// are.
class Refinement {
 public:
  /// Keeps references to everything; `coded` is what it changes. `parts` gets the motions of these rows, which have to
  /// be half frame by half frame.
  Refinement(const WorldPoses& reference, const Jumps& jumps, Parts& parts, std::vector<CodedTrack>& coded,
             double toleranceM, const Rows& rows);
  /// With a field of these rows whose motions `parts` has already.
  Refinement(const Clip& clip, const Parts& parts, std::vector<CodedTrack>& coded, Field field);

  /// One pass over all points of the window.
  void sweep(const RefineOptions& options);
  /// Measures the window anew, in double: its largest world error over the tolerance.
  double measure();
  /// Goes on until the error is at most this part of the tolerance, or can not be made smaller.
  double tighten(double part);

 private:
  void poseAt(std::size_t halfFrame, Transform* pose) const;

  const Parts& m_parts;
  std::vector<CodedTrack>& m_coded;
  double m_toleranceM;
  std::int32_t m_last;
  Field m_field;
  std::vector<Basis> m_bases;
  std::vector<std::vector<double>> m_curves;  // [track][row][component]
};

}  // namespace simmer::animation::spline
