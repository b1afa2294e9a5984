#pragma once

#include <array>
#include <vector>

#include "plugins/animation/codec/spline/field.h"
#include "plugins/animation/codec/spline/rotation.h"

namespace simmer::animation::spline {

using runtime::Part;
using runtime::PartKind;

/// One part of a joint that moves, as a signal that splines can follow.
struct Track {
  Part part = Part::Rotation;
  bool quaternion = false;  ///< of a rotation: its four components, else the vector from the mean
  bool held = false;        ///< each frame's value holds until the next
  std::size_t joint = 0;
  unsigned components = 3;
  runtime::SmallestThree mean;
  Quaternion meanRotation{0, 0, 0, 1};
  std::vector<double> signal;  ///< [half frame][component]: radians, metres, scale less 1, or quaternion components
  /// Upper estimate of the world distance, metres over its tolerance scale, that a point moves when the signal changes
  /// by one.
  double metresPerUnit = 1;
  /// What a change of each component by one does in the world: [component][part of a Motion][row], for the rows of
  /// a field. Filled by addMotions().
  std::vector<float> motions;

  Motion::Kind motionKind() const;
  std::size_t motionParts() const { return part == Part::Scale ? 9 : 3; }
  const double* at(std::size_t halfFrame) const { return &signal[halfFrame * components]; }
};

/// A clip taken apart: what stands still, what moves, in the order of the stream.
struct Parts {
  runtime::SplineGlobals globals;
  std::vector<std::array<PartKind, runtime::kParts>> kinds;  ///< [joint]
  std::vector<runtime::SmallestThree> constantRotations;     ///< in joint order, as the others
  std::vector<std::array<std::int32_t, 3>> constantTranslations, constantScales;
  std::vector<Track> tracks;  ///< rotations, quaternions, translations, scales
  /// The pose with everything still as a decoder has it, and what moves at its default.
  std::vector<Transform> base;
};

/// The exponent of the largest step that is at most `step` (runtime::stepOf).
std::uint32_t exponentAtMost(double step);

struct PartOptions {
  double toleranceM = 0.001;
  bool restDefaults = false;  ///< a default is the skeleton's rest pose
  bool quick = false;         ///< centre signals roughly, and have half frames half-way between frames
};

/// Takes a clip apart. A part whose world motion stays below a small share of the tolerance stands still.
Parts takeApart(const WorldPoses& reference, const Field& field, const PartOptions& options);

/// Puts a track's decoded value into a pose.
void applyTrack(const Track& track, const double* value, Transform* pose);

}  // namespace simmer::animation::spline
