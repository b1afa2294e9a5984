#include <gtest/gtest.h>

#include "plugins/animation/import/bvh.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using test::MemoryReader;
using test::RecordingContext;

Result<Clip> read(std::string_view text) {
  MemoryReader reader("walk.bvh", text);
  RecordingContext context;
  return readBvhClip(reader, "clip", {}, context);
}

struct Defect {
  const char* name;
  std::string text;
  const char* message;
};

std::string motion(const std::string& rows) {
  return "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\nMOTION\n" + rows;
}

const Defect kDefects[] = {
    {"empty", "", "the file is empty"},
    {"other_text", "solid cube", "line 1: 'solid' where HIERARCHY is expected"},
    {"white_space", "\n\n", "line 3: the file ends where HIERARCHY is expected"},
    {"png", "\x89PNG\r\n\x1A\n", "the file is a PNG image, expected BVH text that begins with HIERARCHY"},
    {"utf16", std::string("\xFF\xFEH\0I\0", 6),
     "the file is UTF-16 text, expected BVH text that begins with HIERARCHY"},
    {"utf16_without_mark", std::string("H\0I\0", 4),
     "the file is UTF-16 text, expected BVH text that begins with HIERARCHY"},
    {"nul_byte", std::string("HIERARCHY\nROOT A\0\n", 18), "line 2: a NUL byte, expected text"},
    {"no_joint", "HIERARCHY\nMOTION\n", "line 2: the HIERARCHY has no joint"},
    {"joint_outside", "HIERARCHY\nJOINT A", "line 2: 'JOINT' where ROOT is expected"},
    {"no_brace", "HIERARCHY\nROOT A\nOFFSET", "line 3: 'OFFSET' where '{' of joint 'A' is expected"},
    {"unknown_word", "HIERARCHY\nROOT A\n{\nOFSET 0 0 0",
     "line 4: 'OFSET' where OFFSET, CHANNELS, JOINT, End Site or '}' is expected"},
    {"cut_off", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n",
     "line 5: the file ends where OFFSET, CHANNELS, JOINT, End Site or '}' is expected"},
    {"short_offset", "HIERARCHY\nROOT A\n{\nOFFSET 0 0\n}",
     "line 5: a part of OFFSET is '}', expected a finite number"},
    {"huge_offset", "HIERARCHY\nROOT A\n{\nOFFSET 0 1e60 0\n}", "line 4: OFFSET 1e+60 is too large for a float"},
    {"decimal_comma", "HIERARCHY\nROOT A\n{\nOFFSET 0 1,5 0\n}",
     "line 4: a part of OFFSET is '1,5', expected a finite number"},
    {"no_offset", "HIERARCHY\nROOT A\n{\n}", "line 4: joint 'A' has no OFFSET"},
    {"two_offsets", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n}", "line 5: joint 'A' has a second OFFSET"},
    {"channel_count", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 300 Xrotation\n}",
     "line 5: CHANNELS says '300', expected 0 to 6"},
    {"few_channels", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation\n}",
     "line 6: '}' where channel 2 of 3 (Xposition … Zrotation) is expected"},
    {"position_twice", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition xposition\n}",
     "line 5: Xposition stands twice"},
    {"end_site_channels", "HIERARCHY\nROOT A\n{\nEnd Site\n{\nCHANNELS 0",
     "line 6: 'CHANNELS' where OFFSET or '}' of an End Site is expected"},
    {"open_joint", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nMOTION",
     "line 5: MOTION stands inside joint 'A', which has no '}'"},
    {"brace_too_many", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n}", "line 6: a '}' without a '{'"},
    {"no_motion", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n", "line 6: the file ends where ROOT or MOTION is expected"},
    {"no_channels", "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\nMOTION\n",
     "line 6: no joint has channels, so there is no motion"},
    {"no_frames", motion("Frame Time: 1"), "line 8: 'Frame' where Frames: is expected"},
    {"zero_frames", motion("Frames: 0\nFrame Time: .04\n"),
     "line 8: MOTION says '0' frames, expected a whole number above 0"},
    {"negative_frames", motion("Frames: -5\nFrame Time: .04\n"),
     "line 8: MOTION says '-5' frames, expected a whole number above 0"},
    {"overflowing_frames", motion("Frames: 99999999999999999999\nFrame Time: .04\n"),
     "line 8: MOTION says 99999999999999999999 frames, expected at most 4294967295"},
    {"fewer_frames", motion("Frames: 3\nFrame Time: .04\n1 2\n3 4\n"), "frame count is 2, MOTION says 3"},
    {"far_fewer_frames", motion("Frames: 4000000000\nFrame Time: .04\n1 2\n"),
     "frame count is 1, MOTION says 4000000000"},
    {"no_rows", motion("Frames: 2\nFrame Time: .04\n"), "frame count is 0, MOTION says 2"},
    {"long_row", motion("Frames: 3\nFrame Time: .04\n1 2\n3 4 5\n6 7\n"),
     "line 11: 3 values, the channels add up to 2"},
    {"short_row", motion("Frames: 3\nFrame Time: .04\n1 2\n3 4\n6"), "line 12: 1 values, the channels add up to 2"},
    {"rows_that_make_up", motion("Frames: 4\nFrame Time: .04\n1 2\n3 4\n5\n6 7 8\n"),
     "line 12: 1 values, the channels add up to 2"},
    {"free_lines_short", motion("Frames: 4\nFrame Time: .04\n1 2 3 4\n5 6 7\n"),
     "MOTION has 7 values, 4 frames of 2 channels need 8"},
    {"zero_frame_time", motion("Frames: 2\nFrame Time: 0\n1 2\n3 4\n"), "line 9: Frame Time is '0', expected above 0"},
    {"negative_frame_time", motion("Frames: 2\nFrame Time: -1\n1 2\n3 4\n"),
     "line 9: Frame Time is '-1', expected above 0"},
    {"nan", motion("Frames: 1\nFrame Time: .04\n1 nan\n"),
     "line 10: value 2: a value is 'nan', expected a finite number"},
    {"inf", motion("Frames: 1\nFrame Time: .04\n-inf 1\n"),
     "line 10: value 1: a value is '-inf', expected a finite number"},
    {"msvc_nan", motion("Frames: 1\nFrame Time: .04\n-1.#IND 1\n"),
     "line 10: value 1: a value is '-1.#IND', expected a finite number"},
    {"overflow", motion("Frames: 1\nFrame Time: .04\n1 1e999\n"),
     "line 10: value 2: a value is '1e999', expected a finite number"},
    {"junk_behind", motion("Frames: 1\nFrame Time: .04\n1 2\nHIERARCHY\n"),
     "line 11: value 1: a value is 'HIERARCHY', expected a finite number"},
};

