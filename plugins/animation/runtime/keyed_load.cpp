#include <cmath>
#include <cstring>
#include <new>

#include "plugins/animation/runtime/clip_loaders.h"
#include "plugins/animation/runtime/inflate.h"
#include "plugins/animation/runtime/little_endian.h"

namespace simmer::runtime {
namespace {

constexpr double kUnitTolerance = 1e-3;

/// The bytes of a body, whether packed or not.
class Body {
 public:
  explicit Body(const Header& h)
      : m_stored(h.packing == Packing::Stored),
        m_at(h.packed),
        m_left(h.bodyBytes),
        m_inflater(h.packed, h.packedBytes) {}

  bool read(void* out, std::size_t count) {
    if (count > m_left) return false;
    m_left -= count;
    if (!m_stored) return m_inflater.read(static_cast<std::uint8_t*>(out), count);
    if (count > 0) std::memcpy(out, m_at, count);
    m_at += count;
    return true;
  }
  template <class T>
  bool readValues(T* out, std::size_t count) {
    if (count > m_left / sizeof(T) || !read(out, count * sizeof(T))) return false;
    toNativeOrder(reinterpret_cast<std::uint8_t*>(out), count, sizeof(T));
    return true;
  }
  bool readNumber(std::uint32_t& value) {
    return readVarint(value, [this](std::uint8_t& byte) { return read(&byte, 1); });
  }
  bool atEnd() { return m_left == 0 && (m_stored || m_inflater.atEnd()); }

 private:
  bool m_stored;
  const std::uint8_t* m_at;
  std::size_t m_left;
  Inflater m_inflater;
};

bool isFinite(const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i])) return false;
  return true;
}

bool isUnit(const float* q) {
  double length = 0;
  for (unsigned i = 0; i < 4; ++i) length += static_cast<double>(q[i]) * q[i];
  return std::fabs(std::sqrt(length) - 1) <= kUnitTolerance;
}

class Loader {
 public:
  Loader(const Header& header, KeyedClip* clip) : m_header(header), m_clip(clip), m_body(header) {}

  bool load() {
    if (!readNames()) return false;
    return (m_header.codec == Codec::Raw ? readRaw() : readArticle()) && m_body.atEnd();
  }

 private:
  bool readNames() {
    auto* const nameAt = inClip<std::uint32_t>(m_clip, m_clip->at.nameAt);
    auto* const names = inClip<char>(m_clip, m_clip->at.names);
    std::uint32_t at = 0, left = m_header.nameBytes;
    for (std::uint32_t i = 0; i < m_header.scalars; ++i) {
      std::uint32_t length;
      if (!m_body.readNumber(length) || length > left || !m_body.read(names + at, length)) return false;
      if (length > 0 && std::memchr(names + at, 0, length) != nullptr) return false;
      nameAt[i] = at;
      names[at + length] = 0;
      at += length + 1;
      left -= length;
    }
    return left == 0;
  }

  bool readRaw() {
    const std::size_t joints = m_header.joints, frames = m_header.frames, scalars = m_header.scalars;
    auto* const steps = inClip<std::uint8_t>(m_clip, m_clip->at.steps);
    if (!m_body.read(steps, joints + scalars)) return false;
    for (std::size_t i = 0; i < joints + scalars; ++i)
      if (steps[i] > (i < joints ? 7 : 1)) return false;
    auto* const samples = inClip<float>(m_clip, m_clip->at.samples);
    for (std::size_t i = 0; i < joints * frames; ++i) {
      float* const sample = samples + 10 * i;
      if (!m_body.readValues(sample, 10) || !isFinite(sample, 10) || !isUnit(sample + 3)) return false;
    }
    auto* const values = inClip<float>(m_clip, m_clip->at.scalarSamples);
    return m_body.readValues(values, scalars * frames) && isFinite(values, scalars * frames);
  }

  bool readArticle() {
    return readJoints() && readScalars() && m_tracks == m_header.tracks && readKeys() && readRanges() && readValues();
  }

  bool readJoints() {
    auto* const base = inClip<simmer_transform>(m_clip, m_clip->at.base);
    auto* const first = inClip<std::uint32_t>(m_clip, m_clip->at.firstTrack);
    for (std::uint32_t joint = 0; joint < m_header.joints; ++joint) {
      base[joint] = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
      first[joint] = m_tracks;
      std::uint8_t packed[3];
      if (!m_body.read(packed, 3)) return false;
      const std::uint32_t kinds =
          packed[0] | static_cast<std::uint32_t>(packed[1]) << 8 | static_cast<std::uint32_t>(packed[2]) << 16;
      if (kinds >> 22 != 0) return false;
      float* const floats = base[joint].translation;
      for (unsigned i = 0; i < kSubTracks; ++i) {
        const bool rotation = i == kRotationSubTrack;
        const std::uint32_t kind = kinds >> kSubTrack[i].shift & ((1u << kSubTrack[i].bits) - 1);
        const std::uint32_t target = joint * 10 + kSubTrack[i].firstFloat;
        if (!readKind(kind, rotation, target, inClip<float>(m_clip, m_clip->at.base) + target)) return false;
        if (rotation && kind == kConstantKind && !isUnit(floats + 3)) return false;
      }
    }
    first[m_header.joints] = m_clip->jointTracks = m_tracks;
    return true;
  }

