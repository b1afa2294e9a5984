#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cooker/base/bytes.h"
#include "plugins/animation/runtime/spline_layout.h"
#include "tests/plugins/animation/runtime/clip_files.h"

// Clips of codec `spline` made integer by integer, so that a test knows every one of them.

namespace simmer::animation::test {

using runtime::KnotKind;
using runtime::PartKind;
using runtime::TrackSet;

/// One track as the stream has it.
struct SplineTrack {
  KnotKind kind = KnotKind::UniformCubic;
  std::uint32_t spacing = 4, shift = 0;
  std::vector<bool> knots;  ///< of a tree, for each cell: a knot stands there; of held values: for each frame
  std::int32_t exponent = 100;
  std::array<std::uint32_t, 4> widths{}, orders{};
  runtime::SmallestThree mean;
  std::array<std::int32_t, 3> biases{};
  std::vector<std::array<std::uint32_t, 4>> points;
  bool chunked = false;  ///< its control points are in chunks in memory; written where there may be some
};

/// A part of a joint, or a scalar track.
struct SplinePart {
  PartKind kind = PartKind::Default;
  runtime::SmallestThree rotation;       ///< a constant
  std::array<std::int32_t, 3> vector{};  ///< a constant
  std::uint32_t copyOf = 0;              ///< of a constant vector: how many constants back it is repeated from
  float number = 0;                      ///< a constant scalar
  SplineTrack track;
};

struct SplineClipSpec {
  std::uint32_t frames = 1;
  double rate = 30;
  runtime::SplineGlobals globals;
  std::vector<std::array<SplinePart, 3>> joints;  ///< rotation, translation, scale
  std::vector<std::string> names;
  std::vector<SplinePart> scalars;
  std::optional<Digest> digest;
  Bytes skeleton;                  ///< the chunk
  const Skeleton* rest = nullptr;  ///< kFlagRest
  std::int64_t memoryOff = 0;      ///< a lie about the memory
  bool tracksInChunks = true;      ///< else none is, whatever it says
  std::uint8_t codec = 2, version = 2, moreFlags = 0;

  std::uint32_t points(const SplineTrack& track) const;
  /// Cells of a tree, or the frames of what is held.
  std::uint32_t cells(const SplineTrack& track) const;
};

Bytes writeSplineSpec(const SplineClipSpec& spec);

/// The control points of a track as FORMAT.md has them in chunks: bytes with their entries, and what must not be too
/// much for 16 bits.
struct ChunkSums {
  std::uint64_t bytes = 0, farthest = 0;  ///< farthest: where the last chunk starts
  std::int64_t least = 0, most = 0;       ///< of biases
  bool fit() const { return farthest <= 65535 && least >= -32768 && most <= 32767; }
};
ChunkSums sumChunks(const SplineTrack& track, bool rotation, unsigned degree);

/// Everything that a stream can hold, at random: `seed` decides all. No rotation vector leaves what
/// is exact.
SplineClipSpec randomSpline(std::uint32_t seed, std::uint32_t joints, std::uint32_t frames, std::uint32_t scalars);

/// A clip that loads gives finite poses of unit rotations at any time.
void expectSampleable(const Bytes& file);
/// That, with each bit of the file flipped in turn.
void expectSampleableFlipped(const Bytes& file);

/// What the specification says of a clip, in double and without any trick.
class SplineReference {
 public:
  SplineReference(const SplineClipSpec& spec) : m_spec(spec) {}

  /// Rotation (4), translation or scale (3) at a time in frames.
  std::vector<double> part(std::size_t joint, unsigned part, double time) const;
  double scalar(std::size_t index, double time) const;

 private:
  std::vector<double> values(const SplineTrack& track, const SplineTrack& knots, unsigned components, double time,
                             bool rotation) const;
  const SplineTrack& knotsOf(std::size_t joint, unsigned part) const;
  const SplineClipSpec& m_spec;
};

}  // namespace simmer::animation::test
