#include "plugins/animation/import/raw.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/codec/article/samples.h"

namespace simmer::animation {
namespace {

constexpr std::string_view kClipId = "clip";
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kTransformBytes = 40;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr double kDefaultRateHz = 60;
constexpr double kLengthSlack = 1e-3;  // of a rotation; below it is rounding, above it is no rotation

struct Layout {
  std::shared_ptr<const Skeleton> skeleton;
  std::uint32_t frames = 0;
  double rateHz = 0;
};

Result<Layout> layoutOf(ByteView bytes, const ImportOptions& options) {
  Layout layout;
  layout.skeleton = article::articleSkeleton();
  layout.rateHz = options.sampleRateHz > 0 ? options.sampleRateHz : kDefaultRateHz;
  const std::size_t joints = layout.skeleton->size();
  const std::size_t frameBytes = joints * kTransformBytes;
  if (bytes.size() > kMaxBytes)
    return fail(ErrorCode::Unsupported, "the file has {} bytes, expected at most {}", bytes.size(), kMaxBytes);
  if (bytes.size() < kHeaderBytes + frameBytes || (bytes.size() - kHeaderBytes) % frameBytes != 0)
    return fail(ErrorCode::InvalidInput, "{} bytes, expected {} and a multiple of {} ({} bones of {} bytes a frame)",
                bytes.size(), kHeaderBytes, frameBytes, joints, kTransformBytes);
  for (std::size_t at = 0; at < kHeaderBytes; ++at)
    if (bytes[at] != 0)
      return failAt(ErrorCode::InvalidInput, fmt::format("byte {}", at), "the header has {:#04x}, expected 16 zeros",
                    bytes[at]);
  layout.frames = static_cast<std::uint32_t>((bytes.size() - kHeaderBytes) / frameBytes);
  return layout;
}

/// Ten numbers as a transform; a rotation is set to unit length where it is off by rounding.
Result<Transform> readTransform(ByteReader& reader, std::uint32_t frame, const std::string& bone) {
  Transform transform;
  bool finite = true;
  const auto take = [&](float& value) {
    value = reader.take<float>();
    finite = finite && std::isfinite(value);
  };
  for (float& v : transform.translation) take(v);
  for (float& v : transform.rotation) take(v);
  for (float& v : transform.scale) take(v);
  const auto where = [&] { return fmt::format("frame {}, bone '{}'", frame, bone); };
  if (!finite) return failAt(ErrorCode::InvalidInput, where(), "a number is not finite");
  auto& r = transform.rotation;
  const Quaternion rotation{r[0], r[1], r[2], r[3]};
  const double length = std::sqrt(dot(rotation, rotation));
  if (!(std::abs(length - 1) <= kLengthSlack))
    return failAt(ErrorCode::InvalidInput, where(), "the rotation has length {:.6g}, expected 1", length);
  // A float32 quaternion is up to 1e-7 off; such a one is left as it is, so that the bytes come back.
  if (std::abs(length - 1) > 1e-6)
    for (std::size_t i = 0; i < 4; ++i) r[i] = static_cast<float>(rotation[i] / length);
  return transform;
}

}  // namespace

Result<SourceContents> readRawContents(SourceReader& reader, const ImportOptions& options, Context&) {
  SIMMER_TRY(bytes, reader.read(reader.sourceName()));
  SIMMER_TRY(layout, layoutOf(bytes, options));
  SourceContents contents;
  contents.skeleton = layout.skeleton;
  contents.clips.push_back({std::string(kClipId), false, (layout.frames - 1) / layout.rateHz, {}});
  return contents;
}

Result<Clip> readRawClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context) {
  if (id != kClipId) return fail(ErrorCode::NotFound, "no clip '{}'; a raw file holds one, named '{}'", id, kClipId);
  SIMMER_TRY(bytes, reader.read(reader.sourceName()));
  SIMMER_TRY(layout, layoutOf(bytes, options));
  Clip clip;
  clip.id = kClipId;
  clip.skeleton = layout.skeleton;
  clip.rateHz = layout.rateHz;
  clip.frames = layout.frames;
  clip.poses.reserve(std::size_t{clip.frames} * clip.joints());
  ByteReader numbers(ByteView(bytes).subspan(kHeaderBytes));
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled");
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      SIMMER_TRY(transform, readTransform(numbers, frame, clip.skeleton->names[joint]));
      if (frame > 0) {  // the same rotation on the same half of the sphere as in the frame before
        const auto& before = clip.poses[clip.poses.size() - clip.joints()].rotation;
        const auto& now = transform.rotation;
        if (dot({before[0], before[1], before[2], before[3]}, {now[0], now[1], now[2], now[3]}) < 0)
          for (float& v : transform.rotation) v = -v;
      }
      clip.poses.push_back(transform);
    }
  }
  return clip;
}

}  // namespace simmer::animation
