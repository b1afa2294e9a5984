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
     "2a187a94de0088e302462f45a3c0eff964d2ad42f2bf89d8b890f38bb7970753"},
    {Sample::Walk, 1.67, Effort::Default, SkeletonPlace::Beside,
     "7477fbb01c4fc2cca95632896bdb571bcc629f190f4b2d6a5e135350f4046f42"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "22982d8ccc17f578ad7faa350966c3e1050bb5e62b2cb3d937520b3feea75a0a"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "ad206268d6dee6c153f6f06a4b58e8d48129045ce69d49189577d9b6d2292e4f"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "6a224e55c55478fe37f857a682387560db969ae30201bba8c949c7286ef8baae"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "10733286f536791e3633e05ba7b2e78c7af6bf43025fd6884ab13c583fa4d2a2"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "e82a62edcac266dcbcd595978fef89277860c7dc7a7d9f4ce61fe46f30c0ba06"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "de332e177ffd6486adc6bfeb4f63c05a2d3924bf50adc380eb070fb2b5da9916"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "a30087da866c3745a68f3331c0676b4b5e734ff8e98c48502977aab7a84344cb"},
    {Sample::Mocap, 28.13, Effort::Max, SkeletonPlace::None,
     "990d48f4b79850dfeb8bf377a2090aed1db2ce3a06dad088c870903d9ba204e6"},
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
