#include <cmath>
#include <cstring>
#include <limits>

#include "plugins/animation/runtime/spline_memory.h"
#include "tests/plugins/animation/runtime/spline_files.h"

namespace simmer::animation::test {
namespace {

using runtime::kSplineVersion;

simmer_status statusOf(const Bytes& file) {
  return Loaded(file).status;
}
simmer_status statusOf(const SplineClipSpec& spec) {
  return statusOf(writeSplineSpec(spec));
}

SplineClipSpec small() {
  return randomSpline(12, 8, 20, 3);
}

/// One joint whose translation moves.
SplineClipSpec oneTrack(KnotKind kind = KnotKind::UniformCubic) {
  SplineClipSpec spec;
  spec.frames = 20;
  spec.joints.resize(2);
  SplinePart& part = spec.joints[0][1];
  part.kind = PartKind::Spline;
  SplineTrack& track = part.track;
  track.kind = kind;
  track.widths = {5, 0, 7, 0};
  track.knots.assign(spec.cells(track), false);
  track.knots[0] = true;
  if (kind == KnotKind::TreeCubic || kind == KnotKind::TreeLinear) track.knots[32] = track.knots[16] = true;
  track.points.assign(spec.points(track), {3, 0, 9, 0});
  return spec;
}

/// A file whose header and stream have been put together by hand.
Bytes withHeader(const std::vector<std::uint32_t>& numbers, std::uint8_t flags, ByteView rest) {
  ByteWriter tail;
  const auto put = [](ByteWriter& out, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) out.put(static_cast<std::uint8_t>(value | 0x80));
    out.put(static_cast<std::uint8_t>(value));
  };
  for (const std::uint32_t number : numbers) put(tail, number);
  tail.putBytes(rest);
  ByteWriter file;
  file.putBytes(asBytes("SMRC"));
  for (const std::uint8_t byte : {std::uint8_t{2}, std::uint8_t{2}, kSplineVersion, flags}) file.put(byte);
  std::size_t total = 9 + tail.size();
  if (total > 127) ++total;
  put(file, static_cast<std::uint32_t>(total));
  file.putBytes(tail.take());
  return file.take();
}

TEST(SplineLoad, TakesEveryKindOfKnots) {
  for (const KnotKind kind :
       {KnotKind::UniformCubic, KnotKind::UniformLinear, KnotKind::TreeCubic, KnotKind::TreeLinear, KnotKind::Hold})
    EXPECT_EQ(statusOf(oneTrack(kind)), SIMMER_OK) << static_cast<int>(kind);
}

TEST(SplineLoad, RefusesEveryPrefix) {
  const Bytes file = writeSplineSpec(small());
  ASSERT_EQ(statusOf(file), SIMMER_OK);
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(statusOf(prefix), size < 4 ? SIMMER_NOT_A_CLIP : SIMMER_TRUNCATED) << size;
    EXPECT_EQ(simmer_clip_memory(prefix.data(), prefix.size()), 0u);
  }
}

TEST(SplineLoad, RefusesBytesBehindTheEnd) {
  Bytes file = writeSplineSpec(small());
  file.push_back(0);
  EXPECT_EQ(statusOf(file), SIMMER_MALFORMED);
}

TEST(SplineLoad, RefusesAStreamThatEndsBeforeTheFile) {
  // The number of bytes of the whole file, a varint, stands at 8.
  Bytes file = writeSplineSpec(oneTrack());
  ASSERT_LT(file.size(), 124u);
  // The decoder looks up to three bytes ahead.
  file.insert(file.end(), 4, 1);
  file[8] = static_cast<std::uint8_t>(file[8] + 4);
  EXPECT_EQ(statusOf(file), SIMMER_MALFORMED);
}

TEST(SplineLoad, RefusesAnotherMemoryThanTheStreamNeeds) {
  for (const std::int64_t off : {-1, 1, 8, -100, 60000}) {
    SplineClipSpec spec = small();
    spec.memoryOff = off;
    EXPECT_EQ(statusOf(spec), SIMMER_MALFORMED) << off;
    spec = oneTrack();
    spec.memoryOff = off;
    EXPECT_EQ(statusOf(spec), SIMMER_MALFORMED) << off;
  }
}

