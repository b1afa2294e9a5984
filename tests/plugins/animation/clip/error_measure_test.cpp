#include "plugins/animation/clip/error_measure.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/plugins/animation/clip/clip_fixtures.h"

namespace simmer::animation {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

PoseSource playing(const Clip& clip) {
  return [&clip](double time, Transform* pose) { samplePose(clip, time, pose); };
}

TEST(ErrorMeter, IsZeroForTheReferenceItself) {
  Clip clip = test::chain(5, 20);
  for (std::uint32_t frame = 0; frame < 20; ++frame) clip.pose(frame, 2).rotation = test::aboutZ(3.0 * frame);
  const WorldError error = ErrorMeter(clip).measure(playing(clip));
  EXPECT_EQ(error.worstM, 0);
  EXPECT_EQ(error.jointM, 0);
}

TEST(ErrorMeter, SeesATranslationInEveryDescendant) {
  const Clip clip = test::chain(3, 4);
  Clip moved = clip;
  moved.pose(2, 1).translation[1] += 0.25f;
  const WorldError error = ErrorMeter(clip).measure(playing(moved));
  EXPECT_DOUBLE_EQ(error.worstM, 0.25);
  EXPECT_DOUBLE_EQ(error.jointM, 0.25);
  EXPECT_EQ(error.joint, 1u);  // the first of equals
  EXPECT_EQ(error.timeInFrames, 2);
}

TEST(ErrorMeter, SeesARotationThroughTheLever) {
  const Clip clip = test::chain(4, 2);
  Clip turned = clip;
  for (std::uint32_t frame = 0; frame < 2; ++frame) turned.pose(frame, 0).rotation = test::aboutZ(1);
  const WorldError error = ErrorMeter(clip).measure(playing(turned));
  const double chord = 2 * std::sin(0.5 * 3.14159265358979 / 180);
  EXPECT_NEAR(error.jointM, 3 * chord, 1e-6);
  const double radius = 0.03 * 3 / 1.8;
  EXPECT_NEAR(error.worstM, (3 + radius) * chord, 1e-6);  // the skin point beyond the last joint
  EXPECT_EQ(error.joint, 3u);
}

TEST(ErrorMeter, SeesATwistByTheSkinAlone) {
  const Clip clip = test::chain(2, 2);
  Clip twisted = clip;
  for (std::uint32_t frame = 0; frame < 2; ++frame)
    twisted.pose(frame, 1).rotation = {static_cast<float>(std::sin(0.1)), 0, 0, static_cast<float>(std::cos(0.1))};
  const WorldError error = ErrorMeter(clip).measure(playing(twisted));
  EXPECT_EQ(error.jointM, 0);
  EXPECT_NEAR(error.worstM, 2 * std::sin(0.1) * 0.03 / 1.8, 1e-7);
}

TEST(ErrorMeter, InheritsScaleAndShear) {
  const Clip clip = test::chain(3, 1);
  Clip scaled = clip;
  scaled.pose(0, 0).scale = {1.5f, 1, 1};
  EXPECT_NEAR(ErrorMeter(clip).measure(playing(scaled)).jointM, 1, 1e-12);  // two joints of half a metre each

  // With a turned child between, a stretch of the root shears what hangs on the child.
  Clip turned = clip, sheared = clip;
  turned.pose(0, 1).rotation = sheared.pose(0, 1).rotation = test::aboutZ(45);
  sheared.pose(0, 0).scale = {1.5f, 1, 1};
  // Joint 2 stood at (1 + √½, √½); it is now at 1.5 times the first.
  EXPECT_NEAR(ErrorMeter(turned).measure(playing(sheared)).jointM, 0.5 * (1 + std::sqrt(0.5)), 1e-6);
}

TEST(ErrorMeter, LooksBetweenFrames) {
  Clip clip = test::chain(2, 3);
  clip.pose(1, 1).translation = {2, 0, 0};
  const PoseSource held = [&](double time, Transform* pose) { samplePose(clip, std::floor(time), pose); };
  const WorldError error = ErrorMeter(clip).measure(held);
  EXPECT_DOUBLE_EQ(error.worstM, 0.5);
  EXPECT_EQ(error.timeInFrames, 0.5);
}

TEST(ErrorMeter, ExpectsASteppedTrackToHold) {
  Clip clip = test::chain(2, 3);
  clip.pose(1, 1).translation = {2, 0, 0};
  clip.step = {0, 1};
  const PoseSource held = [&](double time, Transform* pose) { samplePose(clip, std::floor(time), pose); };
  EXPECT_EQ(ErrorMeter(clip).measure(held).worstM, 0);
  Clip linear = clip;
  linear.step.clear();
  EXPECT_DOUBLE_EQ(ErrorMeter(clip).measure(playing(linear)).worstM, 0.5);
}

TEST(ErrorMeter, LeavesOutHalfFramesOfAJump) {
  Clip clip = test::chain(3, 3);
  for (std::uint32_t frame = 1; frame < 3; ++frame) clip.pose(frame, 1).rotation = test::aboutZ(120);
  // Half way the decoder is far off for joint 1 and 2, and a little for joint 0.
  const PoseSource odd = [&](double time, Transform* pose) {
    samplePose(clip, time, pose);
    if (time != 0.5) return;
    pose[0].translation = {0.125f, 0, 0};
    pose[1].rotation = test::aboutZ(-60);
  };
  const WorldError error = ErrorMeter(clip).measure(odd);
  EXPECT_DOUBLE_EQ(error.worstM, 0.125);
  EXPECT_EQ(error.joint, 0u);

  // 89 degrees are no jump.
  for (std::uint32_t frame = 1; frame < 3; ++frame) clip.pose(frame, 1).rotation = test::aboutZ(89);
  EXPECT_GT(ErrorMeter(clip).measure(odd).worstM, 0.5);

  // Nor is a turn that the source itself holds: there the value between frames is known.
  for (std::uint32_t frame = 1; frame < 3; ++frame) clip.pose(frame, 1).rotation = test::aboutZ(120);
  clip.step = {0, 1u << static_cast<unsigned>(Channel::Rotation), 0};
  EXPECT_GT(ErrorMeter(clip).measure(odd).worstM, 0.5);
}

TEST(ErrorMeter, NeverLeavesOutWholeFrames) {
  Clip clip = test::chain(2, 2);
  clip.pose(1, 0).rotation = test::aboutZ(150);
  Clip off = clip;
  off.pose(1, 0).rotation = test::aboutZ(0);
  EXPECT_GT(ErrorMeter(clip).measure(playing(off)).worstM, 1);
}

TEST(ErrorMeter, KnowsClipsOfOneFrame) {
  const Clip clip = test::chain(2, 1);
  int calls = 0;
  const WorldError error = ErrorMeter(clip).measure([&](double time, Transform* pose) {
    EXPECT_EQ(time, 0);
    ++calls;
    samplePose(clip, time, pose);
    pose[1].translation[2] = 0.5f;
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(error.worstM, 0.5);
}

TEST(ErrorMeter, CountsValuesThatAreNotFiniteAsInfinite) {
  const Clip clip = test::chain(3, 3);
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    for (int part = 0; part < 3; ++part) {
      const PoseSource broken = [&](double time, Transform* pose) {
        samplePose(clip, time, pose);
        if (time != 1.5) return;
        if (part == 0) pose[1].translation[1] = value;
        if (part == 1) pose[1].scale[1] = value;
        if (part == 2) pose[1].rotation = {value, value, value, value};
      };
      const WorldError error = ErrorMeter(clip).measure(broken);
      EXPECT_EQ(error.worstM, kInfinity) << value << ' ' << part;
      EXPECT_EQ(error.jointM, kInfinity);
      EXPECT_EQ(error.joint, 1u);
      EXPECT_EQ(error.timeInFrames, 1.5);
    }
}

TEST(ErrorMeter, EndsEarlyWithAnErrorAboveTheBound) {
  const Clip clip = test::chain(2, 100);
  int calls = 0;
  const WorldError error = ErrorMeter(clip).measure(
      [&](double time, Transform* pose) {
        ++calls;
        samplePose(clip, time, pose);
        pose[0].translation[0] = static_cast<float>(time * 0.01);
      },
      0.05);
  EXPECT_GT(error.worstM, 0.05);
  EXPECT_LT(calls, 20);
}

TEST(ErrorMeter, DividesEachJointsErrorByItsScale) {
  Clip clip = test::chain(3, 2);
  Clip moved = clip;
  moved.pose(1, 0).translation[1] = 0.3f;
  moved.pose(1, 2).translation[1] = 0.1f;  // the last is off by 0.4 m, the others by 0.3 m
  clip.toleranceScale = {1, 0.25f, 4};
  const WorldError error = ErrorMeter(clip).measure(playing(moved));
  EXPECT_NEAR(error.worstM, 1.2, 1e-6);
  EXPECT_NEAR(error.jointM, 1.2, 1e-6);
  EXPECT_EQ(error.joint, 1u);
  EXPECT_NEAR(error.unscaledM, 0.4, 1e-6);
  clip.toleranceScale.clear();
  const WorldError plain = ErrorMeter(clip).measure(playing(moved));
  EXPECT_NEAR(plain.worstM, 0.4, 1e-6);
  EXPECT_EQ(plain.unscaledM, plain.worstM);
}

TEST(ErrorMeter, TakesTheProbeRadiusThatIsAskedFor) {
  Clip clip = test::chain(2, 1);
  Clip turned = clip;
  turned.pose(0, 1).rotation = test::aboutZ(60);
  clip.probeRadiusM = {0, 5};
  EXPECT_NEAR(ErrorMeter(clip).measure(playing(turned)).worstM, 5, 1e-6);
  clip.probeRadiusM = {5, 0};
  EXPECT_LT(ErrorMeter(clip).measure(playing(turned)).worstM, 0.5);
}

TEST(ErrorMeter, UsesTheSkinsRadius) {
  Clip clip = test::chain(1, 1);
  Skeleton skinned = *clip.skeleton;
  skinned.skinRadiusM = {2};
  clip.skeleton = std::make_shared<Skeleton>(skinned);
  Clip turned = clip;
  turned.pose(0, 0).rotation = test::aboutZ(60);
  EXPECT_NEAR(ErrorMeter(clip).measure(playing(turned)).worstM, 2, 1e-6);
}

TEST(ScalarError, IsAPartOfTheRange) {
  const ScalarTrack track{"smile", false, {2, 4, 6}};
  EXPECT_EQ(scalarError(track, [&](double t) { return sampleScalar(track, t); }), 0);
  EXPECT_NEAR(scalarError(track, [&](double t) { return sampleScalar(track, t) + 0.4; }), 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(scalarError(track, [&](double t) { return t == 1.5 ? 9 : sampleScalar(track, t); }), 1);
  EXPECT_EQ(scalarError(track, [](double) { return std::nan(""); }), kInfinity);
}

TEST(ScalarError, OfAConstantIsAPartOfItsMagnitude) {
  const ScalarTrack track{"smile", false, {-4, -4}}, zero{"smile", false, {0, 0}};
  EXPECT_DOUBLE_EQ(scalarError(track, [](double) { return -3.0; }), 0.25);
  EXPECT_DOUBLE_EQ(scalarError(zero, [](double) { return 0.5; }), 0.5);
  EXPECT_EQ(scalarError({"empty", false, {}}, [](double) { return 1.0; }), 0);
}

TEST(SampleScalar, InterpolatesOrHolds) {
  ScalarTrack track{"smile", false, {0, 4, 8}};
  EXPECT_DOUBLE_EQ(sampleScalar(track, 0.25), 1);
  EXPECT_DOUBLE_EQ(sampleScalar(track, 99), 8);
  EXPECT_DOUBLE_EQ(sampleScalar(track, -1), 0);
  track.step = true;
  EXPECT_DOUBLE_EQ(sampleScalar(track, 1.9), 4);
  EXPECT_DOUBLE_EQ(sampleScalar(track, 2), 8);
}

TEST(ScalarError, IsNothingForTheTrackItselfAsFloat) {
  // Between 1 and its neighbour there is no float32.
  const ScalarTrack track{"weight", false, {1.0f, std::nextafter(1.0f, 2.0f), 1.0f}};
  const auto asFloat = [&](double time) { return static_cast<double>(static_cast<float>(sampleScalar(track, time))); };
  EXPECT_EQ(scalarError(track, asFloat), 0);
}

}  // namespace
}  // namespace simmer::animation
