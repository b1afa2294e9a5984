#pragma once

#include <optional>

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// How the end of a clip meets its beginning.
enum class Loop {
  Off,    ///< as the source has it
  Close,  ///< one frame more, with the first pose
  Blend   ///< the last pose becomes the first, every other comes a share closer
};

/// What a project changes of a clip, in this order.
struct EditOptions {
  std::optional<NumberRange> rangeS;  ///< seconds of the source that are kept
  double denoiseHz = 0;               ///< cut-off of a low-pass; 0: none
  double lengthS = 0;                 ///< of the clip, by another rate of the same frames; 0: the source's
  Loop loop = Loop::Off;
};

/// How far edits moved a joint's origin or skin, as ErrorMeter measures it, metres; empty where they were not asked
/// for.
struct Displacements {
  std::optional<double> denoiseM, loopM;
};

/// All edits of a valid clip, which stays one. `measured` says whether displacements are wanted, which takes time.
/// InvalidInput as the single edits say; Cancelled.
Result<Displacements> edit(Clip& clip, const EditOptions& options, bool measured, Context& context);

/// Keeps the frames from round(first · rate) to round(last · rate), both included. InvalidInput when the range ends
/// more than half a frame behind the clip.
Result<void> cutToRange(Clip& clip, const NumberRange& rangeS);

/// Filters all tracks that do not step by LowPass, rotations as quaternions by component. A rotation is cut where it
/// turns more than 90 degrees in one frame, and each piece of at least 4 frames filtered alone. Clips below 4 frames
/// stay as they are. InvalidInput when the cut-off is not below half the rate; Cancelled.
Result<void> denoise(Clip& clip, double cutOffHz, Context& context);

/// Makes the clip last so long: the frames stay, the rate changes. A single frame stays as it is. InvalidInput when no
/// rate is that high or low.
Result<void> setLength(Clip& clip, double seconds);

/// Adds a frame with the first pose, where the last one is not it already; then it gets the very same bits. A root's
/// translation goes on by its last step instead.
void closeLoop(Clip& clip);

/// Makes the last pose the first, to the bit, and moves every other by its share of the difference, which grows evenly
/// over the clip. Translations of roots stay; of what steps only the last frame changes.
void blendLoop(Clip& clip);

}  // namespace simmer::animation