TEST(SplineLoad, RefusesOtherVersionsAndFlags) {
  SplineClipSpec spec = oneTrack();
  for (const std::uint8_t codec : {0, 1, 3, 255}) {
    spec.codec = codec;
    EXPECT_EQ(statusOf(spec), SIMMER_VERSION) << int{codec};
  }
  spec.codec = 2;
  for (const std::uint8_t version : {0, 1, 3, 255}) {
    spec.version = version;
    EXPECT_EQ(statusOf(spec), SIMMER_VERSION) << int{version};
  }
  spec.version = 2;
  for (const std::uint8_t flags : {16, 32, 64, 128}) {
    spec.moreFlags = flags;
    EXPECT_EQ(statusOf(spec), SIMMER_MALFORMED) << int{flags};
  }
}

TEST(SplineLoad, RefusesWhatAHeaderMustNotSay) {
  const Bytes stream(40, 0x55);
  // Bytes in memory, joints, frames, scalars, bytes of names, rate.
  const std::vector<std::uint32_t> good{200, 1, 2, 0, 0, 30};
  const auto refused = [&](std::size_t at, std::uint32_t value) {
    std::vector<std::uint32_t> numbers = good;
    numbers[at] = value;
    const Bytes file = withHeader(numbers, 8, stream);
    EXPECT_EQ(simmer_clip_memory(file.data(), file.size()), 0u) << at << " " << value;
    EXPECT_EQ(statusOf(file), SIMMER_MALFORMED) << at << " " << value;
  };
  const Bytes asIs = withHeader(good, 8, stream);
  EXPECT_EQ(simmer_clip_memory(asIs.data(), asIs.size()), 200u) << "the header alone is fine";
  for (const std::uint32_t memory : {0u, 111u, 300000000u, 0xFFFFFFFFu}) refused(0, memory);
  for (const std::uint32_t joints : {200000u, (1u << 20) + 1, 0xFFFFFFFFu}) refused(1, joints);
  for (const std::uint32_t frames : {0u, (1u << 24) + 1, 0xFFFFFFFFu}) refused(2, frames);
  for (const std::uint32_t scalars : {41u, 1u << 20, 0xFFFFFFFFu}) refused(3, scalars);
  for (const std::uint32_t names : {1u, 0xFFFFFFFFu}) refused(4, names);
  refused(5, 0);
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    SplineClipSpec spec = oneTrack();
    spec.rate = rate == 0 ? 0 : 29.97;
    Bytes file = writeSplineSpec(spec);
    // Behind the size, the memory (two bytes) and four counts.
    if (rate != 0) std::memcpy(&file[8 + 1 + 2 + 4], &rate, sizeof rate);
    EXPECT_EQ(statusOf(file), SIMMER_MALFORMED) << rate;
  }
}

TEST(SplineLoad, RefusesStreamsThatContradictThemselves) {
  const auto refused = [](const char* what, const std::function<void(SplineClipSpec&)>& spoil) {
    SplineClipSpec spec = oneTrack();
    spoil(spec);
    EXPECT_EQ(statusOf(spec), SIMMER_MALFORMED) << what;
  };
  const auto trackOf = [](SplineClipSpec& spec) -> SplineTrack& { return spec.joints[0][1].track; };
  refused("a track with the knots of none before it", [&](auto& s) { trackOf(s).kind = KnotKind::Previous; });
  for (const int kind : {6, 7})
    refused("a kind of knots that there is not", [&](auto& s) { trackOf(s).kind = static_cast<KnotKind>(kind); });
  refused("a translation as a quaternion", [](auto& s) { s.joints[0][1].kind = PartKind::Quaternion; });
  refused("a scale as a quaternion", [](auto& s) { s.joints[0][2].kind = PartKind::Quaternion; });
  refused("a field of 25 bits", [&](auto& s) { trackOf(s).widths[1] = 25; });
  refused("an exponent below 0", [&](auto& s) { trackOf(s).exponent = -1; });
  refused("an exponent above 255", [&](auto& s) { trackOf(s).exponent = 256; });
  refused("a bias of 2^30", [&](auto& s) { trackOf(s).biases[2] = 1 << 30; });
  refused("a bias of -2^30", [&](auto& s) { trackOf(s).biases[0] = -(1 << 30); });
  refused("a value wider than its field", [&](auto& s) { trackOf(s).points[4] = {32, 0, 9, 0}; });
  refused("means of one bit", [](auto& s) { s.globals.meanBits = 1; });
  refused("constants of one bit", [](auto& s) { s.globals.constantBits = 1; });
  refused("constants of 25 bits", [](auto& s) { s.globals.constantBits = 25; });
  refused("a constant that repeats one before the first", [](auto& s) {
    s.joints[1][1].kind = PartKind::Constant;
    s.joints[1][1].copyOf = 1;
  });
  refused("a component of a rotation that is too large", [](auto& s) {
    s.joints[1][0].kind = PartKind::Constant;
    s.joints[1][0].rotation = {3, {4095, 2000, 2000}};
  });
  refused("a rotation that is longer than 1", [](auto& s) {
    s.joints[1][0].kind = PartKind::Constant;
    s.joints[1][0].rotation = {3, {4094, 4094, 3000}};
  });
  for (const float number : {NAN, INFINITY, -INFINITY})
    refused("a scalar that is no number", [&](auto& s) {
      s.names = {"a"};
      s.scalars.resize(1);
      s.scalars[0].kind = PartKind::Constant;
      s.scalars[0].number = number;
    });
  refused("a scalar as a quaternion", [](auto& s) {
    s.names = {"a"};
    s.scalars.resize(1);
    s.scalars[0].kind = PartKind::Quaternion;
  });
  refused("a zero in a name", [](auto& s) {
    s.names = {std::string("a\0b", 3)};
    s.scalars.resize(1);
  });
}

