#pragma once

#include "plugins/animation/edit/edit.h"
#include "tests/plugins/animation/clip/clip_fixtures.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation::test {

using simmer::test::RecordingContext;

/// A chain of three joints of which each frame can be told: the root walks along x, the others turn about z by
/// `degrees` a frame, a scalar counts, another steps.
inline Clip walking(std::uint32_t frames, double degrees = 3) {
  Clip clip = chain(3, frames);
  clip.step = {0, 0, 0};
  clip.scalars = {{"count", false, {}}, {"step", true, {}}};
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    clip.pose(frame, 0).translation = {0.25f * static_cast<float>(frame), 0, 1};
    for (const std::size_t joint : {1, 2}) clip.pose(frame, joint).rotation = aboutZ(degrees * frame);
    clip.scalars[0].values.push_back(static_cast<float>(frame));
    clip.scalars[1].values.push_back(static_cast<float>(frame % 3));
  }
  return clip;
}

}  // namespace simmer::animation::test
