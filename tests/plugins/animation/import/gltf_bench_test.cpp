// The clips of the benchmark corpus that come from glTF files, read by another program: the joints that both have stand
// at the same places in the world, at every frame.

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "plugins/animation/clip/kinematics.h"
#include "plugins/animation/import/gltf.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

struct BenchClip {
  Skeleton skeleton;
  std::uint32_t frames = 0;
  float rateHz = 0;
  std::vector<Transform> poses;
};

BenchClip readBench(const std::filesystem::path& path) {
  const Bytes bytes = *readFile(path);
  ByteReader reader(bytes);
  reader.takeBytes(8);
  BenchClip clip;
  const auto joints = reader.take<std::uint32_t>();
  clip.frames = reader.take<std::uint32_t>();
  clip.rateHz = reader.take<float>();
  const auto takeTransform = [&] {
    Transform t;
    for (float& v : t.translation) v = reader.take<float>();
    for (float& v : t.rotation) v = reader.take<float>();
    for (float& v : t.scale) v = reader.take<float>();
    return t;
  };
  for (std::uint32_t j = 0; j < joints; ++j) {
    clip.skeleton.parents.push_back(reader.take<std::int32_t>());
    clip.skeleton.rest.push_back(takeTransform());
    const auto length = reader.take<std::uint16_t>();
    clip.skeleton.names.emplace_back(asText(reader.takeBytes(length)));
  }
  for (std::uint32_t i = 0; i < clip.frames * joints; ++i) clip.poses.push_back(takeTransform());
  EXPECT_TRUE(reader.ok());
  return clip;
}

/// Joints by name; names that repeat are told apart by their order.
std::map<std::string, std::size_t> byName(const Skeleton& skeleton) {
  std::map<std::string, std::size_t> joints;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    std::string name = skeleton.names[j];
    while (joints.contains(name)) name += '+';
    joints[name] = j;
  }
  return joints;
}

struct Row {
  std::string name, source, animation;
  double unit = 1;
};

std::vector<Row> rows(const std::filesystem::path& table) {
  std::vector<Row> rows;
  std::ifstream file(table);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    Row row;
    std::string cut;
    std::getline(cells, row.name, '\t');
    std::getline(cells, row.source, '\t');
    std::getline(cells, cut, '\t');
    if (!row.source.starts_with("gl")) continue;
    const std::size_t from = cut.find('"') + 1;
    row.animation = cut.substr(from, cut.find('"', from) - from);
    if (cut.find("x 0.01") != std::string::npos) row.unit = 0.01;
    rows.push_back(row);
  }
  return rows;
}

void compare(const Row& row, const BenchClip& bench, const Clip& clip) {
  EXPECT_EQ(clip.rateHz, bench.rateHz);
  ASSERT_EQ(clip.frames, bench.frames);
  const auto ours = byName(*clip.skeleton), theirs = byName(bench.skeleton);
  std::vector<Affine> world(clip.joints()), expected(bench.skeleton.size());
  double worst = 0;
  for (const auto& [name, joint] : theirs) ASSERT_TRUE(ours.contains(name)) << name;
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    toWorld(*clip.skeleton, &clip.pose(frame, 0), world.data());
    toWorld(bench.skeleton, bench.poses.data() + frame * expected.size(), expected.data());
    for (const auto& [name, joint] : theirs)
      for (std::size_t axis = 0; axis < 3; ++axis)
        worst = std::max(worst,
                         std::abs(world[ours.at(name)].columns[3][axis] * row.unit - expected[joint].columns[3][axis]));
  }
  EXPECT_LT(worst, 1e-5 * std::max(1.0, measuredHeight(bench.skeleton)));
}

TEST(GltfBench, JointsStandWhereAnotherReaderPutsThem) {
  SIMMER_SHARED(bench, "bench");
  SIMMER_SHARED(data, "data");
  const std::vector<Row> all = rows(bench / "clips.tsv");
  EXPECT_EQ(all.size(), 15u);
  for (const Row& row : all) {
    SCOPED_TRACE(row.name);
    const BenchClip expected = readBench(bench / "clips" / (row.name + ".rawclip"));
    test::DiskReader reader(data / row.source);
    test::RecordingContext context;
    const auto clip = readGltfClip(reader, row.animation, {}, context);
    ASSERT_TRUE(clip) << clip.error().text();
    compare(row, expected, *clip);
    // The corpus leaves out joints that one animation alone does not need; elsewhere the selections agree.
    EXPECT_EQ(clip->joints(), row.name == "step_rotation_24" ? 9u : expected.skeleton.size());
  }
}

}  // namespace
}  // namespace simmer::animation
