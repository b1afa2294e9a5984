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
  std::uint32_t uniform[3];  ///< how many rotations, translations and scales are on uniform knots
};
static_assert(sizeof(SplineClip) == 112, "the header of a file says how much memory it takes");

inline const std::uint8_t* bytesOf(const simmer_clip* clip) {
  return reinterpret_cast<const std::uint8_t*>(clip);
}
inline std::uint32_t nameTableOf(const SplineClip* clip) {
  return static_cast<std::uint32_t>(sizeof(SplineClip)) + (clip->hasDigest != 0 ? kDigestBytes : 0);
}

/// The tracks of joints that are not quaternions; the arrays of what they have stand one behind the other.
inline std::uint32_t tracksOf(const SplineClip* clip) {
  return clip->counts[0] + clip->counts[2] + clip->counts[3];
}
struct TrackPlaces {
  std::uint32_t biases;     ///< i32, only of vectors: the first one
  std::uint32_t fronts[2];  ///< i16[2] of the mean, or i32, the other biases
  std::uint32_t heads;      ///< u16 widths, u8 exponent, u8 knots
  std::uint32_t offsets, targets;
};
inline TrackPlaces trackPlacesOf(const SplineClip* clip) {
  const std::uint32_t count = tracksOf(clip);
  TrackPlaces places;
  places.biases = clip->at.tracks;
  places.fronts[0] = places.biases + 4 * (count - clip->counts[0]);
  places.fronts[1] = places.fronts[0] + 4 * count;
  places.heads = places.fronts[1] + 4 * count;
  places.offsets = places.heads + 4 * count;
  places.targets = places.offsets + clip->offsetBytes * count;
  return places;
}

}  // namespace simmer::runtime
