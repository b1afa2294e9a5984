#include "tests/plugins/animation/runtime/spline_files.h"

#include <cmath>
#include <cstring>
#include <memory>

#include "plugins/animation/codec/spline/range_encoder.h"

namespace simmer::animation::test {
namespace {

using namespace runtime;

bool isTree(KnotKind kind) {
  return kind == KnotKind::TreeCubic || kind == KnotKind::TreeLinear;
}

/// Writes a stream from the tables of FORMAT.md.
class StreamWriter {
 public:
  explicit StreamWriter(const SplineClipSpec& spec) : m_spec(spec) {}

  Bytes write(SplineShape& shape) {
    m_shape = &shape;
    SplineGlobals globals = m_spec.globals;
    globals.code(m_coder);
    shape.wide[0] = globals.constantBits > kPackedConstantBits;
    writeKinds();
    writeConstants();
    for (unsigned set = 0; set <= static_cast<unsigned>(TrackSet::Scale); ++set)
      for (const auto& joint : m_spec.joints) {
        const SplinePart& part = joint[static_cast<unsigned>(partOf(static_cast<TrackSet>(set)))];
        const bool quaternion = static_cast<TrackSet>(set) == TrackSet::Quaternion;
        if (part.kind == (quaternion ? PartKind::Quaternion : PartKind::Spline))
          writeTrack(part.track, static_cast<TrackSet>(set));
      }
    for (const SplinePart& scalar : m_spec.scalars)
      if (scalar.kind == PartKind::Spline) writeTrack(scalar.track, TrackSet::Scalar);
    return m_coder.finish();
  }

 private:
  void writeKinds() {
    KindModel kinds;
    for (const auto& joint : m_spec.joints)
      for (unsigned part = 0; part < kParts; ++part)
        kinds.code(m_coder, static_cast<Part>(part), static_cast<std::uint32_t>(joint[part].kind));
    for (const SplinePart& scalar : m_spec.scalars)
      kinds.code(m_coder, Part::Scalar, static_cast<std::uint32_t>(scalar.kind));
  }

  void writeConstants() {
    for (const auto& joint : m_spec.joints)
      if (joint[0].kind == PartKind::Constant) {
        SmallestThree rotation = joint[0].rotation;
        rotation.code(m_coder, m_spec.globals.constantBits);
        ++m_shape->constants[0];
      }
    for (const unsigned part : {1u, 2u}) writeVectors(part);
    for (const SplinePart& scalar : m_spec.scalars)
      if (scalar.kind == PartKind::Constant) {
        std::uint32_t bits;
        std::memcpy(&bits, &scalar.number, 4);
        m_coder.even(32, bits);
        ++m_shape->constants[3];
      }
  }

  void writeVectors(unsigned part) {
    ConstantModel model;
    for (const auto& joint : m_spec.joints) {
      if (joint[part].kind != PartKind::Constant) continue;
      const auto& vector = joint[part].vector;
      for (const std::int32_t integer : vector)
        if (isConstantWide(integer)) m_shape->wide[part] = true;
      if (model.codeDistance(m_coder, joint[part].copyOf) == 0) {
        for (unsigned c = 0; c < 3; ++c) model.components[c].code(m_coder, vector[c]);
      } else {
        for (unsigned c = 0; c < 3; ++c)
          if (vector[c] != 0)
            m_coder.bit(model.turned[c], vector[c] < 0);  // those copied are above zero in these tests
      }
      ++m_shape->constants[part];
    }
  }

  void writeTrack(const SplineTrack& track, TrackSet set) {
    const Part part = partOf(set);
    const auto number = static_cast<unsigned>(part);
    const unsigned components = componentsOf(set);
    if (track.kind != KnotKind::Previous) m_knots[number] = &track;
    TrackHead head;
    head.knots = track.kind;
    head.spacing = track.spacing;
    head.shift = track.shift;
    head.exponent = track.exponent;
    std::copy(track.widths.begin(), track.widths.end(), head.widths);
    std::copy(track.orders.begin(), track.orders.end(), head.orders);
    m_heads->codeKnots(m_coder, part, head);
    if (isTree(track.kind)) {
      const std::uint32_t cells = m_spec.cells(track);
      for (std::uint32_t block = 0; block < cells; block += 32) writeNode(track, cells, block, 32, 0);
    } else if (track.kind == KnotKind::Hold) {
      for (std::uint32_t frame = 1; frame < m_spec.frames; ++frame)
        m_coder.bit(m_heads->held[frame > 1 && track.knots[frame - 1] ? 1 : 0], track.knots[frame]);
    }
    m_heads->codeStep(m_coder, part, components, head);
    SmallestThree mean = track.mean;
    if (set == TrackSet::Spline) mean.code(m_coder, m_spec.globals.meanBits);
    for (unsigned c = 0; part != Part::Rotation && c < components; ++c) m_biases[number].code(m_coder, track.biases[c]);
    count(track, set, head);
    if (m_knots[number] == nullptr) return;  // a lie of the test
    const KnotKind kind = m_knots[number]->kind;
    const bool cubic = kind == KnotKind::UniformCubic || kind == KnotKind::TreeCubic;
    ResidualModel& residuals = m_residuals[cubic ? 0 : kind == KnotKind::Hold ? 2 : 1];
    if (components == 4) return writePoints<4>(residuals, track, head);
    if (components == 3) return writePoints<3>(residuals, track, head);
    writePoints<1>(residuals, track, head);
  }

