// Golden digests: what the codec writes must not change without a new version in animation.json, and is the same from
// every compiler, with and without fused operations, in two threads.

#include <thread>

#include <gtest/gtest.h>

#include "cooker/base/digest.h"
#include "tests/plugins/animation/codec/spline/spline_fixtures.h"

namespace simmer::animation::test {
namespace {

using article::Sample;

struct Golden {
  Sample sample;
  double mm;
  Effort effort;
  SkeletonPlace place;
  const char* digest;
};

// codec.spline 1, runtime.format 2
constexpr Golden kGolden[] = {
    {Sample::Walk, 0.1, Effort::Draft, SkeletonPlace::None,
     "eecaef80fc73c8e68012e5ee5fcf92cceea12f27a2a0115b79176d29f5f92f49"},
    {Sample::Walk, 1.67, Effort::Default, SkeletonPlace::Beside,
     "31eb1b245eb760546863faf951e09302c1a5f36060ae95337968e8d035e97a04"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "ac112cd9e2a8aa0f1cd823be5d4db66ce9e3d0c1146ae020682847d6f9bfa7d0"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "eb018b92fc36232ac9eb9e28622ae568bb940977e7d99ad565f569849da37e21"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "ae894eb5742c26b11e5e1a550dfd22bbe1fd3ea2928c082182c5b1b2f4abd87a"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "a106391d36c1a6fcc79c0aa7de2bfa9eb3595acf07f55d6867c2677777667019"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "4a810628e8588e728ab914befa2e86618a75bc27a7c6df1460a73619dcbfd178"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "884a568876e316d9ec909275173dca5f25ed41eebfb16b8c97961743ae08a972"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "27ec1f6e6209e9956b7fd63a6d2ad7dafc7452fbbc5303676fe3a00eea2b9a3e"},
    {Sample::Mocap, 28.13, Effort::Max, SkeletonPlace::None,
     "45ccedb9f176de36d52caf3f66300e999cca50887db8dfb1586ea8372d056d1c"},
};

/// With a scalar track and held parts, so that all kinds of tracks are in it.
Clip goldenClip(Sample sample) {
  Clip clip = sampleClip(sample);
  clip.step.assign(clip.joints(), 0);
  clip.step[7] = 1 << static_cast<unsigned>(Channel::Rotation);
  ScalarTrack& track = clip.scalars.emplace_back();
  track.name = "weight";
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    track.values.push_back(static_cast<float>((frame * frame) % 61) / 61);
  return clip;
}

std::string digestOf(const Golden& golden) {
  SplineSettings settings;
  settings.effort = golden.effort;
  settings.skeleton = golden.place;
  const Result<Encoded> encoded = encodeAs(goldenClip(golden.sample), golden.mm / 1000, settings);
  return encoded ? sha256(encoded->file).hex() : encoded.error().text();
}

TEST(SplineGolden, BytesOfEveryVersion) {
  for (const Golden& golden : kGolden)
    EXPECT_EQ(digestOf(golden), golden.digest)
        << article::toString(golden.sample) << ' ' << golden.mm << " mm, effort " << static_cast<int>(golden.effort);
}

TEST(SplineGolden, TwoThreadsGiveTheSameBytes) {
  std::vector<std::vector<std::string>> found(2);
  std::vector<std::thread> threads;
  for (std::vector<std::string>& digests : found)
    threads.emplace_back([&digests] {
      for (const Golden& golden : kGolden) digests.push_back(digestOf(golden));
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& digests : found)
    for (std::size_t i = 0; i < digests.size(); ++i) EXPECT_EQ(digests[i], kGolden[i].digest);
}

}  // namespace
}  // namespace simmer::animation::test
