#include "plugins/animation/analyze/analyze.h"

#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "plugins/animation/analyze/analysis.h"
#include "plugins/animation/analyze/folder_reader.h"
#include "plugins/animation/analyze/report.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

namespace fs = std::filesystem;
using article::Interpolation;
using article::Sample;
using simmer::test::RecordingContext;
using simmer::test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;

Clip sampleClip(Sample sample) {
  return article::toClip(article::makeSample(sample), toString(sample));
}

ClipAnalysis analysisOf(const Clip& clip) {
  RecordingContext context;
  auto analysis = analyzeClip(clip, context);
  EXPECT_TRUE(analysis) << analysis.error().text();
  return analysis ? *analysis : ClipAnalysis{};
}

std::size_t codePoints(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void expectNarrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(codePoints(line), 100u) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << '"' << line << '"';
  }
}

// The article's table for its walk, from float32 instead of double: a last digit may differ.
TEST(AnalyzeClip, GivesTheArticlesTableForItsWalk) {
  const ClipAnalysis a = analysisOf(sampleClip(Sample::Walk));
  EXPECT_EQ(a.constantScalars, 177u);
  EXPECT_EQ(a.constantRotations, 10u);
  EXPECT_EQ(a.animatedTracks(), 23u);
  ASSERT_EQ(a.techniques.size(), 7u);
  const std::size_t bytes[] = {216016, 69764, 25684, 24068, 17486, 6688, 25034};
  const std::size_t gzip[] = {31818, 18712, 8247, 8132, 6736, 3650, 13314};
  const double mm[] = {0, 0, 4.69, 4.69, 3.78, 7.24, 7.26}, degrees[] = {0, 0, 0.508, 0.508, 0.427, 0.857, 0.864};
  for (int i = 0; i < 7; ++i) {
    const TechniqueRow& row = a.techniques[static_cast<std::size_t>(i)];
    EXPECT_EQ(row.number, i + 1);
    EXPECT_NEAR(static_cast<double>(row.bytes), static_cast<double>(bytes[i]), 60) << i;
    EXPECT_NEAR(static_cast<double>(row.gzipBytes), static_cast<double>(gzip[i]), 0.05 * static_cast<double>(gzip[i]));
    EXPECT_NEAR(row.error.maxM * 1000, mm[i], 0.02) << i;
    EXPECT_NEAR(row.error.maxDegrees, degrees[i], 0.003) << i;
    EXPECT_GE(row.worldErrorM, row.error.maxM - 1e-6) << i;  // it looks at more points
  }
  EXPECT_LT(a.technique(2).worldErrorM, 1e-6);
  EXPECT_NEAR(a.keysPerTrackSecond(a.technique(4)), 19.0, 0.1);
  EXPECT_NEAR(a.keysPerTrackSecond(a.technique(5)), 13.5, 0.1);
}

TEST(AnalyzeClip, SweepsTolerancesAndReadsPixelsOff) {
  const ClipAnalysis a = analysisOf(sampleClip(Sample::Walk));
  ASSERT_EQ(a.sweep.size(), 2 * kSweptTolerancesMm.size());
  for (std::size_t i = 0; i < a.sweep.size(); ++i) {
    EXPECT_EQ(a.sweep[i].interpolation, i < 9 ? Interpolation::Linear : Interpolation::Cubic);
    EXPECT_EQ(a.sweep[i].toleranceMm, kSweptTolerancesMm[i % 9]);
    if (i % 9 > 0) {
      EXPECT_LT(a.sweep[i].bytes, a.sweep[i - 1].bytes);
    }
  }
  EXPECT_NEAR(a.sweep[5].error.maxM * 1000, 17.74, 0.02);
  EXPECT_NEAR(a.heightM, 1.56, 1e-6);
  ASSERT_EQ(a.pixels.size(), kScreenHeightsPx.size());
  for (const PixelRow& row : a.pixels) {
    EXPECT_NEAR(row.mmPerPixel, 1560.0 / row.heightPx, 1e-4);
    ASSERT_TRUE(row.linear && row.cubic);
    for (const std::size_t index : {*row.linear, *row.cubic}) {
      EXPECT_LT(a.sweep[index].error.maxM * 1000, row.mmPerPixel);
      if (index % 9 < 8) {
        EXPECT_GE(a.sweep[index + 1].error.maxM * 1000, row.mmPerPixel);
      }
    }
  }
}

