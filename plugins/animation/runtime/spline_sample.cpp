#include "plugins/animation/runtime/spline_units.h"

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#include <atomic>

#include <cpuid.h>
#endif

#define SIMMER_UNIT portable
#include "plugins/animation/runtime/spline_lanes.inc"

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#include "plugins/animation/runtime/spline_four_lanes.inc"
#define SIMMER_PORTABLE_LANES FourLanes
#else
#define SIMMER_PORTABLE_LANES OneLane
#endif
// The kernel is written for lanes.
#include "plugins/animation/runtime/spline_kernel.inc"

namespace simmer::runtime {
namespace {

using portable::OneLane;
using portable::Records;

/// One track of a clip.
class TrackSampler {
 public:
  TrackSampler(const SplineClip* clip, const Moment& moment)
      : m_clip(clip), m_scene(portable::sceneOf(clip, moment)), m_tracks(clip) {}

  /// False where the joint, or scalar track, has no track in the set.
  bool sample(TrackSet set, std::uint32_t target, float* out) const {
    if (m_clip->counts[static_cast<unsigned>(set)] == 0) return false;
    if (set == TrackSet::Quaternion || set == TrackSet::Scalar) return sampleRecord(set, target, out);
    std::uint32_t first = 0;
    const std::uint32_t track = m_tracks.find(set, target, first);
    if (track == m_tracks.count()) return false;
    portable::Head<OneLane> head;
    m_tracks.load<OneLane>(track + 1, 1, head);
    portable::Group<OneLane, 3> group;
    float sums[3], values[4];
    group.find(m_scene, head, track < m_tracks.uniform() ? 0 : m_tracks.knotsOf(track, first));
    group.sum(m_scene, sums);
    if (set == TrackSet::Spline) {
      portable::turn<OneLane>(group, sums, values);
      OneLane::storeRows(values, out, 0);
    } else {
      portable::move<OneLane>(group, sums, set == TrackSet::Scale ? 1.0f : 0.0f, values);
      OneLane::storeThree(values, out, 0);
    }
    return true;
  }

 private:
  bool sampleRecord(TrackSet set, std::uint32_t target, float* out) const {
    const Records records(m_clip, set);
    const std::uint32_t track = records.find(target);
    if (track == records.count()) return false;
    const std::int32_t knots = records.isUniform(track) ? 0 : records.knotsOf(track, knotsBefore(set));
    portable::sampleRecord(m_scene, records, track, knots, out);
    return true;
  }
  /// Quaternions may go on with the knots of the rotations before them.
  std::int32_t knotsBefore(TrackSet set) const {
    const std::uint32_t count = m_tracks.count(), first = m_tracks.listedRotations();
    return set == TrackSet::Quaternion && first < count ? m_tracks.knotsOf(count - 1, first) : 0;
  }

  const SplineClip* m_clip;
  portable::Scene m_scene;
  portable::Tracks m_tracks;
};

/// The values that belong to an index in a set of bits; null where it is not in the set.
const std::uint8_t* valueIn(const SplineClip* clip, std::uint32_t place, std::uint32_t outOf, std::uint32_t index,
                            std::size_t bytes) {
  if (place == 0) return nullptr;
  const std::uint8_t* const words = bytesOf(clip) + place;
  const auto word = [&](std::uint32_t i) { return portable::wordAt(words + std::size_t{4} * i) & 0xFFFFFFFF; };
  const std::uint64_t own = word(index / 32);
  if ((own >> index % 32 & 1) == 0) return nullptr;
  auto rank = static_cast<std::size_t>(portable::bitsIn(own & ((std::uint64_t{1} << index % 32) - 1)));
  for (std::uint32_t i = 0; i < index / 32; ++i) rank += static_cast<std::size_t>(portable::bitsIn(word(i)));
  return words + (outOf + 31) / 32 * 4 + bytes * rank;
}

/// False where the part of the joint is neither constant nor the rest pose's.
bool sampleStill(const SplineClip* clip, Part part, std::uint32_t joint, float* out) {
  const auto index = static_cast<unsigned>(part);
  const unsigned components = part == Part::Rotation ? 4 : 3;
  const bool wide = (clip->wide >> index & 1) != 0;
  const std::uint8_t* const rest = valueIn(clip, clip->at.rests[index], clip->joints, joint, constantBytes(part, true));
  const std::uint8_t* const constant =
      valueIn(clip, clip->at.constants[index], clip->joints, joint, constantBytes(part, wide));
  if (rest != nullptr || (constant != nullptr && wide)) {
    portable::copyFloats(rest != nullptr ? rest : constant, components, out);
    return true;
  }
  if (constant == nullptr) return false;
  if (part == Part::Rotation) {
    portable::sampleConstantRotations<OneLane>(portable::wordAt(constant), out, 0);
  } else {
    const bool scale = part == Part::Scale;
    OneLane::storeVector(portable::wordAt(constant), scale ? 1.0f : 0.0f, clip->steps[scale ? 1 : 0], out);
  }
  return true;
}

}  // namespace

void samplePosePortable(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask,
                        simmer_transform* joints) {
  portable::samplePose<portable::SIMMER_PORTABLE_LANES>(clip, moment, mask, joints);
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
namespace {
/// Whether there is lzcnt, which an older processor takes for something else.
bool countsZeros() {
  // Asked once: in a virtual machine that takes longer than to load a small clip. Any thread comes to the same answer.
  static std::atomic<int> known{0};
  int answer = known.load(std::memory_order_relaxed);
  if (answer == 0) {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    answer = __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 5 & 1) != 0 ? 1 : 2;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer == 1;
}
}  // namespace
#endif

Unit bestUnit() {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
  __builtin_cpu_init();
  if (kHasAvx2Unit && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && countsZeros())
    return Unit::Avx2;
#endif
  return Unit::Portable;
}

void sampleSplinePose(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask,
                      simmer_transform* joints) {
  if (clip->unit == static_cast<std::uint8_t>(Unit::Avx2)) return samplePoseAvx2(clip, moment, mask, joints);
  samplePosePortable(clip, moment, mask, joints);
}

void sampleSplineJoint(const SplineClip* clip, const Moment& moment, std::uint32_t joint, simmer_transform& out) {
  out = kIdentity;
  const TrackSampler tracks(clip, moment);
  for (unsigned i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    float* const values = portable::partOfTransform(out, part);
    if (sampleStill(clip, part, joint, values)) continue;
    if (part == Part::Rotation) {
      if (!tracks.sample(TrackSet::Spline, joint, values)) tracks.sample(TrackSet::Quaternion, joint, values);
    } else {
      tracks.sample(part == Part::Translation ? TrackSet::Translation : TrackSet::Scale, joint, values);
    }
  }
}

float sampleSplineScalar(const SplineClip* clip, const Moment& moment, std::uint32_t index) {
  float value = 0;
  const std::uint8_t* const constant = valueIn(clip, clip->at.scalars, clip->scalars, index, 4);
  if (constant != nullptr) {
    portable::copyFloats(constant, 1, &value);
  } else {
    TrackSampler(clip, moment).sample(TrackSet::Scalar, index, &value);
  }
  return value;
}

}  // namespace simmer::runtime
