// ErrorMeter against a second implementation of "bench measure v1", which the reference sizes of the corpus were made
// with.

#include "tests/support/bench_measure.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "plugins/animation/clip/error_measure.h"
#include "tests/plugins/animation/clip/clip_fixtures.h"
#include "tests/support/plugin_fixtures.h"
#include "tests/support/rawclip.h"

namespace simmer::animation {
namespace {

using simmer::test::BenchError;
using simmer::test::benchMeasure;

/// A decoder with small errors everywhere, the same at each call of a time.
PoseSource shaken(const Clip& clip) {
  return [&clip](double time, Transform* pose) {
    samplePose(clip, std::floor(time / 2) * 2, pose);
    std::mt19937 random(static_cast<unsigned>(time * 2));
    std::uniform_real_distribution<float> uniform(-0.004f, 0.004f);
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      for (float& v : pose[joint].translation) v += uniform(random) * (1 + std::abs(v));
      for (float& v : pose[joint].rotation) v += uniform(random);
      for (float& v : pose[joint].scale) v *= 1 + uniform(random);
    }
  };
}

// Scale on armature nodes, scaled bones, non-uniform scale with shear, stepped turns, one root and many.
class BenchMeasure : public testing::TestWithParam<const char*> {};

TEST_P(BenchMeasure, AgreesWithErrorMeter) {
  SIMMER_SHARED(file, std::string("bench/clips/") + GetParam() + ".rawclip");
  auto clip = simmer::test::readRawclip(file);
  ASSERT_TRUE(clip) << clip.error().text();
  if (clip->frames > 40) {
    clip->frames = 40;
    clip->poses.resize(clip->frames * clip->joints());
  }
  const PoseSource decoded = shaken(*clip);
  const BenchError expected = benchMeasure(*clip, decoded);
  const WorldError actual = ErrorMeter(*clip).measure(decoded);
  ASSERT_GT(expected.worst, 1e-4);
  // The meter's reference between frames is rounded to float32, as a game has it.
  EXPECT_NEAR(actual.worstM, expected.worst, 2e-5 * expected.worst);
  EXPECT_NEAR(actual.jointM, expected.origin, 2e-5 * expected.worst);
}

INSTANTIATE_TEST_SUITE_P(Corpus, BenchMeasure,
                         testing::Values("seed_jump", "cmu_walk_120", "trex_attack_24", "raptor_jump_24",
                                         "shark_swim_24", "fox_survey_24", "kaykit_dodge_30", "step_rotation_24",
                                         "bear_balloons_30", "mannequiny_kick_24"),
                         [](const auto& param) { return param.param; });

TEST(BenchMeasureAlone, CountsWhatIsNotFinite) {
  const Clip clip = test::chain(2, 3);
  EXPECT_EQ(benchMeasure(clip, [&](double time, Transform* pose) { samplePose(clip, time, pose); }).worst, 0);
  const BenchError broken = benchMeasure(clip, [&](double time, Transform* pose) {
    samplePose(clip, time, pose);
    if (time == 1.5) pose[1].rotation[2] = std::numeric_limits<float>::quiet_NaN();
  });
  EXPECT_EQ(broken.worst, std::numeric_limits<double>::infinity());
}

TEST(Rawclip, ReadsTheCorpus) {
  SIMMER_SHARED(folder, "bench/clips");
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto clip = simmer::test::readRawclip(entry.path());
    ASSERT_TRUE(clip) << entry.path() << ": " << clip.error().text();
    ++count;
  }
  EXPECT_EQ(count, 34u);
}

TEST(Rawclip, RefusesWhatIsNone) {
  SIMMER_SHARED(file, "bench/clips/walk_24.rawclip");
  const simmer::test::TemporaryFolder folder;
  const Bytes whole = *readFile(file);
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{20}, std::size_t{200}, whole.size() - 4}) {
    const auto cut = folder.path() / "cut.rawclip";
    ASSERT_TRUE(writeFileAtomically(cut, ByteView(whole).first(size)));
    EXPECT_FALSE(simmer::test::readRawclip(cut)) << size;
  }
}

}  // namespace
}  // namespace simmer::animation
