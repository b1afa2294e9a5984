#include <cmath>
#include <initializer_list>

#include "plugins/animation/runtime/little_endian.h"
#include "plugins/animation/runtime/spline_memory.h"

namespace simmer::runtime {
namespace {

constexpr std::uint64_t kMaxDeflateRatio = 1032;
constexpr std::size_t kMostSplineStart = 8 + 5;  // up to the end of the number of bytes of the whole file

simmer_status readFixed(const std::uint8_t* bytes, std::size_t size, Header& header) {
  if (size < kClipHeaderBytes) return SIMMER_TRUNCATED;
  if (bytes[5] > static_cast<std::uint8_t>(Packing::Deflate)) return SIMMER_MALFORMED;
  if (bytes[6] > static_cast<std::uint8_t>(Codec::Article)) return SIMMER_VERSION;
  header.packing = static_cast<Packing>(bytes[5]);
  header.codec = static_cast<Codec>(bytes[6]);
  if (bytes[7] != (header.codec == Codec::Raw ? kRawVersion : kArticleVersion)) return SIMMER_VERSION;
  header.totalBytes = readU32(bytes + 8);
  header.joints = readU32(bytes + 12);
  header.frames = readU32(bytes + 16);
  header.scalars = readU32(bytes + 20);
  header.rate = readF64(bytes + 24);
  header.skeletonBytes = readU32(bytes + 32);
  header.bodyBytes = readU32(bytes + 36);
  header.digest = bytes + 40;
  return SIMMER_OK;
}

// What the numbers of the header say of each other: nothing is ever allocated for what the body can not hold.
bool isConsistent(const Header& h) {
  const std::uint64_t body = h.bodyBytes;
  if (h.packing == Packing::Stored ? body != h.packedBytes : body > kMaxDeflateRatio * h.packedBytes) return false;
  if (h.nameBytes > body || (h.scalars == 0 && h.nameBytes != 0)) return false;
  if (h.codec == Codec::Raw) {
    const std::uint64_t samples = std::uint64_t{h.frames} * (std::uint64_t{h.joints} * 10 + h.scalars);
    if (samples > body) return false;
    return h.tracks == 0 && h.storedKeys == 0 && h.valueBytes == 0 &&
           body == h.nameBytes + std::uint64_t{2} * h.scalars + h.joints + 4 * samples;
  }
  return std::uint64_t{3} * h.joints + std::uint64_t{2} * h.scalars + h.nameBytes <= body &&
         h.tracks <= std::uint64_t{kSubTracks} * h.joints + h.scalars && h.tracks <= body && h.storedKeys <= body &&
         h.valueBytes <= body;
}

simmer_status readKeyedHeader(const std::uint8_t* bytes, std::size_t size, Header& header) {
  const simmer_status fixed = readFixed(bytes, size, header);
  if (fixed != SIMMER_OK) return fixed;
  if (header.totalBytes < kClipHeaderBytes) return SIMMER_MALFORMED;
  if (header.totalBytes > size) return SIMMER_TRUNCATED;
  if (header.totalBytes < size || header.frames == 0 || header.frames > kMaxFrames || header.joints > kMaxJoints ||
      header.scalars > kMaxScalars || !(header.rate > 0) || !std::isfinite(header.rate))
    return SIMMER_MALFORMED;
  const std::uint8_t* at = bytes + kClipHeaderBytes;
  const std::uint8_t* const end = bytes + size;
  const auto next = [&](std::uint8_t& byte) { return at != end && (byte = *at++, true); };
  for (std::uint32_t* number : {&header.nameBytes, &header.tracks, &header.storedKeys, &header.valueBytes})
    if (!readVarint(*number, next)) return SIMMER_MALFORMED;
  if (header.skeletonBytes > static_cast<std::size_t>(end - at)) return SIMMER_MALFORMED;
  header.skeleton = at;
  header.packed = at + header.skeletonBytes;
  header.packedBytes = static_cast<std::uint32_t>(end - header.packed);
  return isConsistent(header) ? SIMMER_OK : SIMMER_MALFORMED;
}

/// The varints of a header of format version 2.
class Numbers {
 public:
  Numbers(const std::uint8_t* at, const std::uint8_t* end) : m_at(at), m_end(end) {}

  bool read(std::uint32_t& number) {
    return readVarint(number, [this](std::uint8_t& byte) { return m_at != m_end && (byte = *m_at++, true); });
  }
  /// Null when there are not that many bytes.
  const std::uint8_t* take(std::size_t count) {
    if (count > static_cast<std::size_t>(m_end - m_at)) return nullptr;
    m_at += count;
    return m_at - count;
  }