  template <unsigned Components>
  void writePoints(ResidualModel& residuals, const SplineTrack& track, const TrackHead& head) {
    PointCoder<Components> points(residuals, head);
    for (std::size_t i = 0; i < track.points.size(); ++i) {
      std::uint32_t fields[Components];
      std::copy_n(track.points[i].begin(), Components, fields);
      if (i == 0) {
        points.codeFirst(m_coder, fields);
      } else {
        points.codeNext(m_coder, fields);
      }
    }
  }

  void writeNode(const SplineTrack& track, std::uint32_t cells, std::uint32_t low, std::uint32_t size, unsigned depth) {
    if (size == 1) return;
    const std::uint32_t middle = low + size / 2;
    if (middle >= cells) return writeNode(track, cells, low, size / 2, depth + 1);
    m_coder.bit(m_heads->split[depth][0], track.knots[middle]);
    if (!track.knots[middle]) return;
    writeNode(track, cells, low, size / 2, depth + 1);
    writeNode(track, cells, middle, size / 2, depth + 1);
  }

  void count(const SplineTrack& track, TrackSet set, const TrackHead& head) {
    std::uint32_t bits = 0;
    for (unsigned c = 0; c < componentsOf(set); ++c) bits += head.widths[c];
    ++m_shape->tracks[static_cast<unsigned>(set)];
    m_shape->pointBytes += pointBytesOf(track.points.size(), bits);
    if (track.kind == KnotKind::Previous) return;
    ++m_shape->knotVectors;
    m_shape->maskWords += maskWordsOf(track.kind, track.shift, m_spec.frames);
  }

  const SplineClipSpec& m_spec;
  SplineShape* m_shape = nullptr;
  spline::RangeEncoder m_coder;
  std::unique_ptr<HeadModel> m_heads = std::make_unique<HeadModel>();
  ResidualModel m_residuals[3];
  SignedModel m_biases[4];
  const SplineTrack* m_knots[4] = {};
};

void putVarint(ByteWriter& out, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) out.put(static_cast<std::uint8_t>(value | 0x80));
  out.put(static_cast<std::uint8_t>(value));
}

void countRests(const SplineClipSpec& spec, SplineShape& shape) {
  for (std::size_t joint = 0; joint < spec.joints.size(); ++joint) {
    const Transform& rest = spec.rest->rest[joint];
    const float* const values[] = {rest.rotation.data(), rest.translation.data(), rest.scale.data()};
    for (unsigned part = 0; part < kParts; ++part)
      if (spec.joints[joint][part].kind == PartKind::Default && !isPlainDefault(static_cast<Part>(part), values[part]))
        ++shape.rests[part];
  }
}

}  // namespace

std::uint32_t SplineClipSpec::cells(const SplineTrack& track) const {
  if (track.kind == KnotKind::Hold) return frames;
  const std::uint32_t size = 1u << track.shift;
  return (2 * (frames - 1) + size - 1) / size;
}

std::uint32_t SplineClipSpec::points(const SplineTrack& track) const {
  const std::uint32_t last = 2 * (frames - 1), spans = std::max(1u, (last + track.spacing - 1) / track.spacing);
  const auto knots = static_cast<std::uint32_t>(std::count(track.knots.begin(), track.knots.end(), true));
  switch (track.kind) {
    case KnotKind::UniformCubic:
      return spans + 3;
    case KnotKind::UniformLinear:
      return spans + 1;
    case KnotKind::TreeCubic:
      return knots + 3;
    case KnotKind::TreeLinear:
      return knots + 1;
    default:
      return knots;
  }
}

