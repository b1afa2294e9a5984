#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugins/animation/clip/skeleton.h"

namespace simmer::animation {

/// What of a joint a flag or a track speaks of.
enum class Channel : std::uint8_t { Translation, Rotation, Scale };

/// A named number over time, for example a morph weight.
struct ScalarTrack {
  std::string name;
  bool step = false;          ///< holds its value until the next frame
  std::vector<float> values;  ///< one for each frame

  bool operator==(const ScalarTrack&) const = default;
};

/// A clip as the codecs see it: one pose for each frame at a fixed rate. This float32 data is the reference that every
/// error is measured against. Between frames a stepped track holds, translation and scale go straight and rotations
/// turn on the shorter arc, evenly (Arc) where the source's own do, as in glTF. Errors are measured at frames and half
/// way between them, where Arc and `interpolate()` agree; samplePose() uses the latter.
struct Clip {
  std::string id;  ///< its name in the source
  bool named = false;
  std::shared_ptr<const Skeleton> skeleton;
  double rateHz = 0;             ///< frame i is at i / rateHz seconds
  std::uint32_t frames = 0;      ///< at least 1
  std::vector<Transform> poses;  ///< [frame][joint], unit rotations
  std::vector<std::uint8_t>
      step;  ///< [joint], bit 1 << Channel set where the track holds between frames; empty: none does
  std::vector<ScalarTrack> scalars;
  /// Where an importer made frames of curves: the largest world distance (metres) between this clip and the source's
  /// own curves at four points between frames. 0 where the source has nothing but frames.
  double resampleErrorM = 0;

  // What a project asks of single joints, for measuring alone: nothing of it stands in a file.
  /// [joint]: how many times the tolerance its error may be, above 0; empty: 1 everywhere.
  std::vector<float> toleranceScale;
  /// [joint]: radius of its skin points, metres in the world as Skeleton::skinRadiusM; 0: the skeleton's. Empty: all
  /// are.
  std::vector<float> probeRadiusM;

  std::size_t joints() const { return skeleton->size(); }
  double durationS() const { return frames > 1 ? (frames - 1) / rateHz : 0; }
  /// Size as float32: 10 numbers for each joint and frame, one for each scalar and frame.
  std::uint64_t rawBytes() const { return std::uint64_t{4} * frames * (10 * joints() + scalars.size()); }
  const Transform& pose(std::uint32_t frame, std::size_t joint) const { return poses[frame * joints() + joint]; }
  Transform& pose(std::uint32_t frame, std::size_t joint) { return poses[frame * joints() + joint]; }
  bool steps(std::size_t joint, Channel channel) const {
    return !step.empty() && (step[joint] >> static_cast<unsigned>(channel) & 1) != 0;
  }
};

/// InvalidInput when sizes do not fit together, a value is not finite, the rate is not above zero, a rotation is not of
/// unit length (1e-3), a tolerance scale or probe radius is none, or the skeleton is not valid.
Result<void> validate(const Clip& clip);

/// What squared errors of each joint count: 1 / scale². Empty where the clip has no tolerance scales.
std::vector<double> errorWeights(const Clip& clip);

/// The local pose at a time in frames (clamped to the clip), by `interpolate()`: the reference at frames and half
/// frames. `pose` has joints() elements.
void samplePose(const Clip& clip, double timeInFrames, Transform* pose);

}  // namespace simmer::animation
