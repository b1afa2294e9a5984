#include "plugins/animation/import/bvh.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/animation/clip/kinematics.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using test::MemoryReader;
using test::RecordingContext;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

Result<Clip> read(std::string_view text, const ImportOptions& options = {}) {
  MemoryReader reader("walk.bvh", text);
  RecordingContext context;
  return readBvhClip(reader, "clip", options, context);
}

Result<SourceContents> contents(std::string_view text, const ImportOptions& options = {}) {
  MemoryReader reader("walk.bvh", text);
  RecordingContext context;
  return readBvhContents(reader, options, context);
}

/// A root with these channels and a child one unit along x; then the rows.
std::string withRoot(const std::string& channels, const std::string& rows, int frames = 1) {
  return "HIERARCHY\nROOT Hips\n{\n  OFFSET 1 2 3\n  CHANNELS " + channels +
         "\n  JOINT Tip\n  {\n    OFFSET 1 0 0\n    CHANNELS 0\n    End Site\n    {\n      OFFSET 0 5 0\n    }\n  "
         "}\n}\n" +
         "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: 0.0333333\n" + rows;
}

/// Where the child's origin is in the world at a frame, in units of the file.
Vector3 tip(const Clip& clip, std::uint32_t frame = 0) {
  std::vector<Affine> world(clip.joints());
  toWorld(*clip.skeleton, &clip.pose(frame, 0), world.data());
  Vector3 origin = world.back().columns[3];
  for (double& v : origin) v *= 100;
  return origin;
}

void expectNear(const Vector3& seen, const Vector3& expected) {
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(seen[axis], expected[axis], 1e-4) << "axis " << axis;
}

TEST(Bvh, ReadsSkeletonAndFrames) {
  const auto clip = read(withRoot("3 Xposition Yposition Zposition", "10 20 30\n40 50 60\n", 2));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_TRUE(validate(*clip));
  EXPECT_EQ(clip->id, "clip");
  EXPECT_FALSE(clip->named);
  EXPECT_THAT(clip->skeleton->names, ElementsAre("Hips", "Tip"));
  EXPECT_THAT(clip->skeleton->parents, ElementsAre(-1, 0));
  EXPECT_THAT(clip->skeleton->rest[0].translation, ElementsAre(0.01F, 0.02F, 0.03F));
  EXPECT_EQ(clip->frames, 2U);
  EXPECT_EQ(clip->rateHz, 30);
  EXPECT_THAT(clip->pose(1, 0).translation, ElementsAre(0.4F, 0.5F, 0.6F));
  EXPECT_EQ(clip->resampleErrorM, 0);
}

TEST(Bvh, PositionsReplaceTheOffsetAxisByAxis) {
  const auto clip = read(withRoot("1 Yposition", "20\n"));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_THAT(clip->pose(0, 0).translation, ElementsAre(0.01F, 0.2F, 0.03F));
}

// A rotation by z, then y, then x about the moved axes is the matrix product Rz·Ry·Rx; the expected places are
// worked out by hand from it.
TEST(Bvh, RotationsAreComposedInChannelOrder) {
  struct Case {
    const char* channels;
    const char* row;
    Vector3 tip;  // of a child at (1, 0, 0), root at its OFFSET (1, 2, 3)
  };
  const Case cases[] = {
      {"1 Zrotation", "90", {1, 3, 3}},
      {"1 Yrotation", "90", {1, 2, 2}},
      {"1 Xrotation", "90", {2, 2, 3}},
      {"2 Zrotation Yrotation", "90 90", {1, 2, 2}},
      {"2 Yrotation Zrotation", "90 90", {1, 3, 3}},
      {"3 Xrotation Yrotation Zrotation", "90 0 90", {1, 2, 4}},
      {"3 Zrotation Xrotation Yrotation", "90 0 90", {1, 2, 2}},
      {"3 Zrotation Yrotation Zrotation", "90 90 90", {0, 2, 3}},  // proper Euler angles
      {"3 Zrotation Xposition Yrotation", "90 7 90", {7, 2, 2}},
      {"1 Zrotation", "450", {1, 3, 3}},
      {"1 Zrotation", "-359999910", {1, 3, 3}},
      {"1 zROTATION", "+9.0e1", {1, 3, 3}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.channels) + ": " + c.row);
    const auto clip = read(withRoot(c.channels, c.row));
    ASSERT_TRUE(clip) << clip.error().text();
    expectNear(tip(*clip), c.tip);
  }
}

