#include "tests/support/rawclip.h"

#include "cooker/base/file.h"

namespace simmer::test {
namespace {

using animation::Clip;
using animation::Skeleton;
using animation::Transform;

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kSmallestJointBytes = 4 + sizeof(Transform) + 2;

Transform takeTransform(ByteReader& reader) {
  Transform transform;
  for (float& value : transform.translation) value = reader.take<float>();
  for (float& value : transform.rotation) value = reader.take<float>();
  for (float& value : transform.scale) value = reader.take<float>();
  return transform;
}

Skeleton takeSkeleton(ByteReader& reader, std::uint32_t joints) {
  Skeleton skeleton;
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    skeleton.parents.push_back(reader.take<std::int32_t>());
    skeleton.rest.push_back(takeTransform(reader));
    const auto length = reader.take<std::uint16_t>();
    skeleton.names.emplace_back(asText(reader.takeBytes(length)));
  }
  return skeleton;
}

}  // namespace

Result<Clip> readRawclip(const std::filesystem::path& path) {
  SIMMER_TRY(bytes, readFile(path));
  ByteReader reader(bytes);
  if (asText(reader.takeBytes(4)) != "RCLP" || reader.take<std::uint32_t>() != kVersion)
    return fail(ErrorCode::InvalidInput, "not a rawclip of version {}", kVersion);
  const auto joints = reader.take<std::uint32_t>();
  Clip clip;
  clip.id = path.stem().string();
  clip.named = true;
  clip.frames = reader.take<std::uint32_t>();
  clip.rateHz = static_cast<double>(reader.take<float>());
  if (joints > reader.left() / kSmallestJointBytes)
    return fail(ErrorCode::InvalidInput, "{} joints in {} bytes", joints, bytes.size());
  auto skeleton = std::make_shared<Skeleton>(takeSkeleton(reader, joints));
  const std::uint64_t poses = std::uint64_t{joints} * clip.frames;
  if (!reader.ok() || reader.left() % sizeof(Transform) != 0 || reader.left() / sizeof(Transform) != poses)
    return fail(ErrorCode::InvalidInput, "{} bytes left for {} poses", reader.left(), poses);
  clip.skeleton = std::move(skeleton);
  clip.poses.reserve(poses);
  for (std::uint64_t i = 0; i < poses; ++i) clip.poses.push_back(takeTransform(reader));
  SIMMER_CHECK(validate(clip));
  return clip;
}

}  // namespace simmer::test
