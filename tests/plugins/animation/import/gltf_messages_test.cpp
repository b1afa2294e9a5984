// What a person reads when a file is wrong: the place, what was seen, what was expected.

#include <functional>

#include <gtest/gtest.h>

#include "plugins/animation/import/gltf.h"
#include "tests/plugins/animation/import/gltf_builder.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using test::GltfBuilder;
using test::Json;
using test::movingBox;

/// The error of the file, or else of its first clip.
std::optional<Error> errorOf(test::MemoryReader reader) {
  test::RecordingContext context;
  const auto contents = readGltfContents(reader, {}, context);
  if (!contents) return contents.error();
  const auto clip = readGltfClip(reader, contents->clips.empty() ? "clip" : contents->clips[0].id, {}, context);
  return clip ? std::optional<Error>() : clip.error();
}

struct Defect {
  const char* name;
  std::function<void(GltfBuilder&)> damage;  ///< to a box that moves
  ErrorCode code;
  const char* text;
};

constexpr auto kInvalid = ErrorCode::InvalidInput;
constexpr auto kUnsupported = ErrorCode::Unsupported;

const Defect kDefects[] = {
    {"no asset", [](auto& g) { g.json.erase("asset"); }, kInvalid, "/asset: is missing"},
    {"version 1", [](auto& g) { g.json["asset"]["version"] = "1.0"; }, kUnsupported,
     "/asset/version: is \"1.0\", expected \"2.0\""},
    {"a later version", [](auto& g) { g.json["asset"]["minVersion"] = "2.1"; }, kUnsupported,
     "/asset/minVersion: is \"2.1\", expected \"2.0\""},
    {"accessors are no array", [](auto& g) { g.json["accessors"] = "none"; }, kInvalid,
     "/accessors: is a string, expected an array"},
    {"no such sampler", [](auto& g) { g.json["animations"][0]["channels"][0]["sampler"] = 3; }, kInvalid,
     "/animations/0/channels/0/sampler: names sampler 3, the animation has 1"},
    {"no such node", [](auto& g) { g.json["animations"][0]["channels"][0]["target"]["node"] = 7; }, kInvalid,
     "/animations/0/channels/0/target/node: names node 7, the file has 1"},
    {"no such input", [](auto& g) { g.json["animations"][0]["samplers"][0]["input"] = 9; }, kInvalid,
     "/animations/0/samplers/0/input: names accessor 9, the file has 2"},
    {"a negative index", [](auto& g) { g.json["animations"][0]["samplers"][0]["input"] = -1; }, kInvalid,
     "/animations/0/samplers/0/input: is -1, expected a whole number from 0"},
    {"an unknown interpolation", [](auto& g) { g.json["animations"][0]["samplers"][0]["interpolation"] = "BEZIER"; },
     kInvalid, "/animations/0/samplers/0/interpolation: is \"BEZIER\", expected LINEAR, STEP or CUBICSPLINE"},
    {"one target twice",
     [](auto& g) { g.json["animations"][0]["channels"].push_back(Json(g.json["animations"][0]["channels"][0])); },
     kInvalid, "/animations/0/channels/1/target: the translation of node 0 has a channel already"},
    {"too few values", [](auto& g) { g.json["accessors"][1]["count"] = 1; }, kInvalid,
     "/animations/0/samplers/0/output: has 1 values for 2 keys of translation, expected 2"},
    {"a spline without tangents",
     [](auto& g) { g.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; }, kInvalid,
     "/animations/0/samplers/0/output: has 2 values for 2 spline keys of translation, expected 6"},
    {"integers that are not normalised", [](auto& g) { g.json["accessors"][1]["componentType"] = 5122; }, kInvalid,
     "/accessors/1/componentType: is 5122, expected 5126 (float)"},
    {"a wrong type", [](auto& g) { g.json["accessors"][1]["type"] = "VEC2"; }, kInvalid,
     "/accessors/1/type: is VEC2, expected VEC3"},
    {"an unknown component type", [](auto& g) { g.json["accessors"][1]["componentType"] = 5124; }, kInvalid,
     "/accessors/1/componentType: is 5124, expected 5120, 5121, 5122, 5123, 5125 or 5126"},
    {"an accessor behind its view", [](auto& g) { g.json["accessors"][1]["byteOffset"] = 4; }, kInvalid,
     "/accessors/1: 2 elements of 12 bytes at 4 end behind the 24 bytes of the view"},
    {"a count that overflows", [](auto& g) { g.json["accessors"][0]["count"] = 4503599627370496; }, kUnsupported,
     "/accessors/0/count: is 4503599627370496: at most 33554432 numbers are read"},
    {"an offset that overflows", [](auto& g) { g.json["accessors"][1]["byteOffset"] = 9007199254740988; }, kInvalid,
     "/accessors/1: 2 elements of 12 bytes at 9007199254740988 end behind the 24 bytes of the view"},
    {"a crooked offset",
     [](auto& g) {
       g.json["accessors"][1]["byteOffset"] = 2;
       g.json["bufferViews"][1]["byteLength"] = 24;
     },
     kInvalid, "/accessors/1: starts at byte 10, expected a multiple of 4"},
    {"a stride below the element", [](auto& g) { g.json["bufferViews"][1]["byteStride"] = 8; }, kInvalid,
     "/accessors/1: an element has 12 bytes, the stride is 8"},
    {"a stride of 6", [](auto& g) { g.json["bufferViews"][1]["byteStride"] = 6; }, kInvalid,
     "/bufferViews/1/byteStride: is 6, expected a multiple of 4 from 4 to 252"},
    {"a view behind its buffer", [](auto& g) { g.json["bufferViews"][1]["byteOffset"] = 12; }, kInvalid,
     "/bufferViews/1: 24 bytes at 12 end behind the 32 bytes of the buffer"},
    {"a buffer shorter than it says",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 64}, {"uri", "data:;base64," + g.base64()}}};
     },
     kInvalid, "/buffers/0/byteLength: is 64, but the data have 32 bytes"},
    {"no URI and no BIN chunk",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}}};
     },
     kInvalid, "/buffers/0: has no uri, and the file no BIN chunk"},
    {"a missing buffer",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "my%20data.bin"}}};
     },
     kInvalid, "/buffers/0/uri: the buffer 'my%20data.bin' is not there"},
    {"a buffer on the web",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "https://example.org/a.bin"}}};
     },
     kUnsupported,
     "/buffers/0/uri: 'https://example.org/a.bin' has the scheme 'https', expected a path beside the file"},
    {"an absolute path",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "/etc/passwd"}}};
     },
     kInvalid, "/buffers/0/uri: '/etc/passwd' is an absolute path, expected one beside the file"},
    {"a path out of the tree",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "a/%2e%2e/..%2Fb.bin"}}};
     },
     kInvalid, "/buffers/0/uri: '../b.bin' leaves the source tree"},
    {"broken base64",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "data:;base64,AA*A"}}};
     },
     kInvalid, "/buffers/0/uri: character 3 of the data is '*', expected base64"},
    {"a data URI in another encoding",
     [](auto& g) {
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "data:text/plain,hello"}}};
     },
     kUnsupported, "/buffers/0/uri: the data URI 'data:text/plain' is not in base64"},
    {"a node below itself",
     [](auto& g) {
       g.json["nodes"] = {{{"children", {1}}}, {{"children", {0}}}};
     },
     kInvalid, "/nodes/0: the node stands below itself"},
    {"a node with two parents",
     [](auto& g) {
       g.json["nodes"] = {{{"children", {2}}}, {{"children", {2}}}, Json::object()};
     },
     kInvalid, "/nodes/1/children/0: node 2 is already a child of node 0"},
    {"a child that is not there", [](auto& g) { g.json["nodes"][0]["children"] = {5}; }, kInvalid,
     "/nodes/0/children/0: names node 5, the file has 1"},
    {"a rotation without length",
     [](auto& g) {
       g.json["nodes"][0]["rotation"] = {0, 0, 0, 0};
     },
     kInvalid, "/nodes/0/rotation: has length 0, expected 1"},
    {"a rotation of three numbers",
     [](auto& g) {
       g.json["nodes"][0]["rotation"] = {0, 0, 1};
     },
     kInvalid, "/nodes/0/rotation: has 3 elements, expected 4"},
    {"a shear", [](auto& g) { g.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; },
     kInvalid, "/nodes/0/matrix: is no product of translation, rotation and scale"},
    {"a skin without joints", [](auto& g) { g.json["skins"] = Json::array({Json::object()}); }, kInvalid,
     "/skins/0/joints: names no joints"},
    {"a joint that is not there",
     [](auto& g) {
       g.json["skins"] = {{{"joints", {0, 4}}}};
     },
     kInvalid, "/skins/0/joints/1: names node 4, the file has 1"},
    {"sparse indices that go back",
     [](auto& g) {
       const int indices = g.addView(std::vector<std::uint16_t>{1, 1});
       const int values = g.addView(std::vector<float>{1, 2, 3, 4, 5, 6});
       g.json["accessors"][1]["sparse"] = {{"count", 2},
                                           {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                                           {"values", {{"bufferView", values}}}};
     },
     kInvalid, "/accessors/1/sparse/indices: index 1 is 1, expected 2 to 1"},
    {"a required KHR_animation_pointer",
     [](auto& g) {
       g.json["extensionsRequired"] = {"KHR_materials_unlit", "KHR_animation_pointer"};
     },
     kUnsupported, "/extensionsRequired/1: the file requires KHR_animation_pointer, which is not read"},
    {"meshopt compression",
     [](auto& g) {
       g.json["extensionsRequired"] = {"EXT_meshopt_compression"};
       g.json["bufferViews"][1]["buffer"] = 1;
       g.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0}};
       g.json["buffers"] = {{{"byteLength", 32}, {"uri", "data:;base64," + g.base64()}},
                            {{"byteLength", 99}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
     },
     kUnsupported, "/bufferViews/1: its data are under EXT_meshopt_compression, which is not read"},
};

