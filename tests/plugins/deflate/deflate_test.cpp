#include "plugins/deflate/deflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "cooker/base/digest.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer {
namespace {

using test::MemoryReader;
using test::RecordingContext;

Request requestFor(std::int64_t level) {
  return {std::string(DeflatePlugin::kItem), {{"level", level}}, {}, {}};
}

/// Repeats words for a while, then bytes that do not pack.
Bytes sampleBytes(std::size_t count) {
  Bytes bytes;
  std::uint32_t state = 1;
  while (bytes.size() < count) {
    state = state * 1664525u + 1013904223u;
    bytes.push_back(bytes.size() % 512 < 256 ? static_cast<std::uint8_t>("simmer "[bytes.size() % 7])
                                             : static_cast<std::uint8_t>(state >> 24));
  }
  return bytes;
}

Artifact cook(const Bytes& source, std::int64_t level = 6) {
  RecordingContext context;
  MemoryReader reader("data.bin", source);
  auto artifact = DeflatePlugin().cook(requestFor(level), reader, context);
  EXPECT_TRUE(artifact.has_value()) << artifact.error().text();
  return std::move(artifact).value_or(Artifact{});
}

Result<Measures> measure(const Bytes& source, Bytes packed) {
  RecordingContext context;
  MemoryReader reader("data.bin", source);
  Artifact artifact;
  artifact.outputs.push_back({"gz", false, std::move(packed)});
  return DeflatePlugin().measure(requestFor(6), reader, artifact, context);
}

/// What zlib's own gzip reader makes of the bytes.
Bytes gunzip(const Bytes& packed) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "packed.gz";
  EXPECT_TRUE(writeFileAtomically(path, packed).has_value());
  gzFile file = gzopen(path.c_str(), "rb");
  Bytes bytes;
  std::uint8_t piece[4096];
  for (int count = 0; (count = gzread(file, piece, sizeof piece)) > 0;) bytes.insert(bytes.end(), piece, piece + count);
  gzclose(file);
  return bytes;
}

TEST(Deflate, StockReadersOpenWhatItWrites) {
  for (const std::size_t size : {0u, 1u, 4000u, 1'000'000u}) {
    const Bytes source = sampleBytes(size);
    const Artifact artifact = cook(source);
    ASSERT_EQ(artifact.outputs.size(), 1u);
    EXPECT_EQ(artifact.outputs[0].suffix, "gz");
    EXPECT_FALSE(artifact.outputs[0].perSource);
    EXPECT_EQ(gunzip(artifact.outputs[0].bytes), source) << size;
    EXPECT_EQ(artifact.rawBytes, size);
    EXPECT_EQ(artifact.memoryBytes, size);
  }
}

TEST(Deflate, HeaderHoldsNoTimeNameOrSystem) {
  const Bytes packed = cook(sampleBytes(4000)).outputs.at(0).bytes;
  const Bytes header(packed.begin(), packed.begin() + 10);
  EXPECT_EQ(header, (Bytes{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}));
}

