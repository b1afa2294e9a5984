#include "cooker/base/bytes.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

TEST(ByteWriter, WritesLittleEndian) {
  ByteWriter writer;
  writer.put<std::uint16_t>(0x0102);
  writer.put<std::uint32_t>(0x03040506);
  writer.put(1.0f);
  writer.putText("ab");
  EXPECT_EQ(writer.size(), 16u);
  EXPECT_EQ(writer.take(), (Bytes{2, 1, 6, 5, 4, 3, 0, 0, 0x80, 0x3F, 2, 0, 0, 0, 'a', 'b'}));
}

TEST(ByteReader, ReadsWhatTheWriterWrote) {
  ByteWriter writer;
  writer.put<std::int8_t>(-5);
  writer.put<std::uint64_t>(0x1122334455667788);
  writer.put(-0.1);
  writer.putText(std::string_view("a\0b", 3));
  writer.putText("");
  writer.putBytes(Bytes{9, 8});
  const Bytes bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.take<std::int8_t>(), -5);
  EXPECT_EQ(reader.take<std::uint64_t>(), 0x1122334455667788u);
  EXPECT_EQ(reader.at(), 9u);
  EXPECT_EQ(reader.take<double>(), -0.1);
  EXPECT_EQ(reader.takeText(), std::string_view("a\0b", 3));
  EXPECT_EQ(reader.takeText(), "");
  EXPECT_EQ(reader.left(), 2u);
  EXPECT_EQ(Bytes(reader.takeBytes(2).begin(), ByteView(bytes).end()), (Bytes{9, 8}));
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, APastTheEndReadGivesZerosFromThenOn) {
  const Bytes bytes{1, 2, 3};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.take<std::uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.take<std::uint8_t>(), 0u) << "a byte is left, but the record is broken";
  EXPECT_TRUE(reader.takeBytes(0).empty());
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, ALengthThatLiesReadsNothing) {
  const Bytes bytes{0xFF, 0xFF, 0xFF, 0xFF, 'a'};
  ByteReader text(bytes);
  EXPECT_EQ(text.takeText(), "");
  EXPECT_FALSE(text.ok());
  ByteReader raw(bytes);
  EXPECT_TRUE(raw.takeBytes(SIZE_MAX).empty());
  EXPECT_FALSE(raw.ok());
}

TEST(ByteReader, EmptyBytesAreReadToTheEnd) {
  ByteReader reader({});
  EXPECT_TRUE(reader.takeBytes(0).empty());
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.left(), 0u);
}

}  // namespace
}  // namespace simmer
