#pragma once

#include <memory>

#include "plugins/animation/codec/article/samples.h"
#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/encode.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation::test {

using simmer::test::RecordingContext;

inline Clip sampleClip(article::Sample sample) {
  return article::toClip(article::makeSample(sample), article::toString(sample));
}

/// A chain of joints, each 0.5 m from its parent, at rest in every frame.
inline Clip chain(std::size_t joints, std::uint32_t frames) {
  auto skeleton = std::make_shared<Skeleton>();
  for (std::size_t joint = 0; joint < joints; ++joint) {
    skeleton->names.push_back("joint" + std::to_string(joint));
    skeleton->parents.push_back(static_cast<std::int32_t>(joint) - 1);
    skeleton->rest.emplace_back().translation = {0, joint == 0 ? 0.0f : 0.5f, 0};
  }
  Clip clip;
  clip.rateHz = 30;
  clip.frames = frames;
  for (std::uint32_t frame = 0; frame < frames; ++frame)
    clip.poses.insert(clip.poses.end(), skeleton->rest.begin(), skeleton->rest.end());
  clip.skeleton = std::move(skeleton);
  return clip;
}

inline Result<Encoded> encode(const Clip& clip, double toleranceM, const ArticleSettings& settings = {}) {
  RecordingContext context;
  SIMMER_TRY(skeleton, writeSkeleton(*clip.skeleton));
  return encodeArticle(clip, skeleton, settings, toleranceM, context);
}

/// Measured anew, with a meter of its own.
inline double worldErrorM(const Clip& clip, const Bytes& file) {
  Result<DecodedClip> decoded = DecodedClip::load(file);
  return decoded ? ErrorMeter(clip).measure(decoded->poseSource()).worstM : 1e300;
}

}  // namespace simmer::animation::test
