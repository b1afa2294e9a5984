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
     "6d2111bb7868f3ca4ea9e69598cbfe944420903b4aee245860c90607b7ca34f9"},
    {Sample::Walk, 1.67, Effort::Default, SkeletonPlace::Beside,
     "59ebc0bb19fcb9bd10d9efe7d58867d6e48a15dbaac1eac9c62b4073cb830b48"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "594f889c4c20345253143f8c9ed2773e47747918623e722b9eba1ee263fcead9"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "fa68a4d3e017da02dfbd81229a10a82ad21bb1bb3d90b7461ecefb05d45369bf"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "2e1c6e85808133882a1ea1d21c5af9199b97b467da92bb48e2b233053a1f3329"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "879a030b68c5ff38221047faf7de678b29bf4b100979be5de9ad793ef5ca47e6"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "66b6811e436a36244b4aa82dfb94af6ffafc8d0eb12b1089e2131ae83baca715"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "de968a7ed14f0f9422ad0c1d2bc80cc2693d58fdb1deb572b3736714f5ea27aa"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "d3071f5b442709c16f4ecee3337d2a3c2686631677e97b137e8d9c4cd51f36be"},
    {Sample::Mocap, 28.13, Effort::Max, SkeletonPlace::None,
     "fabba348cc71a5e27a9faf88256046db09ebc6cf54747f784de5cd1b407e4b35"},
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