Bytes writeSplineSpec(const SplineClipSpec& spec) {
  SplineShape shape;
  shape.joints = static_cast<std::uint32_t>(spec.joints.size());
  shape.frames = spec.frames;
  shape.scalars = static_cast<std::uint32_t>(spec.scalars.size());
  shape.digest = spec.digest.has_value();
  for (const std::string& name : spec.names) shape.nameBytes += static_cast<std::uint32_t>(name.size());
  if (spec.rest != nullptr) countRests(spec, shape);
  const Bytes stream = StreamWriter(spec).write(shape);
  std::uint32_t memory = 0;
  EXPECT_TRUE(splineMemory(shape, memory));
  memory = static_cast<std::uint32_t>(memory + spec.memoryOff);
  const bool whole = spec.rate == std::floor(spec.rate);
  ByteWriter tail;
  for (const std::uint32_t number : {memory, shape.joints, shape.frames, shape.scalars, shape.nameBytes})
    putVarint(tail, number);
  if (whole) {
    putVarint(tail, static_cast<std::uint32_t>(spec.rate));
  } else {
    tail.put(spec.rate);
  }
  if (!spec.skeleton.empty()) putVarint(tail, static_cast<std::uint32_t>(spec.skeleton.size()));
  if (spec.digest) tail.putBytes(spec.digest->bytes);
  for (const std::string& name : spec.names) {
    putVarint(tail, static_cast<std::uint32_t>(name.size()));
    tail.putBytes(asBytes(name));
  }
  tail.putBytes(spec.skeleton);
  tail.putBytes(stream);
  const auto flags = static_cast<std::uint8_t>((spec.digest ? 1 : 0) | (spec.skeleton.empty() ? 0 : 2) |
                                               (spec.rest != nullptr ? 4 : 0) | (whole ? 8 : 0) | spec.moreFlags);
  std::size_t total = 8 + tail.size() + 1;
  for (std::size_t limit = 128; total >= limit; limit <<= 7) ++total;
  ByteWriter file;
  file.putBytes(asBytes("SMRC"));
  for (const std::uint8_t byte : {std::uint8_t{2}, spec.codec, spec.version, flags}) file.put(byte);
  putVarint(file, static_cast<std::uint32_t>(total));
  file.putBytes(tail.take());
  return file.take();
}

namespace {

/// Specs at random.
class Maker {
 public:
  Maker(std::uint32_t seed, SplineClipSpec& spec) : m_state(seed * 2654435761u + 1), m_spec(spec) {}

  std::uint32_t below(std::uint32_t limit) { return (m_state = m_state * 1664525 + 1013904223, m_state >> 8) % limit; }

  void fill(std::uint32_t joints, std::uint32_t scalars) {
    m_spec.rate = below(2) != 0 ? 30 : 29.97;
    m_spec.globals = {4 + below(12), below(2) != 0 ? 10 + below(3) : 13 + below(12), 100 + below(20), 110};
    m_spec.joints.resize(joints);
    for (auto& joint : m_spec.joints) {
      joint[0] = part(TrackSet::Spline);
      joint[1] = part(TrackSet::Translation);
      joint[2] = below(3) == 0 ? part(TrackSet::Scale) : SplinePart{};
    }
    for (std::uint32_t i = 0; i < scalars; ++i) {
      m_spec.scalars.push_back(part(TrackSet::Scalar));
      m_spec.names.push_back(std::string(i % 3, 'a'));
    }
    finishTracks();
    addCopies();
  }

 private:
  SplinePart part(TrackSet set) {
    SplinePart part;
    part.kind = static_cast<PartKind>(m_spec.frames == 1 ? below(2) : below(set == TrackSet::Spline ? 6 : 3));
    if (part.kind > PartKind::Quaternion) part.kind = PartKind::Spline;
    part.rotation = rotation(m_spec.globals.constantBits);
    const std::uint32_t range = m_wide ? 1u << 20 : 1u << 15;
    for (auto& integer : part.vector) integer = static_cast<std::int32_t>(below(range));
    m_wide = m_wide || below(50) == 0;
    part.number = static_cast<float>(below(1000)) / 7 - 50;
    return part;
  }

  /// Kinds are known now, so that the order of the stream is.
  void finishTracks() {
    for (const PartKind kind : {PartKind::Spline, PartKind::Quaternion})
      for (auto& joint : m_spec.joints)
        if (joint[0].kind == kind)
          fillTrack(joint[0].track, kind == PartKind::Spline ? TrackSet::Spline : TrackSet::Quaternion);
    for (const TrackSet set : {TrackSet::Translation, TrackSet::Scale})
      for (auto& joint : m_spec.joints)
        if (SplinePart& part = joint[static_cast<unsigned>(partOf(set))]; part.kind == PartKind::Spline)
          fillTrack(part.track, set);
    for (SplinePart& scalar : m_spec.scalars)
      if (scalar.kind == PartKind::Spline) fillTrack(scalar.track, TrackSet::Scalar);
  }