TEST(AnalyzeClip, PutsCodecSplineBesideTheTechniques) {
  Clip clip = sampleClip(Sample::Jump);
  const ClipAnalysis a = analysisOf(clip);
  ASSERT_EQ(a.spline.sweep.size(), kSweptTolerancesMm.size());
  for (std::size_t i = 0; i < a.spline.sweep.size(); ++i) {
    const SplineRow& row = a.spline.sweep[i];
    EXPECT_EQ(row.toleranceMm, kSweptTolerancesMm[i]);
    EXPECT_LE(row.worldErrorM * 1000, row.toleranceMm);
    // The article's looks at fewer points and moments, but scale is not inherited there.
    EXPECT_LT(row.error.maxM * 1000, 1.4 * row.toleranceMm);
    EXPECT_GT(row.error.maxM, 0);
    EXPECT_GT(row.memoryBytes, row.bytes);
    if (i > 0) {
      EXPECT_LT(row.bytes, a.spline.sweep[i - 1].bytes);
    }
  }
  ASSERT_TRUE(a.spline.besideTechnique6);
  EXPECT_LE(a.spline.besideTechnique6->worldErrorM, a.technique(6).worldErrorM);
  EXPECT_LT(a.spline.besideTechnique6->bytes, a.technique(6).bytes / 4);
  // Scalar tracks are counted nowhere.
  clip.scalars.push_back({"smile", false, std::vector<float>(clip.frames)});
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    clip.scalars[0].values[frame] = static_cast<float>(frame % 7);
  EXPECT_EQ(analysisOf(clip).spline.besideTechnique6->bytes, a.spline.besideTechnique6->bytes);
}

TEST(AnalyzeClip, FindsTheTransitionsOfTheJump) {
  const ClipAnalysis a = analysisOf(sampleClip(Sample::Jump));
  ASSERT_EQ(a.keysOverTime.size(), 10u);
  std::size_t keys = 0;
  std::uint32_t frames = 0;
  for (const TimeSpan& span : a.keysOverTime) {
    EXPECT_NEAR(span.startS, frames / 60.0, 1e-9);
    keys += span.keys;
    frames += span.frames;
  }
  EXPECT_EQ(frames, 120u);
  EXPECT_NEAR(static_cast<double>(keys), 903, 6);  // the article's count
  EXPECT_LT(a.keysOverTime[0].keys, 50u);          // idle
  EXPECT_GT(a.keysOverTime[2].keys, 100u);         // launch
  EXPECT_LT(a.keysOverTime[9].keys, 50u);          // settled
}

TEST(AnalyzeClip, SplitsGzipByRecord) {
  const ClipAnalysis a = analysisOf(sampleClip(Sample::Walk));
  EXPECT_FALSE(a.records[0].quantised);
  EXPECT_TRUE(a.records[1].quantised);
  EXPECT_EQ(a.records[0].constantBytes, 1616u);
  EXPECT_EQ(a.records[1].constantBytes, 1142u);
  EXPECT_NEAR(static_cast<double>(a.records[1].animatedBytes), 5530, 30);
  for (const RecordSizes& sizes : a.records) EXPECT_EQ(sizes.allBytes, sizes.constantBytes + sizes.animatedBytes);
}

TEST(AnalyzeClip, TakesClipsOfOneFrameAndWithoutMotion) {
  for (const std::uint32_t frames : {1u, 2u, 3u}) {
    const ClipAnalysis a = analysisOf(toClip(article::DoubleClip::atRest(article::articleSkeleton(), frames, 24), "x"));
    EXPECT_EQ(a.animatedTracks(), 0u);
    EXPECT_EQ(a.keysPerTrackSecond(a.technique(4)), 0);
    EXPECT_EQ(a.keysOverTime.size(), frames);
    EXPECT_THAT(textReport(a, "x", false), HasSubstr("nothing moves"));
    expectNarrow(textReport(a, "x", false));
  }
}

