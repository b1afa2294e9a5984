#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plugins/animation/clip/clip.h"

namespace simmer::animation::article {

/// A clip in double, channel by channel, as the article's program holds it. Serves any rig.
struct DoubleClip {
  std::shared_ptr<const Skeleton> skeleton;  ///< names, parents and rest pose; never null
  double rateHz = 60;                        ///< frame i is at i / rateHz seconds
  std::uint32_t frames = 0;
  std::vector<double> translations;   ///< [joint][axis][frame], metres
  std::vector<Quaternion> rotations;  ///< [joint][frame]
  std::vector<double> scales;         ///< [joint][axis][frame]

  /// Every joint in its rest pose at every frame.
  static DoubleClip atRest(std::shared_ptr<const Skeleton> skeleton, std::uint32_t frames, double rateHz);

  std::size_t joints() const { return skeleton->size(); }
  /// Length as the article counts it: frames / rate, in seconds.
  double seconds() const { return frames / rateHz; }
  std::span<double> translation(std::size_t joint, std::size_t axis) {
    return std::span(translations).subspan((3 * joint + axis) * frames, frames);
  }
  std::span<const double> translation(std::size_t joint, std::size_t axis) const {
    return std::span(translations).subspan((3 * joint + axis) * frames, frames);
  }
  std::span<double> scale(std::size_t joint, std::size_t axis) {
    return std::span(scales).subspan((3 * joint + axis) * frames, frames);
  }
  std::span<const double> scale(std::size_t joint, std::size_t axis) const {
    return std::span(scales).subspan((3 * joint + axis) * frames, frames);
  }
  std::span<Quaternion> rotation(std::size_t joint) { return std::span(rotations).subspan(joint * frames, frames); }
  std::span<const Quaternion> rotation(std::size_t joint) const {
    return std::span(rotations).subspan(joint * frames, frames);
  }
};

/// The article's three generated clips: a walk cycle (3 s), a jump with corners (2 s), the walk with the jitter of
/// captured data (3 s); all at 60 Hz.
enum class Sample { Walk, Jump, Mocap };

/// "walk", "jump" or "mocap".
const char* toString(Sample sample);

/// The clip as the article's program generates it, to the last bit.
DoubleClip makeSample(Sample sample);

/// The article's 30-joint rig of a 1.8 m person; the rest pose has its offsets, no rotation. Shared by all callers.
std::shared_ptr<const Skeleton> articleSkeleton();

/// Rounded to float32, on the same skeleton, with `id` as its name in the source.
Clip toClip(const DoubleClip& clip, std::string id);

/// In double. Rotations get unit length: float32 leaves up to 1e-7 of error, which the article's angle (an arc cosine
/// close to 1) would show as 0.05 degrees.
DoubleClip toDouble(const Clip& clip);

}  // namespace simmer::animation::article
