#include "plugins/animation/codec/article/sampler.h"

#include <cmath>

#include <gtest/gtest.h>

#include "plugins/animation/clip/error_measure.h"

namespace simmer::animation::article {
namespace {

struct Case {
  const char* name;
  Stages stages;
};

class Samplers : public testing::TestWithParam<Case> {};

// Two decoders: one goes through all frames of a track in double, the other looks up a time in float32 tracks.
TEST_P(Samplers, GiveTheDecodedClipAtFrames) {
  for (const Sample sample : {Sample::Walk, Sample::Jump, Sample::Mocap}) {
    Planner planner(makeSample(sample));
    const Plan plan = planner.plan(GetParam().stages);
    const Clip expected = toClip(decode(plan), "x");
    const Sampler sampler(plan);
    std::vector<Transform> pose(expected.joints());
    for (std::uint32_t frame = 0; frame < expected.frames; ++frame) {
      sampler.sample(frame, pose.data());
      for (std::size_t joint = 0; joint < pose.size(); ++joint) {
        const Transform& want = expected.pose(frame, joint);
        for (std::size_t i = 0; i < 3; ++i) {
          ASSERT_NEAR(pose[joint].translation[i], want.translation[i], 1e-6) << frame << ' ' << joint;
          ASSERT_NEAR(pose[joint].scale[i], want.scale[i], 1e-6) << frame << ' ' << joint;
        }
        double cosine = 0;
        for (std::size_t i = 0; i < 4; ++i) cosine += static_cast<double>(pose[joint].rotation[i]) * want.rotation[i];
        ASSERT_NEAR(std::abs(cosine), 1, 1e-6) << frame << ' ' << joint;
      }
    }
  }
}

TEST_P(Samplers, FindTheSameWithACursorInAnyOrder) {
  Planner planner(makeSample(Sample::Jump));
  const Sampler sampler(planner.plan(GetParam().stages));
  std::vector<float> searched(sampler.scalarCount()), followed(sampler.scalarCount());
  std::vector<std::uint32_t> cursors(sampler.scalarCount());
  for (int i = 0; i < 2000; ++i) {
    const double time = std::fmod(i * (i < 1000 ? 0.7 : 37.3), 119.0);
    sampler.sampleScalars(time, searched.data());
    sampler.sampleScalars(time, followed.data(), cursors);
    ASSERT_EQ(searched, followed) << time;
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, Samplers,
                         testing::Values(Case{"everything", {false, {}, Interpolation::Linear, false}},
                                         Case{"linear", {true, 1, Interpolation::Linear, false}},
                                         Case{"cubic", {true, 1, Interpolation::Cubic, false}},
                                         Case{"quantised", {true, 1, Interpolation::Cubic, true}},
                                         Case{"quantisedLinear", {true, {}, Interpolation::Linear, true}}),
                         [](const auto& param) { return param.param.name; });

TEST(Sampler, WithEveryStageOffIsTheReferenceBetweenFramesToo) {
  const Clip clip = toClip(makeSample(Sample::Walk), "walk");
  Planner planner(toDouble(clip));
  const Sampler sampler(planner.plan({true, {}, Interpolation::Linear, false}));
  const WorldError error = ErrorMeter(clip).measure([&](double time, Transform* pose) { sampler.sample(time, pose); });
  EXPECT_LT(error.worstM, 1e-6);
}

TEST(Sampler, PlaysAClipOfOneFrame) {
  Planner planner(DoubleClip::atRest(articleSkeleton(), 1, 60));
  const Sampler sampler(planner.plan({true, 1, Interpolation::Cubic, true}));
  std::vector<Transform> pose(30);
  sampler.sample(0, pose.data());
  EXPECT_NEAR(pose[0].translation[1], 0.95, 1e-6);
}

}  // namespace
}  // namespace simmer::animation::article
