#pragma once

#include "cooker/base/bytes.h"
#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// The clip in the article's layout: 16 zero bytes, then 10 little-endian float32 for each bone and frame. The file has
/// neither names nor a rate. Unsupported for another rig than the article's, and for step and scalar tracks.
Result<Bytes> writeRaw(const Clip& clip);

}  // namespace simmer::animation
