#include <cmath>
#include <cstring>
#include <limits>

#include "tests/plugins/animation/runtime/clip_files.h"

namespace simmer::animation::test {
namespace {

constexpr double kStep16 = 4.0 / 65535;  // of a range of 4

TEST(ClipSample, Linear) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (const auto& [frame, value] : {std::pair{0.0, 0.0}, {1, 1}, {1.5, 1.5}, {2, 2}, {4, 1}, {5.5, 0.25}, {6, 0}})
    EXPECT_FLOAT_EQ(clip.joint(frame, 0).translation[0], static_cast<float>(value)) << frame;
  EXPECT_NEAR(clip.joint(1, 0).translation[1], 1, kStep16);
  EXPECT_FLOAT_EQ(clip.joint(3.25, 0).scale[0], 4.25f) << "every frame is a key";
}

TEST(ClipSample, CubicIsHermiteWithNonUniformCatmullRomTangents) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  // Keys 0, 2, 0 at frames 0, 2, 6: slopes 1 at the start, 0 at frame 2, -1/2 at the end.
  EXPECT_FLOAT_EQ(clip.joint(1, 1).translation[0], 1.25f);
  EXPECT_FLOAT_EQ(clip.joint(2, 1).translation[0], 2);
  EXPECT_FLOAT_EQ(clip.joint(4, 1).translation[0], 1.25f);
  EXPECT_FLOAT_EQ(clip.joint(3, 1).translation[0], static_cast<float>(0.84375 * 2 - 0.046875 * 4 * -0.5));
}

TEST(ClipSample, StepHoldsUntilTheNextKey) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (const auto& [frame, value] : {std::pair{0.0, 0.0}, {1.9, 0}, {1.9999, 0}, {2, 2}, {5.9999, 2}, {6, 0}, {8, 0}})
    EXPECT_EQ(clip.joint(frame, 2).translation[0], static_cast<float>(value)) << frame;
  // Within a millionth of a frame of a frame: that frame.
  EXPECT_EQ(clip.joint(2 - 0.9e-6, 2).translation[0], 2);
  EXPECT_EQ(clip.joint(2 - 1.1e-6, 2).translation[0], 0);
}

TEST(ClipSample, TheLastKeyHoldsToTheEnd) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (std::uint32_t joint = 0; joint < 3; ++joint) {
    EXPECT_EQ(clip.joint(7.3, joint).translation[0], 0);
    EXPECT_NEAR(clip.joint(8, joint).translation[1], 1, kStep16);
  }
}

TEST(ClipSample, TimesOutsideAreClamped) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double before : {-1.0, -infinity, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(clip.joint(before, 0).scale[0], 1);
  for (const double behind : {8.0, 9.0, 1e300, infinity}) EXPECT_EQ(clip.joint(behind, 0).scale[0], 9);
}

TEST(ClipSample, DefaultsAndConstants) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  const simmer_transform joint = clip.joint(3, 1);
  EXPECT_EQ(joint.translation[2], 0);
  EXPECT_EQ(joint.rotation[2], 1);
  EXPECT_EQ(joint.rotation[3], 0);
  EXPECT_EQ(joint.scale[0], 1);
  EXPECT_EQ(joint.scale[2], 2);
  EXPECT_EQ(clip.joint(3, 0).translation[2], 0.5f);
  EXPECT_EQ(clip.scalar(3, 1), 0.25f);
}

TEST(ClipSample, RotationsOfEveryFormat) {
  for (const auto& [format, precision] :
       {std::pair{ValueFormat::Float, 1e-6}, {ValueFormat::Fine, 1e-4}, {ValueFormat::Small, 2e-3}}) {
    EveryKind made;
    // The second key lies in the other hemisphere: the shorter arc is meant all the same.
    made.joints[3] = trackOf({0, 4, 8}, std::vector<Quaternion>{{0, 0, 0, 1}, {-0.6, 0, 0, -0.8}, {0.96, 0, 0, 0.28}},
                             Interpolation::Linear, format, 9);
    const Loaded clip(made.file());
    ASSERT_EQ(clip.status, SIMMER_OK);
    const double half = std::sqrt(0.9);  // of |(0, 0, 0, 1) + (0.6, 0, 0, 0.8)| / 2
    const simmer_transform between = clip.joint(2, 0), key = clip.joint(4, 0);
    EXPECT_NEAR(std::fabs(between.rotation[0]), 0.3 / half, precision);
    EXPECT_NEAR(std::fabs(between.rotation[3]), 0.9 / half, precision);
    EXPECT_NEAR(std::fabs(key.rotation[0]), 0.6, precision);
    EXPECT_GT(key.rotation[0] * key.rotation[3], 0);
  }
}

