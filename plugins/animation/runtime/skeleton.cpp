#include <cmath>
#include <cstring>

#include "plugins/animation/runtime/format.h"
#include "plugins/animation/runtime/little_endian.h"
#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::runtime {
namespace {

/// Places of the arrays in a skeleton file.
struct Places {
  std::uint64_t parents, rest, radii, nameEnds, names;
};

Places placesOf(std::uint32_t joints, bool radii) {
  Places at;
  at.parents = kSkeletonHeaderBytes;
  at.rest = at.parents + std::uint64_t{4} * joints;
  at.radii = at.rest + std::uint64_t{40} * joints;
  at.nameEnds = at.radii + (radii ? std::uint64_t{4} * joints : 0);
  at.names = at.nameEnds + std::uint64_t{4} * joints;
  return at;
}

Places placesOf(const simmer_skeleton* skeleton) {
  return placesOf(skeleton->joints, skeleton->has_radii != 0);
}

bool checkJoint(const std::uint8_t* bytes, const Places& at, std::uint32_t joint, bool radii) {
  const auto parent = static_cast<std::int32_t>(readU32(bytes + at.parents + std::uint64_t{4} * joint));
  if (parent < -1 || parent >= static_cast<std::int64_t>(joint)) return false;
  for (unsigned i = 0; i < 10; ++i)
    if (!std::isfinite(readF32(bytes + at.rest + std::uint64_t{40} * joint + 4 * i))) return false;
  if (!radii) return true;
  const float radius = readF32(bytes + at.radii + std::uint64_t{4} * joint);
  return radius >= 0 && std::isfinite(radius);
}

}  // namespace
}  // namespace simmer::runtime

using namespace simmer::runtime;

simmer_status simmer_skeleton_open(const void* data, size_t size, simmer_skeleton* skeleton) {
  const auto* const bytes = static_cast<const std::uint8_t*>(data);
  *skeleton = {nullptr, 0, 0};
  for (unsigned i = 0; i < 4; ++i)
    if (i >= size || bytes[i] != kSkeletonMagic[i]) return SIMMER_NOT_A_CLIP;
  if (size < 5) return SIMMER_TRUNCATED;
  if (bytes[4] != kSkeletonVersion) return SIMMER_VERSION;
  if (size < kSkeletonHeaderBytes) return SIMMER_TRUNCATED;
  const std::uint32_t total = readU32(bytes + 8), joints = readU32(bytes + 44), flags = readU32(bytes + 48);
  const double height = readF64(bytes + 52);
  if ((bytes[5] | bytes[6] | bytes[7]) != 0 || total < kSkeletonHeaderBytes) return SIMMER_MALFORMED;
  if (total > size) return SIMMER_TRUNCATED;
  if (total < size || joints > kMaxJoints || flags > 1 || !(height >= 0) || !std::isfinite(height))
    return SIMMER_MALFORMED;
  const Places at = placesOf(joints, flags == 1);
  if (at.names > size) return SIMMER_MALFORMED;
  std::uint64_t end = 0;  // of the names so far, in the block of names
  const std::uint64_t block = size - at.names;
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    if (!checkJoint(bytes, at, joint, flags == 1)) return SIMMER_MALFORMED;
    const std::uint32_t nameEnd = readU32(bytes + at.nameEnds + std::uint64_t{4} * joint);
    if (nameEnd < end || nameEnd >= block || bytes[at.names + nameEnd] != 0) return SIMMER_MALFORMED;
    end = std::uint64_t{nameEnd} + 1;
  }
  if (end != block) return SIMMER_MALFORMED;
  *skeleton = {bytes, joints, flags};
  return SIMMER_OK;
}

const uint8_t* simmer_skeleton_digest(const simmer_skeleton* skeleton) {
  return skeleton->bytes + 12;
}

int32_t simmer_skeleton_parent(const simmer_skeleton* skeleton, uint32_t joint) {
  return static_cast<std::int32_t>(readU32(skeleton->bytes + placesOf(skeleton).parents + std::uint64_t{4} * joint));
}

const char* simmer_skeleton_name(const simmer_skeleton* skeleton, uint32_t joint, size_t* length) {
  const Places at = placesOf(skeleton);
  const std::uint8_t* const ends = skeleton->bytes + at.nameEnds;
  const std::uint32_t start = joint == 0 ? 0 : readU32(ends + std::uint64_t{4} * (joint - 1)) + 1;
  if (length != nullptr) *length = readU32(ends + std::uint64_t{4} * joint) - start;
  return reinterpret_cast<const char*>(skeleton->bytes + at.names + start);
}

void simmer_skeleton_rest(const simmer_skeleton* skeleton, uint32_t joint, simmer_transform* out) {
  const std::uint8_t* const rest = skeleton->bytes + placesOf(skeleton).rest + std::uint64_t{40} * joint;
  float floats[10];
  for (unsigned i = 0; i < 10; ++i) floats[i] = readF32(rest + 4 * i);
  std::memcpy(out, floats, sizeof floats);
}

float simmer_skeleton_radius(const simmer_skeleton* skeleton, uint32_t joint) {
  if (skeleton->has_radii == 0) return 0;
  return readF32(skeleton->bytes + placesOf(skeleton).radii + std::uint64_t{4} * joint);
}
