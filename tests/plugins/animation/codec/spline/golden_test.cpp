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
     "d34757effaa8e458042c7b241f64a60f2baa6fdf8bfc25ca0ee608bfe7ce2e6e"},
    {Sample::Walk, 1.67, Effort::Default, SkeletonPlace::Beside,
     "503ae81d5697358836083be284f070271e669852542271019e7a81e12c9fedba"},
    {Sample::Walk, 7.03, Effort::Max, SkeletonPlace::Inside,
     "5be68b3e514e70128510992d6c28a1aba527b7ad993d3c01a03bb2fe3553076f"},
    {Sample::Jump, 0.1, Effort::Default, SkeletonPlace::None,
     "0f41ea215fad9d3484834457112be9e195289f9d76b2daa53d6b3d23c4775e88"},
    {Sample::Jump, 1.67, Effort::Max, SkeletonPlace::None,
     "d5a254b9e30897e78049119858b6321ce0e9544be190aba92f4ae6f7ad0be6cd"},
    {Sample::Jump, 28.13, Effort::Draft, SkeletonPlace::Beside,
     "61d8fcf348cd92bd94ca2167fe1fc122f92703c06a81a3f818bd6ed519866f3b"},
    {Sample::Mocap, 0.5, Effort::Default, SkeletonPlace::Beside,
     "3c9776b2ab77f9204674ba9a5006bb3b9ffcfc57843f52f54de7300a56dffb7e"},
    {Sample::Mocap, 7.03, Effort::Draft, SkeletonPlace::None,
     "9c1f3a6f3a7a2c243301ee38d4491cabfba37f70e93e197d1f097daaecddf611"},
    {Sample::Mocap, 7.03, Effort::Default, SkeletonPlace::None,
     "de2670e9e828c3ca54202378749df81ba11898c606ab8f416864cd884e957fb7"},
    {Sample::Mocap, 28.13, Effort::Max, SkeletonPlace::None,
     "9cca96548bc67f901a837867c55348104543eea90a6519f43bb4fe4b231e51b3"},
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
