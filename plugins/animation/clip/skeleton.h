#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cooker/base/result.h"
#include "plugins/animation/clip/transform.h"

namespace simmer::animation {

/// The joints that a clip moves. Parents stand before their children.
struct Skeleton {
  std::vector<std::string> names;     ///< UTF-8, as in the source; may repeat
  std::vector<std::int32_t> parents;  ///< index of the parent, -1 for a root
  std::vector<Transform> rest;        ///< local rest pose, metres
  /// Largest distance of the joint's skin from its origin in the rest pose, metres in the world; a joint
  /// without skin has the shell's. Empty when the source has no mesh: then skinRadii() makes a shell.
  std::vector<float> skinRadiusM;
  /// Extent of the rest-pose skin along the up axis, metres; 0 when the source has no mesh.
  double skinHeightM = 0;

  std::size_t size() const { return parents.size(); }
  bool operator==(const Skeleton&) const = default;
};

/// InvalidInput when the arrays differ in length, a parent does not stand before its child, a value is not finite or a
/// name is not UTF-8.
Result<void> validate(const Skeleton& skeleton);

/// Measured height in metres: the skin's where there is one, else the largest axis extent of the rest-pose joint
/// origins; 0 when that is below a micrometre.
double measuredHeight(const Skeleton& skeleton);

/// Radius of the skin points around each joint, in the joint's *local* units (its rest world scale divided out), as
/// bench measure v1 does. Joints of a source without a mesh get a shell of 3 cm on a 1.8 m character, in proportion.
/// Where `probeRadiusM` (one for each joint, or empty) is above 0 it stands in for the skin's, metres in the world.
std::vector<double> skinRadii(const Skeleton& skeleton, const std::vector<float>& probeRadiusM = {});

}  // namespace simmer::animation
