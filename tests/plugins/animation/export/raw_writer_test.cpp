#include "plugins/animation/export/raw_writer.h"

#include "plugins/animation/codec/article/samples.h"
#include "tests/plugins/animation/export/round_trip.h"

namespace simmer::animation {
namespace {

TEST(RawWriter, TheArticlesClipsComeBackToTheBit) {
  for (const auto sample : {article::Sample::Walk, article::Sample::Jump, article::Sample::Mocap}) {
    const Clip clip = article::toClip(article::makeSample(sample), "clip");
    const auto raw = writeRaw(clip);
    ASSERT_TRUE(raw) << raw.error().text();
    EXPECT_EQ(raw->size(), 16 + clip.rawBytes());  // 216,016 bytes for 3 s, as the article counts
    const auto back = readBack("move.raw", *raw, "clip");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->poses, clip.poses);
    EXPECT_EQ(back->rateHz, clip.rateHz);
  }
}

TEST(RawWriter, RefusesOtherRigs) {
  const auto raw = writeRaw(chain(30, 2, 60));
  ASSERT_FALSE(raw);
  EXPECT_EQ(raw.error(),
            (Error{ErrorCode::Unsupported,
                   "the skeleton has 30 joints of its own, a raw file holds the article's rig of 30", ""}));
}

}  // namespace
}  // namespace simmer::animation
