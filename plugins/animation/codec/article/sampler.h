#pragma once

#include "plugins/animation/codec/article/pipeline.h"

namespace simmer::animation::article {

/// Plays a plan at any time, from tracks as a game would hold them: float32 values or 16-bit ones with their range,
/// 16-bit frame numbers, unpacked rotations. Each track searches its own keys. No heap after construction.
class Sampler {
 public:
  explicit Sampler(const Plan& plan);

  /// The local pose at a time in frames, from 0 to the last. `pose` has one element for each joint.
  void sample(double timeInFrames, Transform* pose) const;

  /// Number of position and scale channels.
  std::size_t scalarCount() const { return m_scalars.size(); }
  /// The position and scale channels alone, by binary search.
  void sampleScalars(double timeInFrames, float* values) const;
  /// The same with the span of each track remembered from the last call; `cursors` has scalarCount() elements, 0 at
  /// first. Fast where time moves forward.
  void sampleScalars(double timeInFrames, float* values, std::vector<std::uint32_t>& cursors) const;

 private:
  struct Track {
    std::uint32_t first = 0, count = 0;  // of its keys
    float constant = 0;                  // the value of a track with one key
    double low = 0, step = 0;            // value = low + step · stored; quantised tracks only
  };
  struct Span {
    std::uint32_t before = 0;  // index of the key
    double u = 0, frames = 0;  // from that key to the next
  };

  Span spanAt(const Track& track, std::uint32_t before, double time) const;
  double stored(const Track& track, std::uint32_t key) const;
  double scalarIn(const Track& track, const Span& span) const;
  float scalarAt(const Track& track, double time) const;
  std::array<float, 4> rotationAt(const Track& track, double time) const;

  bool m_cubic = false, m_quantised = false;
  std::vector<Track> m_scalars, m_rotations;
  std::vector<std::uint16_t> m_frames, m_rotationFrames;
  std::vector<float> m_values;  // not quantised
  std::vector<std::uint16_t> m_quantised16;
  std::vector<std::array<float, 4>> m_quaternions;
};

}  // namespace simmer::animation::article
