// Real files: everything in the shared data ends in a valid clip or a typed error, and the clips of the benchmark
// corpus have the positions that its own reader found.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "plugins/animation/clip/kinematics.h"
#include "plugins/animation/import/bvh.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

namespace fs = std::filesystem;
using test::DiskReader;
using test::RecordingContext;

std::vector<fs::path> bvhFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(BvhCorpus, EveryRealFileIsAValidClip) {
  SIMMER_SHARED(folder, "data/bvh");
  const std::vector<fs::path> files = bvhFiles(folder);
  EXPECT_GE(files.size(), 29U);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    DiskReader reader(file);
    RecordingContext context;
    const auto contents = readBvhContents(reader, {}, context);
    ASSERT_TRUE(contents) << contents.error().text();
    const auto clip = readBvhClip(reader, "clip", {}, context);
    ASSERT_TRUE(clip) << clip.error().text();
    const auto valid = validate(*clip);
    EXPECT_TRUE(valid) << valid.error().text();
    EXPECT_EQ(*clip->skeleton, *contents->skeleton);
    EXPECT_DOUBLE_EQ(clip->durationS(), contents->clips.at(0).durationS);
  }
}

// What must be read of the damaged files; every other one must be refused as InvalidInput.
TEST(BvhCorpus, DamagedFilesAreRefusedOrRead) {
  SIMMER_SHARED(folder, "data/bad");
  const std::vector<std::string> readable{"cr_only_newlines.bvh", "duplicate_joint_names.bvh", "latin1_joint_name.bvh",
                                          "more_frames_than_declared.bvh", "utf8_bom.bvh"};
  const std::vector<fs::path> files = bvhFiles(folder);
  EXPECT_GE(files.size(), 20U);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    DiskReader reader(file);
    RecordingContext context;
    const auto clip = readBvhClip(reader, "clip", {}, context);
    const bool expected = std::find(readable.begin(), readable.end(), file.filename().string()) != readable.end();
    EXPECT_EQ(clip.has_value(), expected) << (clip ? "" : clip.error().text());
    EXPECT_TRUE(clip ? validate(*clip).has_value() : clip.error().code == ErrorCode::InvalidInput);
  }
}

TEST(BvhCorpus, DamagedFilesAreNamedExactly) {
  SIMMER_SHARED(folder, "data/bad/derived/bvh");
  const struct {
    const char* file;
    const char* message;
  } cases[] = {
      {"channels_count_lies.bvh", "line 9: CHANNELS says '300', expected 0 to 6"},
      {"column_too_many.bvh", "line 145: 76 values, the channels add up to 75"},
      {"fewer_frames_than_declared.bvh", "frame count is 8, MOTION says 500"},
      {"huge_frame_count.bvh", "frame count is 8, MOTION says 2147483647"},
      {"is_really_png.bvh", "the file is a PNG image, expected BVH text that begins with HIERARCHY"},
      {"negative_frame_count.bvh", "line 143: MOTION says '-5' frames, expected a whole number above 0"},
      {"nul_bytes.bvh", "line 13: a NUL byte, expected text"},
      {"overflow_frame_count.bvh", "line 143: MOTION says 99999999999999999999 frames, expected at most 4294967295"},
      {"utf16le.bvh", "the file is UTF-16 text, expected BVH text that begins with HIERARCHY"},
      {"zero_frame_time.bvh", "line 144: Frame Time is '0.0', expected above 0"},
      {"zero_length.bvh", "the file is empty"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.file);
    DiskReader reader(folder / c.file);
    RecordingContext context;
    const auto clip = readBvhClip(reader, "clip", {}, context);
    ASSERT_FALSE(clip);
    EXPECT_EQ(clip.error().text(), c.message);
  }
}

/// The parts of a benchmark clip that are compared; its README specifies the format.
struct BenchClip {
  std::vector<std::int32_t> parents;
  std::vector<std::string> names;
  std::vector<Transform> rest, poses;
  std::uint32_t frames = 0;
  float rateHz = 0;
};

