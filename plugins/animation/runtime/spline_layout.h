#pragma once

// How a clip of codec `spline` lies in the caller's buffer, and how large that is: the header of its file says the size
// exactly, so whoever writes the file computes it here. FORMAT.md, "In memory", has the picture.

#include <cstdint>

#include "plugins/animation/runtime/spline_format.h"
#include "plugins/animation/runtime/spline_stream.h"

namespace simmer::runtime {

/// The kinds of tracks, in the order of the stream.
enum class TrackSet : std::uint8_t { Spline = 0, Quaternion = 1, Translation = 2, Scale = 3, Scalar = 4 };
inline constexpr unsigned kTrackSets = 5;

constexpr unsigned componentsOf(TrackSet set) {
  return set == TrackSet::Quaternion ? 4 : set == TrackSet::Scalar ? 1 : 3;
}
constexpr Part partOf(TrackSet set) {
  return set <= TrackSet::Quaternion    ? Part::Rotation
         : set == TrackSet::Translation ? Part::Translation
         : set == TrackSet::Scale       ? Part::Scale
                                        : Part::Scalar;
}

/// The counts that decide how much memory a clip takes.
struct SplineShape {
  std::uint32_t joints = 0, frames = 1, scalars = 0;
  std::uint32_t nameBytes = 0;                ///< of the scalars' names, without zeros and lengths
  bool digest = false;                        ///< kFlagDigest
  bool wide[kParts] = {false, false, false};  ///< constants are float32 in memory: see areConstantsWide()
  std::uint32_t constants[4] = {0, 0, 0, 0};  ///< by Part
  std::uint32_t rests[kParts] = {0, 0, 0};    ///< defaults for which isPlainDefault() is false; kFlagRest only
  std::uint32_t tracks[kTrackSets] = {0, 0, 0, 0, 0};
  std::uint64_t knotVectors = 0;  ///< tracks whose KnotKind is not Previous
  std::uint64_t maskWords = 0;    ///< sum of maskWordsOf() over those
  std::uint64_t pointBytes = 0;   ///< of all tracks: pointBytesOf(), or their chunks with their entries
};

/// A clip is smaller than this in memory, so that places of bits fit into 32 bits.
inline constexpr std::uint32_t kMostSplineMemory = (1u << 29) - 64;

/// The size that the header has to say: what simmer_clip_memory() gives. False when it is beyond kMostSplineMemory.
bool splineMemory(const SplineShape& shape, std::uint32_t& bytes);

/// The most memory that a file of this many bytes may ask for.
constexpr std::uint64_t mostSplineMemory(std::uint64_t fileBytes) {
  const std::uint64_t most = kMostMemoryPerByte * fileBytes + 65536;
  return most < kMostSplineMemory ? most : kMostSplineMemory;
}
/// The most joints of a file of this many bytes.
constexpr std::uint64_t mostSplineJoints(std::uint64_t fileBytes) {
  return 2048 * fileBytes;
}

/// Whether the constants of a vector part are float32 in memory: where this holds for one of their integers (negated
/// copies are no different). Those of rotations are when constantBits > kPackedConstantBits.
constexpr bool isConstantWide(std::int32_t integer) {
  return integer < -32767 || integer > 32767;
}
/// Whether a rest pose's value is what a default is without it (identity, zero, one), so that it takes no memory.
inline bool isPlainDefault(Part part, const float* rest) {
  if (part == Part::Rotation) return rest[0] == 0 && rest[1] == 0 && rest[2] == 0 && rest[3] == 1;
  const float plain = part == Part::Scale ? 1.0f : 0.0f;
  return rest[0] == plain && rest[1] == plain && rest[2] == plain;
}

// ---- knots and points ----

/// The last half frame of a clip; frames is at least 1.
constexpr std::uint32_t lastHalfFrame(std::uint32_t frames) {
  return 2 * (frames - 1);
}
/// Cells of a tree.
constexpr std::uint32_t cellsOf(std::uint32_t frames, std::uint32_t shift) {
  return (lastHalfFrame(frames) + (1u << shift) - 1) >> shift;
}
/// Control points of a track with uniform knots.
constexpr std::uint32_t uniformPoints(KnotKind kind, std::uint32_t spacing, std::uint32_t frames) {
  const std::uint32_t spans = (lastHalfFrame(frames) + spacing - 1) / spacing;
  return (spans == 0 ? 1 : spans) + (kind == KnotKind::UniformCubic ? 3 : 1);
}
/// Control points of a track whose knots are a tree; the one at the last half frame counts.
constexpr std::uint32_t treePoints(KnotKind kind, std::uint32_t knots) {
  return knots - 1 + (kind == KnotKind::TreeCubic ? 3 : 1);
}
/// 64-bit words of the mask of a knot vector in memory: a bit for each cell, and one for the last knot of a tree.
constexpr std::uint32_t maskWordsOf(KnotKind kind, std::uint32_t shift, std::uint32_t frames) {
  if (kind == KnotKind::Hold) return (frames + 63) / 64;
  return kind == KnotKind::TreeCubic || kind == KnotKind::TreeLinear ? cellsOf(frames, shift) / 64 + 1 : 0;
}
/// Bytes of a word: the mask, and the number of knots before it.
constexpr std::uint32_t maskWordBytes(std::uint32_t frames) {
  return frames <= 32768 ? 10 : 12;
}
/// Bytes of a track's control points in memory; `bits` is the sum of its widths.
constexpr std::uint64_t pointBytesOf(std::uint64_t points, std::uint32_t bits) {
  return (points * bits + 7) / 8;
}

// ---- control points by chunks ----

/// Spans of a chunk: its first and last control points are those of its neighbours too.
inline constexpr unsigned kChunkShift = 5;
inline constexpr std::uint32_t kChunkSpans = 1u << kChunkShift;
inline constexpr std::uint32_t kMostChunkPoints = kChunkSpans + 3;
/// Bytes of a chunk's entry: widths, where its control points are, three biases.
inline constexpr std::uint32_t kChunkBytes = 10;
/// As the width of a record's first component: its control points are in chunks, which have widths of their own.
inline constexpr std::uint32_t kChunkedWidth = 31;

/// Spans of a track's knots; `kind` is not Previous.
constexpr std::uint32_t spansOf(KnotKind kind, std::uint32_t points) {
  return kind == KnotKind::Hold                                          ? points
         : kind == KnotKind::UniformCubic || kind == KnotKind::TreeCubic ? points - 3
                                                                         : points - 1;
}
/// Whether a track's control points may be in chunks.
constexpr bool mayBeChunked(TrackSet set, KnotKind kind, std::uint32_t points) {
  return set != TrackSet::Quaternion && set != TrackSet::Scalar && kind != KnotKind::Hold &&
         spansOf(kind, points) > kChunkSpans;
}
constexpr std::uint32_t chunksOf(std::uint32_t spans) {
  return (spans + kChunkSpans - 1) / kChunkSpans;
}

/// The fields of a chunk's control points: as wide as their range needs, from the least on.
struct ChunkFields {
  std::uint32_t widths[3] = {0, 0, 0};
  std::uint32_t least[3] = {0, 0, 0};
  std::uint32_t bits = 0;  ///< of a control point

