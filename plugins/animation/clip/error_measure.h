#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "plugins/animation/clip/world_poses.h"

namespace simmer::animation {

/// How far a decoded clip is from its reference.
struct WorldError {
  double worstM = 0;        ///< over every joint's origin and skin points, metres over the joint's tolerance scale
  double jointM = 0;        ///< over the joints' origins alone
  double unscaledM = 0;     ///< as worstM, plain metres whatever the scales say
  std::size_t joint = 0;    ///< where the worst stands
  double timeInFrames = 0;  ///< and when
};

/// Gives a decoded pose at a time in frames; `pose` has one element for each joint.
using PoseSource = std::function<void(double timeInFrames, Transform* pose)>;

/// Measures decoded clips against one reference: world space, full glTF semantics, at every frame and every half frame.
/// Each joint has four probes: its origin, and points at skinRadii() along its local axes; its errors count divided by
/// its tolerance scale, so that one bound holds for all. A half frame is left out
/// for a joint and its descendants where the joint's own rotation turns more than 90 degrees between the frames: the
/// source is discontinuous there and the shorter arc is a coin toss (bench measure v1).
class ErrorMeter {
 public:
  /// Keeps a reference to the clip, which must outlive the meter.
  explicit ErrorMeter(const Clip& reference);
  /// With the reference's poses, which somebody else has too.
  explicit ErrorMeter(std::shared_ptr<const WorldPoses> reference);

  /// The error of what `decoded` gives. Ends early, with an error above it, when `stopAboveM` is passed. A value that
  /// is not finite counts as an infinite error.
  WorldError measure(const PoseSource& decoded, double stopAboveM = std::numeric_limits<double>::infinity()) const;

 private:
  void findJumps(std::uint32_t frame, std::vector<char>& leftOut) const;

  std::shared_ptr<const WorldPoses> m_reference;
  const Clip& m_clip;
  std::vector<double> m_radii;
  std::vector<double> m_weights;  // [joint], of squared errors; empty: 1 everywhere
};

/// What errors of a scalar track are parts of: its range, its largest magnitude where that is 0, 1 where both are.
double scalarUnit(const ScalarTrack& track);

/// The largest difference of a decoded scalar track from its reference (as float32) at every frame and half frame, as a
/// part of the reference's scalarUnit().
double scalarError(const ScalarTrack& reference, const std::function<double(double timeInFrames)>& decoded);

/// A scalar track's value at a time in frames, clamped to the clip.
double sampleScalar(const ScalarTrack& track, double timeInFrames);

}  // namespace simmer::animation