TEST(GltfMessages, EachDefectIsNamed) {
  for (const Defect& defect : kDefects) {
    SCOPED_TRACE(defect.name);
    GltfBuilder gltf = movingBox();
    defect.damage(gltf);
    const auto error = errorOf({"a.gltf", std::string_view(gltf.text())});
    ASSERT_TRUE(error);
    EXPECT_EQ(error->text(), defect.text);
    EXPECT_EQ(error->code, defect.code);
  }
}

TEST(GltfMessages, EachWrongKeyIsNamed) {
  const float infinity = std::numeric_limits<float>::infinity();
  struct {
    std::vector<float> times, rotations;
    const char* text;
  } cases[] = {
      {{0.5F, 0.5F},
       {0, 0, 0, 1, 0, 0, 0, 1},
       "/accessors/0: key 0 is at 0.5 s and key 1 at 0.5 s, expected later and later"},
      {{2, 1}, {0, 0, 0, 1, 0, 0, 0, 1}, "/accessors/0: key 0 is at 2 s and key 1 at 1 s, expected later and later"},
      {{-1, 1}, {0, 0, 0, 1, 0, 0, 0, 1}, "/accessors/0: the first key is at -1 s, expected at least 0"},
      {{0, infinity}, {0, 0, 0, 1, 0, 0, 0, 1}, "/accessors/0: element 1 holds inf, expected finite numbers"},
      {{0, 1}, {0, 0, 0, 1, 0, 0, infinity, 1}, "/accessors/1: element 1 holds inf, expected finite numbers"},
      {{0, 1}, {0, 0, 0, 1, 0, 0, 0, 0}, "/accessors/1: the rotation at key 1 has length 0, expected 1"},
  };
  for (const auto& [times, rotations, text] : cases) {
    GltfBuilder gltf;
    const int node = gltf.node({{"name", "box"}});
    const int input = gltf.floats(times, "SCALAR");
    gltf.channel(0, node, "rotation", input, gltf.floats(rotations, "VEC4"));
    const auto error = errorOf({"a.gltf", std::string_view(gltf.text())});
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->text(), text);
  }
}

