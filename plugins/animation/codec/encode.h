#pragma once

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/codec/encoded.h"
#include "plugins/animation/codec/skeleton_file.h"

namespace simmer::animation {

/// The stages of codec `article` that an asset may switch.
struct ArticleSettings {
  enum class Keyframes { Best, Cubic, Linear, Off };
  enum class Quantise { Auto, On, Off };

  bool constantRemoval = true;            ///< tracks that never change are stored as one value
  Keyframes keyframes = Keyframes::Best;  ///< Best: for each track whichever curve needs fewer keys
  Quantise quantise = Quantise::Auto;     ///< Auto: 16-bit and smallest-three values where that is smaller
  bool deflate = true;                    ///< pack the result, as the article's gzip stage
  bool selfContained = false;             ///< the skeleton stands inside the clip
  double scalarTolerance = 0.001;         ///< error allowed on a scalar track, as a part of its range
};

/// The smallest encoding that the search finds whose *measured* world error is at most `toleranceM`: it looks for the
/// loosest tolerance a channel, since the article saw errors of channels add up four- to fivefold in the world. Where
/// no setting of the stages meets the bound it goes on with tighter ones, and in the end stores the reference itself.
/// ToleranceUnmet when not even that does; Unsupported when the clip is too large for the format; Cancelled.
Result<Encoded> encodeArticle(const Clip& clip, const SkeletonFile& skeleton, const ArticleSettings& settings,
                              double toleranceM, Context& context);

}  // namespace simmer::animation
