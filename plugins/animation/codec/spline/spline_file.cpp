#include "plugins/animation/codec/spline/spline_file.h"

#include <cmath>

namespace simmer::animation::spline {
namespace {

using namespace runtime;

constexpr double kMostWholeRate = 1e6;
constexpr std::uint64_t kMostFileBytes = 0xFFFFFFFFu;

std::size_t varintBytes(std::uint64_t value) {
  std::size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

std::uint8_t flagsOf(const ClipHead& head, SkeletonPlace place) {
  std::uint8_t flags = 0;
  if (head.rateHz == std::floor(head.rateHz) && head.rateHz <= kMostWholeRate) flags |= kFlagWholeRate;
  if (place != SkeletonPlace::None) flags |= kFlagDigest | kFlagRest;
  if (place == SkeletonPlace::Inside) flags |= kFlagSkeleton;
  return flags;
}

void countRests(const Parts& parts, const Skeleton& skeleton, SplineShape& shape) {
  for (std::size_t joint = 0; joint < parts.kinds.size(); ++joint) {
    const Transform& rest = skeleton.rest[joint];
    const float* const values[kParts] = {rest.rotation.data(), rest.translation.data(), rest.scale.data()};
    for (unsigned part = 0; part < kParts; ++part)
      if (parts.kinds[joint][part] == PartKind::Default && !isPlainDefault(static_cast<Part>(part), values[part]))
        ++shape.rests[part];
  }
}

}  // namespace

Result<Bytes> writeSplineClip(const ClipHead& head, const CodedClip& clip, const Skeleton& skeleton,
                              SkeletonPlace place, ByteView skeletonFile) {
  SplineShape shape;
  shape.joints = head.joints;
  shape.frames = head.frames;
  shape.scalars = static_cast<std::uint32_t>(head.scalarNames.size());
  const std::uint8_t flags = flagsOf(head, place);
  shape.digest = (flags & kFlagDigest) != 0;
  for (const std::string& name : head.scalarNames)
    shape.nameBytes += static_cast<std::uint32_t>(storedName(name).size());
  if ((flags & kFlagRest) != 0) countRests(clip.parts, skeleton, shape);
  const Bytes stream = writeStream(clip, head.frames, shape);
  std::uint32_t memory = 0;
  if (!splineMemory(shape, memory)) return fail(ErrorCode::Unsupported, "the clip takes more than 4 GiB in memory");

  ByteWriter tail;  // what stands behind the number of bytes of the whole file
  for (const std::uint32_t number : {memory, shape.joints, shape.frames, shape.scalars, shape.nameBytes})
    putVarint(tail, number);
  if ((flags & kFlagWholeRate) != 0) {
    putVarint(tail, static_cast<std::uint32_t>(head.rateHz));
  } else {
    tail.put(head.rateHz);
  }
  if ((flags & kFlagSkeleton) != 0) putVarint(tail, static_cast<std::uint32_t>(skeletonFile.size()));
  if ((flags & kFlagDigest) != 0) tail.putBytes(head.skeleton.bytes);
  for (const std::string& name : head.scalarNames) {
    putVarint(tail, static_cast<std::uint32_t>(storedName(name).size()));
    tail.putBytes(asBytes(storedName(name)));
  }
  if ((flags & kFlagSkeleton) != 0) tail.putBytes(skeletonFile);
  tail.putBytes(stream);

  std::uint64_t total = 8 + 1 + tail.size();
  while (8 + varintBytes(total) + tail.size() > total) ++total;
  if (total > kMostFileBytes) return fail(ErrorCode::Unsupported, "the clip takes more than 4 GiB");
  if (memory > mostSplineMemory(total) || head.joints > mostSplineJoints(total))
    return fail(ErrorCode::Unsupported, "{} bytes in memory from a file of {} are beyond the format", memory, total);
  ByteWriter file;
  file.putBytes(kClipMagic);
  for (const std::uint8_t byte : {kSplineClipVersion, static_cast<std::uint8_t>(Codec::Spline), kSplineVersion, flags})
    file.put(byte);
  putVarint(file, static_cast<std::uint32_t>(total));
  file.putBytes(tail.take());
  return file.take();
}

}  // namespace simmer::animation::spline
