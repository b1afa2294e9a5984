#pragma once

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "plugins/animation/clip/kinematics.h"
#include "plugins/animation/import/importer.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {

/// What our importer reads from these bytes.
inline Result<Clip> readBack(const std::string& name, const Bytes& bytes, std::string_view id,
                             const ImportOptions& options = {}) {
  test::MemoryReader reader(name, bytes);
  test::RecordingContext context;
  return readClip(reader, id, options, context);
}

/// The largest distance of the joints of equal names in the world over all frames, metres.
inline double largestDistance(const Clip& a, const Clip& b) {
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.joints(), b.joints());
  if (a.frames != b.frames || a.joints() != b.joints()) return INFINITY;
  std::vector<Affine> worldA(a.joints()), worldB(b.joints());
  double worst = 0;
  for (std::uint32_t frame = 0; frame < a.frames; ++frame) {
    toWorld(*a.skeleton, &a.pose(frame, 0), worldA.data());
    toWorld(*b.skeleton, &b.pose(frame, 0), worldB.data());
    for (std::size_t joint = 0; joint < a.joints(); ++joint) {
      const auto& names = b.skeleton->names;
      const auto other =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), a.skeleton->names[joint]) - names.begin());
      EXPECT_LT(other, names.size()) << a.skeleton->names[joint];
      if (other == names.size()) return INFINITY;
      for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t axis = 0; axis < 3; ++axis)
          worst = std::max(worst, std::abs(worldA[joint].columns[column][axis] - worldB[other].columns[column][axis]));
    }
  }
  return worst;
}

/// A clip of this many joints in a chain along y, one metre apart, at rest.
inline Clip chain(std::size_t joints, std::uint32_t frames, double rateHz) {
  auto skeleton = std::make_shared<Skeleton>();
  for (std::size_t joint = 0; joint < joints; ++joint) {
    skeleton->names.push_back("joint" + std::to_string(joint));
    skeleton->parents.push_back(static_cast<std::int32_t>(joint) - 1);
    skeleton->rest.push_back({{0, joint == 0 ? 0.0F : 1.0F, 0}, {0, 0, 0, 1}, {1, 1, 1}});
  }
  Clip clip;
  clip.id = "Chain";
  clip.named = true;
  clip.rateHz = rateHz;
  clip.frames = frames;
  for (std::uint32_t frame = 0; frame < frames; ++frame)
    clip.poses.insert(clip.poses.end(), skeleton->rest.begin(), skeleton->rest.end());
  clip.skeleton = std::move(skeleton);
  return clip;
}

}  // namespace simmer::animation
