#include "plugins/animation/codec/scalars.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/codec/channel.h"
#include "plugins/animation/codec/decoded_clip.h"

namespace simmer::animation {
namespace {

using runtime::ValueFormat;

// Parts of the tolerance that the keys may use: quantisation takes some, and between frames a curve may err more.
constexpr double kParts[] = {1, 0.85, 0.7, 0.5, 0.3, 0.1, 0.01};

// Through the runtime: a clip that holds this track alone.
Result<double> measureTrack(const Clip& clip, const ScalarTrack& reference, const TrackBytes& track) {
  const ClipHead head{0, clip.frames, clip.rateHz, {""}, {}};
  SIMMER_TRY(file, writeArticleClip(head, {}, {track}, {.deflate = false}));
  SIMMER_TRY(decoded, DecodedClip::load(file));
  return scalarError(reference, [&](double time) { return decoded.scalar(time, 0); });
}

Result<TrackBytes> encodeTrack(const Clip& clip, std::size_t index, const ArticleSettings& settings, double& error) {
  const ScalarTrack& reference = clip.scalars[index];
  ChannelPlace place;
  place.track = index;
  place.step = reference.step;
  place.values = reference.values.data();
  place.frames = clip.frames;
  const double tolerance = settings.scalarTolerance;
  if (settings.constantRemoval)
    if (auto constant = constantTrack(place, 0)) {
      SIMMER_TRY(measured, measureTrack(clip, reference, *constant));
      if ((error = measured) <= tolerance) return *constant;
    }
  const double unit = scalarUnit(reference);
  ChannelEncoder encoder(place, settings.keyframes);
  for (const ValueFormat format : {ValueFormat::Small, ValueFormat::Float}) {
    if (format == ValueFormat::Small && settings.quantise == ArticleSettings::Quantise::Off) continue;
    for (const double part : kParts) {
      const TrackBytes track = encoder.encode(part * tolerance * unit, format);
      SIMMER_TRY(measured, measureTrack(clip, reference, track));
      if ((error = measured) <= tolerance) return track;
    }
  }
  const TrackBytes samples = ChannelEncoder(place, ArticleSettings::Keyframes::Off).encode(0, ValueFormat::Float);
  SIMMER_TRY(measured, measureTrack(clip, reference, samples));
  if ((error = measured) <= tolerance) return samples;
  return failAt(ErrorCode::ToleranceUnmet, reference.name,
                "its samples as float32 are off by {:.3g} of the range, at most {:.3g} is allowed", error, tolerance);
}

}  // namespace

Result<EncodedScalars> encodeScalars(const Clip& clip, const ArticleSettings& settings, Context& context) {
  EncodedScalars encoded;
  for (std::size_t index = 0; index < clip.scalars.size(); ++index) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cooking was cancelled");
    double error = 0;
    SIMMER_TRY(track, encodeTrack(clip, index, settings, error));
    encoded.tracks.push_back(std::move(track));
    encoded.worst = std::max(encoded.worst, error);
  }
  return encoded;
}

}  // namespace simmer::animation
