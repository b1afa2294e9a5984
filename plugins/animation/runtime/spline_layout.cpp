#include "plugins/animation/runtime/spline_layout.h"

#include "plugins/animation/runtime/spline_memory.h"

namespace simmer::runtime {

SplineWidths splineWidths(const SplineShape& shape, bool large) {
  const std::uint32_t most = shape.joints > shape.scalars ? shape.joints : shape.scalars;
  SplineWidths widths;
  widths.index = most <= 256 ? 1 : most <= 65536 ? 2 : 4;
  widths.offset = large ? 4 : 2;
  return widths;
}

bool layOutSpline(const SplineShape& shape, bool large, SplinePlaces& places, std::uint64_t& bytes) {
  std::uint64_t at = sizeof(SplineClip);
  bool fits = true;
  const auto place = [&](std::uint32_t& where, std::uint64_t size) {
    where = static_cast<std::uint32_t>(at);
    at += size;
    fits = fits && at <= kMostSplineMemory;
  };
  const auto placeSet = [&](std::uint32_t& where, std::uint64_t count, std::uint64_t outOf, std::uint32_t each) {
    where = 0;
    if (count > 0) place(where, (outOf + 31) / 32 * 4 + count * each);
  };
  at += (shape.digest ? kDigestBytes : 0) + std::uint64_t{5} * shape.scalars + shape.nameBytes;
  for (unsigned part = 0; part < kParts; ++part) {
    const std::uint32_t narrow = constantBytes(static_cast<Part>(part), shape.wide[part]);
    placeSet(places.constants[part], shape.constants[part], shape.joints, narrow);
    placeSet(places.rests[part], shape.rests[part], shape.joints, constantBytes(static_cast<Part>(part), true));
  }
  placeSet(places.scalars, shape.constants[kParts], shape.scalars, 4);
  const SplineWidths widths = splineWidths(shape, large);
  const auto bytesOfSet = [&](TrackSet set) {
    return std::uint64_t{shape.tracks[static_cast<unsigned>(set)]} * recordBytes(set, widths);
  };
  place(places.tracks, bytesOfSet(TrackSet::Spline) + bytesOfSet(TrackSet::Translation) + bytesOfSet(TrackSet::Scale));
  place(places.quaternions, bytesOfSet(TrackSet::Quaternion));
  place(places.scalarTracks, bytesOfSet(TrackSet::Scalar));
  // Sums of at most 2^23 tracks of at most 2^25 points: far below 64 bits.
  place(places.heap, shape.maskWords * maskWordBytes(shape.frames) + shape.pointBytes);
  std::uint32_t padding;
  place(padding, kPointPadding);
  bytes = at;
  return fits;
}

bool splineMemory(const SplineShape& shape, std::uint32_t& bytes) {
  SplinePlaces places;
  std::uint64_t size = 0;
  if (!layOutSpline(shape, false, places, size)) return false;
  if (isLarge(size) && !layOutSpline(shape, true, places, size)) return false;
  bytes = static_cast<std::uint32_t>(size);
  return true;
}

}  // namespace simmer::runtime
