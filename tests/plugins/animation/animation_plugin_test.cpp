#include "plugins/animation/animation_plugin.h"

#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/skeleton_file.h"
#include "tests/plugins/animation/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using testing::HasSubstr;

TEST_F(AnimationPluginTest, MetadataSaysWhatItTakesAndIsMadeOf) {
  EXPECT_EQ(metadata.name, "animation");
  for (const char* name : {"walk.bvh", "characters/Fox.GLB", "a/b.gltf", "x.raw"}) EXPECT_TRUE(metadata.takes(name));
  EXPECT_FALSE(metadata.takes("walk.fbx"));
  EXPECT_EQ(metadata.usedParts("walk.bvh", metadata.defaults()).front(), "importer.bvh 1");
  EXPECT_EQ(metadata.usedParts("fox.GLB", metadata.defaults()).front(), "importer.gltf 2");
  EXPECT_THAT(metadata.usedParts("fox.glb", metadata.defaults()), testing::Contains("codec.spline 2"));
  Settings article = metadata.defaults();
  article["codec"] = "article";
  EXPECT_THAT(metadata.usedParts("fox.glb", article), testing::Contains("codec.article 1"));
  EXPECT_TRUE(metadata.setting("metres_per_unit")->import && metadata.setting("sample_rate")->import);
}

TEST_F(AnimationPluginTest, DescribesTheClips) {
  const Settings import{{"metres_per_unit", 0.02}, {"sample_rate", 0.0}};
  const Result<Description> description = plugin.describe(import, reader, context);
  ASSERT_TRUE(description) << description.error().text();
  ASSERT_EQ(description->items.size(), 1u);
  EXPECT_EQ(description->items[0].id, "clip");
  EXPECT_FALSE(description->items[0].named);
  EXPECT_NEAR(description->items[0].durationS, 2, 1e-9);
  EXPECT_GE(description->items[0].heightM, 2);
}

TEST_F(AnimationPluginTest, CooksAClipThatMeetsTheTolerance) {
  const Artifact artifact = cooked();
  ASSERT_EQ(artifact.outputs.size(), 2u);
  EXPECT_EQ(artifact.outputs[0].suffix, "clip");
  EXPECT_FALSE(artifact.outputs[0].perSource);
  EXPECT_EQ(artifact.outputs[1].suffix, "skeleton");
  EXPECT_TRUE(artifact.outputs[1].perSource);
  EXPECT_EQ(artifact.toleranceM, 0.002);
  EXPECT_EQ(artifact.rawBytes % (41 * 40), 0u);
  EXPECT_LT(artifact.outputs[0].bytes.size(), artifact.rawBytes / 4);
  EXPECT_EQ(artifact.memoryBytes,
            simmer_clip_memory(artifact.outputs[0].bytes.data(), artifact.outputs[0].bytes.size()));
  const auto measures = measured(artifact);
  EXPECT_EQ(measures.size(), 2u);
  const Measure& world = measures.at("world error");
  EXPECT_EQ(world.unit, "mm");
  EXPECT_EQ(world.bound, 2.0);
  EXPECT_LE(world.value, 2.0);
  EXPECT_GT(world.value, 0);
  EXPECT_LE(measures.at("joint error").value, world.value);
  const Result<Skeleton> skeleton = readSkeleton(artifact.outputs[1].bytes);
  ASSERT_TRUE(skeleton);
  EXPECT_EQ(skeleton->names[0], "shoulder");
}

TEST_F(AnimationPluginTest, ResolvesTheToleranceWithTheMeasuredHeight) {
  request.tolerance = {};
  const Artifact artifact = cooked();
  EXPECT_GT(artifact.objectHeightM, 0.5);
  EXPECT_DOUBLE_EQ(artifact.toleranceM, 0.5 * artifact.objectHeightM / 540);
  request.tolerance.objectHeightM = 5.4;
  const Artifact given = cooked();
  EXPECT_EQ(given.objectHeightM, 5.4);
  EXPECT_DOUBLE_EQ(given.toleranceM, 0.005);
}