TEST(SplineLoad, OneFrameStandsStill) {
  SplineClipSpec spec;
  spec.frames = 1;
  spec.joints.resize(1);
  EXPECT_EQ(statusOf(spec), SIMMER_OK);
  spec.joints[0][1].kind = PartKind::Spline;
  spec.joints[0][1].track.points.assign(4, {0, 0, 0, 0});
  EXPECT_EQ(statusOf(spec), SIMMER_MALFORMED);
}

TEST(SplineLoad, ConstantsMayNeedMoreThanSixteenBits) {
  SplineClipSpec spec;
  spec.joints.resize(3);
  for (auto& joint : spec.joints) joint[1].kind = PartKind::Constant;
  spec.joints[0][1].vector = {32767, 0, 5};
  spec.joints[1][1].vector = {-32767, 0, -5};
  spec.joints[1][1].copyOf = 1;
  spec.joints[2][1].vector = {1, -70000, 2147483647};
  spec.globals.translationExponent = 120;
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  const float step = std::ldexp(1.0f, -10);
  EXPECT_EQ(clip.joint(0, 0).translation[0], 32767 * step);
  EXPECT_EQ(clip.joint(0, 1).translation[0], -32767 * step);
  EXPECT_EQ(clip.joint(0, 1).translation[2], -5 * step);
  EXPECT_EQ(clip.joint(0, 2).translation[1], -70000 * step);
  EXPECT_EQ(clip.joint(0, 2).translation[2], 2147483648.0f * step);
}

/// A clip whose defaults are the rest pose of a skeleton.
struct Resting {
  Skeleton skeleton;
  SplineClipSpec spec = randomSpline(33, 12, 25, 1);
  SkeletonFile file;

  Resting() {
    for (std::size_t i = 0; i < 12; ++i) {
      skeleton.names.push_back("j");
      skeleton.parents.push_back(static_cast<std::int32_t>(i) - 1);
      Transform rest;
      if (i % 2 == 0) {
        rest.translation = {1, static_cast<float>(i), -2};
        rest.rotation = {0, 0.6f, 0, 0.8f};
        rest.scale = {1, 2, 1};
      }
      skeleton.rest.push_back(rest);
    }
    file = *writeSkeleton(skeleton);
    spec.rest = &skeleton;
    spec.digest = file.digest;
  }
  Resting(const Resting&) = delete;
};

simmer_status loadWith(const Bytes& clip, const Bytes* skeletonFile, Loaded& loaded) {
  simmer_skeleton skeleton;
  if (skeletonFile != nullptr) {
    EXPECT_EQ(simmer_skeleton_open(skeletonFile->data(), skeletonFile->size(), &skeleton), SIMMER_OK);
  }
  return loaded.status =
             simmer_clip_load_with(clip.data(), clip.size(), skeletonFile != nullptr ? &skeleton : nullptr,
                                   loaded.memory.data(), loaded.memory.size() * sizeof(Loaded::Block), &loaded.clip);
}

