// Curves against an evaluation written here from the text of glTF 2.0, appendix C.

#include "plugins/animation/import/gltf_curves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "plugins/animation/clip/kinematics.h"
#include "plugins/animation/import/gltf.h"
#include "tests/plugins/animation/import/gltf_builder.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using test::GltfBuilder;

Clip read(const GltfBuilder& gltf, const ImportOptions& options = {}, std::string_view id = "clip") {
  test::MemoryReader reader("a.gltf", std::string_view(gltf.text()));
  test::RecordingContext context;
  const auto clip = readGltfClip(reader, id, options, context);
  EXPECT_TRUE(clip) << clip.error().text();
  return clip.value_or(Clip{});
}

using Values = std::vector<double>;

struct Keys {
  std::string interpolation;
  Values times;
  std::vector<Values> values;  ///< three for each key of a spline
};

double norm(const Values& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

Values unit(Values v) {
  const double length = norm(v);
  for (double& x : v) x /= length;
  return v;
}

Values evaluate(const Keys& keys, double t, bool rotation) {
  const bool spline = keys.interpolation == "CUBICSPLINE";
  const auto value = [&](std::size_t k) { return keys.values[spline ? 3 * k + 1 : k]; };
  if (t <= keys.times.front()) return value(0);
  if (t >= keys.times.back()) return value(keys.times.size() - 1);
  std::size_t k = 0;
  while (keys.times[k + 1] <= t) ++k;
  if (keys.interpolation == "STEP") return value(k);
  const double td = keys.times[k + 1] - keys.times[k], u = (t - keys.times[k]) / td;
  Values result = value(k);
  const Values next = value(k + 1);
  if (spline) {
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = (2 * u * u * u - 3 * u * u + 1) * value(k)[i] +
                  td * (u * u * u - 2 * u * u + u) * keys.values[3 * k + 2][i] +
                  (-2 * u * u * u + 3 * u * u) * next[i] + td * (u * u * u - u * u) * keys.values[3 * k + 3][i];
    return rotation ? unit(result) : result;
  }
  if (!rotation) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = (1 - u) * result[i] + u * next[i];
    return result;
  }
  double d = 0;
  for (std::size_t i = 0; i < 4; ++i) d += result[i] * next[i];
  const double a = std::acos(std::min(1.0, std::abs(d))), s = d < 0 ? -1 : 1;
  if (a < 1e-6) return result;
  for (std::size_t i = 0; i < 4; ++i)
    result[i] = std::sin(a * (1 - u)) / std::sin(a) * result[i] + s * std::sin(a * u) / std::sin(a) * next[i];
  return unit(result);
}

/// Reads the keys of a sampler of a file whose only buffer is `buffer`, floats only.
Keys keysOf(const test::Json& file, const Bytes& buffer, const test::Json& sampler) {
  const auto floats = [&](int index) {
    const test::Json& accessor = file["accessors"][static_cast<std::size_t>(index)];
    const test::Json& view = file["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t width = accessor["type"] == "SCALAR" ? 1 : accessor["type"] == "VEC3" ? 3 : 4;
    const std::size_t start = view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
    std::vector<Values> values(accessor["count"].get<std::size_t>(), Values(width));
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t c = 0; c < width; ++c) {
        float value = 0;
        std::memcpy(&value, buffer.data() + start + 4 * (i * width + c), 4);
        values[i][c] = value;
      }
    return values;
  };
  Keys keys{sampler.value("interpolation", "LINEAR"), {}, floats(sampler["output"])};
  for (const Values& time : floats(sampler["input"])) keys.times.push_back(time[0]);
  return keys;
}

void expectCurve(const Clip& clip, std::size_t joint, const std::string& path, const Keys& keys) {
  const double start = keys.times.front();
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    Values expected = evaluate(keys, start + frame / clip.rateHz, path == "rotation");
    const Transform& pose = clip.pose(frame, joint);
    const float* actual = path == "rotation"      ? pose.rotation.data()
                          : path == "translation" ? pose.translation.data()
                                                  : pose.scale.data();
    double cosine = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) cosine += expected[i] * actual[i];
    for (double& v : expected) v = path == "rotation" && cosine < 0 ? -v : v;
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(actual[i], expected[i], 2e-6 * std::max(1.0, norm(expected))) << path << " frame " << frame;
  }
}