TEST_F(AnimationPluginTest, TheSkeletonMayStandInside) {
  request.settings["self_contained"] = true;
  const Artifact artifact = cooked();
  ASSERT_EQ(artifact.outputs.size(), 1u);
  EXPECT_LE(measured(artifact).at("world error").value, 2.0);
}

TEST_F(AnimationPluginTest, TheSameRequestGivesTheSameBytes) {
  const Artifact once = cooked(), twice = cooked();
  EXPECT_EQ(once.outputs[0].bytes, twice.outputs[0].bytes);
  EXPECT_EQ(once.outputs[1].bytes, twice.outputs[1].bytes);
}

TEST_F(AnimationPluginTest, MeasureSeesALargerError) {
  // Cooked for 5 cm, measured against 2 mm.
  request.tolerance.toleranceM = 0.05;
  const Artifact loose = cooked();
  request.tolerance.toleranceM = 0.002;
  const Measure world = measured(loose).at("world error");
  EXPECT_GT(world.value, *world.bound);
}

TEST_F(AnimationPluginTest, MeasureRefusesWhatIsNotThisClip) {
  const Artifact artifact = cooked();
  Artifact cut = artifact;
  cut.outputs[0].bytes.pop_back();
  EXPECT_EQ(measureError(cut).code, ErrorCode::Corrupt);
  Artifact without = artifact;
  without.outputs.pop_back();
  EXPECT_THAT(measureError(without).message, HasSubstr("1 outputs, expected 2"));
  Artifact otherSkeleton = artifact;
  otherSkeleton.outputs[1].bytes.back() ^= 1;
  EXPECT_THAT(measureError(otherSkeleton).message, HasSubstr("the skeleton is not the one that the source has"));
  std::string text = armBvh();
  text.replace(text.find("elbow"), 5, "wrist");
  reader = MemoryReader("arm.bvh", text);
  EXPECT_THAT(measureError(artifact).message, HasSubstr("names another skeleton"));
  text.replace(text.find("Frames: 41"), 10, "Frames: 40");
  text.resize(text.rfind('\n', text.size() - 2) + 1);
  reader = MemoryReader("arm.bvh", text);
  EXPECT_THAT(measureError(artifact).message, HasSubstr("41 frames"));
}

TEST_F(AnimationPluginTest, InspectGivesOriginsAndErrors) {
  const Artifact artifact = cooked();
  const Result<Bytes> answer = plugin.inspect(request, reader, &artifact, {0.5, 1.5, 3}, context);
  ASSERT_TRUE(answer) << answer.error().text();
  const auto json = nlohmann::json::parse(asText(*answer), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["clip"], "clip");
  EXPECT_EQ(json["frames"], 41);
  EXPECT_EQ(json["tolerance_mm"], 2.0);
  EXPECT_EQ(json["joints"][1]["name"], "elbow");
  EXPECT_EQ(json["joints"][1]["parent"], 0);
  ASSERT_EQ(json["samples"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& sample = json["samples"][i];
    EXPECT_EQ(sample["time_s"], 0.5 + 0.5 * static_cast<double>(i));
    EXPECT_NEAR(sample["reference"][1][0], 0.01 * 20 * static_cast<double>(sample["time_s"]), 1e-6);
    EXPECT_NEAR(sample["reference"][1][1], 1, 1e-6);
    for (std::size_t joint = 0; joint < json["joints"].size(); ++joint) {
      double squares = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double apart =
            static_cast<double>(sample["reference"][joint][axis]) - static_cast<double>(sample["decoded"][joint][axis]);
        squares += apart * apart;
      }
      EXPECT_NEAR(sample["error_mm"][joint], std::sqrt(squares) * 1000, 1e-9);
    }
  }
  const Result<Bytes> source = plugin.inspect(request, reader, nullptr, {0, 1, 1}, context);
  ASSERT_TRUE(source);
  EXPECT_FALSE(nlohmann::json::parse(asText(*source))["samples"][0].contains("decoded"));
}

