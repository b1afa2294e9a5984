#pragma once

#include "plugins/animation/requested_clip.h"

namespace simmer::animation {

/// What a viewer shows of a clip, as JSON that README.md specifies: world origins of the joints in the source and, when
/// there is an artifact, in what the game decodes, over a span of time.
Result<Bytes> inspectClip(const RequestedClip& requested, const Artifact* artifact, const Window& window,
                          Context& context);

}  // namespace simmer::animation
