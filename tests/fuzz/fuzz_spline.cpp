// Clips from anywhere, encoded and decoded: codec `spline` gives a file that loads and stays within the bound, or says
// that not even the clip's own samples do.

#include <cstdlib>
#include <cstring>

#include "plugins/animation/codec/clip_writer.h"
#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/spline/encode.h"
#include "tests/support/plugin_fixtures.h"

namespace {

using namespace simmer;
using namespace simmer::animation;

constexpr double kTolerancesM[] = {1e-5, 1e-4, 1e-3, 0.00703, 0.02813, 0.1};
constexpr float kScales[] = {0.01f, 0.25f, 1, 4, 100};

void require(bool condition) {
  if (!condition) std::abort();
}

/// Numbers made of the fuzzer's bytes; zeros behind the last one.
class Source {
 public:
  Source(const std::uint8_t* data, std::size_t size) : m_at(data), m_end(data + size) {}

  std::uint32_t byte() { return m_at == m_end ? 0u : *m_at++; }
  bool empty() const { return m_at == m_end; }
  /// Mostly of a scene's size; sometimes any float32 there is.
  float number() {
    const std::uint32_t kind = byte();
    if (kind < 0xF0) return static_cast<float>(kind % 16) * 0.25f + static_cast<float>(byte()) / 256;
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 8 | byte();
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  float signedByte() { return (static_cast<float>(byte()) - 128) / 128; }

 private:
  const std::uint8_t *m_at, *m_end;
};

Transform transformOf(Source& source, bool moves) {
  Transform t;
  Quaternion q;
  for (double& v : q) v = static_cast<double>(source.signedByte());
  q = normalised(q);
  for (std::size_t i = 0; i < 4; ++i) t.rotation[i] = static_cast<float>(q[i]);
  if (!moves) return t;
  for (float& v : t.translation) v = source.number();
  for (float& v : t.scale) v = source.number();
  return t;
}

std::shared_ptr<const Skeleton> skeletonOf(Source& source) {
  auto skeleton = std::make_shared<Skeleton>();
  const std::uint32_t joints = 1 + source.byte() % 6;
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    skeleton->names.push_back("j");
    skeleton->parents.push_back(static_cast<std::int32_t>(source.byte() % (joint + 1)) - 1);
    skeleton->rest.push_back(transformOf(source, source.byte() % 2 == 0));
  }
  return skeleton;
}

/// Poses come from the bytes until these end; what is left repeats a frame from before, or rests.
Clip clipOf(Source& source) {
  Clip clip;
  clip.skeleton = skeletonOf(source);
  clip.rateHz = 1 + source.byte() * 0.375;
  clip.frames = 1 + source.byte() % 40;
  const std::uint32_t steps = source.byte(), moving = source.byte();
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      if (source.empty()) {
        clip.poses.push_back(frame >= 3 ? clip.poses[clip.poses.size() - 3 * clip.joints()]
                                        : clip.skeleton->rest[joint]);
      } else {
        clip.poses.push_back(transformOf(source, (moving >> joint & 1) != 0));
      }
    }
  if (steps % 2 == 1)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      clip.step.push_back(static_cast<std::uint8_t>((steps >> 1) % 8));
  for (std::uint32_t i = 0; i < steps >> 6; ++i) {
    ScalarTrack& track = clip.scalars.emplace_back();
    track.step = i == 1;
    for (std::uint32_t frame = 0; frame < clip.frames; ++frame) track.values.push_back(source.number());
  }
  return clip;
}

double errorM(const Clip& clip, const Bytes& file, const SkeletonFile& skeleton) {
  auto decoded = DecodedClip::load(file, skeleton.bytes);
  require(decoded.has_value());
  return ErrorMeter(clip).measure(decoded->poseSource()).worstM;
}

void checkRefusal(const Clip& clip, const SkeletonFile& skeleton, const Error& error, double toleranceM) {
  require(error.code == ErrorCode::ToleranceUnmet);
  const auto raw = writeRawClip(clip, skeleton.digest, {});
  require(raw && errorM(clip, *raw, skeleton) > toleranceM);
}

void checkScalars(const Clip& clip, const Encoded& encoded, const SkeletonFile& skeleton, double tolerance) {
  if (encoded.how == "raw float32") return;
  auto decoded = DecodedClip::load(encoded.file, skeleton.bytes);
  for (std::uint32_t i = 0; i < clip.scalars.size(); ++i)
    require(scalarError(clip.scalars[i], [&](double time) { return decoded->scalar(time, i); }) <= tolerance);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Source source(data, size);
  const double toleranceM = kTolerancesM[source.byte() % std::size(kTolerancesM)];
  SplineSettings settings;
  settings.effort = Effort::Draft;
  const std::uint32_t kind = source.byte();
  settings.skeleton = static_cast<spline::SkeletonPlace>(kind % 3);
  Clip clip = clipOf(source);
  if (kind >= 192) {
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      clip.toleranceScale.push_back(kScales[(kind + joint) % 5]);
    clip.probeRadiusM.assign(clip.joints(), static_cast<float>(kind % 4));
  }
  if (!validate(clip)) return 0;
  const auto skeleton = writeSkeleton(*clip.skeleton);
  require(skeleton.has_value());
  simmer::test::RecordingContext context;
  const auto encoded = encodeSpline(clip, *skeleton, settings, toleranceM, context);
  if (!encoded) {
    checkRefusal(clip, *skeleton, encoded.error(), toleranceM);
    return 0;
  }
  require(errorM(clip, encoded->file, *skeleton) <= toleranceM);
  checkScalars(clip, *encoded, *skeleton, settings.scalarTolerance);
  return 0;
}