TEST_F(AnimationPluginTest, InspectRefusesSillyWindows) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Window& window :
       {Window{0, 1, 0}, Window{1, 0, 2}, Window{nan, 1, 2}, Window{0, nan, 2}, Window{0, 1, 0xFFFFFFFF}}) {
    const Result<Bytes> answer = plugin.inspect(request, reader, nullptr, window, context);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::InvalidInput);
  }
}

TEST_F(AnimationPluginTest, AnUnknownClipIsNotFound) {
  request.item = "Run";
  const Result<Artifact> artifact = plugin.cook(request, reader, context);
  ASSERT_FALSE(artifact);
  EXPECT_EQ(artifact.error().code, ErrorCode::NotFound);
}

TEST_F(AnimationPluginTest, ACancelledCookSaysSo) {
  context.cancel = true;
  const Result<Artifact> artifact = plugin.cook(request, reader, context);
  ASSERT_FALSE(artifact);
  EXPECT_EQ(artifact.error().code, ErrorCode::Cancelled);
}

TEST_F(AnimationPluginTest, RunsItsCommands) {
  for (const CommandSpec& command : metadata.commands) {
    std::ostringstream out, err;
    Arguments arguments{{}, out, err};
    EXPECT_EQ(plugin.run(command.name, arguments, context), 2) << command.name << " without its argument";
    EXPECT_FALSE(err.str().empty()) << command.name;
  }
}

// Every clip of the shared corpus, at a pixel of 256: within its bound, or refused by the importer.
void cookFolder(const std::filesystem::path& folder) {
  const AnimationPlugin plugin;
  const Result<Bytes> json = readFile(SIMMER_ANIMATION_METADATA);
  const PluginMetadata metadata = *PluginMetadata::parse(asText(*json));
  RecordingContext context;
  Settings import = metadata.defaults();
  std::size_t clips = 0;
  std::uint64_t raw = 0, cooked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !metadata.takes(entry.path().filename().string())) continue;
    simmer::test::DiskReader reader(entry.path());
    const Result<Description> description = plugin.describe(import, reader, context);
    if (!description) continue;  // the importers' own tests hold the messages
    for (const ItemDescription& item : description->items) {
      Request request;
      request.item = item.id;
      request.settings = metadata.defaults();
      request.tolerance.pixelBudget = 1;
      request.tolerance.screenHeightPx = 256;
      const Result<Artifact> artifact = plugin.cook(request, reader, context);
      ASSERT_TRUE(artifact) << entry.path() << " " << item.id << ": " << artifact.error().text();
      const Result<Measures> measures = plugin.measure(request, reader, *artifact, context);
      ASSERT_TRUE(measures) << entry.path() << " " << item.id << ": " << measures.error().text();
      for (const Measure& measure : *measures)
        EXPECT_LE(measure.value, measure.bound.value_or(measure.value)) << entry.path() << " " << item.id;
      ++clips;
      raw += artifact->rawBytes;
      cooked += artifact->outputs[0].bytes.size();
    }
  }
  testing::Test::RecordProperty("clips", static_cast<int>(clips));
  testing::Test::RecordProperty("raw_bytes", std::to_string(raw));
  testing::Test::RecordProperty("clip_bytes", std::to_string(cooked));
  EXPECT_GT(clips, 20u);
  EXPECT_LT(cooked * 10, raw);
}

TEST(AnimationCorpus, EveryBvhClipStaysWithinItsBound) {
  SIMMER_SHARED(folder, "data/bvh");
  cookFolder(folder);
}

TEST(AnimationCorpus, EveryGlbClipStaysWithinItsBound) {
  SIMMER_SHARED(folder, "data/glb");
  cookFolder(folder);
}

TEST(AnimationCorpus, EveryGltfClipStaysWithinItsBound) {
  SIMMER_SHARED(folder, "data/gltf");
  cookFolder(folder);
}

}  // namespace
}  // namespace simmer::animation
