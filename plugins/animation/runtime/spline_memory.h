#pragma once

#include "plugins/animation/runtime/clip_memory.h"
#include "plugins/animation/runtime/spline_layout.h"

namespace simmer::runtime {

/// What runs a clip's arithmetic; all give the same bits.
enum class Unit : std::uint8_t { Portable = 0, Avx2 = 1 };
/// The fastest of this machine.
Unit bestUnit();

/// A clip of codec `spline`. Behind it stand its digest (with hasDigest), where each scalar track's name starts
/// (u32[scalars]), the names with their zeros, then what SplinePlaces says.
struct SplineClip : simmer_clip {
  std::uint8_t hasDigest;
  std::uint8_t wide;  ///< bit for each part: its constants are float32
  std::uint16_t unused;
  float steps[2];  ///< of narrow constant translations and scales
  std::uint32_t counts[kTrackSets];
  SplinePlaces at;
  std::uint32_t reserved;
};
static_assert(sizeof(SplineClip) == 112, "the header of a file says how much memory it takes");

inline const std::uint8_t* bytesOf(const simmer_clip* clip) {
  return reinterpret_cast<const std::uint8_t*>(clip);
}
inline std::uint32_t nameTableOf(const SplineClip* clip) {
  return static_cast<std::uint32_t>(sizeof(SplineClip)) + (clip->hasDigest != 0 ? kDigestBytes : 0);
}

}  // namespace simmer::runtime
