// The unit for processors with AVX2. Compiled with -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt; without them it is empty, but
// where amalgamate.py defines SIMMER_AVX2_UNIT and gives each function these as an attribute.

#include "plugins/animation/runtime/spline_units.h"

#if defined(SIMMER_AVX2_UNIT) || \
    (defined(__x86_64__) && defined(__AVX2__) && defined(__BMI2__) && defined(__LZCNT__) && defined(__POPCNT__))

#define SIMMER_UNIT avx2
#include "plugins/animation/runtime/spline_lanes.inc"
// The kernel is written for lanes.
#include "plugins/animation/runtime/spline_eight_lanes.inc"
// It comes last.
#include "plugins/animation/runtime/spline_kernel.inc"

namespace simmer::runtime {

const bool kHasAvx2Unit = true;

void samplePoseAvx2(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints) {
  avx2::samplePose<avx2::EightLanes>(clip, moment, mask, joints);
}

}  // namespace simmer::runtime

#else

namespace simmer::runtime {

const bool kHasAvx2Unit = false;

void samplePoseAvx2(const SplineClip*, const Moment&, const std::uint32_t*, simmer_transform*) {}

}  // namespace simmer::runtime

#endif
