// The guarantee on clips that are made to break it: what is written is within its tolerance, or not even the
// reference's own samples are.

#include <gtest/gtest.h>

#include "plugins/animation/codec/clip_writer.h"
#include "tests/plugins/animation/codec/spline/hostile_clips.h"
#include "tests/plugins/animation/codec/spline/spline_fixtures.h"

namespace simmer::animation::test {
namespace {

/// The error of the reference's samples as float32.
double rawM(const Clip& clip, std::size_t& bytes) {
  const Result<Bytes> file = writeRawClip(clip, writeSkeleton(*clip.skeleton)->digest, {});
  EXPECT_TRUE(file);
  bytes = file->size();
  return measuredM(clip, *file);
}

class Hostile : public testing::TestWithParam<HostileClip> {};

TEST_P(Hostile, StaysWithinItsTolerance) {
  const Clip clip = GetParam().make();
  ASSERT_TRUE(validate(clip)) << validate(clip).error().text();
  std::size_t rawBytes = 0;
  const double raw = rawM(clip, rawBytes);
  struct Case {
    double mm;
    SkeletonPlace place;
  };
  std::vector<Case> cases{{0.01, SkeletonPlace::None}, {1.67, SkeletonPlace::Beside}, {100, SkeletonPlace::Inside}};
  if (GetParam().large) cases.resize(2);
  for (const auto& [mm, place] : cases) {
    SCOPED_TRACE(mm);
    SplineSettings settings;
    settings.skeleton = place;
    const Result<Encoded> encoded = encodeAs(clip, mm / 1000, settings);
    if (!encoded) {
      EXPECT_EQ(encoded.error().code, ErrorCode::ToleranceUnmet) << encoded.error().text();
      EXPECT_GT(raw, mm / 1000) << encoded.error().text();
      continue;
    }
    const double error = measuredM(clip, encoded->file);
    EXPECT_LE(error, mm / 1000) << encoded->how;
    EXPECT_EQ(error, encoded->error.worstM) << "not what it reports";
    EXPECT_GT(encoded->measured, 0u);
    // Falling back to samples bounds the size too.
    if (place != SkeletonPlace::Inside) {
      EXPECT_LE(encoded->file.size(), rawBytes + 64) << encoded->how;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Clips, Hostile, testing::ValuesIn(hostileClips()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace simmer::animation::test
