#include "plugins/animation/codec/article/pipeline.h"

#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "cooker/base/digest.h"
#include "plugins/animation/codec/article/joint_error.h"
#include "tests/plugins/animation/codec/article/golden_clips.h"

namespace simmer::animation::article {
namespace {

using nlohmann::json;

Stages stagesOf(const json& row) {
  Stages stages;
  stages.dropConstants = row.at("drop_constant");
  stages.interpolation = row.at("interp") == "cubic" ? Interpolation::Cubic : Interpolation::Linear;
  stages.quantise = row.at("quantise");
  if (row.at("reduce")) stages.toleranceMm = row.at("tolerance_mm").get<double>();
  return stages;
}

void expectRow(const json& row, Planner& planner, const JointErrorMeter& meter) {
  SCOPED_TRACE(row.dump());
  const Plan plan = planner.plan(stagesOf(row));
  const Bytes stream = encodeTracks(plan);
  EXPECT_EQ(plan.keys(), row.at("keys").get<std::size_t>());
  EXPECT_EQ(plan.constantScalars(), row.at("const_scalar").get<std::size_t>());
  EXPECT_EQ(plan.constantRotations(), row.at("const_quat").get<std::size_t>());
  EXPECT_EQ(stream.size(), row.at("bytes").get<std::size_t>());
  EXPECT_EQ(sha256(stream).hex(), row.at("sha256").get<std::string>());
  const JointError error = meter.measure(decode(plan));
  EXPECT_NEAR(error.maxM * 1000, row.at("max_err_mm").get<double>(), 1e-9);
  EXPECT_NEAR(error.meanM * 1000, row.at("mean_err_mm").get<double>(), 1e-9);
  // Close to zero the angle is an arc cosine next to 1, where one last bit is 1e-6 degrees.
  EXPECT_NEAR(error.maxDegrees, row.at("max_err_deg").get<double>(), 1e-6);
  const auto gzip = static_cast<double>(gzipSize(stream));
  const double article = row.at("gzip6_article");
  EXPECT_NEAR(gzip, article, 0.05 * article);
  if (std::string_view(zlibVersion()) == "1.2.13") {
    EXPECT_EQ(gzip, row.at("gzip6_zlib_1_2_13").get<double>());
  }
}

class GoldenRows : public testing::TestWithParam<const char*> {};

TEST_P(GoldenRows, AreMetToTheByte) {
  SIMMER_SHARED(folder, "golden");
  std::ifstream file(folder / "article_rows.json");
  const json rows = json::parse(file);
  ASSERT_EQ(rows.size(), 40u);
  const DoubleClip clip = animation::test::readGoldenClip(folder, GetParam());
  Planner planner(clip, 0.1);
  const JointErrorMeter meter(clip);
  std::size_t seen = 0;
  for (const json& row : rows) {
    if (row.at("clip") != GetParam()) continue;
    ++seen;
    expectRow(row, planner, meter);
  }
  EXPECT_GE(seen, 6u);
}

INSTANTIATE_TEST_SUITE_P(Article, GoldenRows, testing::Values("walk", "jump", "mocap"),
                         [](const auto& param) { return param.param; });

TEST(Planner, DoesNotDependOnTheOrderOfPlans) {
  const DoubleClip clip = makeSample(Sample::Jump);
  Planner coarseFirst(clip, 10), fineFirst(clip, 0.1);
  const Stages coarse{true, 10, Interpolation::Cubic, true}, fine{true, 0.25, Interpolation::Cubic, true};
  const Bytes a1 = encodeTracks(coarseFirst.plan(coarse)), a2 = encodeTracks(coarseFirst.plan(fine));
  const Bytes b2 = encodeTracks(fineFirst.plan(fine)), b1 = encodeTracks(fineFirst.plan(coarse));
  EXPECT_EQ(a1, b1);
  EXPECT_EQ(a2, b2);
  EXPECT_LT(a1.size(), a2.size());
}

TEST(Planner, WithEveryStageOffKeepsEverything) {
  const DoubleClip clip = makeSample(Sample::Mocap);
  Planner planner(clip);
  const Plan plan = planner.plan({false, {}, Interpolation::Linear, false});
  EXPECT_EQ(plan.keys(), 180u * 210u);
  EXPECT_EQ(plan.constantScalars() + plan.constantRotations(), 0u);
  const DoubleClip decoded = decode(plan);
  for (std::size_t i = 0; i < clip.translations.size(); ++i)
    ASSERT_NEAR(decoded.translations[i], clip.translations[i], 1e-15);
}

TEST(Planner, ReducesWithinTheToleranceOfEachChannel) {
  const DoubleClip clip = makeSample(Sample::Walk);
  Planner planner(clip);
  for (const auto interpolation : {Interpolation::Linear, Interpolation::Cubic}) {
    const DoubleClip decoded = decode(planner.plan({true, 2, interpolation, false}));
    for (std::size_t i = 0; i < clip.translations.size(); ++i)
      ASSERT_LE(std::abs(decoded.translations[i] - clip.translations[i]), 0.002 + 1e-12);
    for (std::size_t i = 0; i < clip.rotations.size(); ++i)
      ASSERT_LE(std::acos(std::min(1.0, std::abs(dot(decoded.rotations[i], clip.rotations[i])))),
                leverDegrees(2) * std::numbers::pi / 360 + 1e-7);
  }
}

TEST(Planner, KeepsAClipOfOneFrame) {
  DoubleClip clip = DoubleClip::atRest(articleSkeleton(), 1, 60);
  clip.rotation(3)[0] = normalised({0.1, 0.2, 0.3, 0.9});
  Planner planner(clip);
  for (const bool drop : {false, true})
    for (const bool quantise : {false, true}) {
      const Plan plan = planner.plan({drop, 1, Interpolation::Cubic, quantise});
      EXPECT_EQ(plan.keys(), 210u);
      const JointError error = JointErrorMeter(clip).measure(decode(plan));
      EXPECT_LT(error.maxM, quantise ? 0.01 : 1e-12);
    }
}

// Quaternions that cross w = 0 are packed with the opposite sign; a decoder that interpolates between such keys without
// aligning them turns the joint through zero.
TEST(Planner, DecodesPackedRotationsThroughAHalfTurn) {
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->names = {"wheel"};
  skeleton->parents = {-1};
  skeleton->rest.resize(1);
  DoubleClip clip = DoubleClip::atRest(skeleton, 61, 60);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    const double half = 0.5 * 0.1 * frame;  // to 6 radians
    clip.rotation(0)[frame] = {0, std::sin(half), 0, std::cos(half)};
  }
  Planner planner(clip);
  for (const auto interpolation : {Interpolation::Linear, Interpolation::Cubic})
    EXPECT_LT(JointErrorMeter(clip).measure(decode(planner.plan({true, 1, interpolation, true}))).maxDegrees, 0.5);
}

TEST(PackRotation, IsWithinHalfAStepOfEachComponent) {
  for (int i = 0; i < 1000; ++i) {
    const Quaternion q = normalised({std::sin(i * 0.7), std::cos(i * 1.3), std::sin(i * 2.1 + 1), std::cos(i * 0.2)});
    const Quaternion r = unpackRotation(packRotation(q));
    EXPECT_NEAR(dot(r, r), 1, 1e-12);
    EXPECT_GT(std::abs(dot(q, r)), 1 - 4e-6);
  }
  EXPECT_EQ(packRotation({0, 0, 0, 1}), packRotation({0, 0, 0, -2}));
}

TEST(CheckFits, RefusesWhatSixteenBitsCannotCount) {
  Clip clip = toClip(DoubleClip::atRest(articleSkeleton(), 1, 60), "x");
  EXPECT_TRUE(checkFits(clip));
  clip.frames = 65536;
  const auto result = checkFits(clip);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(result.error().message, "the clip has 65536 frames, the article's pipeline counts up to 65535");
}

TEST(JointError, ScalesAChildByItsParentAlone) {
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->names = {"a", "b", "c"};
  skeleton->parents = {-1, 0, 1};
  skeleton->rest.resize(3);
  skeleton->rest[1].translation = skeleton->rest[2].translation = {1, 0, 0};
  const DoubleClip clip = DoubleClip::atRest(skeleton, 1, 60);
  DoubleClip scaled = clip;
  for (std::size_t axis = 0; axis < 3; ++axis) scaled.scale(0, axis)[0] = 3;
  // b moves from 1 to 3, c follows by as much; under glTF semantics c would be at 6.
  EXPECT_DOUBLE_EQ(JointErrorMeter(clip).measure(scaled).maxM, 2);
  EXPECT_DOUBLE_EQ(JointErrorMeter(clip).measure(scaled).meanM, 4.0 / 3);
}

TEST(GzipSize, CountsTheWrapper) {
  EXPECT_EQ(gzipSize({}), 20u);  // 10 bytes of header, 2 of an empty block, 8 of trailer
  EXPECT_EQ(gzipSize(Bytes(100000, 7)), gzipSize(Bytes(100000, 9)));
}

}  // namespace
}  // namespace simmer::animation::article
