#include "plugins/animation/import/resample.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/plugins/animation/clip/clip_fixtures.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

/// One joint whose x goes by a function of time, and which may step.
class Slider : public Curves {
 public:
  Slider(std::vector<double> keys, std::function<double(double)> x) : m_x(std::move(x)) {
    auto made = std::make_shared<Skeleton>();
    made->names = {"slider"};
    made->parents = {-1};
    made->rest.resize(1);
    skeleton = made;
    keysS = std::move(keys);
  }
  void poseAt(double timeS, double stepTimeS, Transform* pose) const override {
    *pose = Transform{};
    pose->translation[0] = static_cast<float>(m_x(step.empty() ? timeS : stepTimeS));
  }
  void scalarsAt(double, double, float*) const override {}

 private:
  std::function<double(double)> m_x;
};

/// Straight between its keys.
Slider straight(const std::vector<double>& keys, const std::vector<double>& values) {
  return Slider(keys, [keys, values](double t) {
    std::size_t k = 0;
    while (k + 2 < keys.size() && keys[k + 1] <= t) ++k;
    const double u = std::clamp((t - keys[k]) / (keys[k + 1] - keys[k]), 0.0, 1.0);
    return values[k] + (values[k + 1] - values[k]) * u;
  });
}

/// One joint with skin 1 m from its origin, which turns about z by a function of time, in degrees.
class Turner : public Curves {
 public:
  Turner(std::vector<double> keys, std::function<double(double)> degrees) : m_degrees(std::move(degrees)) {
    auto made = std::make_shared<Skeleton>();
    made->names = {"turner"};
    made->parents = {-1};
    made->rest.resize(1);
    made->skinRadiusM = {1};
    skeleton = made;
    keysS = std::move(keys);
  }
  void poseAt(double timeS, double, Transform* pose) const override {
    *pose = Transform{};
    pose->rotation = test::aboutZ(m_degrees(timeS));
  }
  void scalarsAt(double, double, float*) const override {}

 private:
  std::function<double(double)> m_degrees;
};

/// How far a point 1 m from the axis is moved by this many degrees.
double chordM(double degrees) {
  return 2 * std::sin(std::abs(degrees) / 2 * std::numbers::pi / 180);
}

struct Sampled {
  Clip clip;
  std::vector<std::string> warnings;
};

Sampled sample(const Curves& curves, const ImportOptions& options = {}) {
  simmer::test::RecordingContext context;
  Sampled sampled;
  const auto clip = resample(curves, options, context, sampled.warnings);
  EXPECT_TRUE(clip) << clip.error().text();
  sampled.clip = clip.value_or(Clip{});
  return sampled;
}

std::vector<double> everyFrame(double rate, int last, double start = 0) {
  std::vector<double> keys;
  for (int i = 0; i <= last; ++i) keys.push_back(start + i / rate);
  return keys;
}

TEST(Resample, ASourceWithFramesKeepsThem) {
  std::vector<double> values;
  for (int i = 0; i <= 36; ++i) values.push_back(std::sin(0.3 * i));
  const auto [clip, warnings] = sample(straight(everyFrame(24, 36, 1.5), values));
  EXPECT_EQ(clip.rateHz, 24);
  ASSERT_EQ(clip.frames, 37u);
  for (std::uint32_t i = 0; i <= 36; ++i) EXPECT_EQ(clip.pose(i, 0).translation[0], static_cast<float>(values[i]));
  EXPECT_LT(clip.resampleErrorM, 1e-6);
  EXPECT_TRUE(warnings.empty());
}

TEST(Resample, WideStepsOfASourceThatTurnsEvenlyAreReproduced) {
  const auto [clip, warnings] = sample(Turner(everyFrame(24, 48), [](double t) { return 60 * 24 * t; }));
  EXPECT_EQ(clip.rateHz, 24);
  EXPECT_EQ(clip.frames, 49u);
  EXPECT_LT(clip.resampleErrorM, 1e-5);  // normalised linear interpolation would be 10 mm off
  EXPECT_TRUE(warnings.empty());
}

