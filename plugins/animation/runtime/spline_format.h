#pragma once

// The numbers that FORMAT.md gives names to, for codec `spline`; shared by the runtime and the code that writes files.

#include <cstdint>

namespace simmer::runtime {

inline constexpr std::uint8_t kSplineVersion = 2;  // 1 was never released

// Flags of a clip file of format version 2.
inline constexpr std::uint8_t kFlagDigest = 1;     ///< the skeleton's digest stands in the header
inline constexpr std::uint8_t kFlagSkeleton = 2;   ///< a skeleton chunk follows the names
inline constexpr std::uint8_t kFlagRest = 4;       ///< a default is the skeleton's rest pose, not the identity
inline constexpr std::uint8_t kFlagWholeRate = 8;  ///< the rate is a varint, else f64

/// Memory is at most this many times the file, so that hostile bytes can not ask for more.
inline constexpr std::uint32_t kMostMemoryPerByte = 4096;

// The parts of a joint, in the order of the stream.
enum class Part : std::uint8_t { Rotation = 0, Translation = 1, Scale = 2, Scalar = 3 };
inline constexpr unsigned kParts = 3;  // of a joint

enum class PartKind : std::uint8_t {
  Default = 0,    ///< the rest pose with kFlagRest, else identity, zero, one
  Constant = 1,   ///< one value
  Spline = 2,     ///< a rotation: mean · exp(vector)
  Quaternion = 3  ///< a rotation of four components, normalised
};

/// Where the control points of a track are.
enum class KnotKind : std::uint8_t {
  Previous = 0,  ///< the same knots as the last track of this part
  UniformCubic = 1,
  UniformLinear = 2,
  TreeCubic = 3,
  TreeLinear = 4,
  Hold = 5  ///< each value holds until the next knot
};
inline constexpr unsigned kKnotKindBits = 3;

inline constexpr unsigned kSpacingBits = 6;  // of uniform knots: 1 … 64 half frames
inline constexpr unsigned kShiftBits = 3;    // cells of a tree are 2^shift half frames long
inline constexpr unsigned kBlockCells = 32;  // of a tree; each block starts with a knot
inline constexpr unsigned kBlockDepth = 5;
inline constexpr unsigned kHoldShift = 1;  // held values change at frames

inline constexpr unsigned kMostWidth = 24;  // bits of a control point's component
inline constexpr unsigned kWidthBits = 5;
inline constexpr unsigned kExponentBits = 8;
inline constexpr unsigned kMostQuaternionBits = 15;  // of a mean's component
inline constexpr unsigned kMostConstantBits = 24;    // of a constant rotation's component
inline constexpr unsigned kPackedConstantBits = 12;  // up to here constant rotations are 16-bit in memory

/// The distance between neighbouring values of a component: 2^(exponent / 4 - 40).
constexpr float stepOf(unsigned exponent) {
  constexpr float kQuarter[4] = {1.0f, 1.18920711500272107f, 1.41421356237309505f, 1.68179283050742909f};
  float step = kQuarter[exponent & 3];
  int power = static_cast<int>(exponent >> 2) - 40;
  for (; power < 0; ++power) step *= 0.5f;
  for (; power > 0; --power) step *= 2.0f;
  return step;
}

}  // namespace simmer::runtime
