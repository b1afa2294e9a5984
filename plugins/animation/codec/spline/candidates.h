#pragma once

#include <memory>
#include <vector>

#include "plugins/animation/codec/spline/points.h"
#include "plugins/animation/codec/spline/uniform_fits.h"

namespace simmer::animation::spline {

/// How a track is fitted.
struct FitOptions {
  double smoothPart = 1.1;    ///< of a track's tolerance: how far the curve may be off before its points are rounded
  double stepPart = 0.85;     ///< the step of its points, as a part of the tolerance
  double memoryBit = 0.6;     ///< worth of a bit in memory, when a bit of the file is worth 1
  double treeBits = 1000;     ///< what a decoder's time for tree knots is worth, bits a track
  bool fewSpacings = false;   ///< look at every other spacing only
  std::size_t treeSaves = 0;  ///< points that a tree has to save against uniform knots to be looked at
  bool thin = false;          ///< look at fewer half frames where knots are far apart
  unsigned rounds = 8;        ///< splits of a tree that is guessed from uniform knots
};

/// One way to encode a track.
struct Candidate {
  CodedTrack coded;
  std::vector<double> curve;  ///< decoded [row][component]
  double bits = 0;            ///< estimated, in the file
  double memoryBits = 0;
};

/// All ways to encode one track that is not held. Keeps references to the track and the uniform fits, which must
/// outlive it.
class TrackFits {
 public:
  /// `counts` is 0 at half frames that don't matter, or empty. `uniform` is of the same clip and options.
  TrackFits(const Track& track, std::vector<float> counts, UniformFits& uniform, const FitOptions& options);

  /// The cheapest way found to follow the signal about as closely as `tolerance` (in its own units); its curve at some
  /// rows.
  Candidate fit(double tolerance, const Rows& rows);

 private:
  /// The cheapest so far.
  struct Best {
    Candidate candidate;
    std::shared_ptr<const Basis> basis;
  };

  struct Spacing;

  const Spacing& fitted(Spacing& spacing);
  double follow(const Knots& knots);
  bool growTree(Knots& knots, double tolerance);
  Knots guessTree(std::uint32_t shift, double tolerance);
  void guessNode(std::int32_t low, std::int32_t size, std::uint32_t shift, float limit, Knots& tree);
  bool split(Knots& knots, double limit, std::int32_t reach) const;
  void consider(const Knots& knots, const std::vector<double>& points, std::uint32_t exponent, Best& best) const;
  std::size_t considerTrees(double smooth, std::uint32_t exponent, Best& best);
  Spacing* widestUniform(double smooth, std::size_t mostPoints);
  void considerLines(double smooth, std::uint32_t exponent, Best& best);
  double priceOf(const Candidate& candidate) const;

  /// How well uniform knots of one spacing follow the signal: found out when it matters.
  struct Spacing {
    std::uint32_t spacing = 0;
    bool known = false;
    double worst = 0;
    std::vector<float> squares;  ///< the largest squared error of each block of `spacing` half frames
    std::vector<double> points;
  };

  const Track& m_track;
  std::vector<float> m_counts;
  UniformFits& m_uniform;
  std::int32_t m_last;
  FitOptions m_options;
  std::vector<Spacing> m_spacings;  // from wide to narrow
  // Of the last fit; the errors are squared, one for each row.
  std::shared_ptr<const Basis> m_basis;
  std::vector<double> m_points, m_errors;
};

/// A held track with a knot wherever its rounded value changes.
Candidate holdTrack(const Track& track, double tolerance, std::int32_t last, const Rows& rows);

/// Estimates the bits of a candidate in the file and in memory.
void priceCandidate(const Track& track, std::int32_t last, Candidate& candidate);

}  // namespace simmer::animation::spline