TEST(Deflate, BytesAreThoseOfVersion1) {
  const Bytes packed = cook(sampleBytes(100'000)).outputs.at(0).bytes;
  EXPECT_EQ(sha256(packed).hex(), "6963f8128b6f535fe82c6677b4ece071a5ec9959405479547a2baff74d732cbd");
}

TEST(Deflate, HigherLevelIsNoLarger) {
  const Bytes source = sampleBytes(200'000);
  const Artifact fast = cook(source, 1);
  const Artifact small = cook(source, 9);
  EXPECT_LT(small.outputs.at(0).bytes.size(), fast.outputs.at(0).bytes.size());
  EXPECT_EQ(fast.codec, "gzip level 1");
  EXPECT_EQ(small.codec, "gzip level 9");
}

TEST(Deflate, DescribesOneItemWithoutAName) {
  RecordingContext context;
  MemoryReader reader("data.bin", "x");
  const auto description = DeflatePlugin().describe({}, reader, context);
  ASSERT_TRUE(description.has_value());
  ASSERT_EQ(description->items.size(), 1u);
  EXPECT_EQ(description->items[0].id, "file");
  EXPECT_FALSE(description->items[0].named);
}

TEST(Deflate, MeasureIsZeroForItsOwnBytes) {
  for (const std::size_t size : {0u, 1u, 262'144u, 1'000'000u}) {
    const Bytes source = sampleBytes(size);
    const auto measures = measure(source, cook(source).outputs.at(0).bytes);
    ASSERT_TRUE(measures.has_value()) << measures.error().text();
    ASSERT_EQ(measures->size(), 1u);
    EXPECT_EQ(measures->front().quantity, "byte difference");
    EXPECT_EQ(measures->front().value, 0);
    EXPECT_EQ(measures->front().bound, 0.0);
    EXPECT_EQ(measures->front().unit, "bytes");
  }
}

TEST(Deflate, MeasureCountsWrongMissingAndSurplusBytes) {
  const Bytes source = sampleBytes(5000);
  Bytes other = source;
  other[10] ^= 1;
  other[4000] ^= 1;
  EXPECT_EQ(measure(source, cook(other).outputs.at(0).bytes).value().front().value, 2);
  const Bytes shorter(source.begin(), source.end() - 7);
  EXPECT_EQ(measure(source, cook(shorter).outputs.at(0).bytes).value().front().value, 7);
  EXPECT_EQ(measure(shorter, cook(source).outputs.at(0).bytes).value().front().value, 7);
}

TEST(Deflate, MeasureOfABombStopsSoonAfterTheSource) {
  const Bytes zeros(64'000'000, 0);
  const auto measures = measure({1, 2, 3}, cook(zeros, 9).outputs.at(0).bytes);
  ASSERT_TRUE(measures.has_value());
  EXPECT_GT(measures->front().value, 0);
  EXPECT_LT(measures->front().value, 1'000'000);
}

TEST(Deflate, MeasureRefusesWhatIsNoGzipFile) {
  const Bytes source = sampleBytes(5000);
  const Bytes packed = cook(source).outputs.at(0).bytes;
  const auto messageOf = [&](const Bytes& bytes) {
    const auto measures = measure(source, bytes);
    EXPECT_FALSE(measures.has_value());
    if (measures) return std::string();
    EXPECT_EQ(measures.error().code, ErrorCode::Corrupt);
    return measures.error().message;
  };
  EXPECT_EQ(messageOf({}), "not a gzip file: it ends early");
  EXPECT_EQ(messageOf(Bytes(packed.begin(), packed.end() - 1)), "not a gzip file: it ends early");
  EXPECT_EQ(messageOf({'n', 'o', 'n', 'e'}), "not a gzip file: incorrect header check");
  Bytes flipped = packed;
  flipped[flipped.size() - 8] ^= 1;
  EXPECT_EQ(messageOf(flipped), "not a gzip file: incorrect data check");
  Bytes longer = packed;
  longer.insert(longer.end(), 3, 0);
  EXPECT_EQ(messageOf(longer), "3 bytes follow the end of the gzip member, expected none");
}

TEST(Deflate, MeasureRefusesAnotherSetOfOutputs) {
  RecordingContext context;
  MemoryReader reader("data.bin", "x");
  const auto measures = DeflatePlugin().measure(requestFor(6), reader, Artifact{}, context);
  ASSERT_FALSE(measures.has_value());
  EXPECT_EQ(measures.error(), (Error{ErrorCode::Corrupt, "the artifact has 0 outputs, expected one .gz", ""}));
}

TEST(Deflate, RefusesAnItemThatIsNotThere) {
  RecordingContext context;
  MemoryReader reader("data.bin", "x");
  Request request = requestFor(6);
  request.item = "Run";
  const auto artifact = DeflatePlugin().cook(request, reader, context);
  ASSERT_FALSE(artifact.has_value());
  EXPECT_EQ(artifact.error(), (Error{ErrorCode::InvalidInput, "the item is 'Run', expected 'file'", ""}));
}

TEST(Deflate, StopsWhenAsked) {
  RecordingContext context;
  context.cancel = true;
  MemoryReader reader("data.bin", sampleBytes(5000));
  const auto artifact = DeflatePlugin().cook(requestFor(6), reader, context);
  ASSERT_FALSE(artifact.has_value());
  EXPECT_EQ(artifact.error().code, ErrorCode::Cancelled);
}

TEST(Deflate, PassesOnWhyTheSourceCanNotBeRead) {
  RecordingContext context;
  MemoryReader reader("data.bin", "x");
  reader.files.clear();
  const auto artifact = DeflatePlugin().cook(requestFor(6), reader, context);
  ASSERT_FALSE(artifact.has_value());
  EXPECT_EQ(artifact.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace simmer
