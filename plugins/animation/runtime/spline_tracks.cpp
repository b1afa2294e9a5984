#include "plugins/animation/runtime/spline_tracks.h"

#include <cmath>
#include <cstring>

#include "plugins/animation/runtime/spline_points.h"

namespace simmer::runtime {
namespace {

constexpr std::int32_t kMostBias = 1 << 30;
constexpr double kUnitTolerance = 1e-3;

bool isTree(KnotKind kind) {
  return kind == KnotKind::TreeCubic || kind == KnotKind::TreeLinear;
}
unsigned degreeIndex(KnotKind kind) {
  return kind == KnotKind::Hold ? 2 : kind == KnotKind::UniformCubic || kind == KnotKind::TreeCubic ? 0 : 1;
}

std::uint32_t countBits(std::uint64_t mask) {
  std::uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1) ++count;
  return count;
}

/// Writes the number of knots before each word; gives how many there are in all.
std::uint32_t countKnots(const std::uint8_t* masks, std::uint32_t words, std::uint32_t countBytes,
                         std::uint8_t* counts) {
  std::uint32_t count = 0;
  for (std::uint32_t word = 0; word < words; ++word, counts += countBytes) {
    writeIndex(counts, count, countBytes);
    count += countBits(readU64(masks + 8 * word));
  }
  return count;
}

}  // namespace

bool readRotation(RangeDecoder& coder, unsigned bits, double* q) {
  SmallestThree packed;
  packed.code(coder, bits);
  if (!packed.unpack(bits, q)) return false;
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return std::fabs(square - 1) <= kUnitTolerance;
}

void packRotation(const double* q, std::uint8_t* out) {
  for (unsigned i = 0; i < 4; ++i)
    writeU16(out + 2 * i, static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(q[i] * 32767 + 0.5))));
}

TrackSlot::TrackSlot(SplineClip* clip, TrackSet set, std::uint32_t i) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(clip);
  if (set == TrackSet::Quaternion || set == TrackSet::Scalar) {
    const std::uint32_t first = set == TrackSet::Scalar ? clip->at.scalarTracks : clip->at.quaternions;
    bias = bytes + first + i * recordBytes(set, {clip->indexBytes, clip->offsetBytes});
    fronts[0] = fronts[1] = nullptr;
    head = bias + kSetExtra[static_cast<unsigned>(set)];
    offset = head + 4;
    target = offset + clip->offsetBytes;
    return;
  }
  const TrackPlaces places = trackPlacesOf(clip);
  bias = nullptr;
  if (set != TrackSet::Spline) {
    if (set == TrackSet::Scale) i += clip->counts[static_cast<unsigned>(TrackSet::Translation)];
    bias = bytes + places.biases + 4 * i;
    i += clip->counts[static_cast<unsigned>(TrackSet::Spline)];
  }
  for (unsigned front = 0; front < 2; ++front) fronts[front] = bytes + places.fronts[front] + 4 * i;
  head = bytes + places.heads + 4 * i;
  offset = bytes + places.offsets + clip->offsetBytes * i;
  target = bytes + places.targets + clip->indexBytes * i;
}

bool TrackReader::readSet(TrackSet set) {
  for (std::uint32_t i = 0; i < m_clip->counts[static_cast<unsigned>(set)]; ++i)
    if (!readTrack(set, TrackSlot(m_clip, set, i))) return false;
  return true;
}

bool TrackReader::readTrack(TrackSet set, const TrackSlot& slot) {
  const Part part = partOf(set);
  const unsigned components = componentsOf(set);
  TrackHead head;
  bool own = false;
  if (!readKnots(part, head, own)) return false;
  const Knots& knots = m_knots[static_cast<unsigned>(part)];
  m_heads.codeStep(m_coder, part, components, mayBeChunked(set, knots.head.knots, knots.points), head);
  if (head.exponent < 0 || head.exponent > 255) return false;
  std::uint32_t bits = 0, packed = own ? kOwnKnots : 0;
  for (unsigned c = 0; c < components; ++c) {
    if (head.widths[c] > kMostWidth) return false;
    bits += head.widths[c];
    if (c < 3 && !head.chunked) packed |= head.widths[c] << 5 * c;
  }
  if (head.chunked) packed |= kChunkedWidth;
  if (set == TrackSet::Spline) {
    if (!readMean(slot)) return false;
  } else if (set == TrackSet::Quaternion) {
    *slot.bias = static_cast<std::uint8_t>(head.widths[3]);
  } else {
    for (unsigned c = 0; c < components; ++c) {
      const std::int32_t bias = m_biases[static_cast<unsigned>(part)].code(m_coder);
      if (bias <= -kMostBias || bias >= kMostBias) return false;
      writeU32(c == 0 ? slot.bias : slot.fronts[c - 1], static_cast<std::uint32_t>(bias));
    }
  }
  writeU16(slot.head, packed);
  slot.head[2] = static_cast<std::uint8_t>(head.exponent);
  const std::uint32_t offset = m_at - m_clip->at.heap;
  slot.head[3] = KnotCode::of(knots.head);
  writeIndex(slot.offset, offset, m_clip->offsetBytes);
  return head.chunked ? readChunks(set, head, knots) : readPoints(head, knots, components, bits);
}