TEST(GltfMessages, AnimationPointersAreNamed) {
  GltfBuilder gltf = movingBox();
  Json pointer = gltf.json["animations"][0]["channels"][0];
  const auto pointTo = [&](const char* path) {
    pointer["target"] = {{"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", path}}}}}};
    return pointer;
  };
  gltf.json["animations"][0]["channels"].push_back(pointTo("/nodes/0/rotation"));
  EXPECT_EQ(errorOf({"a.gltf", std::string_view(gltf.text())})->text(),
            "/animations/0/channels/1/target: moves '/nodes/0/rotation' by KHR_animation_pointer, which is not read");
  gltf.json["animations"][0]["channels"] = Json::array({pointTo("/materials/0/alphaCutoff")});
  EXPECT_EQ(errorOf({"a.gltf", std::string_view(gltf.text())})->text(),
            "/animations/0/channels/0/target: all that the animation moves is under KHR_animation_pointer, which is "
            "not read");
}

TEST(GltfMessages, ABrokenContainerIsNamed) {
  const Bytes whole = movingBox().binary();
  const auto damaged = [&](std::size_t at, std::uint8_t value) {
    Bytes bytes = whole;
    bytes[at] = value;
    return bytes;
  };
  const std::size_t binary = 20 + (whole[12] | whole[13] << 8);
  Bytes twoBinaries = whole, cut = whole, stub = whole;
  twoBinaries.insert(twoBinaries.end(), {0, 0, 0, 0, 'B', 'I', 'N', 0});
  twoBinaries[8] = static_cast<std::uint8_t>(twoBinaries[8] + 8);
  cut.pop_back();
  stub.resize(9);
  const std::pair<Bytes, std::string> cases[] = {
      {damaged(4, 1), "GLB header: this is glTF 1.0 (container version 1), expected glTF 2.0"},
      {damaged(4, 3), "GLB header: the container version is 3, expected 2"},
      {stub, "GLB header: the file has 9 bytes, expected at least 12"},
      {cut,
       fmt::format("GLB header: the file has {} bytes, its header says {}: it is cut off", cut.size(), whole.size())},
      {damaged(16, 'X'), "GLB chunk 0: has type 0x4E4F5358, expected JSON first"},
      {damaged(binary, 36), "GLB chunk 1: has 32 bytes, its header says 36"},
      {damaged(binary, 30), "GLB chunk 1: has 30 bytes, expected a multiple of 4"},
      {twoBinaries, "GLB chunk 2: is a second BIN chunk"},
      {damaged(binary + 4, 'X'), "/buffers/0: has no uri, and the file no BIN chunk"},
  };
  for (const auto& [bytes, text] : cases) {
    const auto error = errorOf({"a.glb", bytes});
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->text(), text);
  }
  EXPECT_FALSE(errorOf({"a.glb", whole}));
}

TEST(GltfMessages, WhatIsNoGltfIsNamed) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "the file is empty"},
      {"  ", "the text starts with ' ', expected \"glTF\" or '{'"},
      {"[1]", "the text starts with '[1]', expected \"glTF\" or '{'"},
      {"\x89PNG\r\n\x1a\n12345", "the file is a PNG image, expected glTF"},
      {"hello world", "the text starts with 'hello wo', expected \"glTF\" or '{'"},
      {"{\"asset\": }",
       "not valid JSON: The JSON document has an improper structure: missing or superfluous commas, "
       "braces, missing keys, etc."},
  };
  for (const auto& [bytes, text] : cases) {
    const auto error = errorOf({"a.gltf", std::string_view(bytes)});
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->text(), text);
  }
}

}  // namespace
}  // namespace simmer::animation