TEST(AnalyzeClip, HoldsSteppedTracksBetweenFrames) {
  Clip clip = sampleClip(Sample::Walk);
  clip.step.assign(clip.joints(), 7);
  const ClipAnalysis a = analysisOf(clip);
  EXPECT_EQ(a.steppedTracks, 90u);
  EXPECT_LT(a.technique(2).worldErrorM, 1e-6);
}

TEST(AnalyzeClip, AssumesAPersonWhereNothingCanBeMeasured) {
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->names = {"dot"};
  skeleton->parents = {-1};
  skeleton->rest.resize(1);
  const ClipAnalysis a = analysisOf(toClip(article::DoubleClip::atRest(skeleton, 4, 24), "dot"));
  EXPECT_FALSE(a.heightMeasured);
  EXPECT_EQ(a.heightM, 1.8);
  EXPECT_NEAR(a.pixels[3].mmPerPixel, 7.03, 0.01);
}

TEST(AnalyzeClip, StopsWhenAsked) {
  RecordingContext context;
  context.cancel = true;
  const auto result = analyzeClip(sampleClip(Sample::Walk), context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

TEST(TextReport, FitsTheScreenAndBeginsWithTheAnswer) {
  const ClipAnalysis a = analysisOf(sampleClip(Sample::Walk));
  const std::string text = textReport(a, "\"walk\"", false);
  expectNarrow(text);
  EXPECT_EQ(text.find("\nHow much of \"walk\" can you throw away?\nAbout 97 % of it: 216,016 bytes as raw float32"),
            0u);
  EXPECT_THAT(text, HasSubstr("\nCodec spline: "));
  EXPECT_THAT(text, HasSubstr("codec spline, no farther off than 6"));
  EXPECT_THAT(text, HasSubstr("What `simmer cook` makes of it"));
  EXPECT_THAT(text, HasSubstr("7.24 mm off = 1.19 px on a character 256 px tall"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(textReport(a, "walk", true), HasSubstr("\x1b[1m"));
}

TEST(TextReport, StaysNarrowForHugeValues) {
  Clip clip = sampleClip(Sample::Mocap);
  clip.frames = 20;
  clip.poses.resize(clip.frames * clip.joints());
  for (Transform& pose : clip.poses)
    for (float& v : pose.translation) v *= 1e6f;
  expectNarrow(textReport(analysisOf(clip), std::string(300, 'x') + "\u9aa8", false));
}

TEST(Printable, LeavesNothingThatSteersATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\n\x7f\tü"), "a?[31mb???ü");
  const ClipAnalysis a = analysisOf(sampleClip(Sample::Jump));
  EXPECT_THAT(textReport(a, "\x1b]0;x\a", false), Not(HasSubstr("\x1b")));
}

TEST(Grouped, PutsThousandsApart) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678901), "12,345,678,901");
}

class AnalyzeCommand : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    m_out.str("");
    m_err.str("");
    Arguments arguments{std::move(words), m_out, m_err, false};
    return analyze(arguments, m_context);
  }
  std::string write(const std::string& name, ByteView bytes) {
    const fs::path path = m_folder.path() / name;
    EXPECT_TRUE(writeFileAtomically(path, bytes));
    return path.string();
  }
  std::string walkFile() { return write("walk.raw", article::encodeRaw(article::makeSample(Sample::Walk))); }

  TemporaryFolder m_folder;
  RecordingContext m_context;
  std::ostringstream m_out, m_err;
};

