#include "plugins/animation/export/raw_writer.h"

#include <algorithm>

#include "plugins/animation/codec/article/samples.h"

namespace simmer::animation {
namespace {

constexpr std::size_t kHeaderBytes = 16;

}  // namespace

Result<Bytes> writeRaw(const Clip& clip) {
  SIMMER_CHECK(validate(clip));
  const Skeleton& rig = *article::articleSkeleton();
  if (clip.skeleton->parents != rig.parents || clip.skeleton->names != rig.names)
    return fail(ErrorCode::Unsupported,
                "the skeleton has {} joints of its own, a raw file holds the article's rig of {}", clip.joints(),
                rig.size());
  if (!clip.scalars.empty())
    return fail(ErrorCode::Unsupported, "scalar track '{}' can not be written: a raw file has none",
                clip.scalars[0].name);
  if (std::any_of(clip.step.begin(), clip.step.end(), [](std::uint8_t bits) { return bits != 0; }))
    return fail(ErrorCode::Unsupported, "a step track can not be written: a raw file has none");
  ByteWriter writer;
  for (std::size_t i = 0; i < kHeaderBytes; ++i) writer.put(std::uint8_t{0});
  for (const Transform& pose : clip.poses) {
    for (const float v : pose.translation) writer.put(v);
    for (const float v : pose.rotation) writer.put(v);
    for (const float v : pose.scale) writer.put(v);
  }
  return writer.take();
}

}  // namespace simmer::animation