TEST(GltfCurves, KhronosInterpolationTestIsEvaluatedAsTheSpecificationSays) {
  SIMMER_SHARED(path, "data/gltf/javagl/InterpolationTest/InterpolationTest.gltf");
  const Bytes text = *readFile(path);
  const test::Json file = test::Json::parse(text.begin(), text.end());
  const Bytes buffer = *readFile(path.parent_path() / file["buffers"][0]["uri"].get<std::string>());
  ASSERT_EQ(file["animations"].size(), 9u);
  for (const test::Json& animation : file["animations"]) {
    const auto id = animation["name"].get<std::string>();
    SCOPED_TRACE(id);
    test::DiskReader reader(path);
    test::RecordingContext context;
    const auto clip = readGltfClip(reader, id, {}, context);
    ASSERT_TRUE(clip) << clip.error().text();
    EXPECT_LE(clip->resampleErrorM, 1e-4);
    for (const test::Json& channel : animation["channels"]) {
      const auto node = file["nodes"][channel["target"]["node"].get<std::size_t>()]["name"].get<std::string>();
      const auto& names = clip->skeleton->names;
      const auto joint = static_cast<std::size_t>(std::find(names.begin(), names.end(), node) - names.begin());
      ASSERT_LT(joint, names.size());
      const Keys keys = keysOf(file, buffer, animation["samplers"][channel["sampler"].get<std::size_t>()]);
      expectCurve(*clip, joint, channel["target"]["path"], keys);
      EXPECT_EQ(clip->steps(joint, Channel::Rotation) || clip->steps(joint, Channel::Translation) ||
                    clip->steps(joint, Channel::Scale),
                keys.interpolation == "STEP");
    }
  }
}

/// A turn and a walk of three keys, in every form that a file may have them.
GltfBuilder threeKeys(const std::string& interpolation, Keys& turn, Keys& walk) {
  GltfBuilder gltf;
  const int parent = gltf.node({{"name", "parent"}, {"translation", {1, 2, 3}}, {"children", {1}}});
  const int child = gltf.node({{"name", "child"}, {"scale", {1, 2, 1}}});
  const std::size_t parts = interpolation == "CUBICSPLINE" ? 3 : 1;
  turn.interpolation = walk.interpolation = interpolation;
  turn.times = walk.times = {0.25, 0.75, 2};
  std::vector<float> turnValues, walkValues;
  for (std::size_t i = 0; i < 3 * parts; ++i) {
    const double x = static_cast<double>(i);
    const bool tangent = parts == 3 && i % 3 != 1;
    turn.values.push_back(tangent ? Values{0.25, -0.125 * x, 0.5, 0.25} : unit({0.5 * x, 0.25, -1, 0.5}));
    walk.values.push_back({x, 0.5 - x * x / 8, 0.25 * x});
    for (double& v : turn.values.back()) turnValues.push_back(static_cast<float>(v));
    for (double& v : walk.values.back()) walkValues.push_back(static_cast<float>(v));
  }
  const int times = gltf.floats({0.25F, 0.75F, 2}, "SCALAR");
  gltf.channel(0, parent, "rotation", times, gltf.floats(turnValues, "VEC4"), interpolation);
  gltf.channel(0, child, "translation", times, gltf.floats(walkValues, "VEC3"), interpolation);
  return gltf;
}

TEST(GltfCurves, EveryInterpolationOnAHierarchy) {
  for (const char* interpolation : {"LINEAR", "STEP", "CUBICSPLINE"}) {
    SCOPED_TRACE(interpolation);
    Keys turn, walk;
    const Clip clip = read(threeKeys(interpolation, turn, walk), {.sampleRateHz = 60});
    ASSERT_EQ(clip.joints(), 2u);
    EXPECT_EQ(clip.frames, 106u);
    EXPECT_EQ(clip.skeleton->parents, (std::vector<std::int32_t>{-1, 0}));
    expectCurve(clip, 0, "rotation", turn);
    expectCurve(clip, 1, "translation", walk);
    EXPECT_EQ(clip.pose(50, 0).translation, (std::array<float, 3>{1, 2, 3}));
    EXPECT_EQ(clip.pose(50, 1).scale, (std::array<float, 3>{1, 2, 1}));
    EXPECT_EQ(clip.steps(0, Channel::Rotation), interpolation == std::string("STEP"));
    EXPECT_EQ(clip.steps(1, Channel::Translation), interpolation == std::string("STEP"));
    EXPECT_FALSE(clip.steps(1, Channel::Rotation));
  }
}

