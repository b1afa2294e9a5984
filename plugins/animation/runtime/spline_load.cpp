#include <cmath>
#include <cstring>
#include <new>

#include "plugins/animation/runtime/clip_loaders.h"
#include "plugins/animation/runtime/spline_constants.h"
#include "plugins/animation/runtime/spline_order.h"
#include "plugins/animation/runtime/spline_tracks.h"

namespace simmer::runtime {
namespace {

constexpr double kUnitTolerance = 1e-3;

/// Reads the kinds of all parts, with visit(part, index, kind) for each; false for a kind that can not be, or where
/// visit() gives false.
template <class Visit>
bool readKinds(RangeDecoder& coder, const Header& header, Visit visit) {
  KindModel model;
  const auto readOne = [&](Part part, std::uint32_t index) {
    const auto kind = static_cast<PartKind>(model.code(coder, part));
    if (kind == PartKind::Quaternion && part != Part::Rotation) return false;
    if (header.frames == 1 && kind > PartKind::Constant) return false;
    return visit(part, index, kind);
  };
  for (std::uint32_t joint = 0; joint < header.joints; ++joint)
    for (unsigned part = 0; part < kParts; ++part)
      if (!readOne(static_cast<Part>(part), joint)) return false;
  for (std::uint32_t scalar = 0; scalar < header.scalars; ++scalar)
    if (!readOne(Part::Scalar, scalar)) return false;
  return true;
}

TrackSet setOf(Part part, PartKind kind) {
  if (part == Part::Rotation) return kind == PartKind::Quaternion ? TrackSet::Quaternion : TrackSet::Spline;
  return part == Part::Translation ? TrackSet::Translation : part == Part::Scale ? TrackSet::Scale : TrackSet::Scalar;
}

std::uint32_t bitBytes(std::uint32_t count) {
  return (count + 31) / 32 * 4;
}

class Loader {
 public:
  Loader(const Header& header, const simmer_skeleton* rest, void* buffer)
      : m_header(header),
        m_rest(rest),
        m_coder(header.packed, header.packedBytes),
        m_bytes(static_cast<std::uint8_t*>(buffer)) {}

  bool load() {
    m_globals.code(m_coder);
    if (m_globals.meanBits < 2 || m_globals.constantBits < 2 || m_globals.constantBits > kMostConstantBits)
      return false;
    RangeDecoder kinds = m_coder;
    if (!countKinds() || !readConstants() || !place()) return false;
    start();
    return readNames() && placeKinds(kinds) && readTracks() && m_coder.isComplete();
  }

 private:
  bool countKinds();
  bool readConstants();
  bool readRotations();
  bool readVectors(Part part);
  bool readScalars();
  bool place();
  void start();
  bool readNames();
  bool placeKinds(RangeDecoder& coder);
  bool placeRest(Part part, std::uint32_t joint, std::uint8_t*& out);
  bool readTracks();
  /// Where the values of constants are to stand, as far as it is decided; the room behind is at least 0.
  std::uint8_t* valuesOf(Part part, std::uint64_t& room);
  /// The skeleton's value where it takes memory; null elsewhere.
  const float* restOf(Part part, std::uint32_t joint, simmer_transform& rest) const;
  void setBit(std::uint32_t place, std::uint32_t index) {
    std::uint8_t& byte = m_bytes[place + index / 8];
    byte = static_cast<std::uint8_t>(byte | 1u << index % 8);
  }

