#pragma once

#include "plugins/animation/clip/clip.h"

namespace simmer::bench {

/// The baseline that decoders are compared with: two frames of a raw clip, float32 [frame][joint][10], translation and
/// scale interpolated, rotation interpolated on the shorter arc and normalised. Plain code, compiled with -O2 whatever
/// the build; keep it as it is, or figures of other days can not be compared.
class RawLerp {
 public:
  /// Keeps a reference to the clip's poses.
  explicit RawLerp(const animation::Clip& clip);

  /// `pose` has 10 floats for each joint.
  void sample(double seconds, float* pose) const;

 private:
  const float* m_frames;
  std::size_t m_joints;
  std::uint32_t m_last;
  double m_rateHz;
};

}  // namespace simmer::bench
