#include "plugins/animation/requested_clip.h"

#include <nlohmann/json.hpp>

#include "plugins/animation/codec/decoded_clip.h"
#include "tests/plugins/animation/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using testing::HasSubstr;

using RequestedClipTest = AnimationPluginTest;

TEST_F(RequestedClipTest, NamesItsJointsOnce) {
  std::string text = armBvh();
  reader = MemoryReader("arm.bvh", text);
  EXPECT_THAT(plugin.describe(metadata.defaults(), reader, context)->names.at("joint"),
              testing::ElementsAre("shoulder", "elbow"));
  text.replace(text.find("elbow"), 5, "shoulder");
  reader = MemoryReader("arm.bvh", text);
  EXPECT_THAT(plugin.describe(metadata.defaults(), reader, context)->names.at("joint"),
              testing::ElementsAre("shoulder"));
  const TableSpec* const table = metadata.table("joint");
  ASSERT_NE(table, nullptr);
  ASSERT_TRUE(table->setting("tolerance_scale") && table->setting("skin_radius_m"));
}

TEST_F(RequestedClipTest, TablesScaleTheToleranceOfTheirJoints) {
  const Artifact plain = cooked();
  EXPECT_FALSE(measured(plain).contains("unscaled error"));
  request.tables = {{"joint", "*", {{"tolerance_scale", 8.0}}}};
  const Artifact loose = cooked();
  EXPECT_LT(loose.outputs[0].bytes.size(), plain.outputs[0].bytes.size());
  EXPECT_EQ(loose.outputs[1].bytes, plain.outputs[1].bytes) << "all clips share the skeleton";
  EXPECT_EQ(loose.toleranceM, 0.002);
  const auto measures = measured(loose);
  EXPECT_LE(measures.at("world error").value, 2.0);
  EXPECT_EQ(measures.at("world error").bound, 2.0);
  EXPECT_NEAR(measures.at("unscaled error").value, 8 * measures.at("world error").value, 1e-9);
  EXPECT_FALSE(measures.at("unscaled error").bound);
  EXPECT_GT(measures.at("unscaled error").value, 2.0);
  // Without the table it is too far off.
  request.tables.clear();
  EXPECT_GT(measured(loose).at("world error").value, 2.0);
}

TEST_F(RequestedClipTest, OfSeveralTablesTheLastHolds) {
  const Bytes plain = cooked().outputs[0].bytes;
  const Settings loose{{"tolerance_scale", 8.0}}, usual{{"tolerance_scale", 1.0}, {"skin_radius_m", 0.0}};
  request.tables = {{"joint", "*", loose}, {"joint", "{shoulder,el*}", usual}};
  EXPECT_EQ(cooked().outputs[0].bytes, plain) << "1 everywhere is no table";
  request.tables = {{"joint", "elbow", usual}, {"joint", "*", loose}, {"other", "*", usual}};
  EXPECT_NE(cooked().outputs[0].bytes, plain);
  request.tables = {{"joint", "elbow", {{"skin_radius_m", 3.0}}}};
  const Artifact wide = cooked();
  EXPECT_GT(wide.outputs[0].bytes.size(), plain.size());
  EXPECT_FALSE(measured(wide).contains("unscaled error"));
}

TEST_F(RequestedClipTest, SaysWhichPatternMatchesNoJoint) {
  request.tables = {{"joint", "hand_*", {{"tolerance_scale", 8.0}}}};
  const Artifact artifact = cooked();
  EXPECT_THAT(context.lines,
              testing::Contains(testing::Pair(Context::Level::Warning, "no joint of the source matches 'hand_*'")));
  request.tables = {{"joint", "{", {{"tolerance_scale", 8.0}}}};
  const Result<Artifact> broken = plugin.cook(request, reader, context);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::InvalidInput);
}

TEST_F(RequestedClipTest, InspectSaysTheScales) {
  request.tables = {{"joint", "elbow", {{"tolerance_scale", 0.25}}}};
  const auto json = nlohmann::json::parse(asText(*plugin.inspect(request, reader, nullptr, {0, 1, 1}, context)));
  EXPECT_EQ(json["joints"][0]["tolerance_scale"], 1.0);
  EXPECT_EQ(json["joints"][1]["tolerance_scale"], 0.25);
}

