#pragma once

#include <cmath>

#include "plugins/animation/clip/clip.h"

namespace simmer::animation::test {

/// A chain of joints along x, one metre apart, at rest for `frames` frames of 10 Hz.
inline Clip chain(std::size_t joints, std::uint32_t frames) {
  auto skeleton = std::make_shared<Skeleton>();
  for (std::size_t joint = 0; joint < joints; ++joint) {
    skeleton->names.push_back("joint" + std::to_string(joint));
    skeleton->parents.push_back(static_cast<std::int32_t>(joint) - 1);
    skeleton->rest.emplace_back();
    if (joint > 0) skeleton->rest.back().translation = {1, 0, 0};
  }
  Clip clip;
  clip.id = "chain";
  clip.rateHz = 10;
  clip.frames = frames;
  for (std::uint32_t frame = 0; frame < frames; ++frame)
    clip.poses.insert(clip.poses.end(), skeleton->rest.begin(), skeleton->rest.end());
  clip.skeleton = std::move(skeleton);
  return clip;
}

/// A rotation about z.
inline std::array<float, 4> aboutZ(double degrees) {
  const double half = degrees * 3.14159265358979 / 360;
  return {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))};
}

}  // namespace simmer::animation::test
