#include "plugins/animation/codec/skeleton_file.h"

#include <cstring>

#include "plugins/animation/runtime/format.h"
#include "plugins/animation/runtime/little_endian.h"
#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::animation {
namespace {

void putTransform(ByteWriter& writer, const Transform& transform) {
  for (const float v : transform.translation) writer.put(v);
  for (const float v : transform.rotation) writer.put(v);
  for (const float v : transform.scale) writer.put(v);
}

}  // namespace

Result<SkeletonFile> writeSkeleton(const Skeleton& skeleton) {
  const auto joints = static_cast<std::uint32_t>(skeleton.size());
  std::uint64_t nameBytes = joints;
  for (const std::string& name : skeleton.names) nameBytes += name.size();
  if (skeleton.size() > runtime::kMaxJoints || nameBytes > 0x7FFFFFFF)
    return fail(ErrorCode::Unsupported, "{} joints with {} bytes of names, at most {} and 2 GiB fit", skeleton.size(),
                nameBytes, runtime::kMaxJoints);
  ByteWriter content;
  content.put(joints);
  content.put(static_cast<std::uint32_t>(skeleton.skinRadiusM.empty() ? 0 : 1));
  content.put(skeleton.skinHeightM);
  for (const std::int32_t parent : skeleton.parents) content.put(parent);
  for (const Transform& rest : skeleton.rest) putTransform(content, rest);
  for (const float radius : skeleton.skinRadiusM) content.put(radius);
  std::uint32_t end = 0;
  for (const std::string& name : skeleton.names) {
    end += static_cast<std::uint32_t>(name.size());
    content.put(end++);
  }
  for (const std::string& name : skeleton.names) {
    content.putBytes(asBytes(name));
    content.put(std::uint8_t{0});
  }
  const Bytes bytes = content.take();
  const Digest digest = sha256(ByteView(bytes));
  ByteWriter file;
  file.putBytes(runtime::kSkeletonMagic);
  file.put(std::uint32_t{runtime::kSkeletonVersion});
  file.put(static_cast<std::uint32_t>(12 + digest.bytes.size() + bytes.size()));
  file.putBytes(digest.bytes);
  file.putBytes(bytes);
  return SkeletonFile{file.take(), digest};
}

Result<Skeleton> readSkeleton(ByteView bytes) {
  simmer_skeleton view;
  if (const simmer_status status = simmer_skeleton_open(bytes.data(), bytes.size(), &view); status != SIMMER_OK)
    return fail(ErrorCode::Corrupt, "the skeleton file does not open: runtime status {}", static_cast<int>(status));
  Skeleton skeleton;
  for (std::uint32_t joint = 0; joint < view.joints; ++joint) {
    std::size_t length = 0;
    const char* const name = simmer_skeleton_name(&view, joint, &length);
    skeleton.names.emplace_back(name, length);
    skeleton.parents.push_back(simmer_skeleton_parent(&view, joint));
    simmer_transform rest;
    simmer_skeleton_rest(&view, joint, &rest);
    std::memcpy(static_cast<void*>(&skeleton.rest.emplace_back()), &rest, sizeof rest);
    if (view.has_radii != 0) skeleton.skinRadiusM.push_back(simmer_skeleton_radius(&view, joint));
  }
  skeleton.skinHeightM = runtime::readF64(bytes.data() + 52);
  return skeleton;
}

}  // namespace simmer::animation