  bool readScalars() {
    auto* const base = inClip<float>(m_clip, m_clip->at.baseScalars);
    auto* const track = inClip<std::uint32_t>(m_clip, m_clip->at.scalarTrack);
    for (std::uint32_t i = 0; i < m_header.scalars; ++i) {
      std::uint8_t kind;
      if (!m_body.read(&kind, 1) || kind >= kScalarKinds) return false;
      base[i] = 0;
      track[i] = kind > kConstantKind ? m_tracks : kNoTrack;
      if (!readKind(kind, false, i, base + i)) return false;
    }
    return true;
  }

  bool readKind(std::uint32_t kind, bool rotation, std::uint32_t target, float* constant) {
    if (kind == kDefaultKind) return true;
    if (kind == kConstantKind) {
      const std::size_t count = rotation ? 4 : 1;
      return m_body.readValues(constant, count) && isFinite(constant, count);
    }
    if (kind >= (rotation ? kRotationKinds : kScalarKinds) || m_tracks == m_header.tracks) return false;
    Track track = {};
    track.target = target;
    track.interpolation = static_cast<Interpolation>((kind - 2) % 3);
    track.format = static_cast<ValueFormat>((kind - 2) / 3);
    track.rotation = rotation;
    new (trackAt(m_tracks++)) Track(track);
    return true;
  }

  Track* trackAt(std::uint32_t index) { return inClip<Track>(m_clip, m_clip->at.tracks) + index; }

  bool readKeys() {
    std::uint32_t stored = 0;
    for (std::uint32_t i = 0; i < m_tracks; ++i) {
      Track& track = *trackAt(i);
      if (!m_body.readNumber(track.count) || track.count == 0 || track.count > m_header.frames) return false;
      if (track.count == m_header.frames) continue;
      if (track.count > m_header.storedKeys - stored) return false;
      const std::uint32_t width = m_clip->at.keyWidth;
      track.keys = m_clip->at.keys + stored * width;
      stored += track.count;
      std::uint32_t frame = 0;
      for (std::uint32_t key = 0;; ++key) {
        putKey(track.keys + key * width, frame);
        if (key + 1 == track.count) break;
        std::uint32_t gap;
        if (!m_body.readNumber(gap) || gap >= m_header.frames - 1 - frame) return false;
        frame += gap + 1;
      }
    }
    return stored == m_header.storedKeys;
  }

  void putKey(std::uint32_t place, std::uint32_t frame) {
    switch (m_clip->at.keyWidth) {
      case 1:
        *inClip<std::uint8_t>(m_clip, place) = static_cast<std::uint8_t>(frame);
        break;
      case 2:
        *inClip<std::uint16_t>(m_clip, place) = static_cast<std::uint16_t>(frame);
        break;
      default:
        *inClip<std::uint32_t>(m_clip, place) = frame;
    }
  }

  bool readRanges() {
    for (std::uint32_t i = 0; i < m_tracks; ++i) {
      Track& track = *trackAt(i);
      if (track.rotation || track.format == ValueFormat::Float) continue;
      float range[2];
      if (!m_body.readValues(range, 2) || !isFinite(range, 2) || range[1] < 0) return false;
      track.low = range[0];
      track.range = range[1];
    }
    return true;
  }

  bool readValues() {
    std::uint64_t read = 0;
    std::uint32_t place = m_clip->at.values;
    for (std::uint32_t i = 0; i < m_tracks; ++i) {
      Track& track = *trackAt(i);
      const std::uint64_t bytes = std::uint64_t{valueBytes(track.rotation != 0, track.format)} * track.count;
      if (bytes > m_header.valueBytes - read) return false;
      read += bytes;
      track.values = place;
      place += static_cast<std::uint32_t>((bytes + 3) / 4 * 4);
      if (!readTrackValues(track)) return false;
    }
    return read == m_header.valueBytes;
  }

  bool readTrackValues(const Track& track) {
    const std::size_t count = track.count;
    if (track.format == ValueFormat::Float) {
      auto* const values = inClip<float>(m_clip, track.values);
      const std::size_t floats = track.rotation ? 4 * count : count;
      if (!m_body.readValues(values, floats) || !isFinite(values, floats)) return false;
      for (std::size_t i = 0; track.rotation && i < count; ++i)
        if (!isUnit(values + 4 * i)) return false;
      return true;
    }
    if (!track.rotation) return m_body.readValues(inClip<std::uint16_t>(m_clip, track.values), count);
    if (track.format == ValueFormat::Small)
      return m_body.readValues(inClip<std::uint32_t>(m_clip, track.values), count);
    return m_body.readValues(inClip<std::uint16_t>(m_clip, track.values), 3 * count);
  }

  const Header& m_header;
  KeyedClip* m_clip;
  Body m_body;
  std::uint32_t m_tracks = 0;
};

}  // namespace

bool loadKeyed(const Header& header, const Layout& layout, void* buffer) {
  auto* const clip = new (buffer) KeyedClip{};
  clip->rate = header.rate;
  clip->joints = header.joints;
  clip->frames = header.frames;
  clip->scalars = header.scalars;
  clip->codec = header.codec;
  clip->at = layout;
  std::memcpy(clip->digest, header.digest, kDigestBytes);
  return Loader(header, clip).load();
}

}  // namespace simmer::runtime