TEST(Bvh, EveryOrderOfThreeAnglesMatchesMatrices) {
  const double angles[3] = {20, -35, 130};
  int order[3] = {0, 1, 2};
  do {
    std::string channels = "3", row;
    std::array<double, 3> expected{1, 0, 0};
    for (int i = 0; i < 3; ++i) {
      channels += std::string(" ") + "XYZ"[order[i]] + "rotation";
      row += std::to_string(angles[i]) + " ";
    }
    for (int i = 2; i >= 0; --i) {  // the last channel turns the child first
      const double c = std::cos(angles[i] * kPi / 180), s = std::sin(angles[i] * kPi / 180);
      const int a = (order[i] + 1) % 3, b = (order[i] + 2) % 3;
      const double u = expected[a], v = expected[b];
      expected[a] = c * u - s * v;
      expected[b] = s * u + c * v;
    }
    SCOPED_TRACE(channels);
    const auto clip = read(withRoot(channels, row));
    ASSERT_TRUE(clip) << clip.error().text();
    expectNear(tip(*clip), {1 + expected[0], 2 + expected[1], 3 + expected[2]});
  } while (std::next_permutation(order, order + 3));
}

TEST(Bvh, RotationsKeepToOneHalfOfTheSphere) {
  std::string rows;
  for (int frame = 0; frame < 100; ++frame) rows += std::to_string(frame * 17 % 360) + " 10\n";
  const auto clip = read(withRoot("2 Zrotation Xrotation", rows, 100));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_GE(clip->pose(0, 0).rotation[3], 0);
  for (std::uint32_t frame = 1; frame < clip->frames; ++frame) {
    double dot = 0;
    for (std::size_t i = 0; i < 4; ++i) dot += clip->pose(frame, 0).rotation[i] * clip->pose(frame - 1, 0).rotation[i];
    EXPECT_GT(dot, 0.9) << "frame " << frame;
  }
}

TEST(Bvh, PositionsBelowTheRootReplaceTheOffsetOrAreAddedToIt) {
  const auto text = [](const char* row) {
    return std::string(
               "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition JOINT B { OFFSET 0 40 0 "
               "CHANNELS 3 Xposition Yposition Zposition End Site { OFFSET 0 1 0 } } } "
               "MOTION Frames: 1 Frame Time: .04\n") +
           row;
  };
  const auto replaced = read(text("1 2 3 5 38 0"));
  ASSERT_TRUE(replaced) << replaced.error().text();
  expectNear(tip(*replaced), {6, 40, 3});
  MemoryReader reader("pose.bvh", text("1 2 3 0.5 0 0"));
  RecordingContext context;
  const auto added = readBvhClip(reader, "clip", {}, context);
  ASSERT_TRUE(added) << added.error().text();
  expectNear(tip(*added), {1.5, 42, 3});
  ASSERT_EQ(context.lines.size(), 1U);
  EXPECT_THAT(context.lines[0].second, HasSubstr("they were added"));
}

TEST(Bvh, AnyWhiteSpaceAndLineEnds) {
  const std::string unixText = withRoot("3 Zrotation Xrotation Yrotation", "10 20 30\n40 50 60\n", 2);
  const auto expected = read(unixText);
  ASSERT_TRUE(expected) << expected.error().text();
  const auto replaced = [&](char from, std::string_view to) {
    std::string text;
    for (const char c : unixText) text += c == from ? std::string(to) : std::string(1, c);
    return text;
  };
  for (const std::string& text : {replaced('\n', "\r\n"), replaced('\n', "\r"), replaced('\n', "\n\n \t\n"),
                                  replaced(' ', "\t"), "\xEF\xBB\xBF" + unixText, replaced('\n', " \n")}) {
    const auto clip = read(text);
    ASSERT_TRUE(clip) << clip.error().text();
    EXPECT_EQ(clip->poses, expected->poses);
    EXPECT_EQ(*clip->skeleton, *expected->skeleton);
  }
}

TEST(Bvh, AFrameMayBeBrokenIntoLines) {
  const auto lines = read(withRoot("3 Zrotation Xrotation Yrotation", "10 20 30\n40 50 60\n", 2));
  for (const char* rows : {"10 20 30 40 50 60", "10\n20\n30\n40\n50\n60\n", "10 20\n30 40\n50 60\n"}) {
    const auto clip = read(withRoot("3 Zrotation Xrotation Yrotation", rows, 2));
    ASSERT_TRUE(clip) << clip.error().text();
    EXPECT_EQ(clip->poses, lines->poses);
  }
}

