#include "plugins/animation/codec/spline/field.h"

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/test_clips.h"

namespace simmer::animation::spline {
namespace {

using animation::test::chain;

constexpr double kToleranceM = 0.01;

/// A field of a chain at rest, measured with its first joint off by some metres at every half frame.
Field measured(const WorldPoses& reference, const Jumps& jumps, std::size_t every, double (*offM)(std::size_t)) {
  Field field(reference, jumps, kToleranceM, everyRow(2 * (reference.clip().frames - 1), 1));
  field.measureSome(every, [&](std::size_t h, Transform* pose) {
    samplePose(reference.clip(), static_cast<double>(h) / 2, pose);
    pose[0].translation[0] += static_cast<float>(offM(h));
  });
  return field;
}

TEST(Field, MeasuresHowFarPosesAreOff) {
  const Clip clip = chain(3, 15);
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  const Field field = measured(reference, jumps, 1, [](std::size_t h) { return h == 11 ? 0.015 : 0.005; });
  EXPECT_NEAR(field.worst(), 2.25, 1e-4);
  const std::vector<char> missed = field.missed();
  for (std::size_t row = 0; row < missed.size(); ++row) EXPECT_EQ(missed[row] != 0, row == 11);
}

TEST(Field, SomeRowsGiveStraightLinesBetweenThem) {
  const Clip clip = chain(3, 16);  // 31 rows: the last is not the fourth after another
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  const auto rising = [](std::size_t h) { return 0.001 * static_cast<double>(h); };
  const Field all = measured(reference, jumps, 1, rising), some = measured(reference, jumps, 4, rising);
  EXPECT_NEAR(some.worst(), 9, 1e-3);
  EXPECT_EQ(some.missed(), all.missed());
}

TEST(Field, AnErrorCountsLessWhereTheToleranceIsScaled) {
  Clip clip = chain(3, 15);
  clip.toleranceScale = {4, 2, 0.5f};
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  Field field = measured(reference, jumps, 1, [](std::size_t h) { return h == 11 ? 0.006 : 0.004; });
  EXPECT_NEAR(field.worst(), 1.44, 1e-4);
  const std::vector<char> missed = field.missed();
  for (std::size_t row = 0; row < missed.size(); ++row) EXPECT_EQ(missed[row] != 0, row == 11);
  // The first joint moves the last one, half a metre and another from it, whose errors count twice.
  EXPECT_EQ(field.weight(0), 2);
  EXPECT_EQ(field.weight(2), 2);
  EXPECT_DOUBLE_EQ(field.lever(0), 2);
  EXPECT_DOUBLE_EQ(field.lever(1), 1);
  std::vector<float> shift(3 * field.stride(), 0.0f);
  std::fill_n(shift.begin(), field.stride(), 0.004f);
  EXPECT_NEAR(field.evaluate({Motion::Kind::Shift, field.placeOf(2), shift.data()}, 1, 0, 8).worst, 2.56, 1e-4);
}

TEST(Field, ALooseEndCountsNothingForTheRest) {
  Clip clip = chain(3, 4);
  clip.toleranceScale = {1, 1, 100};
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  const Field field(reference, jumps, kToleranceM, everyRow(6, 1));
  EXPECT_EQ(field.weight(1), 1);
  EXPECT_NEAR(field.weight(2), 0.01, 1e-9);
  EXPECT_DOUBLE_EQ(field.lever(0), 0.5);
}

TEST(Field, AMotionMovesWhatStandsBelow) {
  const Clip clip = chain(3, 4);
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  Field field(reference, jumps, kToleranceM, everyRow(6, 1));
  std::vector<float> shift(3 * field.stride(), 0.0f);
  std::fill_n(shift.begin(), field.stride(), 0.004f);
  const Motion motion{Motion::Kind::Shift, field.placeOf(1), shift.data()};
  EXPECT_NEAR(field.evaluate(motion, 2, 0, 7).worst, 0.64, 1e-4);
  EXPECT_EQ(field.worst(), 0);
  field.apply(motion, 2, 0, 7);
  EXPECT_NEAR(field.worst(), 0.64, 1e-4);
}

}  // namespace
}  // namespace simmer::animation::spline
