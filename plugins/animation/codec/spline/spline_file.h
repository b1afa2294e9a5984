#pragma once

#include "cooker/base/result.h"
#include "plugins/animation/codec/clip_writer.h"
#include "plugins/animation/codec/spline/spline_writer.h"

namespace simmer::animation::spline {

/// How a clip knows its skeleton.
enum class SkeletonPlace {
  Beside,  ///< its file stands beside the clip, which names its digest; what rests is not stored
  Inside,  ///< its file stands inside the clip
  None     ///< the clip gives poses without one, and names none
};

/// A clip file of codec `spline`. Unsupported when it or the memory it asks for would pass the limits of the format. A
/// zero byte in a scalar's name ends the name.
Result<Bytes> writeSplineClip(const ClipHead& head, const CodedClip& clip, const Skeleton& skeleton,
                              SkeletonPlace place, ByteView skeletonFile);

}  // namespace simmer::animation::spline