TEST(Resample, WhatASourceWithFramesHasBetweenThemNeedsAMultipleOfItsRate) {
  const double amplitude = 0.001;
  for (const int multiple : {2, 3, 5}) {
    SCOPED_TRACE(multiple);
    // Up and down between frames of the multiple, zero at all others: no lower multiple shows all of it.
    const double fine = 24.0 * multiple;
    const Slider curve(everyFrame(24, 48), [=](double t) {
      const double frame = t * fine, phase = frame - multiple * std::floor(frame / multiple + 1e-9);
      return amplitude * std::max(0.0, 1 - std::abs(phase - 1));
    });
    const auto kept = sample(curve, {.resampleToleranceM = amplitude * 1.01});
    EXPECT_EQ(kept.clip.rateHz, 24);
    double worst = 0;
    for (const double between : {0.2, 0.4, 0.6, 0.8})
      worst = std::max(worst, amplitude * std::max(0.0, 1 - std::abs(between * multiple - 1)));
    EXPECT_NEAR(kept.clip.resampleErrorM, worst, 1e-8);
    EXPECT_TRUE(kept.warnings.empty());

    const auto finer = sample(curve, {.resampleToleranceM = amplitude / 100});
    EXPECT_EQ(finer.clip.rateHz, fine);
    EXPECT_EQ(finer.clip.frames, 48u * static_cast<unsigned>(multiple) + 1);
    EXPECT_LT(finer.clip.resampleErrorM, 1e-7);
    EXPECT_TRUE(finer.warnings.empty());
  }
}

TEST(Resample, ABendOfASourceWithFramesGetsTheLowestMultipleThatFollowsIt) {
  const Turner curve(everyFrame(30, 30), [](double t) { return 30 * std::sin(7 * t); });
  const auto finer = sample(curve, {.resampleToleranceM = 1e-4});
  EXPECT_GT(finer.clip.rateHz, 30);
  EXPECT_NEAR(std::remainder(finer.clip.rateHz, 30), 0, 1e-9);
  EXPECT_LE(finer.clip.resampleErrorM, 1e-4);
  EXPECT_TRUE(finer.warnings.empty());
  // One multiple lower does not meet it.
  const auto lower = sample(curve, {.sampleRateHz = finer.clip.rateHz - 30, .resampleToleranceM = 1e-4});
  EXPECT_GT(lower.clip.resampleErrorM, 1e-4);
}

TEST(Resample, AJumpBetweenFramesCostsNothing) {
  // It turns by 120 degrees in the middle of one frame: what is shown between the two is a coin toss.
  const Turner jump(everyFrame(24, 24), [](double t) { return t < 10.5 / 24 ? 0.0 : 120.0; });
  const auto [clip, warnings] = sample(jump);
  EXPECT_EQ(clip.rateHz, 24);
  EXPECT_LT(clip.resampleErrorM, 1e-6);
  EXPECT_TRUE(warnings.empty());
}

TEST(Resample, ASourceWithFramesThatNoMultipleReproducesKeepsThemAndSaysSo) {
  const Turner jump(everyFrame(24, 24), [](double t) { return t < 10.5003 / 24 ? 0.0 : 60.0; });
  const auto [clip, warnings] = sample(jump);
  EXPECT_EQ(clip.rateHz, 24);
  // At two fifths of the frame the clip has turned by 24 degrees, the source not at all.
  EXPECT_NEAR(clip.resampleErrorM, chordM(24), 1e-6);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("at 24 Hz the clip is up to 416 mm off")) << warnings[0];
}

TEST(Resample, AJumpDoesNotKeepASourceWithFramesFromAMultiple) {
  const Turner curve(everyFrame(24, 24), [](double t) {
    const double phase = t * 48 - 2 * std::floor(t * 24 + 1e-9);  // a bump of one degree between all frames
    return (t < 10.5 / 24 ? 0.0 : 120.0) + std::max(0.0, 1 - std::abs(phase - 1));
  });
  const auto [clip, warnings] = sample(curve);
  EXPECT_EQ(clip.rateHz, 48);
  EXPECT_LT(clip.resampleErrorM, 1e-6);
  EXPECT_TRUE(warnings.empty());
}

