#pragma once

#include <vector>

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/clip/clip.h"
#include "plugins/animation/import/bvh_hierarchy.h"

namespace simmer::animation::bvh {

/// Transforms of one clip; 480 MB. A file that asks for more is refused.
inline constexpr std::uint64_t kMaxTransforms = 12'000'000;

/// Reads the rows of motion, at which `text` stands: the poses [frame][joint] of the hierarchy's frames.
///
/// A frame usually is a line; a file whose values are broken into lines otherwise is read too, as long as all of them
/// are there. Fewer frames than MOTION says are an error: the file was cut. Frames behind those are left out and the
/// context is told, as the count may have been lowered to trim the clip, and some exporters count one too few. Position
/// channels are a joint's translation and replace its OFFSET, as most tools read them; where most joints below the root
/// stand at zero (below 5 % of their OFFSETs) in the first frame, as MakeHuman exports them, theirs are added to it,
/// and the context is told. Cancelled when the context says so.
Result<std::vector<Transform>> readMotion(Text& text, const Hierarchy& hierarchy, double metresPerUnit,
                                          Context& context);

}  // namespace simmer::animation::bvh
