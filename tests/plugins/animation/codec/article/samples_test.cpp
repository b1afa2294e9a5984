#include "plugins/animation/codec/article/samples.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/article/golden_clips.h"

namespace simmer::animation::article {
namespace {

class Samples : public testing::TestWithParam<Sample> {};

TEST_P(Samples, EqualTheArticlesOwnToTheLastBit) {
  SIMMER_SHARED(folder, "golden");
  const DoubleClip expected = animation::test::readGoldenClip(folder, toString(GetParam()));
  const DoubleClip actual = makeSample(GetParam());
  ASSERT_EQ(actual.frames, expected.frames);
  const auto compare = [](std::span<const double> a, std::span<const double> b, const char* what) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i]))
          << what << ' ' << i << ": " << a[i] << ", expected " << b[i];
  };
  compare(actual.translations, expected.translations, "translation");
  compare(actual.scales, expected.scales, "scale");
  for (std::size_t i = 0; i < actual.rotations.size(); ++i)
    compare(actual.rotations[i], expected.rotations[i], "rotation");
}

TEST_P(Samples, AreValidClipsOnTheRig) {
  const Clip clip = toClip(makeSample(GetParam()), toString(GetParam()));
  ASSERT_TRUE(validate(clip)) << validate(clip).error().text();
  EXPECT_EQ(clip.id, toString(GetParam()));
  EXPECT_TRUE(clip.named);
  EXPECT_EQ(clip.rateHz, 60);
  EXPECT_EQ(clip.frames, GetParam() == Sample::Jump ? 120u : 180u);
  EXPECT_EQ(clip.skeleton, articleSkeleton());
}

TEST_P(Samples, SurviveFloat32) {
  const DoubleClip clip = makeSample(GetParam());
  const DoubleClip again = toDouble(toClip(clip, "x"));
  ASSERT_EQ(again.frames, clip.frames);
  for (std::size_t i = 0; i < clip.translations.size(); ++i) {
    EXPECT_NEAR(again.translations[i], clip.translations[i], 3e-7);
    EXPECT_NEAR(again.scales[i], clip.scales[i], 1e-7);
  }
  for (std::size_t i = 0; i < clip.rotations.size(); ++i) {
    EXPECT_NEAR(dot(again.rotations[i], clip.rotations[i]), 1, 1e-13);
    EXPECT_NEAR(dot(again.rotations[i], again.rotations[i]), 1, 1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Samples, testing::Values(Sample::Walk, Sample::Jump, Sample::Mocap),
                         [](const auto& param) { return toString(param.param); });

TEST(ArticleSkeleton, IsAPerson) {
  const auto rig = articleSkeleton();
  ASSERT_TRUE(validate(*rig));
  EXPECT_EQ(rig->size(), 30u);
  EXPECT_EQ(rig->names[25], "prop_sword");
  EXPECT_EQ(rig->parents[25], 12);
  // From the toes (0.95 - 0.06 - 0.42 - 0.40 - 0.06) to the eyes (0.95 + 0.12 + 0.16 + 0.20 + 0.09 + 0.04), and
  // 2 x (0.05 + 0.13 + 0.28 + 0.26 + 0.06) from finger to finger.
  EXPECT_NEAR(measuredHeight(*rig), 1.56, 1e-6);
}

TEST(DoubleClip, AtRestHoldsTheRestPose) {
  const DoubleClip clip = DoubleClip::atRest(articleSkeleton(), 3, 24);
  EXPECT_EQ(clip.seconds(), 0.125);
  EXPECT_EQ(clip.translation(7, 0)[2], static_cast<double>(0.28f));
  EXPECT_EQ(clip.scale(29, 2)[1], 1);
  EXPECT_EQ(clip.rotation(4)[0], (Quaternion{0, 0, 0, 1}));
}

}  // namespace
}  // namespace simmer::animation::article