TEST(Bvh, NamesAreTakenAsTheyStand) {
  const auto clip = contents(
      "HIERARCHY\nROOT Left Arm \n{ OFFSET 0 90 0 CHANNELS 1 Xrotation\nJOINT a{OFFSET 0 1 0}JOINT a\n{OFFSET 0 1 "
      "0\n}\n"
      "JOINT \n{ OFFSET 0 1 0 }\nJOINT Gr\xF6\xDF"
      "e\n{\nOFFSET 0 1 0\nEnd Site Zeh {\nOFFSET 0 0 0 } }\n"
      "JOINT \xC3\xA4\n{ OFFSET 0 1 0 } }\nROOT Second { OFFSET 0 0 0 }\nMOTION\nFrames:1\nFrame Time:.04\n0\n");
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_THAT(clip->skeleton->names, ElementsAre("Left Arm", "a", "a", "", "Größe", "ä", "Second"));
  EXPECT_THAT(clip->skeleton->parents, ElementsAre(-1, 0, 0, 0, 0, 0, -1));
  EXPECT_THAT(clip->warnings, ElementsAre("line 9: the joint name 'Gr??e' is not UTF-8 and was read as Latin-1"));
}

TEST(Bvh, OneWarningIsEnoughForManyNames) {
  const auto found = contents(
      "HIERARCHY\nROOT \xE4\n{ OFFSET 0 100 0 CHANNELS 1 Xrotation\nJOINT \xF6\n{ OFFSET 0 80 0 }\nJOINT \xFC\n{ "
      "OFFSET 0 "
      "1 0 } }\nMOTION\nFrames: 1\nFrame Time: 1\n0\n");
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_THAT(found->warnings, ElementsAre("line 2: the joint name '?' is not UTF-8 and was read as Latin-1; so were 2 "
                                           "more"));
}

TEST(Bvh, DescribesWithoutReadingTheRows) {
  const auto found = contents(withRoot("3 Xposition Yposition Zposition", "", 91));
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_EQ(found->clips.size(), 1U);
  EXPECT_EQ(found->clips[0].id, "clip");
  EXPECT_FALSE(found->clips[0].named);
  EXPECT_DOUBLE_EQ(found->clips[0].durationS, 3);
}

TEST(Bvh, HintsAtTheUnitOfAnAbsurdSkeleton) {
  const auto text = [](const char* height) {
    return std::string("HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 1 Xrotation JOINT B { OFFSET 0 ") + height +
           " 0 } } MOTION Frames: 1 Frame Time: .04 0";
  };
  EXPECT_THAT(contents(text("24"))->warnings,
              ElementsAre("the skeleton is 0.24 m tall at 0.01 metres per unit; metres_per_unit = 0.075 would make it "
                          "1.8 m"));
  EXPECT_THAT(contents(text("1800"))->warnings, ElementsAre(HasSubstr("metres_per_unit = 0.001 ")));
  EXPECT_THAT(contents(text("170"))->warnings, ElementsAre());
  EXPECT_THAT(contents(text("0"))->warnings, ElementsAre());
  ImportOptions metres;
  metres.metresPerUnit = 1;
  EXPECT_THAT(contents(text("1.7"), metres)->warnings, ElementsAre());
}

TEST(Bvh, DeepNestingNeedsNoStack) {
  constexpr int kDepth = 20000;
  std::string text = "HIERARCHY\n", row;
  for (int i = 0; i < kDepth; ++i) {
    text += (i == 0 ? "ROOT r { OFFSET 0 0 0 " : "JOINT j { OFFSET 0 0.001 0 ");
    text += "CHANNELS 1 Xrotation\n";
    row += "0 ";
  }
  text += "End Site { OFFSET 0 0 0 }" + std::string(kDepth, '}') + " MOTION Frames: 2 Frame Time: .1\n";
  const auto clip = read(text + row + "\n" + row);
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_EQ(clip->joints(), static_cast<std::size_t>(kDepth));
  EXPECT_EQ(clip->skeleton->parents.back(), kDepth - 2);
}

TEST(Bvh, ASampleRateResamples) {
  ImportOptions options;
  options.sampleRateHz = 60;
  const auto clip = read(withRoot("1 Xposition", "0\n10\n30\n", 3), options);
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_EQ(clip->rateHz, 60);
  ASSERT_EQ(clip->frames, 5U);
  EXPECT_FLOAT_EQ(clip->pose(1, 0).translation[0], 0.05F);
  EXPECT_FLOAT_EQ(clip->pose(3, 0).translation[0], 0.2F);
  EXPECT_NEAR(clip->resampleErrorM, 0, 1e-7);
}

TEST(Bvh, CancelsAndKnowsItsClip) {
  std::string rows;
  for (int i = 0; i < 1000; ++i) rows += "1\n";
  MemoryReader reader("walk.bvh", withRoot("1 Xposition", rows, 1000));
  RecordingContext context;
  context.cancel = true;
  EXPECT_EQ(readBvhClip(reader, "clip", {}, context).error().code, ErrorCode::Cancelled);
  context.cancel = false;
  EXPECT_EQ(readBvhClip(reader, "Run", {}, context).error(),
            (Error{ErrorCode::NotFound, "no clip 'Run'; a BVH file holds one, named 'clip'", ""}));
}

}  // namespace
}  // namespace simmer::animation
