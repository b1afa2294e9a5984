#include "plugins/animation/import/gltf.h"

#include <gtest/gtest.h>

#include "tests/plugins/animation/import/gltf_builder.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using test::GltfBuilder;
using test::Json;
using test::movingBox;

SourceContents read(const GltfBuilder& gltf) {
  test::MemoryReader reader("a.gltf", std::string_view(gltf.text()));
  test::RecordingContext context;
  const auto contents = readGltfContents(reader, {}, context);
  EXPECT_TRUE(contents) << contents.error().text();
  return contents.value_or(SourceContents{});
}

/// `count` animations that move node 0.
GltfBuilder animations(std::size_t count) {
  GltfBuilder gltf = movingBox();
  for (std::size_t i = 1; i < count; ++i) gltf.channel(i, 0, "translation", 0, 1);
  return gltf;
}

TEST(Gltf, BinaryAndTextAndExternalBuffersGiveTheSameClip) {
  const GltfBuilder gltf = movingBox();
  GltfBuilder external = movingBox();
  external.json["buffers"] = {{{"byteLength", external.data.size()}, {"uri", "./my%20box.bin"}}};
  test::MemoryReader text("a.gltf", std::string_view(gltf.text())), binary("a.glb", gltf.binary()),
      apart("a.gltf", std::string_view(external.text()));
  apart.files["my box.bin"] = external.data;
  test::RecordingContext context;
  for (test::MemoryReader* reader : {&text, &binary, &apart}) {
    const auto clip = readGltfClip(*reader, "clip", {.sampleRateHz = 4}, context);
    ASSERT_TRUE(clip) << clip.error().text();
    EXPECT_EQ(clip->id, "clip");
    EXPECT_FALSE(clip->named);
    ASSERT_EQ(clip->frames, 5u);
    for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(clip->pose(i, 0).translation[0], 0.25F * static_cast<float>(i));
    EXPECT_EQ(clip->skeleton->names, std::vector<std::string>{"box"});
  }
}

TEST(Gltf, AByteOrderMarkAndBytesBehindTheEndAreHarmless) {
  test::RecordingContext context;
  test::MemoryReader marked("a.gltf", std::string_view("\xEF\xBB\xBF" + movingBox().text()));
  EXPECT_TRUE(readGltfContents(marked, {}, context));
  Bytes longer = movingBox().binary();
  longer.resize(longer.size() + 70);
  test::MemoryReader trailing("a.glb", longer);
  const auto contents = readGltfContents(trailing, {}, context);
  ASSERT_TRUE(contents);
  EXPECT_EQ(contents->warnings, std::vector<std::string>{"70 bytes behind the end of the GLB are ignored"});
}

TEST(Gltf, IdsAreTheNamesOfTheAnimations) {
  GltfBuilder gltf = animations(5);
  gltf.json["animations"][0]["name"] = "Run";
  gltf.json["animations"][1]["name"] = "Walk";
  gltf.json["animations"][2]["name"] = "Run";
  const SourceContents contents = read(gltf);
  std::vector<std::string> ids;
  for (const ClipInfo& info : contents.clips) {
    ids.push_back(info.id);
    EXPECT_TRUE(info.named) << info.id;  // each publishes a file of its own
    EXPECT_EQ(info.durationS, 1);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"Run", "Walk", "Run#2", "clip", "clip#2"}));
  EXPECT_FALSE(read(animations(1)).clips.at(0).named);
}

TEST(Gltf, AnIdThatIsNotThereIsNotFound) {
  test::MemoryReader reader("a.gltf", std::string_view(movingBox().text()));
  test::RecordingContext context;
  const auto clip = readGltfClip(reader, "Run", {}, context);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error(), (Error{ErrorCode::NotFound, "there is no animation 'Run'", ""}));
}

