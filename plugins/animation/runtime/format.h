#pragma once

// The numbers that FORMAT.md gives names to; shared by the runtime and the code that writes the files.

#include <cstdint>

namespace simmer::runtime {

inline constexpr std::uint8_t kClipMagic[4] = {'S', 'M', 'R', 'C'};
inline constexpr std::uint8_t kSkeletonMagic[4] = {'S', 'M', 'R', 'S'};
inline constexpr std::uint8_t kClipVersion = 1;        // of codecs raw and article
inline constexpr std::uint8_t kSplineClipVersion = 2;  // of codec spline
inline constexpr std::uint8_t kSkeletonVersion = 1;

inline constexpr std::uint32_t kClipHeaderBytes = 72;
inline constexpr std::uint32_t kSkeletonHeaderBytes = 60;
inline constexpr std::uint32_t kDigestBytes = 32;

// Limits that keep every sum below 64 bits; a file beyond them is malformed.
inline constexpr std::uint32_t kMaxJoints = 1u << 20;
inline constexpr std::uint32_t kMaxScalars = 1u << 20;
inline constexpr std::uint32_t kMaxFrames = 1u << 24;

enum class Codec : std::uint8_t { Raw = 0, Article = 1, Spline = 2 };
inline constexpr std::uint8_t kRawVersion = 1;
inline constexpr std::uint8_t kArticleVersion = 1;

enum class Packing : std::uint8_t { Stored = 0, Deflate = 1 };

// The kind of a sub-track: default, constant, or 2 + interpolation + 3 * value format.
enum class Interpolation : std::uint8_t { Linear = 0, Cubic = 1, Step = 2 };
enum class ValueFormat : std::uint8_t {
  Float = 0,  ///< float32 (4 of them for a rotation)
  Small = 1,  ///< 16 bits over the track's range; a rotation: smallest three, 2 + 3 × 10 bits
  Fine = 2    ///< rotations alone: smallest three, 2 + 3 × 15 bits
};
inline constexpr std::uint8_t kDefaultKind = 0;
inline constexpr std::uint8_t kConstantKind = 1;
constexpr std::uint8_t animatedKind(Interpolation interpolation, ValueFormat format) {
  return static_cast<std::uint8_t>(2 + static_cast<unsigned>(interpolation) + 3 * static_cast<unsigned>(format));
}
inline constexpr std::uint8_t kScalarKinds = 8;     // 3 bits
inline constexpr std::uint8_t kRotationKinds = 11;  // 4 bits

// Where a sub-track's kind stands in the 24 bits of its joint, in file order: translation x y z, rotation, scale x y z;
// and the float of the 10 of a transform that it writes (first).
struct SubTrack {
  std::uint8_t shift, bits, firstFloat;
};
inline constexpr unsigned kSubTracks = 7;
inline constexpr unsigned kRotationSubTrack = 3;
inline constexpr SubTrack kSubTrack[kSubTracks] = {{0, 3, 0},  {3, 3, 1},  {6, 3, 2}, {9, 4, 3},
                                                   {13, 3, 7}, {16, 3, 8}, {19, 3, 9}};

inline constexpr double kHalfSqrt = 0.70710678118654752;  // the largest of the three smallest

/// Bytes of one value.
constexpr std::uint32_t valueBytes(bool rotation, ValueFormat format) {
  if (format == ValueFormat::Float) return rotation ? 16 : 4;
  if (format == ValueFormat::Small) return rotation ? 4 : 2;
  return 6;
}

}  // namespace simmer::runtime
