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
     "76e543d4efb8c93a5109cc45587c4ce1baf3be1a23dc7ac18c734719e137c9c1"},
    {Sample::Walk, 1.67, Effort::Default, SkeletonPlace::Beside,
     "d2e1398057f0b95290d4c49873147c393754f30c612df1dcc7c914b366c58f4e"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "bcbb6a9d86973ed7271fab950508227bc2335037135722e86edee33906ef8186"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "c56406347ccf7b4e28fdb256e46f03e709e3379d95f6aa8830441066d83a788b"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "cd9418d92e815b87e848e1bfc5092faebe5456a35c5ad729f024d5f1e4d31663"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "88295b5d5ef65182d7b30e57d01d9fe29eef2470a3b95865fa2ffe7765eb81d8"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "878f54d5a5f10779f8609a816edf86166b9613d6b3d3c3aab2cd065dde950fb9"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "7c45c917f0349ff3a718ffaefc876c0c09faa022034eff5d456fde3031ef6bd4"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "07aa24817863e5a2e941a74f50d03cfc95a8c818b249b422f2f12491b0c05943"},
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
