#include <limits>

#include <gtest/gtest.h>

#include "plugins/animation/codec/skeleton_file.h"
#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::animation {
namespace {

Skeleton rig() {
  Skeleton skeleton;
  skeleton.names = {"hips", "", std::string("a\0b", 3), "Füße"};
  skeleton.parents = {-1, 0, 0, -1};
  skeleton.rest.resize(4);
  skeleton.rest[1] = {{1, 2, 3}, {0.6f, 0, 0, 0.8f}, {1, -1, 2}};
  skeleton.skinRadiusM = {0.5f, 0, 0.25f, 0};
  skeleton.skinHeightM = 1.75;
  return skeleton;
}

simmer_status statusOf(const Bytes& bytes) {
  simmer_skeleton skeleton;
  return simmer_skeleton_open(bytes.data(), bytes.size(), &skeleton);
}

TEST(SkeletonFile, ComesBackAsItWas) {
  Skeleton without = rig();
  without.skinRadiusM.clear();
  without.skinHeightM = 0;
  for (const Skeleton& skeleton : {rig(), without, Skeleton{}}) {
    const Result<SkeletonFile> file = writeSkeleton(skeleton);
    ASSERT_TRUE(file);
    const Result<Skeleton> back = readSkeleton(file->bytes);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, skeleton);
  }
}

TEST(SkeletonFile, ItsDigestIsThatOfItsContent) {
  const SkeletonFile file = *writeSkeleton(rig());
  EXPECT_EQ(sha256(ByteView(file.bytes).subspan(44)), file.digest);
  simmer_skeleton skeleton;
  ASSERT_EQ(simmer_skeleton_open(file.bytes.data(), file.bytes.size(), &skeleton), SIMMER_OK);
  EXPECT_EQ(*Digest::fromBytes({simmer_skeleton_digest(&skeleton), 32}), file.digest);
  Skeleton other = rig();
  other.skinHeightM = 1.76;
  EXPECT_NE(writeSkeleton(other)->digest, file.digest);
}

TEST(SkeletonFile, RefusesEveryPrefixAndMore) {
  Bytes bytes = writeSkeleton(rig())->bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(statusOf(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))),
              size < 4 ? SIMMER_NOT_A_CLIP : SIMMER_TRUNCATED);
  bytes.push_back(0);
  EXPECT_EQ(statusOf(bytes), SIMMER_MALFORMED);
}

TEST(SkeletonFile, RefusesWhatItMustNotSay) {
  const Bytes good = writeSkeleton(rig())->bytes;
  const auto with = [&](std::size_t at, auto value) {
    ByteWriter writer;
    writer.put(value);
    const Bytes raw = writer.take();
    Bytes bytes = good;
    std::copy(raw.begin(), raw.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return statusOf(bytes);
  };
  EXPECT_EQ(with(0, std::uint8_t{'x'}), SIMMER_NOT_A_CLIP);
  EXPECT_EQ(with(4, std::uint8_t{2}), SIMMER_VERSION);
  EXPECT_EQ(with(5, std::uint8_t{1}), SIMMER_MALFORMED) << "reserved";
  for (const std::uint32_t joints : {0u, 3u, 5u, 0x100001u, 0xFFFFFFFFu}) EXPECT_EQ(with(44, joints), SIMMER_MALFORMED);
  EXPECT_EQ(with(48, std::uint32_t{2}), SIMMER_MALFORMED) << "flags";
  for (const double height : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(with(52, height), SIMMER_MALFORMED);
  for (const std::int32_t parent : {-2, 1, 7}) EXPECT_EQ(with(64, parent), SIMMER_MALFORMED) << parent;
  EXPECT_EQ(with(76, std::numeric_limits<float>::infinity()), SIMMER_MALFORMED) << "rest pose";
  EXPECT_EQ(with(60 + 44 * 4, -1.0f), SIMMER_MALFORMED) << "radius";
  for (const std::uint32_t end : {3u, 5u, 0xFFFFFFFFu}) EXPECT_EQ(with(60 + 48 * 4, end), SIMMER_MALFORMED) << "name";
}

TEST(SkeletonFile, EveryFlippedBitIsRefusedOrHarmless) {
  const Bytes good = writeSkeleton(rig())->bytes;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    Bytes flipped = good;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1u << bit % 8);
    const Result<Skeleton> back = readSkeleton(flipped);
    EXPECT_EQ(back ? back->size() : 4, 4u);
  }
}

}  // namespace
}  // namespace simmer::animation