TEST_F(RequestedClipTest, EditsComeBeforeTheMeasure) {
  const Artifact whole = cooked();
  request.settings["range"] = "0.5..1.5";
  request.settings["denoise"] = 5.0;
  request.settings["retime"] = 4.0;
  request.settings["loop"] = "blend";
  const Artifact edited = cooked();
  EXPECT_EQ(edited.rawBytes, whole.rawBytes / 41 * 21);
  EXPECT_EQ(edited.outputs[1].bytes, whole.outputs[1].bytes);
  const auto measures = measured(edited);
  EXPECT_LE(measures.at("world error").value, 2.0);
  EXPECT_FALSE(measures.at("denoise displacement").bound || measures.at("loop displacement").bound);
  EXPECT_GT(measures.at("denoise displacement").value, 0.1);
  EXPECT_EQ(measures.at("denoise displacement").unit, "mm");
  EXPECT_LT(measures.at("loop displacement").value, 1) << "80 degrees are its middle, it ends as it begins";
  const auto decoded = DecodedClip::load(edited.outputs[0].bytes, edited.outputs[1].bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(simmer_clip_frames(decoded->clip()), 21u);
  EXPECT_EQ(simmer_clip_rate(decoded->clip()), 5.0);
}

TEST_F(RequestedClipTest, EditsAreOffByDefault) {
  const auto measures = measured(cooked());
  EXPECT_FALSE(measures.contains("denoise displacement") || measures.contains("loop displacement"));
  for (const char* name : {"range", "denoise", "retime", "loop"}) EXPECT_FALSE(metadata.setting(name)->import) << name;
  EXPECT_THAT(metadata.usedParts("walk.bvh", metadata.defaults()), testing::Contains("edit 1"));
}

TEST_F(RequestedClipTest, RefusesEditsThatTheClipCanNotHave) {
  const auto refusal = [&](const char* name, const SettingValue& value) {
    request.settings = metadata.defaults();
    request.settings[name] = value;
    const Result<Artifact> artifact = plugin.cook(request, reader, context);
    EXPECT_FALSE(artifact) << name;
    if (artifact) return std::string();
    EXPECT_EQ(artifact.error().code, ErrorCode::InvalidInput);
    return artifact.error().message;
  };
  EXPECT_EQ(refusal("range", "1..3"), "the range ends at 3 s, the clip at 2 s");
  EXPECT_THAT(refusal("denoise", 10.0), HasSubstr("20 frames a second"));
  EXPECT_THAT(refusal("retime", 1e-310), HasSubstr("41 frames"));
}

// A lift that goes up and down by a smooth curve.
std::string liftGltf() {
  const auto data = [](const std::vector<float>& values) {
    std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)), text;
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
      std::uint32_t three = 0;
      for (std::size_t j = 0; j < 3; ++j) three = three << 8 | static_cast<std::uint8_t>(bytes[i + j]);
      for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[three >> shift & 63];
    }
    return text;
  };
  // Times 0, 1, 2; a spline through three heights, each with its tangents.
  const std::string buffer =
      data({0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0});
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"name":"lift"}],
    "buffers":[{"byteLength":120,"uri":"data:application/octet-stream;base64,)" +
         buffer + R"("}],
    "bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":108}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[2]},
                 {"bufferView":1,"componentType":5126,"count":9,"type":"VEC3"}],
    "animations":[{"name":"Lift","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
                   "samplers":[{"input":0,"output":1,"interpolation":"CUBICSPLINE"}]}]})";
}

TEST_F(RequestedClipTest, ResamplingKeepsToATenthOfTheTightestJoint) {
  reader = MemoryReader("lift.gltf", liftGltf());
  request.item = "Lift";
  request.tolerance.toleranceM = 0.002;
  const Artifact plain = cooked();
  const double resampled = measured(plain).at("resample error").value;
  EXPECT_LE(resampled, 0.2);
  ASSERT_GT(resampled, 0.02);
  request.tables = {{"joint", "lift", {{"tolerance_scale", 0.1}}}};
  const Artifact tight = cooked();
  EXPECT_LE(measured(tight).at("resample error").value, 0.02);
  EXPECT_GT(tight.rawBytes, plain.rawBytes);
  request.tables = {{"joint", "*", {{"tolerance_scale", 50.0}}}};
  EXPECT_EQ(cooked().rawBytes, plain.rawBytes) << "a loose joint is sampled as the clip is";
}

}  // namespace
}  // namespace simmer::animation
