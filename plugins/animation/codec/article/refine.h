#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/animation/clip/transform.h"

namespace simmer::animation::article {

/// How values between two keys come about. Cubic: Hermite with non-uniform Catmull-Rom tangents.
enum class Interpolation : std::uint8_t { Linear, Cubic };

/// Fit-and-refine of one track ("How many keyframes are actually redundant?"): starts with the first and the last
/// frame, inserts the frame with the worst error (the earliest of equals), and so on. The order of insertion does not
/// depend on the tolerance, so one refinement serves every tolerance down to the one it was made for.
struct Refinement {
  std::uint32_t frames = 0;
  std::vector<std::uint32_t> inserted;  ///< frames in the order they became keys, behind the first and the last frame
  /// Worst error with the first i inserted keys, in the values' unit or in degrees. One more element than `inserted`.
  std::vector<double> worst;

  /// The sorted keys at which the article's fit stops for this tolerance. For a track of up to 2 frames: all of them.
  std::vector<std::uint32_t> keys(double tolerance) const;
};

/// Refines until the error is at most `untilTolerance`. Only the spans that a new key touches are evaluated again.
Refinement refineScalar(std::span<const double> values, Interpolation, double untilTolerance);
/// As refineScalar() for a rotation track, hemisphere-aligned; errors in degrees.
Refinement refineRotation(std::span<const Quaternion> values, Interpolation, double untilToleranceDeg);

/// The article's constancy tests.
bool isConstant(std::span<const double> values);
bool isConstant(std::span<const Quaternion> values);

/// Lever arm of the article: metres of a joint's motion to one radian of rotation.
inline constexpr double kLeverM = 0.35;

}  // namespace simmer::animation::article