bool TrackReader::readKnots(Part part, TrackHead& head, bool& own) {
  m_heads.codeKnots(m_coder, part, head);
  if (head.knots > KnotKind::Hold) return false;
  Knots& knots = m_knots[static_cast<unsigned>(part)];
  own = head.knots != KnotKind::Previous;
  if (!own) return knots.points > 0;
  knots.head = head;
  if (isTree(head.knots) || head.knots == KnotKind::Hold) {
    if (!readMask(knots)) return false;
  } else {
    knots.points = uniformPoints(head.knots, head.spacing, m_clip->frames);
  }
  return true;
}

bool TrackReader::readMask(Knots& knots) {
  const std::uint32_t words = maskWordsOf(knots.head.knots, knots.head.shift, m_clip->frames);
  const std::uint64_t bytes = std::uint64_t{words} * maskWordBytes(m_clip->frames);
  if (bytes > m_end - m_at) return false;
  std::uint8_t* const masks = at(m_at);
  if (knots.head.knots == KnotKind::Hold) {
    knots.points = readHolds(masks);
  } else {
    knots.points = treePoints(knots.head.knots, readTree(knots, masks));
  }
  m_at += static_cast<std::uint32_t>(bytes);
  return true;
}

std::uint32_t TrackReader::readTree(Knots& knots, std::uint8_t* masks) {
  const std::uint32_t cells = cellsOf(m_clip->frames, knots.head.shift), words = cells / 64 + 1;
  for (std::uint32_t word = 0; word < words; ++word) {
    std::uint64_t mask = 0;
    for (std::uint32_t low = 64 * word; low < 64 * word + 64 && low < cells; low += kBlockCells) {
      mask |= std::uint64_t{1} << low % 64;
      readNode(low, kBlockCells, 0, cells, mask);
    }
    if (word == cells / 64) mask |= std::uint64_t{1} << cells % 64;
    writeU64(masks + 8 * word, mask);
  }
  return countKnots(masks, words, maskWordBytes(m_clip->frames) - 8, masks + 8 * words);
}

// Goes at most kBlockDepth calls deep.
void TrackReader::readNode(std::uint32_t low, std::uint32_t size, std::uint32_t depth, std::uint32_t cells,
                           std::uint64_t& mask) {
  if (size == 1) return;
  const std::uint32_t middle = low + size / 2;
  if (middle >= cells) return readNode(low, size / 2, depth + 1, cells, mask);
  if (!m_coder.bit(m_heads.split[depth][0])) return;
  readNode(low, size / 2, depth + 1, cells, mask);
  mask |= std::uint64_t{1} << middle % 64;
  readNode(middle, size / 2, depth + 1, cells, mask);
}

std::uint32_t TrackReader::readHolds(std::uint8_t* masks) {
  const std::uint32_t words = (m_clip->frames + 63) / 64;
  unsigned before = 0;
  for (std::uint32_t word = 0; word < words; ++word) {
    std::uint64_t mask = word == 0 ? 1 : 0;
    for (std::uint32_t cell = word == 0 ? 1 : 64 * word; cell < 64 * word + 64 && cell < m_clip->frames; ++cell) {
      before = m_coder.bit(m_heads.held[before]) ? 1 : 0;
      mask |= std::uint64_t{before} << cell % 64;
    }
    writeU64(masks + 8 * word, mask);
  }
  return countKnots(masks, words, maskWordBytes(m_clip->frames) - 8, masks + 8 * words);
}

