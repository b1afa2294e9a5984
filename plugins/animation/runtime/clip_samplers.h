#pragma once

#include "plugins/animation/runtime/spline_memory.h"

namespace simmer::runtime {

inline constexpr simmer_transform kIdentity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

/// A moment of a clip: the frame at or before it, and the fraction of a frame behind that.
struct Moment {
  std::uint32_t frame;
  double fraction;
};

/// Whether a joint is wanted; a null mask wants all.
inline bool isInMask(const std::uint32_t* mask, std::uint32_t joint) {
  return mask == nullptr || (mask[joint / 32] >> joint % 32 & 1) != 0;
}

// Of codecs raw and article. Indices have been checked.
void sampleKeyedPose(const KeyedClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints);
void sampleKeyedJoint(const KeyedClip* clip, const Moment& moment, std::uint32_t joint, simmer_transform& out);
float sampleKeyedScalar(const KeyedClip* clip, const Moment& moment, std::uint32_t index);

// Of codec spline.
void sampleSplinePose(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask,
                      simmer_transform* joints);
void sampleSplineJoint(const SplineClip* clip, const Moment& moment, std::uint32_t joint, simmer_transform& out);
float sampleSplineScalar(const SplineClip* clip, const Moment& moment, std::uint32_t index);

}  // namespace simmer::runtime
