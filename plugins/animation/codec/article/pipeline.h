#pragma once

#include <array>
#include <optional>

#include "cooker/base/bytes.h"
#include "plugins/animation/codec/article/refine.h"
#include "plugins/animation/codec/article/samples.h"

// The pipeline of the article "How much of an animation can you throw away?", each stage switchable. It counts bytes as
// the article does and serves comparison: the stream cannot be decoded (a quantised constant is written as 16 zero
// bits, without its value). What can be decoded is the codec's artifact.

namespace simmer::animation::article {

/// Which stages run. All off: every key of every channel as float32.
struct Stages {
  bool dropConstants = true;          ///< a channel that never moves keeps one value
  std::optional<double> toleranceMm;  ///< keyframe reduction to this error of a channel; empty: every frame is a key
  Interpolation interpolation = Interpolation::Linear;
  bool quantise = false;  ///< 16-bit positions and scales, smallest-three rotations in 32 bits
};

/// The angle (degrees) that moves the end of the article's lever arm by a distance (millimetres).
double leverDegrees(double toleranceMm);

/// One position or scale channel of a plan.
struct ScalarPlan {
  std::uint32_t id = 0;  ///< 6 · joint + axis for a position, 3 more for a scale
  bool constant = false;
  std::vector<std::uint32_t> keys;  ///< frames; the first alone for a constant
  std::vector<double> values;       ///< at the keys
  double low = 0, range = 0;        ///< of the values; quantised plans only
  std::vector<std::uint16_t> quantised;

  /// The value that a decoder has at key `i`.
  double decoded(std::size_t i) const;
};

/// One rotation track of a plan.
struct RotationPlan {
  std::uint32_t joint = 0;
  bool constant = false;
  std::vector<std::uint32_t> keys;
  std::vector<Quaternion> values;     ///< at the keys, hemisphere-aligned
  std::vector<std::uint32_t> packed;  ///< smallest three; quantised plans only

  /// The rotations that a decoder has at the keys, aligned again: packing loses the sign of a quaternion.
  std::vector<Quaternion> decoded() const;
};

/// What is kept of a clip.
struct Plan {
  Stages stages;
  std::shared_ptr<const Skeleton> skeleton;
  std::uint32_t frames = 0;
  double rateHz = 0;
  std::vector<ScalarPlan> scalars;      ///< by id
  std::vector<RotationPlan> rotations;  ///< by joint

  std::size_t keys() const;  ///< a constant counts as one
  std::size_t constantScalars() const;
  std::size_t constantRotations() const;
};

/// Whether the article's 16-bit numbers can count the clip; Unsupported when it has too many frames or joints.
Result<void> checkFits(const Clip& clip);

/// Makes plans of one clip. Each track is refined once for each interpolation and serves all tolerances.
class Planner {
 public:
  /// Refines down to `finestToleranceMm` at first use; a plan that asks for less refines again.
  explicit Planner(const DoubleClip& clip, double finestToleranceMm = 1);

  Plan plan(const Stages& stages);

 private:
  struct Refined {
    double toleranceMm = 0;
    std::vector<Refinement> scalars, rotations;
  };
  const Refined& refined(Interpolation interpolation, double toleranceMm);
  std::span<const double> scalar(std::size_t id) const;

  const DoubleClip m_clip;  // hemisphere-aligned
  double m_finestToleranceMm;
  std::vector<char> m_constantScalars, m_constantRotations;
  std::array<std::optional<Refined>, 2> m_refined;  // by interpolation
};

/// What a decoder makes of a plan, at every frame.
DoubleClip decode(const Plan& plan);

/// The article's byte stream: header, then for each track its id, its number of keys, and frame and value of each key.
/// The clip it was made of must pass checkFits().
Bytes encodeTracks(const Plan& plan);
/// One track as it stands in the stream.
Bytes encodeTrack(const ScalarPlan& track, bool quantised);
Bytes encodeTrack(const RotationPlan& track, bool quantised);

/// The clip as float32, 10 numbers for each joint and frame, behind the article's header.
Bytes encodeRaw(const DoubleClip& clip);

/// Bytes of the article's header, all zero.
inline constexpr std::size_t kHeaderBytes = 16;

/// Smallest three: which component is left out in the upper 2 bits, the others in 10 bits each.
std::uint32_t packRotation(const Quaternion& rotation);
Quaternion unpackRotation(std::uint32_t packed);

/// Size of the bytes as gzip, level 6.
std::size_t gzipSize(ByteView bytes);

}  // namespace simmer::animation::article
