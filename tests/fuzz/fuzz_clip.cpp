// Clip files from anywhere: load() refuses them or gives a clip that can be sampled at any time, and by every unit of
// the runtime with the same result.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "plugins/animation/runtime/simmer_runtime.h"
#include "plugins/animation/runtime/spline_memory.h"

namespace {

// Larger ones are fine too, but slow to fuzz.
constexpr std::size_t kMostMemory = std::size_t{16} << 20;

struct alignas(16) Block {
  unsigned char bytes[16];
};

void require(bool condition) {
  if (!condition) std::abort();
}

void requireFinite(const simmer_transform& pose) {
  double length = 0;
  for (const float v : pose.translation) require(std::isfinite(v));
  for (const float v : pose.scale) require(std::isfinite(v));
  for (const float v : pose.rotation) length += static_cast<double>(v) * v;
  require(std::fabs(std::sqrt(length) - 1) < 1e-2);
}

bool isSame(const simmer_transform& a, const simmer_transform& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Every third joint alone and in a subset, which leaves the others.
void sampleSome(const simmer_clip* clip, double seconds, const std::vector<simmer_transform>& pose) {
  const simmer_transform untouched = {{1, 2, 3}, {0, 0, 0, 1}, {4, 5, 6}};
  std::vector<std::uint32_t> mask(pose.size() / 32 + 1, 0x49249249);
  std::vector<simmer_transform> some(pose.size(), untouched);
  simmer_clip_sample_joints(clip, seconds, mask.data(), some.data());
  for (std::uint32_t i = 0; i < pose.size(); ++i) {
    const bool wanted = (mask[i / 32] >> i % 32 & 1) != 0;
    require(isSame(some[i], wanted ? pose[i] : untouched));
    if (!wanted || i > 100) continue;
    simmer_transform alone;
    simmer_clip_sample_joint(clip, seconds, i, &alone);
    require(isSame(alone, pose[i]));
  }
}

void sample(simmer_clip* clip, double seconds) {
  std::vector<simmer_transform> pose(simmer_clip_joints(clip)), portable(pose.size());
  simmer_clip_sample_pose(clip, seconds, pose.data());
  for (const simmer_transform& joint : pose) requireFinite(joint);
  const std::uint8_t unit = clip->unit;
  clip->unit = static_cast<std::uint8_t>(simmer::runtime::Unit::Portable);
  simmer_clip_sample_pose(clip, seconds, portable.data());
  clip->unit = unit;
  for (std::size_t i = 0; i < pose.size(); ++i) require(isSame(pose[i], portable[i]));
  sampleSome(clip, seconds, pose);
  simmer_transform last;
  simmer_clip_sample_joint(clip, seconds, simmer_clip_joints(clip), &last);
  requireFinite(last);
  const double loop = simmer_clip_loop_time(clip, seconds);
  require(loop >= 0 && loop <= simmer_clip_duration(clip));
  for (std::uint32_t i = 0; i <= simmer_clip_scalars(clip) && i < 1000; ++i) {
    require(std::isfinite(simmer_clip_sample_scalar(clip, seconds, i)));
    require(simmer_clip_scalar_name(clip, i) != nullptr);
  }
}

/// With the skeleton that stands inside, if there is one.
void sampleWorld(const simmer_clip* clip, const void* bytes, std::size_t size) {
  simmer_skeleton skeleton;
  if (bytes == nullptr || simmer_skeleton_open(bytes, size, &skeleton) != SIMMER_OK || skeleton.joints == 0) return;
  float matrix[3][4];
  simmer_clip_sample_world(clip, 0.1, &skeleton, skeleton.joints - 1, matrix);
  for (const auto& row : matrix)
    for (const float v : row) require(std::isfinite(v));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t skeletonSize = 0;
  const void* const skeleton = simmer_clip_file_skeleton(data, size, &skeletonSize);
  require(skeletonSize <= size);
  const std::size_t needed = simmer_clip_memory(data, size);
  if (needed > kMostMemory) return 0;
  std::vector<Block> buffer((needed + sizeof(Block) - 1) / sizeof(Block) + 1);
  const simmer_clip* clip = nullptr;
  // Exactly what was asked for, so that the sanitizer sees a step beyond it.
  const simmer_status status = simmer_clip_load(data, size, buffer.data(), needed, &clip);
  require((status == SIMMER_OK) == (clip != nullptr));
  require(needed != 0 || status != SIMMER_OK);
  if (clip == nullptr) return 0;
  auto* const loaded = reinterpret_cast<simmer_clip*>(buffer.data());
  const double last = simmer_clip_frames(clip) - 1, rate = simmer_clip_rate(clip);
  for (const double frame : {0.0, 0.25, 0.5, 1.0, last / 2 + 0.3, last - 0.5, last, -1.0, last + 1})
    sample(loaded, frame / rate);
  sample(loaded, std::numeric_limits<double>::quiet_NaN());
  sample(loaded, std::numeric_limits<double>::infinity());
  sampleWorld(clip, skeleton, skeletonSize);
  return 0;
}
