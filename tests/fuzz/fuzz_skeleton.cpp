// Skeleton files from anywhere: open() refuses them, or every joint can be asked for.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "plugins/animation/runtime/simmer_runtime.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  simmer_skeleton skeleton;
  if (simmer_skeleton_open(data, size, &skeleton) != SIMMER_OK) {
    require(skeleton.bytes == nullptr && skeleton.joints == 0);
    return 0;
  }
  require(simmer_skeleton_digest(&skeleton) == data + 12);
  for (std::uint32_t joint = 0; joint < skeleton.joints; ++joint) {
    require(simmer_skeleton_parent(&skeleton, joint) >= -1);
    require(simmer_skeleton_parent(&skeleton, joint) < static_cast<std::int64_t>(joint));
    std::size_t length = 0;
    const char* const name = simmer_skeleton_name(&skeleton, joint, &length);
    require(name[length] == 0);
    const std::string copy(name, length);
    simmer_transform rest;
    simmer_skeleton_rest(&skeleton, joint, &rest);
    for (const float v : rest.translation) require(std::isfinite(v));
    for (const float v : rest.rotation) require(std::isfinite(v));
    for (const float v : rest.scale) require(std::isfinite(v));
    require(simmer_skeleton_radius(&skeleton, joint) >= 0);
  }
  return 0;
}