/// A glTF of one node that moves, with this many animations of two keys.
std::string manyClips(int count) {
  nlohmann::json animations = nlohmann::json::array();
  for (int i = 0; i < count; ++i)
    animations.push_back({{"name", "clip" + std::to_string(i)},
                          {"samplers", {{{"input", 0}, {"output", 1}}}},
                          {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}}});
  // Times 0 and 1, positions (0, 0, 0) and (1, 0, 0).
  const char* data = "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=";
  return nlohmann::json{
      {"asset", {{"version", "2.0"}}},
      {"nodes", {{{"name", "box"}}}},
      {"scenes", {{{"nodes", {0}}}}},
      {"buffers", {{{"uri", data}, {"byteLength", 32}}}},
      {"bufferViews", {{{"buffer", 0}, {"byteLength", 8}}, {{"buffer", 0}, {"byteOffset", 8}, {"byteLength", 24}}}},
      {"accessors",
       {{{"bufferView", 0}, {"componentType", 5126}, {"count", 2}, {"type", "SCALAR"}, {"min", {0}}, {"max", {1}}},
        {{"bufferView", 1}, {"componentType", 5126}, {"count", 2}, {"type", "VEC3"}}}},
      {"animations", animations}}
      .dump();
}

TEST_F(AnalyzeCommand, PrintsAReport) {
  EXPECT_EQ(run({walkFile()}), 0) << m_err.str();
  EXPECT_THAT(m_out.str(), HasSubstr("How much of walk.raw can you throw away?"));
  EXPECT_EQ(m_err.str(), "");
  expectNarrow(m_out.str());
}

TEST_F(AnalyzeCommand, PrintsJson) {
  ASSERT_EQ(run({walkFile(), "--json"}), 0) << m_err.str();
  const auto json = nlohmann::json::parse(m_out.str());
  ASSERT_EQ(json.at("clips").size(), 1u);
  const auto& clip = json.at("clips")[0];
  EXPECT_EQ(clip.at("frames"), 180);
  EXPECT_EQ(clip.at("constants").at("constant_scalar_channels"), 177);
  EXPECT_EQ(clip.at("techniques").size(), 7u);
  EXPECT_NEAR(clip.at("techniques")[5].at("joint_error_mm").get<double>(), 7.24, 0.02);
  EXPECT_EQ(clip.at("tolerance_sweep").size(), 18u);
  const auto& spline = clip.at("spline");
  EXPECT_EQ(spline.at("self_contained"), true);
  ASSERT_EQ(spline.at("tolerance_sweep").size(), 9u);
  EXPECT_LE(spline.at("tolerance_sweep")[4].at("world_error_mm").get<double>(), 2);
  EXPECT_GT(spline.at("tolerance_sweep")[4].at("memory_bytes").get<int>(), 0);
  EXPECT_LT(spline.at("beside_technique_6").at("bytes").get<int>(), clip.at("techniques")[5].at("bytes").get<int>());
  EXPECT_EQ(clip.at("screen").size(), 6u);
  EXPECT_EQ(clip.at("keys_over_time").size(), 10u);
  EXPECT_EQ(clip.at("gzip_by_record").size(), 2u);
  EXPECT_GT(clip.at("decode_ns").at("quantised").get<double>(), 0);
  EXPECT_EQ(json.at("clips_left_out").size(), 0u);
}

TEST_F(AnalyzeCommand, NamesWhatItLeavesOut) {
  const std::string file = write("many.gltf", asBytes(manyClips(10)));
  ASSERT_EQ(run({file}), 0) << m_err.str();
  EXPECT_THAT(m_out.str(), HasSubstr("How much of \"clip7\" (many.gltf) can you throw away?"));
  EXPECT_THAT(m_out.str(), Not(HasSubstr("How much of \"clip8\"")));
  EXPECT_THAT(m_out.str(), HasSubstr("2 more clips are in the file; --clip NAME or --all shows them: clip8, clip9\n"));
  ASSERT_EQ(run({file, "--json"}), 0);
  EXPECT_EQ(nlohmann::json::parse(m_out.str()).at("clips_left_out"), (nlohmann::json{"clip8", "clip9"}));
  ASSERT_EQ(run({file, "--json", "--all"}), 0);
  EXPECT_EQ(nlohmann::json::parse(m_out.str()).at("clips").size(), 10u);
  ASSERT_EQ(run({"--clip", "clip9", file, "--json", "--clip", "clip2"}), 0) << m_err.str();
  EXPECT_EQ(nlohmann::json::parse(m_out.str()).at("clips").size(), 2u);
}

