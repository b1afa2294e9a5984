#pragma once

#include <vector>

#include "cooker/base/digest.h"
#include "plugins/animation/clip/clip.h"
#include "plugins/animation/runtime/format.h"

namespace simmer::animation {

/// One sub-track as it stands in a clip file (runtime/FORMAT.md).
struct TrackBytes {
  std::uint8_t kind = runtime::kDefaultKind;
  std::vector<std::uint32_t> keys;  ///< frames of an animated track, the first is 0; empty: every frame is a key
  std::uint32_t count = 0;          ///< keys of an animated track
  float low = 0, range = 0;         ///< of 16-bit values
  Bytes values;                     ///< the constant or the keys' values, as the file has them

  bool animated() const { return kind > runtime::kConstantKind; }
  bool operator==(const TrackBytes&) const = default;
};

/// What a clip file says besides its tracks.
struct ClipHead {
  std::uint32_t joints = 0;
  std::uint32_t frames = 0;
  double rateHz = 0;
  std::vector<std::string> scalarNames;
  Digest skeleton;
};

/// How a clip file is packed.
struct Packaging {
  bool deflate = true;      ///< deflate the body where that makes it smaller
  ByteView skeletonFile{};  ///< stands inside the clip unless it is empty
};

/// A clip file of codec `article`: 7 tracks for each joint in the file's order, one for each scalar track. Unsupported
/// when it would pass the limits of the format. A zero byte in a scalar's name ends the name.
Result<Bytes> writeArticleClip(const ClipHead& head, const std::vector<TrackBytes>& joints,
                               const std::vector<TrackBytes>& scalars, const Packaging& packaging);

/// A clip file of codec `raw`: the reference's own samples.
Result<Bytes> writeRawClip(const Clip& clip, const Digest& skeleton, const Packaging& packaging);

/// What the head of a clip's file says.
ClipHead headOf(const Clip& clip, const Digest& skeleton);

/// A number as base-128 groups (FORMAT.md, varint).
void putVarint(ByteWriter& writer, std::uint32_t value);
/// What a file can hold of a name: up to its first zero.
std::string_view storedName(const std::string& name);

}  // namespace simmer::animation
