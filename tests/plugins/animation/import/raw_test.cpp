#include "plugins/animation/import/raw.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "plugins/animation/codec/article/samples.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

constexpr std::size_t kBones = 30;

/// A raw file of this many frames in the rest pose; `change` may alter the numbers [frame][bone][10].
template <class Change>
Bytes rawFile(std::uint32_t frames, Change change) {
  std::vector<float> numbers;
  const auto skeleton = article::articleSkeleton();
  for (std::uint32_t frame = 0; frame < frames; ++frame)
    for (const Transform& t : skeleton->rest) {
      numbers.insert(numbers.end(), t.translation.begin(), t.translation.end());
      numbers.insert(numbers.end(), t.rotation.begin(), t.rotation.end());
      numbers.insert(numbers.end(), t.scale.begin(), t.scale.end());
    }
  change(numbers);
  ByteWriter writer;
  for (int i = 0; i < 16; ++i) writer.put(std::uint8_t{0});
  for (const float v : numbers) writer.put(v);
  return writer.take();
}

Bytes rawFile(std::uint32_t frames) {
  return rawFile(frames, [](std::vector<float>&) {});
}

Result<Clip> read(Bytes bytes, const ImportOptions& options = {}) {
  test::MemoryReader reader("walk.raw", std::move(bytes));
  test::RecordingContext context;
  return readRawClip(reader, "clip", options, context);
}

TEST(Raw, ReadsTheArticlesLayout) {
  const auto clip = read(rawFile(3, [](std::vector<float>& n) { n[(2 * kBones + 4) * 10 + 1] = 7; }));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_TRUE(validate(*clip));
  EXPECT_EQ(clip->frames, 3U);
  EXPECT_EQ(clip->rateHz, 60);
  EXPECT_EQ(clip->skeleton->names[4], "head");
  EXPECT_EQ(clip->pose(2, 4).translation[1], 7);
  EXPECT_EQ(clip->pose(1, 4), clip->skeleton->rest[4]);
}

TEST(Raw, TheSampleRateIsTheRateOfAFileThatHasNone) {
  ImportOptions options;
  options.sampleRateHz = 30;
  const auto clip = read(rawFile(31), options);
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_EQ(clip->frames, 31U);
  EXPECT_EQ(clip->durationS(), 1);
  test::MemoryReader reader("walk.raw", rawFile(31));
  test::RecordingContext context;
  EXPECT_EQ(readRawContents(reader, options, context)->clips.at(0).durationS, 1);
}

TEST(Raw, SetsRotationsToUnitLength) {
  const auto clip = read(rawFile(1, [](std::vector<float>& n) { n[6] = 1.0005F; }));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_EQ(clip->pose(0, 0).rotation[3], 1);
}

TEST(Raw, RefusesWrongFilesWithTheReason) {
  Bytes cut = rawFile(2);
  cut.pop_back();
  Bytes header = rawFile(1);
  header[3] = 0x41;
  const auto with = [](std::size_t index, float value) {
    return rawFile(2, [&](std::vector<float>& n) { n[index] = value; });
  };
  const struct {
    Bytes bytes;
    const char* message;
  } cases[] = {
      {cut, "2415 bytes, expected 16 and a multiple of 1200 (30 bones of 40 bytes a frame)"},
      {Bytes(16), "16 bytes, expected 16 and a multiple of 1200 (30 bones of 40 bytes a frame)"},
      {Bytes(3), "3 bytes, expected 16 and a multiple of 1200 (30 bones of 40 bytes a frame)"},
      {header, "byte 3: the header has 0x41, expected 16 zeros"},
      {with(10 * kBones + 12, std::numeric_limits<float>::quiet_NaN()),
       "frame 1, bone 'spine': a number is not finite"},
      {with(9, std::numeric_limits<float>::infinity()), "frame 0, bone 'hips': a number is not finite"},
      {with(6, 0), "frame 0, bone 'hips': the rotation has length 0, expected 1"},
      {with(16, 2), "frame 0, bone 'spine': the rotation has length 2, expected 1"},
  };
  for (const auto& c : cases) {
    const auto clip = read(c.bytes);
    ASSERT_FALSE(clip) << c.message;
    EXPECT_EQ(clip.error().code, ErrorCode::InvalidInput);
    EXPECT_EQ(clip.error().text(), c.message);
  }
}

}  // namespace
}  // namespace simmer::animation
