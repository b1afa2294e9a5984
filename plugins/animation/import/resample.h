#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugins/animation/import/importer.h"

namespace simmer::animation {

/// A clip as a source has it: curves over time, keys anywhere.
class Curves {
 public:
  virtual ~Curves() = default;

  /// The local pose at a time, as the source interpolates. Stepped tracks are taken at `stepTimeS`, which is `timeS`
  /// itself for the source's own curves. Rotations have unit length.
  virtual void poseAt(double timeS, double stepTimeS, Transform* pose) const = 0;
  /// The scalar tracks at a time.
  virtual void scalarsAt(double timeS, double stepTimeS, float* values) const = 0;

  std::shared_ptr<const Skeleton> skeleton;
  std::vector<double> keysS;         ///< the times of all keys, ascending, each once; at least one
  bool smooth = false;               ///< some track bends between its keys (a spline)
  std::vector<std::uint8_t> step;    ///< as Clip::step
  std::vector<ScalarTrack> scalars;  ///< names and step flags, no values
};

/// The curves as frames. The clip starts at the first key of any track and ends at the last.
///
/// Its rate is `options.sampleRateHz` where that is set. Else it is the lowest of some rates at which the clip stays
/// within `options.resampleToleranceM` of the curves, at four points between frames, for every joint's origin and skin
/// points; rotations turn evenly between frames (Arc), as LINEAR ones of glTF do. Which rates are tried:
/// - Where the keys fall on frames of a common rate of at least 10 Hz, straight or stepped between, and half of the
///   frames hold keys, the source has frames itself: that rate, then its multiples up to 480 Hz. When none keeps to the
///   tolerance, its own, or the highest where that at least halves the distance.
/// - Else a ladder from 24 Hz to 480 Hz: those on whose frames the keys fall (multiples of the common rate where few
///   do, all where there is none); the highest when none keeps to the tolerance. From 24 Hz on, since errors are
///   measured at frames and half frames.
/// A stepped key that falls between frames moves to the nearest one.
///
/// resampleErrorM says what is left. In a source with frames, a rotation that turns more than 90 degrees between two
/// of the clip's is left out of it, as ErrorMeter does. Long clips are probed at every n-th gap. `warnings` gains a
/// sentence where the tolerance is not met. InvalidInput when a value is not finite, Unsupported above 12 million
/// transforms, Cancelled. The result has neither id nor name.
Result<Clip> resample(const Curves& curves, const ImportOptions& options, Context& context,
                      std::vector<std::string>& warnings);

}  // namespace simmer::animation
