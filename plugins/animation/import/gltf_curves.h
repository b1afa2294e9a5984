#pragma once

#include <memory>
#include <vector>

#include "plugins/animation/import/gltf_accessor.h"
#include "plugins/animation/import/gltf_channels.h"
#include "plugins/animation/import/resample.h"

namespace simmer::animation::gltf {

/// The key times that several channels share. Remembers where it looked last, since time mostly goes forward.
class Timeline {
 public:
  explicit Timeline(std::vector<float> timesS) : m_times(std::move(timesS)) {}
  const std::vector<float>& times() const { return m_times; }
  /// The last key at or before a time (the first key before all of them).
  std::size_t keyAt(double timeS) const;

 private:
  std::vector<float> m_times;
  mutable std::size_t m_last = 0;
};

/// One channel's keys. A weights track has a value for each morph target.
struct Track {
  std::size_t timeline = 0;
  Target target = Target::Translation;
  Interpolation interpolation = Interpolation::Linear;
  std::size_t slot = 0;       ///< the joint, or the first scalar track
  std::size_t width = 3;      ///< numbers in a value
  std::vector<float> values;  ///< as in the file: for CUBICSPLINE in-tangent, value, out-tangent
};

/// The curves of an animation, evaluated as glTF 2.0 appendix C says (spherical interpolation of rotations on the
/// shorter way, Hermite splines with tangents in units a second).
class GltfCurves : public Curves {
 public:
  void poseAt(double timeS, double stepTimeS, Transform* pose) const override;
  void scalarsAt(double timeS, double stepTimeS, float* values) const override;

  std::vector<Timeline> timelines;
  std::vector<Track> tracks;

 private:
  /// The way between two rotation keys, kept while the time stays between them.
  struct KeyArc {
    std::size_t key = static_cast<std::size_t>(-1);
    Arc arc;
  };
  void evaluate(std::size_t index, double timeS, double stepTimeS, double* value) const;
  Quaternion slerp(std::size_t index, std::size_t key, double fraction) const;

  mutable std::vector<KeyArc> m_arcs;  // one for each track
};

/// Reads the keys of these channels. InvalidInput with the place when times do not increase, counts do not fit, a
/// rotation has no length or data are wrong; Unsupported above 32 million numbers.
Result<std::unique_ptr<GltfCurves>> readCurves(const Document& document, std::shared_ptr<const Skeleton> skeleton,
                                               const std::vector<Channel>& channels, AccessorReader& accessors);

}  // namespace simmer::animation::gltf