TEST(ClipSample, ACubicRotationPassesThroughItsKeys) {
  EveryKind made;
  const std::vector<Quaternion> turns{{0, 0, 0, 1}, {0.6, 0, 0, 0.8}, {0, 0.8, 0, 0.6}, {0, 0, -0.28, -0.96}};
  made.joints[3] = trackOf({0, 1, 5, 8}, turns, Interpolation::Cubic, ValueFormat::Fine, 9);
  const Loaded clip(made.file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  const double frames[] = {0, 1, 5, 8};
  for (std::size_t key = 0; key < 4; ++key) {
    const simmer_transform at = clip.joint(frames[key], 0);
    double cosine = 0;
    for (std::size_t i = 0; i < 4; ++i) cosine += at.rotation[i] * turns[key][i];
    EXPECT_NEAR(std::fabs(cosine), 1, 1e-7);
  }
}

TEST(ClipSample, OneJointIsTheSameAsThePose) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  std::vector<simmer_transform> pose(3);
  for (double frame = -1; frame < 10; frame += 0.37) {
    simmer_clip_sample_pose(clip.clip, frame / 60, pose.data());
    for (std::uint32_t joint = 0; joint < 3; ++joint) {
      const simmer_transform alone = clip.joint(frame, joint);
      EXPECT_EQ(std::memcmp(&alone, &pose[joint], sizeof alone), 0) << frame << " " << joint;
    }
  }
}

TEST(ClipSample, AnIndexPastTheLastIsHarmless) {
  const Loaded clip(EveryKind().file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  const simmer_transform identity = clip.joint(1, 3);
  EXPECT_EQ(identity.rotation[3], 1);
  EXPECT_EQ(identity.scale[1], 1);
  EXPECT_EQ(clip.scalar(1, 3), 0);
  EXPECT_STREQ(simmer_clip_scalar_name(clip.clip, 3), "");
}

TEST(ClipSample, SaysWhatItIs) {
  EveryKind made;
  made.head.skeleton = sha256("a skeleton");
  const Loaded clip(made.file());
  ASSERT_EQ(clip.status, SIMMER_OK);
  EXPECT_EQ(simmer_clip_joints(clip.clip), 3u);
  EXPECT_EQ(simmer_clip_frames(clip.clip), 9u);
  EXPECT_EQ(simmer_clip_scalars(clip.clip), 3u);
  EXPECT_EQ(simmer_clip_rate(clip.clip), 60);
  EXPECT_DOUBLE_EQ(simmer_clip_duration(clip.clip), 8.0 / 60);
  EXPECT_STREQ(simmer_clip_scalar_name(clip.clip, 0), "smile");
  EXPECT_STREQ(simmer_clip_scalar_name(clip.clip, 1), "");
  EXPECT_STREQ(simmer_clip_scalar_name(clip.clip, 2), "blink");
  EXPECT_EQ(*Digest::fromBytes({simmer_clip_skeleton_digest(clip.clip), 32}), made.head.skeleton);
}

TEST(ClipSample, KeysOfLongClips) {
  // Key frames of one, two and four bytes.
  for (const std::uint32_t frames : {256u, 257u, 65536u, 65537u, 1u << 24}) {
    const ClipHead head{1, frames, 60, {}, {}};
    std::vector<TrackBytes> joints(7);
    joints[0] = trackOf({0, frames / 2, frames - 1}, std::vector<float>{0, 1, 3}, Interpolation::Linear,
                        ValueFormat::Float, frames);
    const Loaded clip(*writeArticleClip(head, joints, {}, {}));
    ASSERT_EQ(clip.status, SIMMER_OK) << frames;
    EXPECT_EQ(clip.joint(frames / 2, 0).translation[0], 1);
    EXPECT_EQ(clip.joint(frames - 1, 0).translation[0], 3);
    EXPECT_EQ(clip.joint((frames / 2) / 2.0, 0).translation[0], 0.5f);
  }
}

TEST(ClipSample, NothingAtAll) {
  const Loaded clip(*writeArticleClip({0, 1, 1, {}, {}}, {}, {}, {}));
  ASSERT_EQ(clip.status, SIMMER_OK);
  EXPECT_EQ(simmer_clip_duration(clip.clip), 0);
  simmer_clip_sample_pose(clip.clip, 0, nullptr);
}

TEST(ClipSample, RawIsTheReferenceItself) {
  Clip clip;
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->names = {"a", "b"};
  skeleton->parents = {-1, 0};
  skeleton->rest.resize(2);
  clip.skeleton = skeleton;
  clip.frames = 4;
  clip.rateHz = 32;  // so that times in seconds are exact
  clip.step = {5, 2};
  clip.poses.resize(8);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto part = static_cast<float>(i);
    clip.poses[i] = {{part, 1 / (1 + part), -part * part}, {0, 0, 0, 1}, {1, 1 + part, 2}};
    if (i % 3 == 1) clip.poses[i].rotation = {0.6f, 0, 0, -0.8f};
  }
  clip.scalars = {{"held", true, {0, 1, 2, 3}}, {"moves", false, {0, 1, 0.5f, -3}}};
  for (const bool deflate : {false, true}) {
    const Loaded loaded(*writeRawClip(clip, {}, {deflate, {}}));
    ASSERT_EQ(loaded.status, SIMMER_OK);
    std::vector<Transform> expected(2);
    for (double frame = 0; frame <= 3; frame += 0.25) {
      samplePose(clip, frame, expected.data());
      for (std::uint32_t joint = 0; joint < 2; ++joint) {
        const simmer_transform actual = loaded.joint(frame, joint);
        EXPECT_EQ(std::memcmp(&actual, &expected[joint], sizeof actual), 0) << frame << " " << joint;
      }
    }
    EXPECT_EQ(loaded.scalar(1.75, 0), 1);
    EXPECT_EQ(loaded.scalar(1.5, 1), 0.75f);
    EXPECT_EQ(loaded.scalar(9, 1), -3);
  }
}

}  // namespace
}  // namespace simmer::animation::test