bool TrackReader::readMean(const TrackSlot& slot) {
  double q[4];
  if (!readRotation(m_coder, m_globals.meanBits, q)) return false;
  std::uint8_t packed[8];
  packRotation(q, packed);
  std::memcpy(slot.fronts[0], packed, 4);
  std::memcpy(slot.fronts[1], packed + 4, 4);
  return true;
}

bool TrackReader::readPoints(const TrackHead& head, const Knots& knots, unsigned components, std::uint32_t bits) {
  if (bits == 0) return true;
  if (pointBytesOf(knots.points, bits) > m_end - m_at) return false;
  if (components == 3) return readPoints<3>(head, knots, bits);
  return components == 4 ? readPoints<4>(head, knots, bits) : readPoints<1>(head, knots, bits);
}

template <unsigned Components>
bool TrackReader::readPoints(const TrackHead& head, const Knots& knots, std::uint32_t bits) {
  RangeDecoder coder = m_coder;  // a copy of its own can stay in registers
  PointCoder<Components> points(m_residuals[degreeIndex(knots.head.knots)], head);
  PointPacker packer(at(m_at));
  std::uint32_t fields[Components] = {};
  points.codeFirst(coder, fields);
  for (std::uint32_t i = 0;;) {
    packer.putPoint(fields, head.widths, bits);
    if (++i == knots.points) break;
    if (!points.codeNext(coder, fields)) return false;
  }
  m_coder = coder;
  m_at += static_cast<std::uint32_t>(pointBytesOf(knots.points, bits));
  return true;
}

bool TrackReader::readChunks(TrackSet set, const TrackHead& head, const Knots& knots) {
  const std::uint32_t spans = spansOf(knots.head.knots, knots.points), degree = knots.points - spans;
  const std::uint64_t entries = std::uint64_t{chunksOf(spans)} * kChunkBytes;
  if (entries > m_end - m_at) return false;
  const std::uint32_t table = m_at;
  m_at += static_cast<std::uint32_t>(entries);
  RangeDecoder coder = m_coder;  // a copy of its own can stay in registers
  PointCoder<3> coded(m_residuals[degreeIndex(knots.head.knots)], head);
  std::uint32_t points[kMostChunkPoints][3], fields[3] = {0, 0, 0}, count = 1;
  coded.codeFirst(coder, fields);
  std::memcpy(points[0], fields, sizeof fields);
  for (std::uint32_t span = 0; span < spans; span += kChunkSpans) {
    const std::uint32_t most = (span + kChunkSpans < spans ? kChunkSpans : spans - span) + degree;
    for (; count < most; ++count) {
      if (!coded.codeNext(coder, fields)) return false;
      std::memcpy(points[count], fields, sizeof fields);
    }
    if (!writeChunk(set, head, points, count, table, table + span / kChunkSpans * kChunkBytes)) return false;
    // The next one begins with the last of this.
    std::memmove(points, points + count - degree, degree * sizeof points[0]);
    count = degree;
  }
  m_coder = coder;
  return true;
}

bool TrackReader::writeChunk(TrackSet set, const TrackHead& head, const std::uint32_t (*points)[3], std::uint32_t count,
                             std::uint32_t table, std::uint32_t entry) {
  const ChunkFields chunk(points, count);
  const auto bytes = static_cast<std::uint32_t>(pointBytesOf(count, chunk.bits));
  if (bytes > m_end - m_at || m_at - table > kMostChunkOffset || !chunk.fits(set, head.widths)) return false;
  std::uint8_t* const out = at(entry);
  writeU16(out, chunk.widths[0] | chunk.widths[1] << 5 | chunk.widths[2] << 10);
  writeU16(out + 2, m_at - table);
  PointPacker packer(at(m_at));
  for (unsigned c = 0; c < 3; ++c)
    writeU16(out + 4 + 2 * c, static_cast<std::uint32_t>(ChunkFields::biasOf(set, chunk.least[c], head.widths[c])));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t fields[3] = {points[i][0] - chunk.least[0], points[i][1] - chunk.least[1],
                                     points[i][2] - chunk.least[2]};
    packer.putPoint(fields, chunk.widths, chunk.bits);
  }
  m_at += bytes;
  return true;
}

}  // namespace simmer::runtime
