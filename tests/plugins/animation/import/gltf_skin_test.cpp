#include "plugins/animation/import/gltf_skin.h"

#include <cmath>

#include <gtest/gtest.h>

#include "plugins/animation/import/gltf.h"
#include "tests/plugins/animation/import/gltf_builder.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using test::GltfBuilder;
using test::Json;

SourceContents read(const GltfBuilder& gltf) {
  test::MemoryReader reader("a.glb", gltf.binary());
  test::RecordingContext context;
  const auto contents = readGltfContents(reader, {}, context);
  EXPECT_TRUE(contents) << contents.error().text();
  return contents.value_or(SourceContents{});
}

constexpr float kMatrices[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,   // hip at the origin
                               1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};  // head 1 m above

/// A hip at the origin, a head 1 m above it, a socket in the hand that nothing is skinned to; four vertices.
GltfBuilder person() {
  GltfBuilder gltf;
  const int hip = gltf.node({{"name", "hip"}, {"children", {1, 2}}});
  const int head = gltf.node({{"name", "head"}, {"translation", {0, 1, 0}}});
  gltf.node({{"name", "socket"}, {"translation", {0.5, 0.5, 0}}});
  gltf.node({{"name", "body"}, {"mesh", 0}, {"skin", 0}, {"translation", {100, 100, 100}}});  // not used: it is skinned
  const int matrices = gltf.floats({std::begin(kMatrices), std::end(kMatrices)}, "MAT4");
  gltf.json["skins"] = {{{"joints", {hip, head}}, {"inverseBindMatrices", matrices}}};
  const int positions = gltf.floats({0, -0.5F, 0, 0, 1.8F, 0, 0, 0.6F, 0, 0.25F, 0, 0}, "VEC3");
  const int joints = gltf.add<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4", 5121);
  const int weights =
      gltf.add<std::uint8_t>({255, 0, 0, 0, 255, 0, 0, 0, 200, 55, 0, 0, 235, 20, 0, 0}, "VEC4", 5121, true);
  gltf.json["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}}}}};
  const int times = gltf.floats({0, 1}, "SCALAR");
  gltf.channel(0, 2, "scale", times, gltf.floats({1, 1, 1, 1, 1, 1}, "VEC3"));
  gltf.channel(0, head, "scale", times, gltf.floats({1, 1, 1, 1, 1, 1}, "VEC3"));
  return gltf;
}

TEST(GltfSkin, RadiiAreTheFarthestVerticesThatAJointMoves) {
  const SourceContents contents = read(person());
  EXPECT_TRUE(contents.warnings.empty());
  const Skeleton& skeleton = *contents.skeleton;
  ASSERT_EQ(skeleton.names, (std::vector<std::string>{"hip", "head", "socket"}));
  EXPECT_NEAR(skeleton.skinHeightM, 2.3, 1e-6);
  EXPECT_NEAR(measuredHeight(skeleton), 2.3, 1e-6);
  ASSERT_EQ(skeleton.skinRadiusM.size(), 3u);
  EXPECT_NEAR(skeleton.skinRadiusM[0], 0.6, 1e-6);  // the third vertex is mostly the hip's
  EXPECT_NEAR(skeleton.skinRadiusM[1], 0.8, 1e-6);  // 8 % of the fourth vertex, 1.03 m away, are too little
  EXPECT_NEAR(skeleton.skinRadiusM[2], 0.03 * 2.3 / 1.8, 1e-6);  // a weapon may hang on it
}

TEST(GltfSkin, TheRestPoseIsThatOfTheNodesNotOfTheBinding) {
  GltfBuilder gltf = person();
  gltf.json["nodes"][0]["scale"] = {2, 2, 2};
  gltf.json["nodes"][1]["translation"] = {0, 2, 0};
  const Skeleton skeleton = *read(gltf).skeleton;
  // The crown is 0.8 above the head in the binding, doubled by the hip: 2 · (2 + 0.8); the sole at 2 · -0.5.
  EXPECT_NEAR(skeleton.skinHeightM, 6.6, 1e-5);
  // The neck, a fifth of it the head's, is pulled apart: 200/255 · 1.2 + 55/255 · 3.2, under a head at 4.
  EXPECT_NEAR(skeleton.skinRadiusM[1], 4 - (200 * 1.2 + 55 * 3.2) / 255, 1e-5);
}

TEST(GltfSkin, AMeshWithoutASkinCountsForTheJointAboveIt) {
  GltfBuilder gltf;
  const int arm = gltf.node({{"name", "arm"}, {"children", {1}}, {"translation", {0, 5, 0}}});
  gltf.node({{"name", "glove"}, {"children", {2}}, {"rotation", {0, 0, std::sqrt(0.5), std::sqrt(0.5)}}});
  gltf.node({{"name", "thumb"}, {"mesh", 0}, {"translation", {1, 0, 0}}});
  gltf.node({{"name", "ground"}, {"mesh", 0}, {"scale", {1000, 1000, 1000}}});  // scenery
  gltf.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", gltf.floats({0, 0, 0, 2, 0, 0}, "VEC3")}}}}}}}};
  gltf.channel(0, arm, "scale", gltf.floats({0}, "SCALAR"), gltf.floats({1, 1, 1}, "VEC3"));
  const SourceContents contents = read(gltf);
  ASSERT_EQ(contents.skeleton->names, std::vector<std::string>{"arm"});
  EXPECT_NEAR(contents.skeleton->skinRadiusM[0], 3, 1e-6);
  EXPECT_NEAR(contents.skeleton->skinHeightM, 2, 1e-6);
}

TEST(GltfSkin, QuantisedPositionsAreRead) {
  GltfBuilder gltf = test::movingBox();
  gltf.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  const int positions = gltf.add<std::int16_t>({0, -32767, 0, 0, 16384, 0}, "VEC3", 5122, true);
  gltf.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
  gltf.json["nodes"][0]["mesh"] = 0;
  const SourceContents contents = read(gltf);
  EXPECT_TRUE(contents.warnings.empty());
  EXPECT_NEAR(contents.skeleton->skinHeightM, 1.5, 1e-4);
}

TEST(GltfSkin, AMeshThatCanNotBeReadCostsTheSkinOnly) {
  const std::pair<std::function<void(GltfBuilder&)>, std::string> cases[] = {
      {[](GltfBuilder& g) {
         g.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
         g.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0}};
         g.json["accessors"][1].erase("bufferView");
       },
       "/meshes/0/primitives/0: the mesh is under KHR_draco_mesh_compression, which is not read"},
      {[](GltfBuilder& g) { g.json["accessors"][1]["count"] = 400; },
       "/accessors/1: 400 elements of 12 bytes at 0 end behind the 48 bytes of the view"},
      {[](GltfBuilder& g) { g.json["nodes"][3]["mesh"] = 4; }, "/nodes/3/mesh: names mesh 4, the file has 1"},
      {[](GltfBuilder& g) { g.json["skins"][0]["joints"] = {0}; },
       "/meshes/0/primitives/0/attributes/JOINTS_0: vertex 1 names joint 1, the skin has 1"},
      {[](GltfBuilder& g) { g.json["accessors"][0]["count"] = 1; },
       "/skins/0/inverseBindMatrices: has 1 matrices for 2 joints"},
      {[](GltfBuilder& g) { g.json["accessors"][2]["count"] = 3; },
       "/meshes/0/primitives/0/attributes/JOINTS_0: 3 joints and 4 weights for 4 vertices"},
  };
  for (const auto& [damage, reason] : cases) {
    GltfBuilder gltf = person();
    damage(gltf);
    const SourceContents contents = read(gltf);
    ASSERT_EQ(contents.warnings.size(), 1u) << reason;
    EXPECT_EQ(contents.warnings[0], reason + "; the skin is left out and every joint gets the same small shell");
    EXPECT_TRUE(contents.skeleton->skinRadiusM.empty());
    EXPECT_EQ(contents.skeleton->skinHeightM, 0);
    test::MemoryReader reader("a.glb", gltf.binary());
    test::RecordingContext context;
    EXPECT_TRUE(readGltfClip(reader, contents.clips.at(0).id, {}, context));
  }
}

