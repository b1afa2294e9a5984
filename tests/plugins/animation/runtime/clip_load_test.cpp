#include <cmath>
#include <limits>

#include "tests/plugins/animation/runtime/clip_files.h"

namespace simmer::animation::test {
namespace {

simmer_status statusOf(const Bytes& file) {
  return Loaded(file).status;
}

template <class T>
Bytes with(Bytes file, std::size_t at, T value) {
  ByteWriter writer;
  writer.put(value);
  const Bytes bytes = writer.take();
  std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
  return file;
}

// A clip that loads must give finite poses of unit rotations at any time.
void expectSampleable(const Bytes& file) {
  const Loaded loaded(file);
  if (loaded.status != SIMMER_OK) {
    EXPECT_EQ(loaded.clip, nullptr);
    return;
  }
  std::vector<simmer_transform> pose(simmer_clip_joints(loaded.clip));
  for (double seconds = -0.1; seconds < 0.3; seconds += 0.011) {
    simmer_clip_sample_pose(loaded.clip, seconds, pose.data());
    for (const simmer_transform& joint : pose) {
      double length = 0;
      for (const float v : joint.rotation) length += static_cast<double>(v) * v;
      ASSERT_NEAR(length, 1, 0.01);
      for (unsigned i = 0; i < 3; ++i) {
        ASSERT_TRUE(std::isfinite(joint.translation[i]));
        ASSERT_TRUE(std::isfinite(joint.scale[i]));
      }
    }
    for (std::uint32_t i = 0; i < simmer_clip_scalars(loaded.clip); ++i)
      ASSERT_TRUE(std::isfinite(simmer_clip_sample_scalar(loaded.clip, seconds, i)));
  }
}

std::vector<Bytes> everyFile() {
  Clip clip;
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->names = {"a", "b"};
  skeleton->parents = {-1, 0};
  skeleton->rest.resize(2);
  clip.skeleton = skeleton;
  clip.frames = 3;
  clip.rateHz = 30;
  clip.poses.resize(6);
  clip.step = {7, 0};
  clip.scalars = {{"w", true, {0, 1, 0.5f}}};
  const SkeletonFile file = *writeSkeleton(*skeleton);
  EveryKind packed, contained;
  packed.packaging.deflate = true;
  contained.head = headOf(clip, file.digest);
  contained.head.frames = 9;
  contained.joints.resize(14);
  contained.scalars.resize(1);
  contained.packaging.skeletonFile = file.bytes;
  return {EveryKind().file(), packed.file(), contained.file(), *writeRawClip(clip, file.digest, {false, {}}),
          *writeRawClip(clip, file.digest, {true, {}})};
}

TEST(ClipLoad, TakesWhatTheWriterGives) {
  for (const Bytes& file : everyFile()) EXPECT_EQ(statusOf(file), SIMMER_OK);
}

TEST(ClipLoad, RefusesEveryPrefix) {
  for (const Bytes& file : everyFile())
    for (std::size_t size = 0; size < file.size(); ++size) {
      const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(statusOf(prefix), size < 4 ? SIMMER_NOT_A_CLIP : SIMMER_TRUNCATED) << size;
      EXPECT_EQ(simmer_clip_memory(prefix.data(), prefix.size()), 0u);
    }
}

TEST(ClipLoad, RefusesBytesBehindTheEnd) {
  for (Bytes file : everyFile()) {
    file.push_back(0);
    EXPECT_EQ(statusOf(file), SIMMER_MALFORMED);
  }
}

TEST(ClipLoad, RefusesWhatAHeaderMustNotSay) {
  const Bytes file = EveryKind().file();
  const auto size = static_cast<std::uint32_t>(file.size());
  EXPECT_EQ(statusOf(with<std::uint8_t>(file, 0, 'X')), SIMMER_NOT_A_CLIP);
  for (const std::uint8_t version : {0, 2, 255}) EXPECT_EQ(statusOf(with(file, 4, version)), SIMMER_VERSION);
  EXPECT_EQ(statusOf(with<std::uint8_t>(file, 5, 2)), SIMMER_MALFORMED) << "packing";
  EXPECT_EQ(statusOf(with<std::uint8_t>(file, 6, 2)), SIMMER_VERSION) << "codec";
  for (const std::uint8_t version : {0, 2, 255}) EXPECT_EQ(statusOf(with(file, 7, version)), SIMMER_VERSION);
  EXPECT_EQ(statusOf(with(file, 8, size + 1)), SIMMER_TRUNCATED);
  EXPECT_EQ(statusOf(with(file, 8, size - 1)), SIMMER_MALFORMED);
  EXPECT_EQ(statusOf(with<std::uint32_t>(file, 8, 0)), SIMMER_MALFORMED);
  for (const std::size_t count : {12, 20, 32, 36})
    for (const std::uint32_t value : {1u, 5u, 1u << 20, 1u << 24, 0x7FFFFFFFu, 0xFFFFFFFFu})
      EXPECT_EQ(statusOf(with(file, count, value)), SIMMER_MALFORMED) << count << " " << value;
  for (const std::uint32_t frames : {0u, 1u, (1u << 24) + 1, 0xFFFFFFFFu})
    EXPECT_EQ(statusOf(with(file, 16, frames)), SIMMER_MALFORMED) << frames;
  for (const double rate :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(statusOf(with(file, 24, rate)), SIMMER_MALFORMED) << rate;
  for (std::size_t total = 72; total < 76; ++total)
    for (const std::uint8_t value : {0, 127, 128, 255})
      EXPECT_EQ(statusOf(with(file, total, value)), SIMMER_MALFORMED) << total << " " << int{value};
}

TEST(ClipLoad, NeverAsksForMoreMemoryThanTheBodyCanFill) {
  // A header that promises 2^20 joints of 2^24 frames, and no body.
  for (const std::uint8_t codec : {0, 1})
    for (const std::uint8_t packing : {0, 1}) {
      Bytes file = EveryKind().file();
      file.resize(76);
      file = with<std::uint32_t>(with<std::uint32_t>(file, 12, 1u << 20), 16, 1u << 24);
      file = with(with<std::uint32_t>(file, 8, 76), 6, codec);
      file = with(with<std::uint32_t>(file, 36, 0xFFFFFFFF), 5, packing);
      EXPECT_EQ(simmer_clip_memory(file.data(), file.size()), 0u);
      EXPECT_EQ(statusOf(file), SIMMER_MALFORMED);
    }
}

TEST(ClipLoad, RefusesBodiesThatContradictThemselves) {
  const auto refused = [](const char* what, const std::function<void(EveryKind&)>& spoil) {
    EveryKind clip;
    spoil(clip);
    EXPECT_EQ(statusOf(clip.file()), SIMMER_MALFORMED) << what;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  refused("a constant that is no number", [&](EveryKind& c) { c.joints[2] = constantOf({nan}); });
  refused("an infinite constant", [](EveryKind& c) { c.scalars[1] = constantOf({INFINITY}); });
  refused("a constant rotation that is not of unit length", [](EveryKind& c) {
    c.joints[10] = constantOf({0, 0, 0, 2});
  });
  refused("a key that is no number", [&](EveryKind& c) {
    c.joints[0] = trackOf({0, 2, 6}, std::vector<float>{0, nan, 0}, Interpolation::Linear, ValueFormat::Float, 9);
  });
  refused("a rotation key of length 0", [](EveryKind& c) {
    c.joints[3] = trackOf({0, 2}, std::vector<Quaternion>{{0, 0, 0, 1}, {0, 0, 0, 0}}, Interpolation::Linear,
                          ValueFormat::Float, 9);
  });
  refused("a range below 0", [](EveryKind& c) { c.joints[1].range = -1; });
  refused("a range that is no number", [&](EveryKind& c) { c.joints[1].range = nan; });
  refused("a lowest value that is no number", [&](EveryKind& c) { c.joints[1].low = nan; });
  refused("a key behind the last frame", [](EveryKind& c) { c.joints[0].keys = {0, 2, 9}; });
  refused("a track without keys", [](EveryKind& c) {
    c.joints[0].count = 0;
    c.joints[0].keys.clear();
    c.joints[0].values.clear();
  });
  refused("more keys than frames", [](EveryKind& c) {
    c.joints[4] = trackOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, std::vector<float>(10, 1), Interpolation::Linear,
                          ValueFormat::Float, 9);
  });
  refused("fewer values than keys", [](EveryKind& c) { c.joints[0].values.resize(8); });
  refused("a rotation kind that there is not", [](EveryKind& c) { c.joints[3].kind = 11; });
  refused("a scalar kind that there is not", [](EveryKind& c) { c.scalars[0].kind = 8; });
}

TEST(ClipLoad, RefusesReservedBitsOfAJoint) {
  EveryKind clip;
  const Bytes file = clip.file();
  // The joints' records stand behind the names; the body ends the file.
  ByteReader header{ByteView(file).subspan(36)};
  const std::size_t joint = file.size() - header.take<std::uint32_t>() + (1 + 5) + 1 + (1 + 5);
  ASSERT_EQ(statusOf(file), SIMMER_OK);
  for (const std::uint8_t bit : {0x40, 0x80})
    EXPECT_EQ(statusOf(with(file, joint + 2, static_cast<std::uint8_t>(file[joint + 2] | bit))), SIMMER_MALFORMED);
}

TEST(ClipLoad, SurvivesEveryFlippedBit) {
  for (const Bytes& file : everyFile())
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      Bytes flipped = file;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1u << bit % 8);
      expectSampleable(flipped);
    }
}

TEST(ClipLoad, SurvivesManyFlippedBits) {
  std::uint32_t state = 20260905;
  const auto random = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
  for (const Bytes& file : everyFile())
    for (int round = 0; round < 2000; ++round) {
      Bytes flipped = file;
      for (std::uint32_t flips = 1 + random() % 8; flips > 0; --flips)
        flipped[random() % file.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
      expectSampleable(flipped);
    }
}

TEST(ClipLoad, SaysWhatIsWrongWithTheBuffer) {
  const Bytes file = EveryKind().file();
  const std::size_t needed = simmer_clip_memory(file.data(), file.size());
  std::vector<Loaded::Block> memory(needed / sizeof(Loaded::Block) + 2);
  auto* const bytes = reinterpret_cast<unsigned char*>(memory.data());
  const simmer_clip* clip = nullptr;
  EXPECT_EQ(simmer_clip_load(file.data(), file.size(), bytes, needed - 1, &clip), SIMMER_BUFFER_TOO_SMALL);
  EXPECT_EQ(simmer_clip_load(file.data(), file.size(), bytes + 8, needed, &clip), SIMMER_MISALIGNED);
  EXPECT_EQ(clip, nullptr);
  EXPECT_EQ(simmer_clip_load(file.data(), file.size(), bytes, needed, &clip), SIMMER_OK);
}

TEST(ClipLoad, RefusesASkeletonInsideThatIsNotTheClips) {
  Skeleton skeleton;
  skeleton.names = {"a", "b", "c"};
  skeleton.parents = {-1, 0, 1};
  skeleton.rest.resize(3);
  const SkeletonFile file = *writeSkeleton(skeleton);
  EveryKind clip;
  clip.packaging.skeletonFile = file.bytes;
  EXPECT_EQ(statusOf(clip.file()), SIMMER_MALFORMED) << "another digest";
  clip.head.skeleton = file.digest;
  const Bytes good = clip.file();
  EXPECT_EQ(statusOf(good), SIMMER_OK);
  std::size_t size = 0;
  const auto* const inside =
      static_cast<const std::uint8_t*>(simmer_clip_file_skeleton(good.data(), good.size(), &size));
  EXPECT_EQ(Bytes(inside, inside + size), file.bytes);
  clip.packaging.skeletonFile = ByteView(file.bytes).first(file.bytes.size() - 1);
  EXPECT_EQ(statusOf(clip.file()), SIMMER_MALFORMED) << "cut";
  skeleton.names.pop_back();
  skeleton.parents.pop_back();
  skeleton.rest.pop_back();
  const SkeletonFile smaller = *writeSkeleton(skeleton);
  clip.packaging.skeletonFile = smaller.bytes;
  clip.head.skeleton = smaller.digest;
  EXPECT_EQ(statusOf(clip.file()), SIMMER_MALFORMED) << "another number of joints";
}

}  // namespace
}  // namespace simmer::animation::test
