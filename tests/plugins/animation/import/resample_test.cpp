#include "plugins/animation/import/resample.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

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

struct Sampled {
  Clip clip;
  std::vector<std::string> warnings;
};

Sampled sample(const Curves& curves, const ImportOptions& options = {}) {
  test::RecordingContext context;
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
  test::RecordingContext context;
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
  test::RecordingContext context;
  context.cancel = true;
  std::vector<std::string> warnings;
  const auto clip = resample(straight({0, 1}, {0, 1}), {}, context, warnings);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace simmer::animation