Transform takeTransform(ByteReader& reader) {
  Transform t;
  for (float& v : t.translation) v = reader.take<float>();
  for (float& v : t.rotation) v = reader.take<float>();
  for (float& v : t.scale) v = reader.take<float>();
  return t;
}

BenchClip readBench(const fs::path& file) {
  const Bytes bytes = readFile(file).value();
  ByteReader reader(bytes);
  reader.takeBytes(8);
  BenchClip clip;
  const auto joints = reader.take<std::uint32_t>();
  clip.frames = reader.take<std::uint32_t>();
  clip.rateHz = reader.take<float>();
  for (std::uint32_t joint = 0; joint < joints; ++joint) {
    clip.parents.push_back(reader.take<std::int32_t>());
    clip.rest.push_back(takeTransform(reader));
    const auto length = reader.take<std::uint16_t>();
    clip.names.emplace_back(asText(reader.takeBytes(length)));
  }
  for (std::uint32_t i = 0; i < joints * clip.frames; ++i) clip.poses.push_back(takeTransform(reader));
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.left(), 0U);
  return clip;
}

struct BenchRow {
  std::string name, source;
  std::uint32_t firstFrame = 0;
  double metresPerUnit = 0.01;
};

std::vector<BenchRow> bvhRows(const fs::path& table) {
  std::vector<BenchRow> rows;
  std::ifstream stream(table);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    BenchRow row;
    std::string cut;
    std::getline(fields, row.name, '\t');
    std::getline(fields, row.source, '\t');
    std::getline(fields, cut, '\t');
    if (!row.source.starts_with("bvh/")) continue;
    if (cut.starts_with("frames ")) row.firstFrame = static_cast<std::uint32_t>(std::stoul(cut.substr(7)));
    row.metresPerUnit = std::stod(cut.substr(cut.find(" x ") + 3));
    rows.push_back(row);
  }
  return rows;
}

/// The largest distance of a joint's origin in the world from the benchmark's, metres.
double largestDistance(const Clip& clip, const BenchClip& bench, std::uint32_t firstFrame) {
  std::vector<Affine> seen(clip.joints()), expected(clip.joints());
  double worst = 0;
  for (std::uint32_t frame = 0; frame < bench.frames; ++frame) {
    toWorld(*clip.skeleton, &clip.pose(firstFrame + frame, 0), seen.data());
    toWorld(*clip.skeleton, &bench.poses[frame * clip.joints()], expected.data());
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      for (std::size_t axis = 0; axis < 3; ++axis)
        worst = std::max(worst, std::abs(seen[joint].columns[3][axis] - expected[joint].columns[3][axis]));
  }
  return worst;
}

TEST(BvhCorpus, PositionsAreThoseOfTheBenchmark) {
  SIMMER_SHARED(table, "bench/clips.tsv");
  SIMMER_SHARED(data, "data");
  const std::vector<BenchRow> rows = bvhRows(table);
  EXPECT_GE(rows.size(), 16U);
  for (const BenchRow& row : rows) {
    SCOPED_TRACE(row.name);
    const BenchClip bench = readBench(table.parent_path() / "clips" / (row.name + ".rawclip"));
    DiskReader reader(data / row.source);
    RecordingContext context;
    ImportOptions options;
    options.metresPerUnit = row.metresPerUnit;
    const auto clip = readBvhClip(reader, "clip", options, context);
    ASSERT_TRUE(clip) << clip.error().text();
    ASSERT_EQ(clip->skeleton->parents, bench.parents);
    EXPECT_EQ(clip->skeleton->names, bench.names);
    EXPECT_FLOAT_EQ(static_cast<float>(clip->rateHz), bench.rateHz);
    ASSERT_LE(row.firstFrame + bench.frames, clip->frames);
    for (std::size_t joint = 0; joint < clip->joints(); ++joint)
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(clip->skeleton->rest[joint].translation[axis], bench.rest[joint].translation[axis], 1e-5);
    // The table gives six digits of a factor: 1e-5 of the way from the origin, and float32 on both sides.
    EXPECT_LT(largestDistance(*clip, bench, row.firstFrame), 2e-5);
  }
}

}  // namespace
}  // namespace simmer::animation