TEST_F(AnalyzeCommand, SaysInOneLineWhatIsWrong) {
  const auto expectOneLine = [&](const char* part) {
    EXPECT_EQ(m_out.str(), "");
    EXPECT_THAT(m_err.str(), testing::StartsWith("simmer analyze: "));
    EXPECT_THAT(m_err.str(), HasSubstr(part));
    EXPECT_EQ(std::ranges::count(m_err.str(), '\n'), 1);
  };
  EXPECT_EQ(run({(m_folder.path() / "absent.bvh").string()}), 1);
  expectOneLine("absent.bvh: ");
  EXPECT_EQ(run({write("broken.bvh", asBytes("HIERARCHY\nnonsense"))}), 1);
  expectOneLine("broken.bvh: ");
  EXPECT_EQ(run({write("notes.txt", asBytes("hello"))}), 1);
  expectOneLine("notes.txt: ");
  EXPECT_EQ(run({write("none.gltf", asBytes(manyClips(0)))}), 1);
  expectOneLine("none.gltf: ");
  EXPECT_EQ(run({write("many.gltf", asBytes(manyClips(2))), "--clip", "clip7"}), 1);
  expectOneLine("has no clip 'clip7'; it has clip0, clip1");
}

TEST_F(AnalyzeCommand, KnowsWrongUsage) {
  EXPECT_EQ(run({}), 2);
  EXPECT_NE(m_err.str(), "");
  EXPECT_EQ(run({"a.bvh", "--nonsense"}), 2);
  EXPECT_EQ(run({"a.bvh", "b.bvh"}), 2);
  EXPECT_EQ(run({"a.bvh", "--metres-per-unit", "-1"}), 2);
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_THAT(m_out.str(), HasSubstr("--clip"));
}

TEST(FolderReader, StaysInItsFolder) {
  const TemporaryFolder outside, inside;
  const auto put = [](const fs::path& path) { ASSERT_TRUE(writeFileAtomically(path, asBytes("data"))); };
  put(outside.path() / "secret.bin");
  put(inside.path() / "fox.gltf");
  put(inside.path() / "buffers" / "fox.bin");
  fs::create_symlink(outside.path() / "secret.bin", inside.path() / "link.bin");
  fs::create_directory_symlink(outside.path(), inside.path() / "away");
  FolderReader reader(inside.path() / "fox.gltf");
  EXPECT_EQ(reader.sourceName(), "fox.gltf");
  EXPECT_TRUE(reader.read("fox.gltf"));
  EXPECT_TRUE(reader.read("buffers/fox.bin"));
  const auto code = [&](std::string_view path) {
    const auto bytes = reader.read(path);
    return bytes ? std::string("read") : std::string(toString(bytes.error().code));
  };
  EXPECT_EQ(code("absent.bin"), "not-found");
  for (const std::string& path :
       {std::string(""), std::string("../x"), std::string("buffers/../../x"), (outside.path() / "secret.bin").string(),
        std::string("link.bin"), std::string("away/secret.bin"), std::string("a\0b", 3)})
    EXPECT_EQ(code(path), "invalid-input") << path;
}

TEST(FolderReader, ReadsALinkThatTheUserNamed) {
  const TemporaryFolder outside, inside;
  ASSERT_TRUE(writeFileAtomically(outside.path() / "walk.bvh", asBytes("data")));
  fs::create_symlink(outside.path() / "walk.bvh", inside.path() / "walk.bvh");
  EXPECT_TRUE(FolderReader(inside.path() / "walk.bvh").read("walk.bvh"));
}

}  // namespace
}  // namespace simmer::animation
