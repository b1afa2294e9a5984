#pragma once

#include <functional>
#include <optional>

#include "plugins/animation/codec/spline/allocate.h"
#include "plugins/animation/codec/spline/refine.h"
#include "plugins/animation/codec/spline/spline_writer.h"

namespace simmer::animation::spline {

/// How much a search looks at.
struct SearchPlan {
  std::size_t levels = 7;  ///< for each track
  double tightest = 0.14;  ///< tolerance of the first, as a part of the clip's
  double ratio = 1.4;      ///< from one to the next
  FitOptions fit;
  bool quick = false;         ///< signals are made roughly (PartOptions)
  std::size_t rowStep = 1;    ///< levels are chosen by every n-th half frame
  double aim = 1;             ///< part of the tolerance that they may use there
  unsigned sweeps = 8;        ///< passes over all control points
  double firstWorth = 0.003;  ///< of a bit, in penalty (RefineOptions)
  double worthRatio = 3.5;    ///< from one pass to the next
};

/// Who waits for a search.
struct Monitor {
  std::function<bool()> cancelled;
  std::function<void(double fraction)> progress;
};

/// All integers of a clip's joints: what stands still, what moves, and control points whose world error, computed in
/// double, is at most `toleranceM`, or close to it where no level is tight enough. Time and memory are linear in the
/// clip's length: levels are chosen by a share of a long clip's half frames, points are refined window by window.
class Search {
 public:
  /// Keeps a reference to the clip's poses, which must outlive it.
  Search(const WorldPoses& reference, double toleranceM, bool restDefaults, const SearchPlan& plan);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// False when it was cancelled.
  bool run(const Monitor& monitor);
  /// Goes on until the world error is at most this part of the tolerance, or can not be made smaller.
  void tighten(double part);
  /// The same around one half frame alone, which takes less time.
  void tightenNear(std::size_t halfFrame, double part);

  CodedClip& coded() { return m_coded; }
  /// World error over the tolerance, computed in double; 0 where the plan has no passes over the points.
  double used() const { return m_used; }

 private:
  /// Fits of uniform knots to all half frames of spans, and to some.
  struct Fits {
    UniformFits all, thin;
  };

  std::vector<Level> levelsOf(const Track& track, const Field& field, Fits& uniform) const;
  bool choose(const Monitor& monitor);
  void measureStill(Field& field) const;
  bool refine(const Monitor& monitor);
  std::vector<Rows> windows() const;
  std::vector<float> countsOf(const Track& track) const;

  const WorldPoses& m_reference;
  const Clip& m_clip;
  double m_toleranceM;
  bool m_restDefaults;
  SearchPlan m_plan;
  std::int32_t m_last;
  std::size_t m_mostRows;  // of a field
  Jumps m_jumps;
  CodedClip m_coded;
  std::optional<Refinement> m_whole;  // of a clip that is one window
  double m_used = 0;
};

}  // namespace simmer::animation::spline
