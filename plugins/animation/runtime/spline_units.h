#pragma once

#include "plugins/animation/runtime/clip_samplers.h"

namespace simmer::runtime {

/// Whether the unit for AVX2 is compiled in; whether the processor has AVX2 is another question.
extern const bool kHasAvx2Unit;
/// Not to be called elsewhere.
void samplePoseAvx2(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints);
/// Runs everywhere.
void samplePosePortable(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask,
                        simmer_transform* joints);

}  // namespace simmer::runtime
