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
     "cdd39dcb6144c8bd19f90649223988df7bbe7e0e397a091c57c06531a4090168"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "24d427d0f6fdcc240e614942ec193d3f7300cbcb05adcbbbd96d299e9e00e395"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "7b56e67a307b9016da1d0f49665913c399efc3a147cd185b43807abdf7499f9b"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "dfedb3147db1a6087e548caca5d399e4dfb418c59e767fc96a01e168e575010c"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "a106391d36c1a6fcc79c0aa7de2bfa9eb3595acf07f55d6867c2677777667019"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "e55398d0e792d9bc299069ebb11814a5679635149ef31f55d58c077dc70c75ff"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "884a568876e316d9ec909275173dca5f25ed41eebfb16b8c97961743ae08a972"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "7298f91e97510b48f414d618fe08dd1c35116f6ea40328195c19491b0a620345"},
    {Sample::Mocap, 28.13, Effort::Max, SkeletonPlace::None,
     "3d3ab23e77ee1829efbc28108af49e00eb2dd09885fd3a2d01628466a80b819d"},
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
