#pragma once

#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "plugins/animation/codec/clip_writer.h"
#include "plugins/animation/codec/quantise.h"
#include "plugins/animation/codec/skeleton_file.h"
#include "plugins/animation/runtime/simmer_runtime.h"

// Clip files made track by track, so that a test knows every value in them.

namespace simmer::animation::test {

using runtime::Interpolation;
using runtime::ValueFormat;

inline TrackBytes constantOf(std::initializer_list<float> values) {
  TrackBytes track;
  track.kind = runtime::kConstantKind;
  ByteWriter bytes;
  for (const float v : values) bytes.put(v);
  track.values = bytes.take();
  return track;
}

inline TrackBytes trackOf(std::vector<std::uint32_t> keys, const std::vector<float>& values,
                          Interpolation interpolation, ValueFormat format, std::uint32_t frames) {
  TrackBytes track;
  track.kind = runtime::animatedKind(interpolation, format);
  track.count = static_cast<std::uint32_t>(keys.size());
  putScalarValues(track, values, format);
  if (track.count != frames) track.keys = std::move(keys);
  return track;
}

inline TrackBytes trackOf(std::vector<std::uint32_t> keys, const std::vector<Quaternion>& values,
                          Interpolation interpolation, ValueFormat format, std::uint32_t frames) {
  TrackBytes track;
  track.kind = runtime::animatedKind(interpolation, format);
  track.count = static_cast<std::uint32_t>(keys.size());
  putRotationValues(track, values, format);
  if (track.count != frames) track.keys = std::move(keys);
  return track;
}

/// A clip with every kind of track there is: 3 joints, 9 frames, 3 scalars.
struct EveryKind {
  ClipHead head{3, 9, 60, {"smile", "", "blink"}, {}};
  std::vector<TrackBytes> joints = std::vector<TrackBytes>(21);
  std::vector<TrackBytes> scalars = std::vector<TrackBytes>(3);
  Packaging packaging{false, {}};

  EveryKind() {
    const std::vector<Quaternion> turns{{0, 0, 0, 1}, {0.6, 0, 0, 0.8}, {0, 0.8, 0, 0.6}};
    const std::vector<std::uint32_t> keys{0, 2, 6};
    for (unsigned i = 0; i < 3; ++i) {
      const auto interpolation = static_cast<Interpolation>(i);
      joints[7 * i] = trackOf(keys, std::vector<float>{0, 2, 0}, interpolation, ValueFormat::Float, 9);
      joints[7 * i + 1] = trackOf(keys, std::vector<float>{-1, 3, 1}, interpolation, ValueFormat::Small, 9);
      joints[7 * i + 3] = trackOf(keys, turns, interpolation, static_cast<ValueFormat>(i), 9);
      joints[7 * i + 6] = constantOf({2});
      scalars[i] = trackOf({0, 8}, std::vector<float>{0, 1}, interpolation, ValueFormat::Small, 9);
    }
    joints[4] = trackOf({0, 1, 2, 3, 4, 5, 6, 7, 8}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9},
                        Interpolation::Linear, ValueFormat::Float, 9);
    joints[2] = constantOf({0.5f});
    scalars[1] = constantOf({0.25f});
    joints[7 + 3] = constantOf({0, 0, 1, 0});
  }
  Bytes file() const { return *writeArticleClip(head, joints, scalars, packaging); }
};

/// A file as a game loads it.
struct Loaded {
  explicit Loaded(ByteView file) : memory(simmer_clip_memory(file.data(), file.size()) / sizeof(Block) + 1) {
    status = simmer_clip_load(file.data(), file.size(), memory.data(), memory.size() * sizeof(Block), &clip);
  }
  simmer_transform joint(double frame, std::uint32_t index) const {
    simmer_transform result;
    simmer_clip_sample_joint(clip, frame / simmer_clip_rate(clip), index, &result);
    return result;
  }
  float scalar(double frame, std::uint32_t index) const {
    return simmer_clip_sample_scalar(clip, frame / simmer_clip_rate(clip), index);
  }

  struct alignas(16) Block {
    unsigned char bytes[16];
  };
  std::vector<Block> memory;
  const simmer_clip* clip = nullptr;
  simmer_status status;
};

}  // namespace simmer::animation::test
