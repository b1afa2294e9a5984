// Clip files from anywhere: load() refuses them or gives a clip that can be sampled at any time.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "plugins/animation/runtime/simmer_runtime.h"

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

void sample(const simmer_clip* clip, double seconds) {
  std::vector<simmer_transform> pose(simmer_clip_joints(clip));
  simmer_clip_sample_pose(clip, seconds, pose.data());
  for (const simmer_transform& joint : pose) requireFinite(joint);
  simmer_transform last;
  simmer_clip_sample_joint(clip, seconds, simmer_clip_joints(clip), &last);
  requireFinite(last);
  for (std::uint32_t i = 0; i <= simmer_clip_scalars(clip) && i < 1000; ++i) {
    require(std::isfinite(simmer_clip_sample_scalar(clip, seconds, i)));
    require(simmer_clip_scalar_name(clip, i) != nullptr);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t skeletonSize = 0;
  simmer_clip_file_skeleton(data, size, &skeletonSize);
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
  const double last = simmer_clip_frames(clip) - 1, rate = simmer_clip_rate(clip);
  for (const double frame : {0.0, 0.25, 0.5, 1.0, last / 2 + 0.3, last - 0.5, last, -1.0, last + 1})
    sample(clip, frame / rate);
  sample(clip, std::numeric_limits<double>::quiet_NaN());
  sample(clip, std::numeric_limits<double>::infinity());
  return 0;
}
