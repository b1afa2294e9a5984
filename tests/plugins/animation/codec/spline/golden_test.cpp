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

// codec.spline 2, runtime.format 2
constexpr Golden kGolden[] = {
    {Sample::Walk, 0.1, Effort::Draft, SkeletonPlace::None,
     "2ebab59165fd89ac06a482f2e8852b8dd051e667b78a36057d8ab25411c5406d"},
    {Sample::Walk, 1.67, Effort::Default, SkeletonPlace::Beside,
     "c5ba8cc5cc5c2fbede4eada701795a52183958b26861f0f5531a12f5d7910ffd"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "aea7881137ed03c7d2f63802a38751a0eb0073c34643d09a4655b16944ee29cd"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "7523836e05c5c651647b59dfe63280e31a4e6999ac5c77a8020b1994d0b1c971"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "61066be51e838b865e9d64ee5d81a8f9c2a35301233b985c44d2eddcbe2f133d"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "6a464b02e5f23a8252714d93ab1a45b3a39428f6dc9b1cbc13078c5c39ed40af"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "2ca0d66035d29923de9fa01c4aaea63a265e2238e2b6cb81c7e764beb424162c"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "690314edd502958543a9349ecdc1291a8aa66983438f29380aa38494608547f1"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "98376ab78bac2d44b438a89a8d3ad2f3d58648eec276daafeb912a091eb8710a"},
    {Sample::Mocap, 28.13, Effort::Max, SkeletonPlace::None,
     "5e7d838d57c559f7eeaae1504857e4fb5c9069fe9addd6ee5e9f17381c368bb8"},
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
