#pragma once

#include "cooker/base/bytes.h"
#include "cooker/base/digest.h"
#include "plugins/animation/codec/spline/points.h"
#include "plugins/animation/runtime/spline_layout.h"

namespace simmer::animation::spline {

/// A scalar track as its file has it.
struct CodedScalar {
  PartKind kind = PartKind::Default;  ///< default 0, constant or spline
  float constant = 0;
  Track track;  ///< one component
  CodedTrack coded;
};

/// All integers of a clip.
struct CodedClip {
  Parts parts;
  std::vector<CodedTrack> tracks;  ///< of parts.tracks
  std::vector<CodedScalar> scalars;
};

/// The range-coded stream of a clip (runtime/FORMAT.md), and the counts that decide how much memory it takes.
Bytes writeStream(const CodedClip& clip, std::uint32_t frames, runtime::SplineShape& shape);

}  // namespace simmer::animation::spline