TEST(SplineLoad, TheRestPoseComesFromTheSkeleton) {
  Resting resting;
  const Bytes clip = writeSplineSpec(resting.spec);
  EXPECT_EQ(statusOf(clip), SIMMER_NEEDS_SKELETON);
  Loaded loaded(clip);
  ASSERT_EQ(loadWith(clip, &resting.file.bytes, loaded), SIMMER_OK);
  const SplineReference reference(resting.spec);
  for (std::uint32_t joint = 0; joint < 12; ++joint) {
    const simmer_transform pose = loaded.joint(3.25, joint);
    const float* const parts[] = {pose.rotation, pose.translation, pose.scale};
    for (unsigned part = 0; part < 3; ++part) {
      const std::vector<double> expected = reference.part(joint, part, 3.25);
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(parts[part][i], expected[i], 1e-5 * std::max(1.0, std::fabs(expected[i]))) << joint << " " << part;
    }
  }
  EXPECT_EQ(std::memcmp(simmer_clip_skeleton_digest(loaded.clip), resting.file.digest.bytes.data(), 32), 0);
}

TEST(SplineLoad, TheSkeletonMayStandInside) {
  Resting resting;
  resting.spec.skeleton = resting.file.bytes;
  const Bytes clip = writeSplineSpec(resting.spec);
  EXPECT_EQ(statusOf(clip), SIMMER_OK);
  std::size_t size = 0;
  const auto* const inside =
      static_cast<const std::uint8_t*>(simmer_clip_file_skeleton(clip.data(), clip.size(), &size));
  EXPECT_EQ(Bytes(inside, inside + size), resting.file.bytes);
  resting.spec.skeleton.pop_back();
  EXPECT_EQ(statusOf(resting.spec), SIMMER_MALFORMED) << "cut";
}

TEST(SplineLoad, RefusesAnotherSkeleton) {
  Resting resting;
  const Bytes clip = writeSplineSpec(resting.spec);
  Loaded loaded(clip);
  Skeleton other = resting.skeleton;
  other.rest[1].translation = {9, 9, 9};
  EXPECT_EQ(loadWith(clip, &writeSkeleton(other)->bytes, loaded), SIMMER_MALFORMED) << "another digest";
  other = resting.skeleton;
  other.names.pop_back();
  other.parents.pop_back();
  other.rest.pop_back();
  EXPECT_EQ(loadWith(clip, &writeSkeleton(other)->bytes, loaded), SIMMER_MALFORMED) << "another number of joints";
  EXPECT_EQ(loaded.clip, nullptr);
  // Older clips are checked against a skeleton too, but need none.
  EveryKind keyed;
  keyed.head.joints = 3;
  Loaded older(keyed.file());
  EXPECT_EQ(loadWith(keyed.file(), nullptr, older), SIMMER_OK);
  EXPECT_EQ(loadWith(keyed.file(), &resting.file.bytes, older), SIMMER_MALFORMED);
}

TEST(SplineLoad, RefusesARestPoseThatIsNoRotation) {
  Resting resting;
  resting.skeleton.rest[0].rotation = {0, 0, 0, 2};
  for (auto& joint : resting.spec.joints) joint[0].kind = PartKind::Default;
  resting.file = *writeSkeleton(resting.skeleton);
  resting.spec.digest = resting.file.digest;
  const Bytes clip = writeSplineSpec(resting.spec);
  Loaded loaded(clip);
  EXPECT_EQ(loadWith(clip, &resting.file.bytes, loaded), SIMMER_MALFORMED);
}

TEST(SplineLoad, AClipMayNameNoSkeleton) {
  const Loaded clip(writeSplineSpec(small()));
  const std::uint8_t zeros[32] = {};
  EXPECT_EQ(std::memcmp(simmer_clip_skeleton_digest(clip.clip), zeros, 32), 0);
}

TEST(SplineLoad, SurvivesEveryFlippedBit) {
  for (const SplineClipSpec& spec : {small(), randomSpline(3, 4, 50, 1), oneTrack(KnotKind::TreeLinear)})
    expectSampleableFlipped(writeSplineSpec(spec));
}

}  // namespace
}  // namespace simmer::animation::test
