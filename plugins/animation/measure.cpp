#include "plugins/animation/measure.h"

#include <algorithm>

#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/skeleton_file.h"

namespace simmer::animation {
namespace {

constexpr double kMillimetres = 1000;

/// The skeleton file that comes with an artifact, inside its clip or beside it.
ByteView skeletonOf(const Artifact& artifact, bool selfContained) {
  if (!selfContained) return artifact.outputs[1].bytes;
  const Bytes& file = artifact.outputs[0].bytes;
  std::size_t size = 0;
  const auto* const bytes =
      static_cast<const std::uint8_t*>(simmer_clip_file_skeleton(file.data(), file.size(), &size));
  return {bytes, size};
}

Result<void> checkHead(const Clip& clip, const simmer_clip* decoded) {
  if (simmer_clip_joints(decoded) != clip.joints() || simmer_clip_frames(decoded) != clip.frames ||
      simmer_clip_scalars(decoded) != clip.scalars.size() || simmer_clip_rate(decoded) != clip.rateHz)
    return fail(ErrorCode::Corrupt,
                "{} joints, {} frames at {} Hz and {} scalar tracks, the source has {}, {}, {} and {}",
                simmer_clip_joints(decoded), simmer_clip_frames(decoded), simmer_clip_rate(decoded),
                simmer_clip_scalars(decoded), clip.joints(), clip.frames, clip.rateHz, clip.scalars.size());
  for (std::uint32_t i = 0; i < clip.scalars.size(); ++i) {
    const std::string& name = clip.scalars[i].name;
    if (simmer_clip_scalar_name(decoded, i) != std::string_view(name).substr(0, name.find('\0')))
      return fail(ErrorCode::Corrupt, "scalar track {} has the name '{}', the source has '{}'", i,
                  simmer_clip_scalar_name(decoded, i), name);
  }
  return {};
}

/// The artifact's clip, when it is one of the source's, with its skeleton.
Result<DecodedClip> loadChecked(const Clip& clip, const Artifact& artifact, bool selfContained) {
  SIMMER_TRY(expected, writeSkeleton(*clip.skeleton));
  const ByteView found = skeletonOf(artifact, selfContained);
  const bool same = std::ranges::equal(found, expected.bytes);
  const auto other = [] { return fail(ErrorCode::Corrupt, "the skeleton is not the one that the source has"); };
  Result<DecodedClip> decoded = DecodedClip::load(artifact.outputs[0].bytes, selfContained ? ByteView() : found);
  if (!decoded && !same && !found.empty()) return other();
  if (!decoded) return decoded;
  SIMMER_CHECK(checkHead(clip, decoded->clip()));
  if (!std::equal(expected.digest.bytes.begin(), expected.digest.bytes.end(),
                  simmer_clip_skeleton_digest(decoded->clip())))
    return fail(ErrorCode::Corrupt, "the clip names another skeleton than the source has");
  if (!same) return other();
  return decoded;
}

}  // namespace

Result<Measures> measureArtifact(const RequestedClip& requested, double scalarTolerance, bool selfContained,
                                 const Artifact& artifact) {
  const std::size_t expected = selfContained ? 1 : 2;
  if (artifact.outputs.size() != expected)
    return fail(ErrorCode::Corrupt, "{} outputs, expected {}", artifact.outputs.size(), expected);
  const Clip& clip = requested.clip;
  SIMMER_TRY(decoded, loadChecked(clip, artifact, selfContained));
  const WorldError world = ErrorMeter(clip).measure(decoded.poseSource());
  const double bound = requested.toleranceM * kMillimetres;
  Measures measures{{std::string(kWorldError), world.worstM * kMillimetres, bound, "mm"},
                    {"joint error", world.jointM * kMillimetres, bound, "mm"}};
  if (!clip.toleranceScale.empty())
    measures.push_back({"unscaled error", world.unscaledM * kMillimetres, std::nullopt, "mm"});
  double scalar = 0;
  for (std::uint32_t i = 0; i < clip.scalars.size(); ++i)
    scalar = std::max(scalar, scalarError(clip.scalars[i], [&](double time) { return decoded.scalar(time, i); }));
  if (!clip.scalars.empty()) measures.push_back({"scalar error", scalar, scalarTolerance, "relative"});
  if (clip.resampleErrorM > 0)
    measures.push_back({"resample error", clip.resampleErrorM * kMillimetres, std::nullopt, "mm"});
  if (const auto& moved = requested.displacements.denoiseM)
    measures.push_back({"denoise displacement", *moved * kMillimetres, std::nullopt, "mm"});
  if (const auto& moved = requested.displacements.loopM)
    measures.push_back({"loop displacement", *moved * kMillimetres, std::nullopt, "mm"});
  return measures;
}

}  // namespace simmer::animation
