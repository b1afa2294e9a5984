#include "plugins/animation/codec/spline/spline_writer.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "plugins/animation/codec/spline/range_encoder.h"

namespace simmer::animation::spline {
namespace {

using namespace runtime;

constexpr std::size_t kFarthestCopy = 256;  // vectors back that are searched for a repetition
// Chunks take time when a clip is sampled, so they have to save something: bytes, and a 32nd of them.
constexpr std::uint64_t kLeastSaved = 32, kLeastSavedShare = 32;

class Writer {
 public:
  Writer(const CodedClip& clip, std::uint32_t frames, SplineShape& shape)
      : m_clip(clip),
        m_parts(clip.parts),
        m_frames(frames),
        m_last(static_cast<std::int32_t>(lastHalfFrame(frames))),
        m_shape(shape) {}

  Bytes write() {
    SplineGlobals globals = m_parts.globals;
    globals.code(m_coder);
    writeKinds();
    writeConstants();
    for (std::size_t i = 0; i < m_parts.tracks.size(); ++i) writeTrack(m_parts.tracks[i], m_clip.tracks[i]);
    for (const CodedScalar& scalar : m_clip.scalars)
      if (scalar.kind == PartKind::Spline) writeTrack(scalar.track, scalar.coded);
    return m_coder.finish();
  }

 private:
  void writeKinds() {
    KindModel kinds;
    for (const auto& joint : m_parts.kinds)
      for (unsigned part = 0; part < kParts; ++part)
        kinds.code(m_coder, static_cast<Part>(part), static_cast<std::uint32_t>(joint[part]));
    for (const CodedScalar& scalar : m_clip.scalars)
      kinds.code(m_coder, Part::Scalar, static_cast<std::uint32_t>(scalar.kind));
  }

  void writeConstants() {
    m_shape.constants[0] = static_cast<std::uint32_t>(m_parts.constantRotations.size());
    m_shape.wide[0] = m_parts.globals.constantBits > kPackedConstantBits;
    for (SmallestThree rotation : m_parts.constantRotations) rotation.code(m_coder, m_parts.globals.constantBits);
    writeVectors(m_parts.constantTranslations, Part::Translation);
    writeVectors(m_parts.constantScales, Part::Scale);
    for (const CodedScalar& scalar : m_clip.scalars) {
      if (scalar.kind != PartKind::Constant) continue;
      ++m_shape.constants[kParts];
      std::uint32_t bits;
      std::memcpy(&bits, &scalar.constant, sizeof bits);
      m_coder.even(32, bits);
    }
  }

  void writeVectors(const std::vector<std::array<std::int32_t, 3>>& vectors, Part part) {
    m_shape.constants[static_cast<unsigned>(part)] = static_cast<std::uint32_t>(vectors.size());
    for (const auto& vector : vectors)
      for (const std::int32_t integer : vector)
        if (isConstantWide(integer)) m_shape.wide[static_cast<unsigned>(part)] = true;
    auto model = std::make_unique<ConstantModel>();
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const auto repeats = [&](std::size_t distance) {
        for (std::size_t c = 0; c < 3; ++c)
          if (std::abs(vectors[i][c]) != std::abs(vectors[i - distance][c])) return false;
        return true;
      };
      std::uint32_t copyOf = 0;
      if (model->lastDistance != 0 && model->lastDistance <= i && repeats(model->lastDistance))
        copyOf = model->lastDistance;
      for (std::size_t distance = 1; copyOf == 0 && distance <= std::min(i, kFarthestCopy); ++distance)
        if (repeats(distance)) copyOf = static_cast<std::uint32_t>(distance);
      model->codeDistance(m_coder, copyOf);
      for (std::size_t c = 0; c < 3; ++c) {
        if (copyOf == 0) {
          model->components[c].code(m_coder, vectors[i][c]);
        } else if (vectors[i][c] != 0) {
          m_coder.bit(model->turned[c], vectors[i][c] != vectors[i - copyOf][c]);
        }
      }
    }
  }

  void writeTrack(const Track& track, const CodedTrack& coded) {
    const Part part = track.part;
    const Fields fields = fieldsOf(track, coded);
    const unsigned components = track.components;
    TrackHead head;
    head.knots = coded.knots.kind;
    head.spacing = coded.knots.spacing;
    head.shift = coded.knots.shift;
    head.exponent = static_cast<std::int32_t>(coded.exponent);
    const Knots*& last = m_lastKnots[static_cast<unsigned>(part)];
    if (last != nullptr && *last == coded.knots) head.knots = KnotKind::Previous;
    last = &coded.knots;
    m_heads->codeKnots(m_coder, part, head);
    if (head.knots != KnotKind::Previous) {
      writeKnots(coded.knots);
      ++m_shape.knotVectors;
      m_shape.maskWords += maskWordsOf(coded.knots.kind, coded.knots.shift, m_frames);
    }
    std::uint32_t bits = 0;
    for (unsigned c = 0; c < components; ++c) {
      head.widths[c] = fields.widths[c];
      bits += fields.widths[c];
      if (fields.widths[c] > 0) head.orders[c] = cheapestOrder(coded, c, components, fields).order;
    }
    const TrackSet set = setOf(track);
    const auto points = static_cast<std::uint32_t>(coded.points.size() / components);
    const bool mayBe = mayBeChunked(set, coded.knots.kind, points);
    const std::uint64_t packed = pointBytesOf(points, bits),
                        chunked = mayBe ? chunkedBytes(coded, fields, set) : packed;
    head.chunked = chunked + std::max(kLeastSaved, packed / kLeastSavedShare) <= packed;
    m_shape.pointBytes += head.chunked ? chunked : packed;
    ++m_shape.tracks[static_cast<unsigned>(set)];
    m_heads->codeStep(m_coder, part, components, mayBe, head);
    if (part == Part::Rotation) {
      SmallestThree mean = track.mean;
      if (!track.quaternion) mean.code(m_coder, m_parts.globals.meanBits);
    } else {
      for (unsigned c = 0; c < components; ++c) m_biases[static_cast<unsigned>(part)].code(m_coder, fields.biases[c]);
    }
    writePoints(coded, fields, head, components);
  }