TEST(GltfCurves, FramesWithWideTurnsBetweenThemAreKeptAsTheyAre) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "wheel"}});
  const int tip = gltf.node({{"name", "tip"}, {"translation", {1, 0, 0}}});
  gltf.json["nodes"][static_cast<std::size_t>(node)]["children"] = {tip};
  std::vector<float> times, turns;
  for (int i = 0; i <= 24; ++i) {
    const double half = 30 * i * std::acos(-1.0) / 180;  // 60 degrees from frame to frame
    times.push_back(static_cast<float>(i / 24.0));
    for (const double v : {0.0, 0.0, std::sin(half), std::cos(half)}) turns.push_back(static_cast<float>(v));
  }
  gltf.channel(0, node, "rotation", gltf.floats(times, "SCALAR"), gltf.floats(turns, "VEC4"));
  const Clip clip = read(gltf);
  EXPECT_EQ(clip.rateHz, 24);
  EXPECT_EQ(clip.frames, 25u);
  EXPECT_LT(clip.resampleErrorM, 1e-5);  // of the times as float32
}

TEST(GltfCurves, NormalisedIntegersAreFractions) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "box"}});
  const int times = gltf.floats({0, 1}, "SCALAR");
  // 16384 / 32767 and the clamp of -32768; bytes: 90 / 127.
  gltf.channel(0, node, "rotation", times,
               gltf.add<std::int16_t>({0, 0, 0, 32767, 23170, 0, -23170, 0}, "VEC4", 5122, true));
  gltf.channel(1, node, "rotation", times, gltf.add<std::int8_t>({0, 0, 0, 127, 90, 0, 0, 90}, "VEC4", 5120, true));
  const Clip shorts = read(gltf, {.sampleRateHz = 2});
  EXPECT_NEAR(shorts.pose(2, 0).rotation[0], std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(shorts.pose(2, 0).rotation[2], -std::sqrt(0.5), 1e-6);
  const Clip bytes = read(gltf, {.sampleRateHz = 2}, "clip#2");
  EXPECT_NEAR(bytes.pose(1, 0).rotation[0], std::sin(std::acos(-1.0) / 8), 1e-6);
}

TEST(GltfCurves, SparseAccessorsPatchTheirBase) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "box"}});
  const int times = gltf.floats({0, 1, 2}, "SCALAR");
  const int output = gltf.floats({0, 0, 0, 1, 1, 1, 2, 2, 2}, "VEC3");
  const int indices = gltf.addView(std::vector<std::uint16_t>{1});
  const int values = gltf.addView(std::vector<float>{7, 8, 9});
  const test::Json sparse{{"count", 1},
                          {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                          {"values", {{"bufferView", values}}}};
  gltf.json["accessors"][static_cast<std::size_t>(output)]["sparse"] = sparse;
  gltf.channel(0, node, "translation", times, output);
  // And one without a base: zeros but for the patch.
  gltf.json["accessors"].push_back({{"componentType", 5126}, {"count", 3}, {"type", "VEC3"}, {"sparse", sparse}});
  gltf.channel(1, node, "translation", times, static_cast<int>(gltf.json["accessors"].size()) - 1);
  const Clip patched = read(gltf, {.sampleRateHz = 1});
  EXPECT_EQ(patched.pose(0, 0).translation, (std::array<float, 3>{0, 0, 0}));
  EXPECT_EQ(patched.pose(1, 0).translation, (std::array<float, 3>{7, 8, 9}));
  EXPECT_EQ(patched.pose(2, 0).translation, (std::array<float, 3>{2, 2, 2}));
  const Clip zeros = read(gltf, {.sampleRateHz = 1}, "clip#2");
  EXPECT_EQ(zeros.pose(1, 0).translation, (std::array<float, 3>{7, 8, 9}));
  EXPECT_EQ(zeros.pose(2, 0).translation, (std::array<float, 3>{0, 0, 0}));
}

TEST(GltfCurves, StridesAndOffsetsAreFollowed) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "box"}});
  const int times = gltf.floats({0, 1}, "SCALAR");
  const int output = gltf.floats({-1, 1, 2, 3, -1, -1, 4, 5, 6}, "VEC3");
  auto& accessor = gltf.json["accessors"][static_cast<std::size_t>(output)];
  accessor["count"] = 2;
  accessor["byteOffset"] = 4;
  gltf.json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteStride"] = 20;
  gltf.channel(0, node, "translation", times, output);
  const Clip clip = read(gltf, {.sampleRateHz = 1});
  EXPECT_EQ(clip.pose(0, 0).translation, (std::array<float, 3>{1, 2, 3}));
  EXPECT_EQ(clip.pose(1, 0).translation, (std::array<float, 3>{4, 5, 6}));
}

