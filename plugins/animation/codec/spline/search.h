#pragma once

#include <functional>

#include "plugins/animation/codec/spline/refine.h"
#include "plugins/animation/codec/spline/spline_writer.h"

namespace simmer::animation::spline {

/// How much a search looks at.
struct SearchPlan {
  std::size_t levels = 7;  ///< candidates for each track
  double tightest = 0.14;  ///< tolerance of the first, as a part of the clip's
  double ratio = 1.4;      ///< from one to the next
  FitOptions fit;
  unsigned sweeps = 8;        ///< passes over all control points
  double firstWorth = 0.003;  ///< of a bit, in penalty (RefineOptions)
  double worthRatio = 3.5;    ///< from one pass to the next
};

/// All integers of a clip's joints: what stands still, what moves, and control points whose world error, computed in
/// double, is at most `toleranceM`, or close to it where no candidate is tight enough.
class Search {
 public:
  Search(const Clip& clip, double toleranceM, bool restDefaults, const SearchPlan& plan);

  /// Nothing when `cancelled` says so.
  bool run(const std::function<bool()>& cancelled);
  /// Goes on until the world error is at most this part of the tolerance, or can not be made smaller.
  void tighten(double part);

  const Parts& parts() const { return m_coded.parts; }
  const CodedClip& coded() const { return m_coded; }
  CodedClip& coded() { return m_coded; }
  /// World error over the tolerance, computed in double.
  double used() const { return m_used; }

 private:
  void makeLevels(std::size_t track);
  void choose();
  void measure();
  void poseAt(std::size_t halfFrame, Transform* pose) const;
  std::vector<float> countsOf(const Track& track) const;

  double m_toleranceM;
  SearchPlan m_plan;
  std::int32_t m_last;
  Field m_field;
  CodedClip m_coded;
  std::vector<std::vector<Candidate>> m_levels;
  std::vector<std::vector<double>> m_curves;
  double m_used = 0;
};

}  // namespace simmer::animation::spline