TEST(GltfSkin, DracoWithAFallbackIsRead) {
  GltfBuilder gltf = person();
  gltf.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0}};
  EXPECT_TRUE(read(gltf).warnings.empty());
  EXPECT_NEAR(read(gltf).skeleton->skinHeightM, 2.3, 1e-6);
}

TEST(GltfSkin, VerticesThatAreNowhereAreLeftOut) {
  GltfBuilder gltf = test::movingBox();
  const int positions = gltf.floats({0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN(), 0, 0, 3, 0}, "VEC3");
  gltf.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
  gltf.json["nodes"][0]["mesh"] = 0;
  const SourceContents contents = read(gltf);
  EXPECT_EQ(contents.warnings, std::vector<std::string>{"1 vertices are not finite and left out of the skin"});
  EXPECT_EQ(contents.skeleton->skinHeightM, 3);
  EXPECT_EQ(contents.skeleton->skinRadiusM[0], 3);
}

TEST(GltfSkin, NegativeWeightsCountAsNone) {
  GltfBuilder gltf = person();
  // As floats; the joint of the negative weight does not exist.
  auto& attributes = gltf.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = gltf.add<std::uint8_t>({0, 9, 0, 0, 0, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 5121);
  attributes["WEIGHTS_0"] = gltf.floats({1, -4, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  const SourceContents contents = read(gltf);
  EXPECT_TRUE(contents.warnings.empty());
  EXPECT_NEAR(contents.skeleton->skinHeightM, 1.1, 1e-6);  // the second vertex belongs to nobody
  EXPECT_NEAR(contents.skeleton->skinRadiusM[0], 0.6, 1e-6);
}

TEST(GltfSkin, OneSparseMeshForManyNodesIsNotReadForEach) {
  GltfBuilder gltf = test::movingBox();
  constexpr std::uint32_t kVertices = 20000;
  std::vector<std::uint32_t> all(kVertices);
  for (std::uint32_t i = 0; i < kVertices; ++i) all[i] = i;
  const int indices = gltf.addView(all);
  const int values = gltf.addView(std::vector<float>(3 * kVertices));
  gltf.json["accessors"].push_back({{"componentType", 5126},
                                    {"count", kVertices},
                                    {"type", "VEC3"},
                                    {"sparse",
                                     {{"count", kVertices},
                                      {"indices", {{"bufferView", indices}, {"componentType", 5125}}},
                                      {"values", {{"bufferView", values}}}}}});
  gltf.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 2}}}}}}}};
  Json children = Json::array();
  for (int i = 1; i <= 1000; ++i) children.push_back(gltf.node({{"mesh", 0}}));
  gltf.json["nodes"][0]["children"] = children;
  EXPECT_EQ(read(gltf).warnings,
            std::vector<std::string>{"the meshes have 20000000 sparse values, at most 16777216 are read; the skin is "
                                     "left out and every joint gets the same small shell"});
}

TEST(GltfSkin, ASkinFarTallerThanItsRigDoesNotDecideTheHeight) {
  GltfBuilder gltf;
  Json children = Json::array();
  for (int i = 1; i < 8; ++i) children.push_back(i);
  gltf.node({{"children", children}, {"mesh", 0}});
  const int times = gltf.floats({0}, "SCALAR");
  const int still = gltf.floats({1, 1, 1}, "VEC3");
  for (int i = 1; i < 8; ++i) gltf.channel(0, gltf.node({{"translation", {0, 0.25 * i, 0}}}), "scale", times, still);
  gltf.json["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", gltf.floats({0, 0, 0, 0, 45, 0}, "VEC3")}}}}}}}};
  const SourceContents contents = read(gltf);
  ASSERT_EQ(contents.warnings.size(), 1u);
  EXPECT_TRUE(contents.warnings[0].starts_with("the skin is 45 m tall in the rest pose, the joints 1.75 m"));
  EXPECT_NEAR(measuredHeight(*contents.skeleton), 1.75, 1e-6);
  EXPECT_NEAR(contents.skeleton->skinRadiusM[0], 45, 1e-5);
}

}  // namespace
}  // namespace simmer::animation
