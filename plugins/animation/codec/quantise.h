#pragma once

#include <span>

#include "plugins/animation/codec/clip_writer.h"

namespace simmer::animation {

/// Puts a track's key values into `track.values` (and its range) as the runtime reads them; `track.kind` and the keys
/// are set already.
void putScalarValues(TrackBytes& track, std::span<const float> values, runtime::ValueFormat format);
/// Rotations have unit length.
void putRotationValues(TrackBytes& track, std::span<const Quaternion> values, runtime::ValueFormat format);

}  // namespace simmer::animation
