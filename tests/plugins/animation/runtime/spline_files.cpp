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

unsigned degreeOf(KnotKind kind) {
  return kind == KnotKind::UniformCubic || kind == KnotKind::TreeCubic ? 3 : 1;
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
    const SplineTrack* const knots = m_knots[number];
    const bool mayBe = knots != nullptr && knots->kind != KnotKind::Hold && part != Part::Scalar &&
                       set != TrackSet::Quaternion && track.points.size() > 32 + degreeOf(knots->kind);
    head.chunked = m_spec.tracksInChunks && track.chunked;
    m_heads->codeStep(m_coder, part, components, mayBe, head);
    SmallestThree mean = track.mean;
    if (set == TrackSet::Spline) mean.code(m_coder, m_spec.globals.meanBits);
    for (unsigned c = 0; part != Part::Rotation && c < components; ++c) m_biases[number].code(m_coder, track.biases[c]);
    count(track, set, head);
    if (knots == nullptr) return;  // a lie of the test
    const KnotKind kind = knots->kind;
    ResidualModel& residuals = m_residuals[degreeOf(kind) == 3 ? 0 : kind == KnotKind::Hold ? 2 : 1];
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
    m_shape->pointBytes += head.chunked ? sumChunks(track, set == TrackSet::Spline,
                                                    degreeOf(m_knots[static_cast<unsigned>(partOf(set))]->kind))
                                              .bytes
                                        : pointBytesOf(track.points.size(), bits);
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

ChunkSums sumChunks(const SplineTrack& track, bool rotation, unsigned degree) {
  const std::size_t spans = track.points.size() - degree, chunks = (spans + 31) / 32;
  ChunkSums sums;
  sums.bytes = 10 * chunks;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const auto first = track.points.begin() + static_cast<std::ptrdiff_t>(32 * chunk);
    const std::size_t count = std::min<std::size_t>(32, spans - 32 * chunk) + degree;
    std::size_t bits = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto less = [c](const auto& a, const auto& b) { return a[c] < b[c]; };
      const auto [low, high] = std::minmax_element(first, first + static_cast<std::ptrdiff_t>(count), less);
      const auto range = static_cast<double>((*high)[c] - (*low)[c]);
      bits += count * static_cast<std::size_t>(std::ceil(std::log2(range + 1)));
      const std::int64_t zero = rotation && track.widths[c] > 0 ? std::int64_t{1} << (track.widths[c] - 1) : 0;
      sums.least = std::min(sums.least, (*low)[c] - zero);
      sums.most = std::max(sums.most, (*low)[c] - zero);
    }
    sums.farthest = sums.bytes;
    sums.bytes += (bits + 7) / 8;
  }
  return sums;
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

void expectSampleable(const Bytes& file) {
  const std::size_t needed = simmer_clip_memory(file.data(), file.size());
  if (needed > std::size_t{1} << 20) return;
  const Loaded loaded(file);
  if (loaded.status != SIMMER_OK) {
    ASSERT_EQ(loaded.clip, nullptr);
    return;
  }
  std::vector<simmer_transform> pose(simmer_clip_joints(loaded.clip));
  for (double seconds = -0.1; seconds < 0.9; seconds += 0.13) {
    simmer_clip_sample_pose(loaded.clip, seconds, pose.data());
    for (const simmer_transform& joint : pose) {
      double square = 0;
      for (const float v : joint.rotation) square += static_cast<double>(v) * v;
      ASSERT_NEAR(square, 1, 0.01);
      for (unsigned i = 0; i < 3; ++i)
        ASSERT_TRUE(std::isfinite(joint.translation[i]) && std::isfinite(joint.scale[i]));
    }
    for (std::uint32_t i = 0; i < simmer_clip_scalars(loaded.clip); ++i)
      ASSERT_TRUE(std::isfinite(simmer_clip_sample_scalar(loaded.clip, seconds, i)));
  }
}

void expectSampleableFlipped(const Bytes& file) {
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    Bytes flipped = file;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1u << bit % 8);
    expectSampleable(flipped);
  }
}

}  // namespace simmer::animation::test
