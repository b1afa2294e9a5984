#pragma once

#include "plugins/animation/requested_clip.h"

namespace simmer::animation {

/// How far an artifact is from a fresh import, decoded by the runtime: "world error" and "joint error" (mm), "scalar
/// error" (relative) where there are scalar tracks, "resample error" (mm, for information) where the importer resampled
/// curves. Corrupt when the artifact does not load, or is of another clip or skeleton.
Result<Measures> measureArtifact(const RequestedClip& requested, double scalarTolerance, bool selfContained,
                                 const Artifact& artifact);

}  // namespace simmer::animation