TEST(Resample, ManyMoreFramesAreTakenWhereTheyHelpThoughNotEnough) {
  const Slider curve(everyFrame(24, 24), [](double t) { return 0.1 * std::sin(40 * t); });
  const auto [clip, warnings] = sample(curve, {.resampleToleranceM = 1e-5});
  EXPECT_EQ(clip.rateHz, 480);
  // The worst of a bend at two fifths of a step: half the second derivative times 0.4 · 0.6 steps squared.
  EXPECT_NEAR(clip.resampleErrorM, 0.1 * 40 * 40 / 2 * 0.24 / 480 / 480, 1e-6);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(Resample, SparseKeysAreSampledFromTwentyFourHertzOn) {
  const auto [clip, warnings] = sample(straight({0, 1, 1.5, 4}, {0, 1, 5, 2}));
  EXPECT_EQ(clip.rateHz, 24);
  EXPECT_EQ(clip.frames, 97u);
  EXPECT_EQ(clip.pose(36, 0).translation[0], 5);
  EXPECT_LT(clip.resampleErrorM, 1e-6);
}

TEST(Resample, KeysBetweenUsualFramesGetARateTheyFallOn) {
  const auto [clip, warnings] = sample(straight({0, 0.07, 0.49}, {0, 1, 0}));
  EXPECT_NEAR(std::fmod(0.07 * clip.rateHz + 1e-6, 1.0), 0, 1e-4);
  EXPECT_LT(clip.resampleErrorM, 1e-6);
}

TEST(Resample, ABendIsSampledAsOftenAsTheToleranceNeeds) {
  Slider curve({0, 1, 2}, [](double t) { return t * t; });  // between frames it is off by up to h²/4
  curve.smooth = true;
  double before = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-5}) {
    const auto [clip, warnings] = sample(curve, {.resampleToleranceM = tolerance});
    const double step = 1 / clip.rateHz;
    EXPECT_LE(clip.resampleErrorM, tolerance);
    // Four points at fifths: the worst is 0.4 · 0.6 h².
    EXPECT_NEAR(clip.resampleErrorM, 0.24 * step * step, 1e-6);
    EXPECT_GE(clip.rateHz, std::max(24.0, before));
    EXPECT_TRUE(warnings.empty());
    before = clip.rateHz;
  }
}

TEST(Resample, WhatNoRateReproducesIsReported) {
  const auto [clip, warnings] = sample(straight({0, 0.5, 0.5001, 1.2345}, {0, 0, 1, 1}));
  EXPECT_EQ(clip.rateHz, 480);
  EXPECT_GT(clip.resampleErrorM, 0.1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("at 480 Hz the clip is up to ")) << warnings[0];
}

TEST(Resample, ASteppedKeyMovesToTheNearestFrame) {
  Slider curve({0, 0.5101, 1.0233}, [](double t) { return t < 0.5101 ? 0.0 : 3.0; });
  curve.step = {1};
  const auto [clip, warnings] = sample(curve, {.sampleRateHz = 10});
  ASSERT_EQ(clip.frames, 12u);
  EXPECT_EQ(clip.pose(4, 0).translation[0], 0);
  EXPECT_EQ(clip.pose(5, 0).translation[0], 3);
  EXPECT_TRUE(clip.steps(0, Channel::Translation));
  EXPECT_TRUE(warnings.empty());
  EXPECT_NEAR(clip.resampleErrorM, 0, 1e-9);  // no point between frames falls into the 10 ms
}

TEST(Resample, TheRateThatIsAskedForIsTaken) {
  const auto [clip, warnings] = sample(straight({0, 1}, {0, 1}), {.sampleRateHz = 7.5});
  EXPECT_EQ(clip.rateHz, 7.5);
  EXPECT_EQ(clip.frames, 9u);  // the last frame stands behind the end and holds
  EXPECT_EQ(clip.pose(8, 0).translation[0], 1);
}

TEST(Resample, OneKeyIsOneFrame) {
  const auto [clip, warnings] = sample(Slider({0.3}, [](double) { return 2.0; }));
  EXPECT_EQ(clip.frames, 1u);
  EXPECT_EQ(clip.pose(0, 0).translation[0], 2);
  EXPECT_GT(clip.rateHz, 0);
}

TEST(Resample, AClipThatLastsForeverIsRefused) {
  simmer::test::RecordingContext context;
  std::vector<std::string> warnings;
  const auto clip = resample(Slider({0, 1e9}, [](double) { return 0.0; }), {}, context, warnings);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(clip.error().message,
            "the clip lasts 1000000000 s: with 1 joints at 24 Hz that is above 12 million transforms; set sample_rate "
            "lower");
  EXPECT_TRUE(resample(Slider({0, 1e9}, [](double) { return 0.0; }), {.sampleRateHz = 1e-7}, context, warnings));
}

TEST(Resample, CancelledEndsEarly) {
  simmer::test::RecordingContext context;
  context.cancel = true;
  std::vector<std::string> warnings;
  const auto clip = resample(straight({0, 1}, {0, 1}), {}, context, warnings);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace simmer::animation
