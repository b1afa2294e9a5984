#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/animation/clip/skeleton.h"
#include "plugins/animation/import/bvh_text.h"

namespace simmer::animation::bvh {

inline constexpr std::size_t kMaxJoints = 65535;

/// What one column of the motion rows moves.
struct Column {
  std::uint32_t joint = 0;
  std::uint8_t axis = 0;  ///< 0, 1, 2: x, y, z
  bool position = false;  ///< a position in units of the file, else a rotation in degrees
};

/// All of a file in front of its rows of motion.
struct Hierarchy {
  Skeleton skeleton;            ///< End Sites are no joints; rest = OFFSET in metres, without rotation
  std::vector<Column> columns;  ///< in the rows' order; those of a joint stand together, in its channel order
  std::vector<std::string> warnings;
  std::uint32_t frames = 0;  ///< as MOTION says, at least 1
  double rateHz = 0;
};

/// Reads up to and with the Frame Time; `text` then stands at the first row. Needs no stack for nested joints.
Result<Hierarchy> readHierarchy(Text& text, double metresPerUnit);

}  // namespace simmer::animation::bvh
