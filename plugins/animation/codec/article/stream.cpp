#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <zlib.h>

#include "plugins/animation/codec/article/curve.h"
#include "plugins/animation/codec/article/pipeline.h"

namespace simmer::animation::article {
namespace {

constexpr double kLargestOther = std::numbers::sqrt2 / 2;  // a component that is not the largest is at most this
constexpr int kGzipWindowBits = 15 + 16;                   // the largest window, in a gzip wrapper
constexpr int kGzipMemoryLevel = 8;
constexpr std::size_t kGzipPartBytes = std::size_t{1} << 30;  // zlib counts with 32 bits

void putKeyCount(ByteWriter& out, std::uint32_t id, std::size_t count) {
  assert(id <= 0xFFFF && count <= 0xFFFF);
  out.put(static_cast<std::uint16_t>(id));
  out.put(static_cast<std::uint16_t>(count));
}

void putHeader(ByteWriter& out) {
  for (std::size_t i = 0; i < kHeaderBytes; ++i) out.put(std::uint8_t{0});
}

void put(ByteWriter& out, const ScalarPlan& track, bool quantised) {
  putKeyCount(out, track.id, track.keys.size());
  if (track.constant) {
    // The article counts two bytes for a quantised constant and writes no value.
    if (quantised) out.put(std::uint16_t{0});
    if (!quantised) out.put(static_cast<float>(track.values.front()));
    return;
  }
  if (quantised) {
    out.put(static_cast<float>(track.low));
    out.put(static_cast<float>(track.range));
  }
  for (std::size_t i = 0; i < track.keys.size(); ++i) {
    out.put(static_cast<std::uint16_t>(track.keys[i]));
    if (quantised) out.put(track.quantised[i]);
    if (!quantised) out.put(static_cast<float>(track.values[i]));
  }
}

void put(ByteWriter& out, const RotationPlan& track, bool quantised) {
  putKeyCount(out, track.joint, track.keys.size());
  for (std::size_t i = 0; i < track.keys.size(); ++i) {
    if (!track.constant) out.put(static_cast<std::uint16_t>(track.keys[i]));
    if (quantised) {
      out.put(track.packed[i]);
    } else {
      for (const double component : track.values[i]) out.put(static_cast<float>(component));
    }
  }
}

}  // namespace

Bytes encodeTrack(const ScalarPlan& track, bool quantised) {
  ByteWriter out;
  put(out, track, quantised);
  return out.take();
}

Bytes encodeTrack(const RotationPlan& track, bool quantised) {
  ByteWriter out;
  put(out, track, quantised);
  return out.take();
}

Bytes encodeTracks(const Plan& plan) {
  ByteWriter out;
  putHeader(out);
  for (const ScalarPlan& track : plan.scalars) put(out, track, plan.stages.quantise);
  for (const RotationPlan& track : plan.rotations) put(out, track, plan.stages.quantise);
  return out.take();
}

Bytes encodeRaw(const DoubleClip& clip) {
  ByteWriter out;
  putHeader(out);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      for (std::size_t axis = 0; axis < 3; ++axis) out.put(static_cast<float>(clip.translation(joint, axis)[frame]));
      for (const double component : clip.rotation(joint)[frame]) out.put(static_cast<float>(component));
      for (std::size_t axis = 0; axis < 3; ++axis) out.put(static_cast<float>(clip.scale(joint, axis)[frame]));
    }
  return out.take();
}

std::uint32_t packRotation(const Quaternion& rotation) {
  const Quaternion q = exactlyNormalised(rotation);
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  const double sign = q[largest] < 0 ? -1 : 1;
  auto packed = static_cast<std::uint32_t>(largest);
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double unit = std::clamp((q[i] * sign + kLargestOther) / (2 * kLargestOther), 0.0, 1.0);
    packed = packed << 10 | static_cast<std::uint32_t>(roundHalfUp(unit * 1023));
  }
  return packed;
}

Quaternion unpackRotation(std::uint32_t packed) {
  const std::size_t largest = packed >> 30;
  Quaternion q{};
  double sum = 0;
  unsigned shift = 30;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    shift -= 10;
    q[i] = (packed >> shift & 1023) / 1023.0 * 2 * kLargestOther - kLargestOther;
    sum += q[i] * q[i];
  }
  q[largest] = std::sqrt(std::max(0.0, 1 - sum));
  return q;
}

std::size_t gzipSize(ByteView bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, kGzipWindowBits, kGzipMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::array<std::uint8_t, 16384> out;
  int state = Z_OK;
  do {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const ByteView part = bytes.first(std::min(bytes.size(), kGzipPartBytes));
      stream.next_in = const_cast<std::uint8_t*>(part.data());  // zlib does not write there
      stream.avail_in = static_cast<uInt>(part.size());
      bytes = bytes.subspan(part.size());
    }
    stream.next_out = out.data();
    stream.avail_out = out.size();
    state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
  } while (state != Z_STREAM_END);
  const std::size_t size = stream.total_out;
  deflateEnd(&stream);
  return size;
}

}  // namespace simmer::animation::article