  void fillTrack(SplineTrack& track, TrackSet set) {
    const SplineTrack*& before = m_before[static_cast<unsigned>(partOf(set))];
    track.kind = static_cast<KnotKind>(before == nullptr ? 1 + below(5) : below(6));
    track.spacing = 1 + below(below(4) == 0 ? 64 : 12);
    track.shift = below(below(4) == 0 ? 8 : 3);
    if (isTree(track.kind)) fillTree(track);
    if (track.kind == KnotKind::Hold) {
      track.knots.assign(m_spec.frames, false);
      for (std::uint32_t frame = 0; frame < m_spec.frames; ++frame) track.knots[frame] = frame == 0 || below(5) == 0;
    }
    if (track.kind != KnotKind::Previous) before = &track;
    const std::uint32_t most = below(5) == 0 ? 24 : 10;
    std::uint32_t widest = 0;
    for (unsigned c = 0; c < 4; ++c) {
      track.widths[c] = c < componentsOf(set) && below(6) != 0 ? 1 + below(most) : 0;
      track.orders[c] = track.widths[c] > 0 ? below(4) : 0;
      widest = std::max(widest, track.widths[c]);
    }
    if (set == TrackSet::Quaternion) track.widths[3] = widest = std::max(widest, 2u);
    // No rotation vector is longer than 3.4: √3 · step · 2^(width - 1).
    track.exponent = 160 - 4 * static_cast<std::int32_t>(widest) + static_cast<std::int32_t>(below(7));
    track.mean = rotation(m_spec.globals.meanBits);
    for (auto& bias : track.biases) bias = static_cast<std::int32_t>(below(2000)) - 1000;
    track.points.resize(m_spec.points(*before));
    for (auto& point : track.points)
      for (unsigned c = 0; c < 4; ++c) point[c] = track.widths[c] == 0 ? 0 : below(1u << track.widths[c]);
    // Never near zero, where a quaternion has no direction.
    for (auto& point : track.points)
      if (set == TrackSet::Quaternion) point[3] = (1u << widest) - 1 - below(1u << widest) / 8;
  }

  void fillTree(SplineTrack& track) {
    const std::uint32_t cells = m_spec.cells(track), density = 1 + below(4);
    track.knots.assign(cells, false);
    for (std::uint32_t block = 0; block < cells; block += 32) {
      track.knots[block] = true;
      split(track, cells, block, 32, density);
    }
  }
  void split(SplineTrack& track, std::uint32_t cells, std::uint32_t low, std::uint32_t size, std::uint32_t density) {
    if (size == 1) return;
    const std::uint32_t middle = low + size / 2;
    if (middle >= cells) return split(track, cells, low, size / 2, density);
    if (below(density) != 0 || below(3) == 0) return;
    track.knots[middle] = true;
    split(track, cells, low, size / 2, density);
    split(track, cells, middle, size / 2, density);
  }

  SmallestThree rotation(unsigned bits) {
    SmallestThree packed;
    const std::uint32_t most = SmallestThree::most(bits);
    packed.largest = below(4);
    // Within half of the range around zero: the largest is the largest then.
    for (auto& value : packed.values) value = most / 4 + static_cast<std::uint32_t>(below(65536) / 65536.0 * most / 2);
    return packed;
  }

  /// Some constant vectors become those before, with other signs.
  void addCopies() {
    for (const unsigned part : {1u, 2u}) {
      std::vector<SplinePart*> constants;
      for (auto& joint : m_spec.joints)
        if (joint[part].kind == PartKind::Constant) constants.push_back(&joint[part]);
      std::vector<bool> copied(constants.size(), false);
      for (std::size_t i = 1; i < constants.size(); ++i) {
        const std::uint32_t distance = 1 + below(static_cast<std::uint32_t>(i));
        if (below(3) != 0 || copied[i - distance]) continue;
        copied[i] = true;
        constants[i]->copyOf = distance;
        for (unsigned c = 0; c < 3; ++c)
          constants[i]->vector[c] = constants[i - distance]->vector[c] * (below(2) != 0 ? 1 : -1);
      }
    }
  }

  std::uint32_t m_state;
  SplineClipSpec& m_spec;
  bool m_wide = false;
  const SplineTrack* m_before[4] = {};
};

}  // namespace

SplineClipSpec randomSpline(std::uint32_t seed, std::uint32_t joints, std::uint32_t frames, std::uint32_t scalars) {
  SplineClipSpec spec;
  spec.frames = frames;
  Maker(seed, spec).fill(joints, scalars);
  return spec;
}

}  // namespace simmer::animation::test