 private:
  const std::uint8_t* m_at;
  const std::uint8_t* m_end;
};

simmer_status readSizes(Numbers& numbers, std::size_t size, Header& header) {
  if (!numbers.read(header.totalBytes)) return size < kMostSplineStart ? SIMMER_TRUNCATED : SIMMER_MALFORMED;
  if (header.totalBytes > size) return SIMMER_TRUNCATED;
  if (header.totalBytes < size) return SIMMER_MALFORMED;
  for (std::uint32_t* number :
       {&header.memoryBytes, &header.joints, &header.frames, &header.scalars, &header.nameBytes})
    if (!numbers.read(*number)) return SIMMER_MALFORMED;
  std::uint32_t whole = 0;
  if ((header.flags & kFlagWholeRate) != 0) {
    if (!numbers.read(whole)) return SIMMER_MALFORMED;
    header.rate = whole;
  } else {
    const std::uint8_t* const rate = numbers.take(8);
    if (rate == nullptr) return SIMMER_MALFORMED;
    header.rate = readF64(rate);
  }
  if ((header.flags & kFlagSkeleton) != 0 && (!numbers.read(header.skeletonBytes) || header.skeletonBytes == 0))
    return SIMMER_MALFORMED;
  return SIMMER_OK;
}

// Finds where the names end, so that the skeleton behind them can be found; they are copied when the clip is loaded.
bool skipNames(Numbers& numbers, const Header& header) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < header.scalars; ++i) {
    std::uint32_t length;
    if (!numbers.read(length) || numbers.take(length) == nullptr) return false;
    sum += length;
  }
  return sum == header.nameBytes;
}

simmer_status readSplineHeader(const std::uint8_t* bytes, std::size_t size, Header& header) {
  if (size < 8) return SIMMER_TRUNCATED;
  if (bytes[5] != static_cast<std::uint8_t>(Codec::Spline) || bytes[6] != kSplineVersion) return SIMMER_VERSION;
  header.codec = Codec::Spline;
  header.flags = bytes[7];
  if (header.flags > (kFlagDigest | kFlagSkeleton | kFlagRest | kFlagWholeRate)) return SIMMER_MALFORMED;
  Numbers numbers(bytes + 8, bytes + size);
  const simmer_status sizes = readSizes(numbers, size, header);
  if (sizes != SIMMER_OK) return sizes;
  if (header.frames == 0 || header.frames > kMaxFrames || header.joints > kMaxJoints ||
      header.joints > mostSplineJoints(size) || header.scalars > kMaxScalars || !(header.rate > 0) ||
      !std::isfinite(header.rate) || header.memoryBytes < sizeof(SplineClip) ||
      header.memoryBytes > mostSplineMemory(size))
    return SIMMER_MALFORMED;
  if ((header.flags & kFlagDigest) != 0 && (header.digest = numbers.take(kDigestBytes)) == nullptr)
    return SIMMER_MALFORMED;
  header.names = numbers.take(0);
  if (!skipNames(numbers, header) || (header.skeleton = numbers.take(header.skeletonBytes)) == nullptr)
    return SIMMER_MALFORMED;
  header.packed = numbers.take(0);
  header.packedBytes = static_cast<std::uint32_t>(bytes + size - header.packed);
  return SIMMER_OK;
}

}  // namespace

simmer_status readHeader(const std::uint8_t* bytes, std::size_t size, Header& header) {
  for (unsigned i = 0; i < 4 && i < size; ++i)
    if (bytes[i] != kClipMagic[i]) return SIMMER_NOT_A_CLIP;
  if (size < 5) return size < 4 ? SIMMER_NOT_A_CLIP : SIMMER_TRUNCATED;
  if (bytes[4] == kClipVersion) return readKeyedHeader(bytes, size, header);
  return bytes[4] == kSplineClipVersion ? readSplineHeader(bytes, size, header) : SIMMER_VERSION;
}

bool layOut(const Header& h, Layout& layout) {
  std::uint64_t at = sizeof(KeyedClip);
  bool fits = true;
  const auto place = [&](std::uint32_t& where, std::uint64_t bytes) {
    at = (at + 7) / 8 * 8;
    where = static_cast<std::uint32_t>(at);
    at += bytes;
    fits = fits && at <= 0xFFFFFFFFu;
  };
  const bool raw = h.codec == Codec::Raw;
  layout.keyWidth = h.frames <= 256 ? 1 : h.frames <= 65536 ? 2 : 4;
  place(layout.nameAt, std::uint64_t{4} * h.scalars);
  place(layout.names, std::uint64_t{h.nameBytes} + h.scalars);
  if (raw) {
    place(layout.steps, std::uint64_t{h.joints} + h.scalars);
    place(layout.samples, std::uint64_t{40} * h.joints * h.frames);
    place(layout.scalarSamples, std::uint64_t{4} * h.scalars * h.frames);
  } else {
    place(layout.base, std::uint64_t{40} * h.joints);
    place(layout.baseScalars, std::uint64_t{4} * h.scalars);
    place(layout.firstTrack, 4 * (std::uint64_t{h.joints} + 1));
    place(layout.scalarTrack, std::uint64_t{4} * h.scalars);
    place(layout.tracks, sizeof(Track) * std::uint64_t{h.tracks});
    // Each track's values start at a multiple of 4.
    place(layout.values, h.valueBytes + std::uint64_t{3} * h.tracks);
    place(layout.keys, std::uint64_t{layout.keyWidth} * h.storedKeys);
  }
  std::uint32_t end;
  place(end, 0);
  layout.total = static_cast<std::uint32_t>(at);
  return fits;
}

}  // namespace simmer::runtime
