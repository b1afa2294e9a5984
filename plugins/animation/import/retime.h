#pragma once

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// The clip at another frame rate, sampled as the clip itself interpolates. It covers all of the time: the last frame
/// may stand behind the old end, and then holds its pose. `resampleErrorM` is measured as DESIGN.md asks: the joints'
/// distance in the world at four points between the new frames. InvalidInput when the rate is not above zero, over
/// 1000 times the clip's own, or asks for more than 4 million transforms; Cancelled.
Result<Clip> retimed(const Clip& clip, double rateHz, Context& context);

}  // namespace simmer::animation
