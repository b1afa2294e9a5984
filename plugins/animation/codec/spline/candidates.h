#pragma once

#include <vector>

#include "plugins/animation/codec/spline/fit.h"
#include "plugins/animation/codec/spline/points.h"

namespace simmer::animation::spline {

/// How a track is fitted.
struct FitOptions {
  double smoothPart = 1.1;   ///< of a track's tolerance: how far the curve may be off before its points are rounded
  double stepPart = 0.85;    ///< the step of its points, as a part of the tolerance
  double memoryBit = 0.6;    ///< worth of a bit in memory, when a bit of the file is worth 1
  double treeBits = 1000;    ///< what a decoder's time for tree knots is worth, bits a track
  bool fewSpacings = false;  ///< look at every other spacing only
  unsigned rounds = 8;       ///< splits of a tree that is guessed from uniform knots
};

/// One way to encode a track.
struct Candidate {
  CodedTrack coded;
  std::vector<double> curve;  ///< decoded [half frame][component]
  double bits = 0;            ///< estimated, in the file
  double memoryBits = 0;
};

/// All ways to encode one track that is not held. Keeps a reference to the track, which must outlive it.
class TrackFits {
 public:
  /// `counts` is 0 at half frames that don't matter, or empty.
  TrackFits(const Track& track, std::vector<float> counts, std::int32_t last, const FitOptions& options);

  /// The cheapest way found to follow the signal about as closely as `tolerance` (in its own units).
  Candidate fit(double tolerance);

 private:
  void addSpacing(std::uint32_t spacing);
  double follow(const Basis& basis);
  bool growTree(Knots& knots, double tolerance);
  Knots guessTree(std::uint32_t shift, double tolerance) const;
  void guessNode(std::int32_t low, std::int32_t size, std::uint32_t shift, float limit, Knots& tree) const;
  bool split(Knots& knots, double limit, std::int32_t reach) const;
  void consider(const Knots& knots, std::uint32_t exponent, Candidate& best);
  double priceOf(const Candidate& candidate) const;

  /// How well uniform knots of one spacing follow the signal.
  struct Spacing {
    std::uint32_t spacing;
    double worst;
    std::vector<float> squares;  ///< the largest squared error of each block of `spacing` half frames
  };

  const Track& m_track;
  std::vector<float> m_counts;
  std::int32_t m_last;
  FitOptions m_options;
  std::vector<Spacing> m_spacings;        // from wide to narrow
  std::vector<double> m_curve, m_errors;  // of the last fit; the errors are squared
};

/// A held track with a knot wherever its rounded value changes.
Candidate holdTrack(const Track& track, double tolerance, std::int32_t last);

/// Estimates the bits of a candidate in the file and in memory.
void priceCandidate(const Track& track, std::int32_t last, Candidate& candidate);

}  // namespace simmer::animation::spline
