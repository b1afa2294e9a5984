#include <cfloat>
#include <cmath>
#include <cstring>

#include "plugins/animation/runtime/clip_samplers.h"

namespace simmer::runtime {
namespace {

// Everything is computed in double and rounded to float once, so that the results are the same on every machine and a
// cooked clip can be proven to stay within its bound.
float toFloat(double value) {
  return static_cast<float>(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
}

/// The keys around a moment: `index` is the last at or before it.
struct Place {
  std::uint32_t index;
  double fraction;  ///< of the way to the next key; 0 at a key and behind the last
};

/// Frames of a track's keys.
class KeyFrames {
 public:
  KeyFrames(const KeyedClip* clip, const Track& track)
      : m_keys(track.keys == 0 ? nullptr : inClip<std::uint8_t>(clip, track.keys)), m_width(clip->at.keyWidth) {}

  std::uint32_t operator[](std::uint32_t key) const {
    if (m_keys == nullptr) return key;
    if (m_width == 1) return m_keys[key];
    return m_width == 2 ? reinterpret_cast<const std::uint16_t*>(m_keys)[key]
                        : reinterpret_cast<const std::uint32_t*>(m_keys)[key];
  }

  Place find(const Moment& moment, std::uint32_t count) const {
    std::uint32_t index = moment.frame;  // where every frame is a key
    if (m_keys != nullptr) {
      index = m_width == 1   ? search(m_keys, count, moment.frame)
              : m_width == 2 ? search(reinterpret_cast<const std::uint16_t*>(m_keys), count, moment.frame)
                             : search(reinterpret_cast<const std::uint32_t*>(m_keys), count, moment.frame);
    }
    if (index + 1 >= count) return {count - 1, 0};
    const std::uint32_t start = (*this)[index];
    const double into = (moment.frame - start) + moment.fraction;
    return {index, into / ((*this)[index + 1] - start)};
  }

 private:
  // The last key at or before the frame; the first key is frame 0.
  template <class T>
  static std::uint32_t search(const T* keys, std::uint32_t count, std::uint32_t frame) {
    std::uint32_t base = 0;
    while (count > 1) {
      const std::uint32_t half = count / 2;
      base = keys[base + half] <= frame ? base + half : base;
      count -= half;
    }
    return base;
  }

  const std::uint8_t* m_keys;
  std::uint32_t m_width;
};

double scalarValue(const KeyedClip* clip, const Track& track, std::uint32_t key) {
  if (track.format == ValueFormat::Float) return inClip<float>(clip, track.values)[key];
  const double part = inClip<std::uint16_t>(clip, track.values)[key] / 65535.0;
  return track.low + part * track.range;
}

void smallestThree(unsigned largest, const unsigned (&parts)[3], double steps, double* q) {
  double squares = 0;
  for (unsigned i = 0, part = 0; i < 4; ++i) {
    if (i == largest) continue;
    q[i] = parts[part++] / steps * (2 * kHalfSqrt) - kHalfSqrt;
    squares += q[i] * q[i];
  }
  q[largest] = std::sqrt(squares < 1 ? 1 - squares : 0);
}

void rotationValue(const KeyedClip* clip, const Track& track, std::uint32_t key, double* q) {
  if (track.format == ValueFormat::Float) {
    const float* const values = inClip<float>(clip, track.values) + std::size_t{4} * key;
    for (unsigned i = 0; i < 4; ++i) q[i] = values[i];
  } else if (track.format == ValueFormat::Small) {
    const std::uint32_t word = inClip<std::uint32_t>(clip, track.values)[key];
    smallestThree(word >> 30, {word >> 20 & 1023u, word >> 10 & 1023u, word & 1023u}, 1023, q);
  } else {
    const std::uint16_t* const words = inClip<std::uint16_t>(clip, track.values) + std::size_t{3} * key;
    const unsigned largest = words[0] >> 15 | (words[1] >> 15) << 1;
    smallestThree(largest, {words[0] & 0x7FFFu, words[1] & 0x7FFFu, words[2] & 0x7FFFu}, 32767, q);
  }
}

void align(const double* to, double* q) {
  if (to[0] * q[0] + to[1] * q[1] + to[2] * q[2] + to[3] * q[3] >= 0) return;
  for (unsigned i = 0; i < 4; ++i) q[i] = -q[i];
}

void writeRotation(const double* q, float* out) {
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) {
    std::memcpy(out, kIdentity.rotation, sizeof kIdentity.rotation);
    return;
  }
  for (unsigned i = 0; i < 4; ++i) out[i] = static_cast<float>(q[i] / length);
}

/// The four weights of a span in Hermite form with non-uniform Catmull-Rom tangents, for the key before the span, the
/// span's two and the one behind it. At the ends of a track the tangent is the span's own slope.
struct CubicWeights {
  double before, from, to, after;
};

CubicWeights cubicWeights(const KeyFrames& keys, std::uint32_t index, std::uint32_t count, double u) {
  const double u2 = u * u, u3 = u2 * u;
  const double h10 = u3 - 2 * u2 + u, h01 = -2 * u3 + 3 * u2, h11 = u3 - u2;
  CubicWeights weights = {0, 2 * u3 - 3 * u2 + 1, h01, 0};
  const std::uint32_t t0 = keys[index], t1 = keys[index + 1];
  const double span = t1 - t0;
  if (index == 0) {
    weights.from -= h10;
    weights.to += h10;
  } else {
    const double slope = h10 * (span / (t1 - keys[index - 1]));
    weights.before -= slope;
    weights.to += slope;
  }
  if (index + 2 == count) {
    weights.from -= h11;
    weights.to += h11;
  } else {
    const double slope = h11 * (span / (keys[index + 2] - t0));
    weights.from -= slope;
    weights.after += slope;
  }
  return weights;
}

double sampleScalar(const KeyedClip* clip, const Track& track, const Moment& moment) {
  const KeyFrames keys(clip, track);
  const Place place = keys.find(moment, track.count);
  const double from = scalarValue(clip, track, place.index);
  if (place.fraction == 0 || track.interpolation == Interpolation::Step) return from;
  const double to = scalarValue(clip, track, place.index + 1);
  if (track.interpolation == Interpolation::Linear) return from + (to - from) * place.fraction;
  const CubicWeights weights = cubicWeights(keys, place.index, track.count, place.fraction);
  double value = weights.from * from + weights.to * to;
  if (place.index > 0) value += weights.before * scalarValue(clip, track, place.index - 1);
  if (place.index + 2 < track.count) value += weights.after * scalarValue(clip, track, place.index + 2);
  return value;
}

void sampleRotation(const KeyedClip* clip, const Track& track, const Moment& moment, float* out) {
  const KeyFrames keys(clip, track);
  const Place place = keys.find(moment, track.count);
  double from[4], to[4], q[4];
  rotationValue(clip, track, place.index, from);
  if (place.fraction == 0 || track.interpolation == Interpolation::Step) return writeRotation(from, out);
  rotationValue(clip, track, place.index + 1, to);
  align(from, to);
  if (track.interpolation == Interpolation::Linear) {
    for (unsigned i = 0; i < 4; ++i) q[i] = from[i] + (to[i] - from[i]) * place.fraction;
    return writeRotation(q, out);
  }
  const CubicWeights weights = cubicWeights(keys, place.index, track.count, place.fraction);
  for (unsigned i = 0; i < 4; ++i) q[i] = weights.from * from[i] + weights.to * to[i];
  double outer[4];
  if (place.index > 0) {
    rotationValue(clip, track, place.index - 1, outer);
    align(from, outer);
    for (unsigned i = 0; i < 4; ++i) q[i] += weights.before * outer[i];
  }
  if (place.index + 2 < track.count) {
    rotationValue(clip, track, place.index + 2, outer);
    align(to, outer);
    for (unsigned i = 0; i < 4; ++i) q[i] += weights.after * outer[i];
  }
  writeRotation(q, out);
}

void sampleTrack(const KeyedClip* clip, const Track& track, const Moment& moment, float* out) {
  if (track.rotation) {
    sampleRotation(clip, track, moment, out);
  } else {
    *out = toFloat(sampleScalar(clip, track, moment));
  }
}

double mix(float from, float to, double fraction) {
  return from + (static_cast<double>(to) - from) * fraction;
}

// As the reference interpolates between its frames.
void sampleRaw(const KeyedClip* clip, const Moment& moment, std::uint32_t joint, simmer_transform& out) {
  const auto* const samples = inClip<simmer_transform>(clip, clip->at.samples);
  const simmer_transform& a = samples[std::size_t{moment.frame} * clip->joints + joint];
  out = a;
  if (moment.fraction == 0) return;
  const simmer_transform& b = samples[(std::size_t{moment.frame} + 1) * clip->joints + joint];
  const std::uint8_t steps = inClip<std::uint8_t>(clip, clip->at.steps)[joint];
  for (unsigned i = 0; i < 3; ++i) {
    if ((steps & 1) == 0) out.translation[i] = toFloat(mix(a.translation[i], b.translation[i], moment.fraction));
    if ((steps & 4) == 0) out.scale[i] = toFloat(mix(a.scale[i], b.scale[i], moment.fraction));
  }
  if ((steps & 2) != 0) return;
  double cosine = 0, q[4];
  for (unsigned i = 0; i < 4; ++i) cosine += static_cast<double>(a.rotation[i]) * b.rotation[i];
  for (unsigned i = 0; i < 4; ++i)
    q[i] = mix(a.rotation[i], cosine < 0 ? -b.rotation[i] : b.rotation[i], moment.fraction);
  writeRotation(q, out.rotation);
}

}  // namespace

void sampleKeyedPose(const KeyedClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints) {
  for (std::uint32_t joint = 0; joint < clip->joints; ++joint)
    if (isInMask(mask, joint)) sampleKeyedJoint(clip, moment, joint, joints[joint]);
}

void sampleKeyedJoint(const KeyedClip* clip, const Moment& moment, std::uint32_t joint, simmer_transform& out) {
  if (clip->codec == Codec::Raw) return sampleRaw(clip, moment, joint, out);
  out = inClip<simmer_transform>(clip, clip->at.base)[joint];
  const Track* const tracks = inClip<Track>(clip, clip->at.tracks);
  const std::uint32_t* const first = inClip<std::uint32_t>(clip, clip->at.firstTrack);
  float* const floats = reinterpret_cast<float*>(&out);
  for (std::uint32_t i = first[joint]; i < first[joint + 1]; ++i)
    sampleTrack(clip, tracks[i], moment, floats + (tracks[i].target - joint * 10));
}

float sampleKeyedScalar(const KeyedClip* clip, const Moment& moment, std::uint32_t index) {
  if (clip->codec == Codec::Raw) {
    const float* const values =
        inClip<float>(clip, clip->at.scalarSamples) + std::size_t{index} * clip->frames + moment.frame;
    const bool steps = inClip<std::uint8_t>(clip, clip->at.steps)[clip->joints + index] != 0;
    return moment.fraction == 0 || steps ? values[0] : toFloat(mix(values[0], values[1], moment.fraction));
  }
  const std::uint32_t track = inClip<std::uint32_t>(clip, clip->at.scalarTrack)[index];
  if (track == kNoTrack) return inClip<float>(clip, clip->at.baseScalars)[index];
  return toFloat(sampleScalar(clip, inClip<Track>(clip, clip->at.tracks)[track], moment));
}

}  // namespace simmer::runtime
