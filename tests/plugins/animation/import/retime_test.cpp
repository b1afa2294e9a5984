#include "plugins/animation/import/retime.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

/// One joint that stands at these heights (metres), and a scalar track of the same values.
Clip heights(const std::vector<float>& values, double rateHz) {
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->names = {"a"};
  skeleton->parents = {-1};
  skeleton->rest.resize(1);
  Clip clip;
  clip.id = "clip";
  clip.skeleton = skeleton;
  clip.rateHz = rateHz;
  clip.frames = static_cast<std::uint32_t>(values.size());
  for (const float v : values) clip.poses.push_back({{0, v, 0}, {0, 0, 0, 1}, {1, 1, 1}});
  clip.scalars.push_back({"weight", false, values});
  return clip;
}

Result<Clip> retime(const Clip& clip, double rateHz) {
  test::RecordingContext context;
  return retimed(clip, rateHz, context);
}

TEST(Retime, DoublingTheRateLosesNothing) {
  const auto clip = retime(heights({0, 1, 4}, 30), 60);
  ASSERT_TRUE(clip) << clip.error().text();
  EXPECT_TRUE(validate(*clip));
  ASSERT_EQ(clip->frames, 5U);
  EXPECT_EQ(clip->scalars[0].values, (std::vector<float>{0, 0.5F, 1, 2.5F, 4}));
  EXPECT_EQ(clip->pose(3, 0).translation[1], 2.5F);
  EXPECT_NEAR(clip->resampleErrorM, 0, 1e-7);
}

TEST(Retime, HalvingTheRateReportsWhatIsLost) {
  // 0, 1, 0 at 30 Hz become 0, 0 at 15 Hz; of the points at 1/5 … 4/5 the worst has the height 0.8.
  const auto clip = retime(heights({0, 1, 0}, 30), 15);
  ASSERT_TRUE(clip) << clip.error().text();
  ASSERT_EQ(clip->frames, 2U);
  EXPECT_NEAR(clip->resampleErrorM, 0.8, 1e-6);
}

TEST(Retime, CoversAllOfTheTime) {
  const auto clip = retime(heights({0, 1, 2, 3}, 30), 20);  // 0.1 s are exactly two frames of 20 Hz
  ASSERT_TRUE(clip);
  EXPECT_EQ(clip->frames, 3U);
  const auto longer = retime(heights({0, 1, 2, 3}, 30), 15);  // 0.1 s are 1.5 frames
  ASSERT_TRUE(longer);
  ASSERT_EQ(longer->frames, 3U);
  EXPECT_EQ(longer->pose(2, 0).translation[1], 3);
  const auto pose = retime(heights({7}, 30), 60);
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->frames, 1U);
}

TEST(Retime, RefusesWrongRates) {
  const Clip clip = heights({0, 1}, 1);
  EXPECT_EQ(retime(clip, 0).error().message, "the sample rate is 0, expected above 0");
  EXPECT_EQ(retime(clip, std::numeric_limits<double>::infinity()).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(retime(clip, 1001).error().message,
            "a sample rate of 1001 Hz for a source of 1 Hz, expected at most 1000 times as much");
  const Clip longer = heights(std::vector<float>(5000), 1);
  EXPECT_EQ(retime(longer, 1000).error().message, "a sample rate of 1000 Hz gives more than 4000000 transforms");
}

}  // namespace
}  // namespace simmer::animation
