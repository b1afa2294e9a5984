#pragma once

#include <string>

#include "cooker/base/bytes.h"
#include "plugins/animation/clip/error_measure.h"

namespace simmer::animation {

/// A clip as a file that meets its tolerance.
struct Encoded {
  Bytes file;
  std::string how;         ///< for a person: "article, 15-bit rotations, 2.1 mm a channel"
  WorldError error;        ///< measured through the runtime, at every frame and half frame
  double scalarError = 0;  ///< the worst of the scalar tracks, relative
  unsigned measured = 0;   ///< how many encodings the search measured
};

}  // namespace simmer::animation