TEST(Gltf, SettingsInExtrasAreHandedOn) {
  GltfBuilder gltf = movingBox();
  gltf.json["animations"][0]["extras"]["simmer"] = {{"profile", "hero"}, {"pixels", 0.25}, {"codec_level", 3},
                                                    {"keep", true},      {"list", {1}},    {"nothing", nullptr},
                                                    {"range", {0.5, 2}}};
  const SourceContents contents = read(gltf);
  const Settings expected{{"profile", std::string("hero")},
                          {"pixels", 0.25},
                          {"codec_level", std::int64_t{3}},
                          {"keep", true},
                          {"range", std::string("0.5..2")}};
  EXPECT_EQ(contents.clips.at(0).embedded, expected);
  EXPECT_EQ(contents.warnings,
            (std::vector<std::string>{
                "/animations/0/extras/simmer/list: is an array, expected a boolean, a number, a string or two numbers; "
                "left out",
                "/animations/0/extras/simmer/nothing: is null, expected a boolean, a number, a string or two numbers; "
                "left out"}));
  gltf.json["animations"][0]["extras"]["simmer"] = "hero";
  EXPECT_EQ(
      read(gltf).warnings,
      std::vector<std::string>{"/animations/0/extras/simmer: is a string, expected an object of settings; left out"});
}

TEST(Gltf, TheSkeletonHoldsWhatMovesAndWhatStandsAboveIt) {
  GltfBuilder gltf;
  gltf.node({{"name", "scene root"}, {"children", {4, 1}}});
  gltf.node({{"name", "armature"}, {"children", {2, 3}}});
  gltf.node({{"name", "joint"}, {"children", {5}}});
  gltf.node({{"name", "camera"}});
  gltf.node({{"name", "prop"}});
  gltf.node({{"name", "joint_end"}});
  gltf.node({{"children", {7}}});
  gltf.node(Json::object());
  gltf.json["skins"] = {{{"joints", {2}}}};
  const int times = gltf.floats({0, 1}, "SCALAR");
  const int values = gltf.floats({0, 0, 0, 1, 1, 1}, "VEC3");
  gltf.channel(0, 4, "translation", times, values);
  gltf.channel(1, 7, "translation", times, values);
  const SourceContents contents = read(gltf);
  EXPECT_EQ(contents.skeleton->names,
            (std::vector<std::string>{"scene root", "prop", "armature", "joint", "node 6", "node 7"}));
  EXPECT_EQ(contents.skeleton->parents, (std::vector<std::int32_t>{-1, 0, 0, 2, -1, 4}));
}

TEST(Gltf, TheClipBeginsAtTheFirstKeyOfAnyChannel) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "box"}});
  gltf.channel(0, node, "translation", gltf.floats({2, 3}, "SCALAR"), gltf.floats({1, 1, 1, 2, 2, 2}, "VEC3"));
  gltf.channel(0, node, "scale", gltf.floats({1.5F, 5.5F}, "SCALAR"), gltf.floats({1, 1, 1, 5, 5, 5}, "VEC3"));
  EXPECT_EQ(read(gltf).clips.at(0).durationS, 4);
  test::MemoryReader reader("a.gltf", std::string_view(gltf.text()));
  test::RecordingContext context;
  const auto clip = readGltfClip(reader, "clip", {.sampleRateHz = 2}, context);
  ASSERT_TRUE(clip);
  ASSERT_EQ(clip->frames, 9u);
  EXPECT_EQ(clip->pose(0, 0).translation[0], 1);  // before its first key a channel holds it
  EXPECT_EQ(clip->pose(2, 0).translation[0], 1.5F);
  EXPECT_EQ(clip->pose(8, 0).translation[0], 2);
  EXPECT_EQ(clip->pose(2, 0).scale[0], 2);
}

TEST(Gltf, WhatMovesNothingIsLeftOutWithAReason) {
  GltfBuilder gltf = animations(3);
  gltf.json["animations"][0]["channels"][0]["target"].erase("node");
  gltf.json["animations"][1]["channels"][0]["target"]["path"] = "visibility";
  const SourceContents contents = read(gltf);
  ASSERT_EQ(contents.clips.size(), 1u);
  EXPECT_EQ(contents.clips[0].id, "clip#3");
  EXPECT_EQ(contents.warnings, (std::vector<std::string>{
                                   "/animations/0/channels/0: 1 channels without a node or a known path are left out",
                                   "/animations/0: 'clip' moves nothing and is left out",
                                   "/animations/1/channels/0: 1 channels without a node or a known path are left out",
                                   "/animations/1: 'clip#2' moves nothing and is left out"}));
}

