#include "plugins/animation/runtime/inflate.h"

#include <memory>

#include <gtest/gtest.h>
#include <zlib.h>

#include "cooker/base/bytes.h"

namespace simmer::runtime {
namespace {

Bytes deflated(const Bytes& bytes, int level, int strategy) {
  z_stream stream = {};
  deflateInit2(&stream, level, Z_DEFLATED, -15, 9, strategy);
  Bytes packed(deflateBound(&stream, bytes.size()) + 64);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Bytes sample(std::size_t size, unsigned alphabet) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 1664525 + 1013904223;
    bytes[i] = static_cast<std::uint8_t>((state >> 24) % alphabet);
    if (i > 40000 && i % 7 == 0) bytes[i] = bytes[i - 32768];  // matches as far back as they go
  }
  return bytes;
}

TEST(Inflate, UndoesZlib) {
  for (const std::size_t size : {0u, 1u, 100u, 70000u, 300000u})
    for (const unsigned alphabet : {1u, 3u, 256u})
      for (const int level : {0, 1, 6, 9})
        for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE}) {
          const Bytes bytes = sample(size, alphabet), packed = deflated(bytes, level, strategy);
          const auto inflater = std::make_unique<Inflater>(packed.data(), packed.size());
          Bytes back(size);
          // In pieces, as the loader reads.
          bool fine = true;
          for (std::size_t at = 0, piece = 1; at < size; at += piece, piece = piece % 1000 + 1) {
            piece = std::min(piece, size - at);
            fine = fine && inflater->read(back.data() + at, piece);
          }
          EXPECT_TRUE(fine && inflater->atEnd()) << size << " " << alphabet << " " << level << " " << strategy;
          EXPECT_EQ(back, bytes);
        }
}

TEST(Inflate, RefusesCutStreams) {
  const Bytes bytes = sample(500, 9), packed = deflated(bytes, 9, Z_DEFAULT_STRATEGY);
  for (std::size_t size = 0; size < packed.size(); ++size) {
    const Bytes cut(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
    Bytes back(bytes.size());
    const auto inflater = std::make_unique<Inflater>(cut.data(), cut.size());
    EXPECT_FALSE(inflater->read(back.data(), back.size()) && inflater->atEnd()) << size;
  }
}

TEST(Inflate, SeesWhatIsLeft) {
  const Bytes bytes = sample(500, 9);
  Bytes packed = deflated(bytes, 9, Z_DEFAULT_STRATEGY), back(bytes.size());
  const auto shorter = std::make_unique<Inflater>(packed.data(), packed.size());
  EXPECT_TRUE(shorter->read(back.data(), back.size() - 1));
  EXPECT_FALSE(shorter->atEnd()) << "a byte of the stream is left";
  packed.push_back(0);
  const auto longer = std::make_unique<Inflater>(packed.data(), packed.size());
  EXPECT_TRUE(longer->read(back.data(), back.size()));
  EXPECT_FALSE(longer->atEnd()) << "a byte stands behind the stream";
}

TEST(Inflate, RefusesWrongStreams) {
  // A copy from before the start; block type 3; a stored block whose length and complement disagree.
  for (const Bytes& wrong :
       {Bytes{0x03 | 0x00, 0x02, 0x00}, Bytes{0x07, 0x00}, Bytes{0x01, 0x05, 0x00, 0x00, 0x00, 1}}) {
    Bytes back(3);
    const auto inflater = std::make_unique<Inflater>(wrong.data(), wrong.size());
    EXPECT_FALSE(inflater->read(back.data(), back.size()));
    EXPECT_FALSE(inflater->read(back.data(), 1)) << "and stays refused";
  }
}

}  // namespace
}  // namespace simmer::runtime