class BvhDefects : public testing::TestWithParam<Defect> {};

TEST_P(BvhDefects, AreNamed) {
  const auto clip = read(GetParam().text);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(clip.error().text(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Bvh, BvhDefects, testing::ValuesIn(kDefects),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BvhLimits, FramesBehindTheirCountAreLeftOut) {
  for (const char* rows : {"1 2\n3 4\n5 6\n", "1 2 3 4 5 6"}) {
    MemoryReader reader("walk.bvh", motion("Frames: 2\nFrame Time: .04\n") + rows);
    RecordingContext context;
    const auto clip = readBvhClip(reader, "clip", {}, context);
    ASSERT_TRUE(clip) << clip.error().text();
    EXPECT_EQ(clip->frames, 2U);
    EXPECT_EQ(clip->poses.size(), 2U);
    ASSERT_EQ(context.lines.size(), 1U);
    EXPECT_EQ(context.lines[0].second, "frame count is 3, MOTION says 2: the frames behind were left out");
  }
}

TEST(BvhLimits, TinyValuesAreZero) {
  const auto clip = read(motion("Frames: 1\nFrame Time: .04\n1e-999 -0\n"));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_EQ(clip->pose(0, 0).rotation[3], 1);
}

TEST(BvhLimits, ASinglePoseNeedsNoFrameTime) {
  const auto clip = read(motion("Frames: 1\nFrame Time: 0\n1 2\n"));
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_EQ(clip->rateHz, 30);
  EXPECT_EQ(clip->durationS(), 0);
}

TEST(BvhLimits, RefusesWhatIsTooMuchBeforeAllocating) {
  // 20,000 joints, one of which has a channel: 2,000 frames take 4 KB of text and would take 1.6 GB of transforms.
  std::string text = "HIERARCHY\nROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n";
  for (int i = 0; i < 20000; ++i) text += "JOINT j { OFFSET 0 1 0 }\n";
  text += "}\nMOTION\nFrames: 2000\nFrame Time: .04\n";
  for (int i = 0; i < 2000; ++i) text += "1\n";
  const auto clip = read(text);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error(), (Error{ErrorCode::Unsupported,
                                 "2000 frames of 20001 joints, expected at most 12000000 transforms in a clip", ""}));
}

TEST(BvhLimits, RefusesTooManyJoints) {
  std::string text = "HIERARCHY\nROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n";
  for (int i = 0; i < 65535; ++i) text += "JOINT j { OFFSET 0 1 0 }\n";
  EXPECT_EQ(read(text).error().text(), "line 65537: more than 65535 joints");
}

}  // namespace
}  // namespace simmer::animation
