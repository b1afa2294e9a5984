#pragma once

#include "plugins/animation/codec/clip_writer.h"
#include "plugins/animation/codec/encode.h"

namespace simmer::animation {

/// The scalar tracks of a clip as a file has them.
struct EncodedScalars {
  std::vector<TrackBytes> tracks;
  double worst = 0;  ///< the largest measured error, as a part of a track's range
};

/// Each track with the fewest keys whose measured error is at most the settings' scalar tolerance. ToleranceUnmet when
/// not even the track's own samples meet it; Cancelled.
Result<EncodedScalars> encodeScalars(const Clip& clip, const ArticleSettings& settings, Context& context);

}  // namespace simmer::animation
