#include "plugins/animation/export/glb_writer.h"

#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "plugins/animation/codec/article/samples.h"
#include "tests/plugins/animation/export/round_trip.h"

namespace simmer::animation {
namespace {

using testing::HasSubstr;

/// The JSON chunk of a GLB, after checking the container as the specification lays it out.
nlohmann::json jsonOf(const Bytes& glb) {
  ByteReader reader(glb);
  EXPECT_EQ(asText(reader.takeBytes(4)), "glTF");
  EXPECT_EQ(reader.take<std::uint32_t>(), 2U);
  EXPECT_EQ(reader.take<std::uint32_t>(), glb.size());
  const auto length = reader.take<std::uint32_t>();
  EXPECT_EQ(length % 4, 0U);
  EXPECT_EQ(asText(reader.takeBytes(4)), "JSON");
  const auto json = nlohmann::json::parse(asText(reader.takeBytes(length)));
  if (reader.left() == 0) return json;
  const auto binary = reader.take<std::uint32_t>();
  EXPECT_EQ(binary % 4, 0U);
  EXPECT_EQ(asText(reader.takeBytes(4)), std::string_view("BIN\0", 4));
  EXPECT_EQ(json["buffers"][0]["byteLength"], binary);
  EXPECT_EQ(reader.left(), binary);
  return json;
}

/// The joints by name, each with its parent's name and its rest pose. The importer may put them in another order.
std::map<std::string, std::pair<std::string, Transform>> jointsOf(const Skeleton& skeleton) {
  std::map<std::string, std::pair<std::string, Transform>> joints;
  for (std::size_t joint = 0; joint < skeleton.size(); ++joint) {
    const std::int32_t parent = skeleton.parents[joint];
    joints[skeleton.names[joint]] = {parent < 0 ? "" : skeleton.names[static_cast<std::size_t>(parent)],
                                     skeleton.rest[joint]};
  }
  return joints;
}

/// The clip that is read back is the same one.
void expectSame(const Clip& clip, const Clip& back) {
  EXPECT_EQ(back.id, clip.id);
  EXPECT_TRUE(back.named);
  EXPECT_EQ(back.frames, clip.frames);
  EXPECT_NEAR(back.rateHz, clip.rateHz, 1e-9);
  EXPECT_EQ(jointsOf(*back.skeleton), jointsOf(*clip.skeleton));
  EXPECT_LT(largestDistance(clip, back), 1e-6);
}

TEST(GlbWriter, TheArticlesClipsComeBack) {
  for (const auto sample : {article::Sample::Walk, article::Sample::Jump, article::Sample::Mocap}) {
    SCOPED_TRACE(article::toString(sample));
    Clip clip = article::toClip(article::makeSample(sample), "Move");
    const auto glb = writeGlb(*clip.skeleton, {&clip, 1});
    ASSERT_TRUE(glb) << glb.error().text();
    const auto back = readBack("move.glb", *glb, "Move");
    ASSERT_TRUE(back) << back.error().text();
    expectSame(clip, *back);
  }
}

TEST(GlbWriter, HoldsSeveralClips) {
  std::vector<Clip> clips{article::toClip(article::makeSample(article::Sample::Walk), "Walk"),
                          article::toClip(article::makeSample(article::Sample::Jump), "Jump")};
  const auto glb = writeGlb(*article::articleSkeleton(), clips);
  ASSERT_TRUE(glb) << glb.error().text();
  for (const Clip& clip : clips) {
    const auto back = readBack("moves.glb", *glb, clip.id);
    ASSERT_TRUE(back) << back.error().text();
    expectSame(clip, *back);
  }
}

TEST(GlbWriter, WritesOnlyTracksThatSaySomething) {
  Clip clip = chain(4, 10, 30);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    clip.pose(frame, 1).translation[0] = 0.1F * static_cast<float>(frame);  // moves
    clip.pose(frame, 2).scale = {2, 2, 2};                                  // stands elsewhere than at rest
  }
  clip.step = {0, 1, 0, 0};
  const auto glb = writeGlb(*clip.skeleton, {&clip, 1});
  ASSERT_TRUE(glb) << glb.error().text();
  const auto json = jsonOf(*glb);
  const auto& animation = json["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 2U);
  EXPECT_EQ(animation["channels"][0]["target"], (nlohmann::json{{"node", 1}, {"path", "translation"}}));
  EXPECT_EQ(animation["channels"][1]["target"], (nlohmann::json{{"node", 2}, {"path", "scale"}}));
  const auto accessor = [&](int sampler, const char* end) {
    return json["accessors"][animation["samplers"][sampler][end].get<int>()];
  };
  EXPECT_EQ(animation["samplers"][0]["interpolation"], "STEP");
  EXPECT_EQ(animation["samplers"][1]["interpolation"], "LINEAR");
  EXPECT_EQ(accessor(0, "input")["count"], 10);
  EXPECT_EQ(accessor(0, "input")["min"], nlohmann::json::array({0.0}));
  EXPECT_EQ(accessor(0, "input")["max"].at(0).get<float>(), 9 / 30.0F);
  EXPECT_EQ(accessor(1, "input")["count"], 1);
  for (const auto& view : json["bufferViews"]) EXPECT_EQ(view["byteOffset"].get<int>() % 4, 0);
  const auto back = readBack("step.glb", *glb, "Chain");
  ASSERT_TRUE(back) << back.error().text();
  expectSame(clip, *back);
  EXPECT_TRUE(back->steps(1, Channel::Translation));
  EXPECT_FALSE(back->steps(2, Channel::Scale));
}

TEST(GlbWriter, AClipThatStandsStillKeepsItsLength) {
  for (const std::uint32_t frames : {1U, 31U}) {
    for (const bool away : {false, true}) {
      Clip clip = chain(2, frames, 30);
      if (away)
        for (std::uint32_t frame = 0; frame < frames; ++frame) clip.pose(frame, 0).translation = {1, 2, 3};
      const auto glb = writeGlb(*clip.skeleton, {&clip, 1});
      ASSERT_TRUE(glb) << glb.error().text();
      const auto back = readBack("still.glb", *glb, "Chain");
      ASSERT_TRUE(back) << back.error().text();
      EXPECT_NEAR(back->durationS(), clip.durationS(), 1e-6);
      EXPECT_EQ(back->pose(back->frames - 1, 0).translation, clip.pose(0, 0).translation);
    }
  }
}

TEST(GlbWriter, ASkeletonAloneHasNoAnimation) {
  const auto glb = writeGlb(*article::articleSkeleton(), {});
  ASSERT_TRUE(glb) << glb.error().text();
  const auto json = jsonOf(*glb);
  EXPECT_EQ(json["nodes"].size(), 30U);
  EXPECT_FALSE(json.contains("animations"));
  EXPECT_EQ(json["scenes"][0]["nodes"], nlohmann::json::array({0}));
}

TEST(GlbWriter, RefusesWhatItCanNotSay) {
  Clip clip = chain(2, 3, 30);
  clip.scalars.push_back({"smile", false, {0, 1, 0}});
  const auto scalar = writeGlb(*clip.skeleton, {&clip, 1});
  ASSERT_FALSE(scalar);
  EXPECT_EQ(scalar.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(scalar.error().message, HasSubstr("scalar track 'smile'"));
  const Clip other = chain(3, 3, 30);
  EXPECT_EQ(writeGlb(*clip.skeleton, {&other, 1}).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(writeGlb(Skeleton{}, {}).error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace simmer::animation
