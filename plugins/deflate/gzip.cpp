#include "plugins/deflate/gzip.h"

#include <algorithm>
#include <array>

#include <zlib.h>

namespace simmer {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 asks zlib for the gzip wrapper
constexpr int kMemoryLevel = 8;       // zlib's default
constexpr int kUnknownSystem = 255;   // RFC 1952: zlib would write the system it was built for
constexpr std::size_t kPiece = std::size_t{1} << 18;

/// zlib takes pointers to bytes that may change, but does not change them.
Bytef* mutableBytes(ByteView bytes) {
  return const_cast<Bytef*>(bytes.data());
}

tl::unexpected<Error> zlibFailure(const z_stream& stream, int status) {
  if (status == Z_MEM_ERROR) return fail(ErrorCode::Io, "zlib found no memory");
  return fail(ErrorCode::Corrupt, "not a gzip file: {}", stream.msg ? stream.msg : "it ends early");
}

class Deflater {
 public:
  explicit Deflater(int level) {
    m_ok = deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
    m_header.os = kUnknownSystem;
    m_ok = m_ok && deflateSetHeader(&stream, &m_header) == Z_OK;
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  bool ok() const { return m_ok; }

  z_stream stream{};

 private:
  gz_header m_header{};
  bool m_ok = false;
};

class Inflater {
 public:
  Inflater() { m_ok = inflateInit2(&stream, kGzipWindow) == Z_OK; }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  bool ok() const { return m_ok; }

  z_stream stream{};

 private:
  bool m_ok = false;
};

/// The bytes of `inflated` that are not those of `source` from `at` on.
std::uint64_t countDifferent(ByteView inflated, ByteView source, std::uint64_t at) {
  const auto start = std::min<std::uint64_t>(at, source.size());
  const std::size_t common = std::min(inflated.size(), source.size() - start);
  std::uint64_t wrong = inflated.size() - common;
  for (std::size_t i = 0; i < common; ++i) wrong += inflated[i] != source[start + i];
  return wrong;
}

}  // namespace

Result<Bytes> gzip(ByteView source, int level, Context& context) {
  Deflater deflater(level);
  if (!deflater.ok()) return fail(ErrorCode::Io, "zlib found no memory");
  z_stream& stream = deflater.stream;
  std::array<std::uint8_t, kPiece> piece;
  Bytes packed;
  ByteView rest = source;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "asked to stop");
    if (stream.avail_in == 0) {
      const ByteView next = rest.first(std::min(rest.size(), kPiece));
      rest = rest.subspan(next.size());
      stream.next_in = mutableBytes(next);
      stream.avail_in = static_cast<uInt>(next.size());
      if (!source.empty())
        context.progress(1.0 - static_cast<double>(rest.size()) / static_cast<double>(source.size()));
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    status = deflate(&stream, rest.empty() ? Z_FINISH : Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return zlibFailure(stream, status);
    packed.insert(packed.end(), piece.begin(), piece.end() - stream.avail_out);
  }
  return packed;
}

Result<std::uint64_t> countWrongBytes(ByteView packed, ByteView source, Context& context) {
  Inflater inflater;
  if (!inflater.ok()) return fail(ErrorCode::Io, "zlib found no memory");
  z_stream& stream = inflater.stream;
  std::array<std::uint8_t, kPiece> piece;
  ByteView rest = packed;
  std::uint64_t wrong = 0;
  std::uint64_t seen = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "asked to stop");
    if (stream.avail_in == 0) {
      const ByteView next = rest.first(std::min(rest.size(), kPiece));
      rest = rest.subspan(next.size());
      stream.next_in = mutableBytes(next);
      stream.avail_in = static_cast<uInt>(next.size());
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return zlibFailure(stream, status);
    const ByteView inflated(piece.data(), piece.size() - stream.avail_out);
    wrong += countDifferent(inflated, source, seen);
    seen += inflated.size();
    if (seen > source.size()) return wrong;
  }
  const std::size_t behind = rest.size() + stream.avail_in;
  if (behind > 0) return fail(ErrorCode::Corrupt, "{} bytes follow the end of the gzip member, expected none", behind);
  return wrong + (source.size() - seen);
}

}  // namespace simmer