TEST(Gltf, AFileWithoutAnimationsIsEmptyAndReadsNoBuffer) {
  GltfBuilder gltf;
  gltf.node({{"name", "rock"}, {"mesh", 0}});
  gltf.json["buffers"] = {{{"byteLength", 9}, {"uri", "absent.bin"}}};
  const SourceContents contents = read(gltf);
  EXPECT_TRUE(contents.clips.empty());
  EXPECT_EQ(contents.warnings, std::vector<std::string>{"the file has no animation to cook"});
}

TEST(Gltf, ABrokenAnimationLeavesTheOthersAlone) {
  GltfBuilder gltf = animations(2);
  gltf.json["animations"][0]["samplers"][0]["input"] = 40;
  const SourceContents contents = read(gltf);
  ASSERT_EQ(contents.clips.size(), 2u);
  EXPECT_EQ(contents.warnings,
            std::vector<std::string>{"/animations/0/samplers/0/input: names accessor 40, the file has 2"});
  test::MemoryReader reader("a.gltf", std::string_view(gltf.text()));
  test::RecordingContext context;
  EXPECT_EQ(readGltfClip(reader, "clip", {}, context).error().text(), contents.warnings[0]);
  EXPECT_TRUE(readGltfClip(reader, "clip#2", {}, context));
}

TEST(Gltf, WhatIsBrokenElsewhereDoesNotMatter) {
  GltfBuilder gltf = movingBox();
  gltf.json["images"] = {{{"uri", 7}}};
  gltf.json["materials"] = "none";
  gltf.json["cameras"] = {nullptr};
  gltf.json["textures"] = {{{"source", -4}}};
  gltf.json["accessors"].push_back({{"count", -1}});
  gltf.json["bufferViews"].push_back(3);
  gltf.json["nodes"][0]["camera"] = 99;
  EXPECT_TRUE(read(gltf).warnings.empty());
}

TEST(Gltf, AHierarchyMayBeAsDeepAsItLikes) {
  constexpr int kDepth = 100000;
  GltfBuilder gltf;
  Json& nodes = gltf.json["nodes"];
  for (int i = 0; i < kDepth; ++i) nodes.push_back({{"children", {i + 1}}});
  nodes.push_back(Json::object());
  gltf.channel(0, kDepth, "translation", gltf.floats({0, 1}, "SCALAR"), gltf.floats({0, 0, 0, 1, 0, 0}, "VEC3"));
  const SourceContents contents = read(gltf);
  EXPECT_EQ(contents.skeleton->size(), kDepth + 1u);
}

TEST(Gltf, OneAccessorForManyChannelsIsCountedEachTime) {
  GltfBuilder gltf;
  for (int i = 0; i < 400; ++i) gltf.node(Json::object());
  // Zeros that cost the file nothing: 100,000 values for each of 400 nodes.
  gltf.json["accessors"].push_back({{"componentType", 5126}, {"count", 100000}, {"type", "VEC3"}});
  gltf.data.resize(4 * 100000);
  for (std::uint32_t i = 0; i < 100000; ++i) {
    const auto time = static_cast<float>(i);
    std::memcpy(gltf.data.data() + 4 * std::size_t{i}, &time, 4);
  }
  gltf.json["bufferViews"].push_back({{"buffer", 0}, {"byteLength", 400000}});
  gltf.json["accessors"].push_back({{"bufferView", 0}, {"componentType", 5126}, {"count", 100000}, {"type", "SCALAR"}});
  for (int i = 0; i < 400; ++i) gltf.channel(0, i, "translation", 1, 0);
  test::MemoryReader reader("a.glb", gltf.binary());
  test::RecordingContext context;
  const auto clip = readGltfClip(reader, "clip", {}, context);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().text(), "/animations/0/samplers/111/output: the animation has more than 33554432 numbers");
}

TEST(Gltf, CancelledEndsEarly) {
  test::MemoryReader reader("a.gltf", std::string_view(movingBox().text()));
  test::RecordingContext context;
  context.cancel = true;
  const auto clip = readGltfClip(reader, "clip", {}, context);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace simmer::animation
