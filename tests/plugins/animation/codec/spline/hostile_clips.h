#pragma once

#include <string>
#include <vector>

#include "plugins/animation/clip/clip.h"

namespace simmer::animation::test {

/// A clip that a codec may stumble over.
struct HostileClip {
  std::string name;
  Clip (*make)();
  bool large = false;  ///< takes long to encode
};

const std::vector<HostileClip>& hostileClips();

}  // namespace simmer::animation::test
