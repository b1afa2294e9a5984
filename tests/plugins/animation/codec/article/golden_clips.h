#pragma once

#include <filesystem>
#include <string>

#include "plugins/animation/codec/article/samples.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation::test {

using simmer::test::sharedPath;

/// One of the article's clips at full precision: float64 [frame][joint][translation 3, rotation 4, scale 3].
inline article::DoubleClip readGoldenClip(const std::filesystem::path& folder, const std::string& name) {
  const auto bytes = readFile(folder / (name + ".f64"));
  if (!bytes) return {};
  const auto rig = article::articleSkeleton();
  ByteReader reader(*bytes);
  const auto frames = static_cast<std::uint32_t>(bytes->size() / (rig->size() * 10 * sizeof(double)));
  article::DoubleClip clip = article::DoubleClip::atRest(rig, frames, 60);
  for (std::uint32_t frame = 0; frame < frames; ++frame)
    for (std::size_t joint = 0; joint < rig->size(); ++joint) {
      for (std::size_t axis = 0; axis < 3; ++axis) clip.translation(joint, axis)[frame] = reader.take<double>();
      for (std::size_t i = 0; i < 4; ++i) clip.rotation(joint)[frame][i] = reader.take<double>();
      for (std::size_t axis = 0; axis < 3; ++axis) clip.scale(joint, axis)[frame] = reader.take<double>();
    }
  return clip;
}

}  // namespace simmer::animation::test