  /// `points` are at least one, as the fields of the track.
  ChunkFields(const std::uint32_t (*points)[3], std::uint32_t count) {
    for (unsigned c = 0; c < 3; ++c) {
      std::uint32_t lowest = points[0][c], most = lowest;
      for (std::uint32_t i = 1; i < count; ++i) {
        const std::uint32_t point = points[i][c];
        lowest = lowest < point ? lowest : point;
        most = most > point ? most : point;
      }
      least[c] = lowest;
      widths[c] = most == lowest ? 0 : floorLog2(most - lowest) + 1;
      bits += widths[c];
    }
  }
  /// What a chunk's entry says of a component: field + bias is relative to zero in a rotation, else to the bias of the
  /// record. `width` is the track's. An entry has 16 bits for it: see fits().
  static std::int32_t biasOf(TrackSet set, std::uint32_t least, std::uint32_t width) {
    const std::int32_t middle = set != TrackSet::Spline || width == 0 ? 0 : 1 << (width - 1);
    return static_cast<std::int32_t>(least) - middle;
  }
  bool fits(TrackSet set, const std::uint32_t* trackWidths) const {
    for (unsigned c = 0; c < 3; ++c) {
      const std::int32_t bias = biasOf(set, least[c], trackWidths[c]);
      if (bias < -32768 || bias > 32767) return false;
    }
    return true;
  }
};
/// The last place of a chunk's control points, in bytes from the entries of its track.
inline constexpr std::uint32_t kMostChunkOffset = 65535;

// ---- the clip in memory ----

/// Places of what stands behind a clip's own fields, its digest and its names, in bytes from its start; nothing is
/// aligned.
struct SplinePlaces {
  std::uint32_t constants[kParts] = {0, 0, 0}, rests[kParts] = {0, 0, 0};  ///< 0: there are none
  std::uint32_t scalars = 0;                                               ///< constant ones; 0: there are none
  std::uint32_t tracks = 0, quaternions = 0, scalarTracks = 0;             ///< see TrackPlaces; records of the others
  std::uint32_t heap = 0;                                                  ///< knots and control points
};

/// Bytes of the numbers that records are made of.
struct SplineWidths {
  std::uint32_t index = 1;   ///< of a joint or scalar track: 1, 2 or 4
  std::uint32_t offset = 2;  ///< of a place behind SplinePlaces::heap: 2 or 4
};
SplineWidths splineWidths(const SplineShape& shape, bool large);
/// Whether offsets take 4 bytes in a clip of this size.
constexpr bool isLarge(std::uint64_t memoryBytes) {
  return memoryBytes > 65536;
}

/// What a track has, in bytes: what its set needs (a mean of four 16-bit components; the fourth width; biases), then
/// its widths (5 bits each, or kChunkedWidth; bit 15: its knots are not those of the track before), its exponent, the
/// code of its knots, the offset of its control points and the index of its joint or scalar track. Quaternions and
/// scalars have it in a record; of the others it is in arrays.
inline constexpr std::uint32_t kSetExtra[kTrackSets] = {8, 1, 12, 12, 4};
inline constexpr std::uint32_t kOwnKnots = 0x8000;
inline constexpr std::uint32_t kPointPadding = 16;  ///< bytes behind the last control point that may be read
constexpr std::uint32_t recordBytes(TrackSet set, const SplineWidths& widths) {
  return kSetExtra[static_cast<unsigned>(set)] + 4 + widths.offset + widths.index;
}
/// Bytes of a constant.
constexpr std::uint32_t constantBytes(Part part, bool wide) {
  const std::uint32_t components = part == Part::Rotation ? 4 : 3;
  return components * (wide ? 4 : 2);
}

/// Where everything stands. False when the clip would be too large; `bytes` gets its size.
bool layOutSpline(const SplineShape& shape, bool large, SplinePlaces& places, std::uint64_t& bytes);

}  // namespace simmer::runtime