  /// Bytes in memory of a track whose control points are in chunks; very many where they can not be.
  static std::uint64_t chunkedBytes(const CodedTrack& coded, const Fields& fields, TrackSet set) {
    const auto points = static_cast<std::uint32_t>(coded.points.size() / 3);
    const std::uint32_t spans = spansOf(coded.knots.kind, points), degree = points - spans;
    std::uint64_t bytes = std::uint64_t{chunksOf(spans)} * kChunkBytes;
    for (std::uint32_t first = 0; first < spans; first += kChunkSpans) {
      std::uint32_t fieldsOfChunk[kMostChunkPoints][3];
      const std::uint32_t count = std::min(kChunkSpans, spans - first) + degree;
      for (std::uint32_t i = 0; i < count; ++i)
        for (unsigned c = 0; c < 3; ++c)
          fieldsOfChunk[i][c] = fieldOf(coded.points[std::size_t{first + i} * 3 + c], fields, c);
      const ChunkFields chunk(fieldsOfChunk, count);
      if (bytes > kMostChunkOffset || !chunk.fits(set, fields.widths)) return std::uint64_t{1} << 40;
      bytes += pointBytesOf(count, chunk.bits);
    }
    return bytes;
  }

  static std::uint32_t fieldOf(std::int32_t point, const Fields& fields, unsigned component) {
    return fields.widths[component] > 0 ? static_cast<std::uint32_t>(point - fields.biases[component]) : 0;
  }

  static TrackSet setOf(const Track& track) {
    if (track.part == Part::Rotation) return track.quaternion ? TrackSet::Quaternion : TrackSet::Spline;
    return track.part == Part::Translation ? TrackSet::Translation
           : track.part == Part::Scale     ? TrackSet::Scale
                                           : TrackSet::Scalar;
  }

  void writeKnots(const Knots& knots) {
    if (knots.kind == KnotKind::Hold) return writeHeld(knots);
    if (!knots.isTree()) return;
    const std::int32_t cell = std::int32_t{1} << knots.shift;
    const std::int32_t cells = (m_last + cell - 1) / cell;
    std::vector<char> is(static_cast<std::size_t>(cells) + 1, 0);
    for (std::size_t i = 0; i + 1 < knots.positions.size(); ++i)
      is[static_cast<std::size_t>(knots.positions[i] / cell)] = 1;
    for (std::int32_t block = 0; block < cells; block += kBlockCells) writeNode(is, cells, block, kBlockCells, 0);
  }

  void writeNode(const std::vector<char>& is, std::int32_t cells, std::int32_t low, std::int32_t size, unsigned depth) {
    if (size == 1) return;
    const std::int32_t middle = low + size / 2;
    if (middle >= cells) return writeNode(is, cells, low, size / 2, depth + 1);
    if (!m_coder.bit(m_heads->split[depth][0], is[static_cast<std::size_t>(middle)] != 0)) return;
    writeNode(is, cells, low, size / 2, depth + 1);
    writeNode(is, cells, middle, size / 2, depth + 1);
  }

  void writeHeld(const Knots& knots) {
    std::size_t next = 1;
    bool before = false;
    for (std::int32_t frame = 1; frame <= m_last / 2; ++frame) {
      const bool here = next < knots.positions.size() && knots.positions[next] == 2 * frame;
      if (here) ++next;
      m_coder.bit(m_heads->held[before ? 1 : 0], here);
      before = here;
    }
  }

  void writePoints(const CodedTrack& coded, const Fields& fields, const TrackHead& head, unsigned components) {
    if (components == 3) return writePoints<3>(coded, fields, head);
    if (components == 4) return writePoints<4>(coded, fields, head);
    writePoints<1>(coded, fields, head);
  }
  template <unsigned Components>
  void writePoints(const CodedTrack& coded, const Fields& fields, const TrackHead& head) {
    const unsigned degree = coded.knots.degree();
    PointCoder<Components> points(m_residuals[degree == 3 ? 0 : degree == 1 ? 1 : 2], head);
    for (std::size_t i = 0; i < coded.points.size(); i += Components) {
      std::uint32_t values[Components] = {};
      for (unsigned c = 0; c < Components; ++c) values[c] = fieldOf(coded.points[i + c], fields, c);
      if (i == 0) {
        points.codeFirst(m_coder, values);
      } else {
        points.codeNext(m_coder, values);
      }
    }
  }

  const CodedClip& m_clip;
  const Parts& m_parts;
  std::uint32_t m_frames;
  std::int32_t m_last;
  SplineShape& m_shape;
  RangeEncoder m_coder;
  std::unique_ptr<HeadModel> m_heads = std::make_unique<HeadModel>();
  SignedModel m_biases[4];
  ResidualModel m_residuals[3];
  const Knots* m_lastKnots[4] = {};
};

}  // namespace

Bytes writeStream(const CodedClip& clip, std::uint32_t frames, SplineShape& shape) {
  return Writer(clip, frames, shape).write();
}

}  // namespace simmer::animation::spline