  const Header& m_header;
  const simmer_skeleton* m_rest;
  RangeDecoder m_coder;
  std::uint8_t* m_bytes;
  SplineClip* m_clip = nullptr;
  SplineGlobals m_globals;
  SplineShape m_shape;
  SplinePlaces m_places;
};

const float* Loader::restOf(Part part, std::uint32_t joint, simmer_transform& rest) const {
  if (m_rest == nullptr || part == Part::Scalar) return nullptr;
  simmer_skeleton_rest(m_rest, joint, &rest);
  const float* const values = part == Part::Rotation      ? rest.rotation
                              : part == Part::Translation ? rest.translation
                                                          : rest.scale;
  return isPlainDefault(part, values) ? nullptr : values;
}

bool Loader::countKinds() {
  m_shape.joints = m_header.joints;
  m_shape.frames = m_header.frames;
  m_shape.scalars = m_header.scalars;
  m_shape.nameBytes = m_header.nameBytes;
  m_shape.digest = m_header.digest != nullptr;
  m_shape.wide[0] = m_globals.constantBits > kPackedConstantBits;
  return readKinds(m_coder, m_header, [this](Part part, std::uint32_t index, PartKind kind) {
    simmer_transform rest;
    if (kind == PartKind::Constant) {
      ++m_shape.constants[static_cast<unsigned>(part)];
    } else if (kind != PartKind::Default) {
      ++m_shape.tracks[static_cast<unsigned>(setOf(part, kind))];
    } else if (restOf(part, index, rest) != nullptr) {
      ++m_shape.rests[static_cast<unsigned>(part)];
    }
    return true;
  });
}

// Places of what stands in front of the constants of a part do not depend on what is not read yet.
std::uint8_t* Loader::valuesOf(Part part, std::uint64_t& room) {
  std::uint64_t bytes = 0;
  SplinePlaces places;
  if (!layOutSpline(m_shape, true, places, bytes)) return nullptr;
  const bool scalar = part == Part::Scalar;
  const std::uint64_t at = std::uint64_t{scalar ? places.scalars : places.constants[static_cast<unsigned>(part)]} +
                           bitBytes(scalar ? m_shape.scalars : m_shape.joints);
  if (at > m_header.memoryBytes) return nullptr;
  room = m_header.memoryBytes - at;
  return m_bytes + at;
}

bool Loader::readConstants() {
  return readRotations() && readVectors(Part::Translation) && readVectors(Part::Scale) && readScalars();
}

bool Loader::readRotations() {
  const std::uint32_t count = m_shape.constants[static_cast<unsigned>(Part::Rotation)];
  if (count == 0) return true;
  std::uint64_t room = 0;
  std::uint8_t* out = valuesOf(Part::Rotation, room);
  const std::uint32_t bytes = constantBytes(Part::Rotation, m_shape.wide[0]);
  if (out == nullptr || std::uint64_t{count} * bytes > room) return false;
  for (std::uint32_t i = 0; i < count; ++i, out += bytes) {
    double q[4];
    if (!readRotation(m_coder, m_globals.constantBits, q)) return false;
    if (!m_shape.wide[0]) {
      packRotation(q, out);
    } else {
      for (unsigned c = 0; c < 4; ++c) writeF32(out + 4 * c, static_cast<float>(q[c]));
    }
  }
  return true;
}

bool Loader::readVectors(Part part) {
  const auto index = static_cast<unsigned>(part);
  if (m_shape.constants[index] == 0) return true;
  std::uint64_t room = 0;
  std::uint8_t* const out = valuesOf(part, room);
  if (out == nullptr) return false;
  ConstantReader reader(out, room);
  if (!reader.read(m_coder, m_shape.constants[index])) return false;
  m_shape.wide[index] = reader.isWide();
  const bool scale = part == Part::Scale;
  reader.scale(m_shape.constants[index], scale ? 1.0f : 0.0f,
               stepOf(scale ? m_globals.scaleExponent : m_globals.translationExponent));
  return true;
}

bool Loader::readScalars() {
  const std::uint32_t count = m_shape.constants[static_cast<unsigned>(Part::Scalar)];
  if (count == 0) return true;
  std::uint64_t room = 0;
  std::uint8_t* out = valuesOf(Part::Scalar, room);
  if (out == nullptr || std::uint64_t{count} * 4 > room) return false;
  for (std::uint32_t i = 0; i < count; ++i, out += 4) {
    writeU32(out, m_coder.even(32));
    if (!std::isfinite(readF32(out))) return false;
  }
  return true;
}

bool Loader::place() {
  std::uint64_t bytes = 0;
  return layOutSpline(m_shape, isLarge(m_header.memoryBytes), m_places, bytes) && bytes <= m_header.memoryBytes;
}

void Loader::start() {
  m_clip = new (m_bytes) SplineClip{};
  m_clip->rate = m_header.rate;
  m_clip->joints = m_header.joints;
  m_clip->frames = m_header.frames;
  m_clip->scalars = m_header.scalars;
  m_clip->codec = Codec::Spline;
  m_clip->unit = static_cast<std::uint8_t>(bestUnit());
  const SplineWidths widths = splineWidths(m_shape, isLarge(m_header.memoryBytes));
  m_clip->indexBytes = static_cast<std::uint8_t>(widths.index);
  m_clip->offsetBytes = static_cast<std::uint8_t>(widths.offset);
  m_clip->hasDigest = m_shape.digest;
  for (unsigned part = 0; part < kParts; ++part)
    m_clip->wide = static_cast<std::uint8_t>(m_clip->wide | (m_shape.wide[part] ? 1u << part : 0u));
  m_clip->steps[0] = stepOf(m_globals.translationExponent);
  m_clip->steps[1] = stepOf(m_globals.scaleExponent);
  for (unsigned set = 0; set < kTrackSets; ++set) m_clip->counts[set] = m_shape.tracks[set];
  m_clip->at = m_places;
  if (m_shape.digest) std::memcpy(m_bytes + sizeof(SplineClip), m_header.digest, kDigestBytes);
}

bool Loader::readNames() {
  const std::uint8_t* from = m_header.names;
  const auto next = [&](std::uint8_t& byte) { return byte = *from++, true; };  // the header has been checked
  auto* const table = inClip<std::uint32_t>(m_clip, nameTableOf(m_clip));
  auto* const names = inClip<char>(m_clip, nameTableOf(m_clip) + 4 * m_header.scalars);
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < m_header.scalars; ++i) {
    std::uint32_t length;
    if (!readVarint(length, next)) return false;
    if (length > 0 && std::memchr(from, 0, length) != nullptr) return false;
    table[i] = at;
    if (length > 0) std::memcpy(names + at, from, length);
    from += length;
    names[at + length] = 0;
    at += length + 1;
  }
  return true;
}

// The second time that the kinds are read: now their places are known.
bool Loader::placeKinds(RangeDecoder& coder) {
  std::uint8_t* rests[kParts];
  for (unsigned part = 0; part < kParts; ++part) {
    const std::uint32_t bytes = bitBytes(m_header.joints);
    if (m_places.constants[part] != 0) std::memset(m_bytes + m_places.constants[part], 0, bytes);
    if (m_places.rests[part] != 0) std::memset(m_bytes + m_places.rests[part], 0, bytes);
    rests[part] = m_bytes + m_places.rests[part] + bytes;
  }
  if (m_places.scalars != 0) std::memset(m_bytes + m_places.scalars, 0, bitBytes(m_header.scalars));
  std::uint32_t numbers[kTrackSets] = {0, 0, 0, 0, 0};
  return readKinds(coder, m_header, [&](Part part, std::uint32_t index, PartKind kind) {
    const auto number = static_cast<unsigned>(part);
    if (kind == PartKind::Default) return part == Part::Scalar || placeRest(part, index, rests[number]);
    if (kind == PartKind::Constant) {
      setBit(part == Part::Scalar ? m_places.scalars : m_places.constants[number], index);
      return true;
    }
    const TrackSet set = setOf(part, kind);
    writeIndex(TrackSlot(m_clip, set, numbers[static_cast<unsigned>(set)]++).target, index, m_clip->indexBytes);
    return true;
  });
}

bool Loader::placeRest(Part part, std::uint32_t joint, std::uint8_t*& out) {
  simmer_transform rest;
  const float* const values = restOf(part, joint, rest);
  if (values == nullptr) return true;
  double square = 0;
  const unsigned components = part == Part::Rotation ? 4 : 3;
  for (unsigned c = 0; c < components; ++c, out += 4) {
    square += static_cast<double>(values[c]) * values[c];
    writeF32(out, values[c]);
  }
  setBit(m_places.rests[static_cast<unsigned>(part)], joint);
  return part != Part::Rotation || std::fabs(square - 1) <= kUnitTolerance;
}

bool Loader::readTracks() {
  TrackReader reader(m_coder, m_clip, m_globals, m_header.memoryBytes - kPointPadding);
  for (unsigned set = 0; set < kTrackSets; ++set)
    if (!reader.readSet(static_cast<TrackSet>(set))) return false;
  std::memset(m_bytes + m_header.memoryBytes - kPointPadding, 0, kPointPadding);
  TrackOrder(m_clip).order();
  return reader.isFull();
}

}  // namespace

bool loadSpline(const Header& header, const simmer_skeleton* rest, void* buffer) {
  return Loader(header, rest, buffer).load();
}

}  // namespace simmer::runtime