TEST(GltfCurves, MorphWeightsAreScalarTracks) {
  GltfBuilder gltf;
  const int position = gltf.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  gltf.json["meshes"] = {{{"primitives",
                           {{{"attributes", {{"POSITION", position}}},
                             {"targets", {{{"POSITION", position}}, {{"POSITION", position}}}}}}},
                          {"extras", {{"targetNames", {"smile"}}}}}};
  const int node = gltf.node({{"name", "face"}, {"mesh", 0}});
  const int times = gltf.floats({0, 1}, "SCALAR");
  gltf.channel(0, node, "weights", times, gltf.floats({0, 1, 1, 0.5F}, "SCALAR"));
  gltf.channel(1, node, "weights", times, gltf.add<std::uint8_t>({0, 255, 51, 0}, "SCALAR", 5121, true), "STEP");
  const Clip clip = read(gltf, {.sampleRateHz = 2});
  ASSERT_EQ(clip.scalars.size(), 2u);
  EXPECT_EQ(clip.scalars[0], (ScalarTrack{"face.smile", false, {0, 0.5F, 1}}));
  EXPECT_EQ(clip.scalars[1], (ScalarTrack{"face.1", false, {1, 0.75F, 0.5F}}));
  EXPECT_EQ(clip.joints(), 1u);
  const Clip stepped = read(gltf, {.sampleRateHz = 2}, "clip#2");
  EXPECT_EQ(stepped.scalars[0], (ScalarTrack{"face.smile", true, {0, 0, 0.2F}}));
}

TEST(GltfCurves, SplineWeightsHaveThreeValuesForEachTarget) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "face"}});
  const int times = gltf.floats({0, 1}, "SCALAR");
  // In-tangents, values, out-tangents of two targets, for each key.
  gltf.channel(0, node, "weights", times, gltf.floats({9, 9, 0, 1, 0, 0, 0, 0, 1, 0, 9, 9}, "SCALAR"), "CUBICSPLINE");
  const Clip clip = read(gltf, {.sampleRateHz = 4});
  ASSERT_EQ(clip.scalars.size(), 2u);
  for (std::size_t i = 0; i < 5; ++i) {
    const double t = static_cast<double>(i) / 4, eased = 3 * t * t - 2 * t * t * t;
    EXPECT_NEAR(clip.scalars[0].values[i], eased, 1e-6);
    EXPECT_NEAR(clip.scalars[1].values[i], 1 - eased, 1e-6);
  }
}

TEST(GltfCurves, OneKeyIsAConstantAndSteppedConstantsAreNoSteps) {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "box"}});
  gltf.channel(0, node, "translation", gltf.floats({0.5F}, "SCALAR"), gltf.floats({9, 9, 9, 1, 2, 3, 9, 9, 9}, "VEC3"),
               "CUBICSPLINE");
  gltf.channel(1, node, "scale", gltf.floats({0, 1}, "SCALAR"), gltf.floats({2, 2, 2, 2, 2, 2}, "VEC3"), "STEP");
  const Clip one = read(gltf);
  EXPECT_EQ(one.frames, 1u);
  EXPECT_EQ(one.pose(0, 0).translation, (std::array<float, 3>{1, 2, 3}));
  const Clip constant = read(gltf, {}, "clip#2");
  EXPECT_TRUE(constant.step.empty());
  EXPECT_EQ(constant.pose(constant.frames - 1, 0).scale, (std::array<float, 3>{2, 2, 2}));
}

TEST(GltfCurves, KeysAreFoundForwardsAndBackwards) {
  const gltf::Timeline timeline({0, 1, 2, 4});
  for (const auto& [time, key] : std::vector<std::pair<double, std::size_t>>{
           {-1, 0}, {0.5, 0}, {1, 1}, {3.9, 2}, {4, 3}, {9, 3}, {0.9, 0}, {2, 2}, {1.5, 1}, {3, 2}, {0, 0}})
    EXPECT_EQ(timeline.keyAt(time), key) << time;
}

}  // namespace
}  // namespace simmer::animation
