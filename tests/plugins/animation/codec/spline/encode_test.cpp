#include "plugins/animation/codec/spline/encode.h"

#include <cmath>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/spline/spline_fixtures.h"

namespace simmer::animation::test {
namespace {

using article::Sample;

constexpr SkeletonPlace kPlaces[] = {SkeletonPlace::Beside, SkeletonPlace::Inside, SkeletonPlace::None};

SplineSettings settingsOf(Effort effort, SkeletonPlace place) {
  SplineSettings settings;
  settings.effort = effort;
  settings.skeleton = place;
  return settings;
}

TEST(EncodeSpline, TheSamplesAreWithinTheirToleranceAtEveryEffort) {
  for (const Sample sample : {Sample::Walk, Sample::Jump, Sample::Mocap}) {
    const Clip clip = sampleClip(sample);
    for (const double mm : {0.1, 1.67, 7.03, 28.13})
      for (const Effort effort : {Effort::Draft, Effort::Default}) {
        const auto encoded = encodeAs(clip, mm / 1000, settingsOf(effort, SkeletonPlace::None));
        ASSERT_TRUE(encoded) << encoded.error().text();
        EXPECT_LE(measuredM(clip, encoded->file), mm / 1000);
        EXPECT_LT(encoded->file.size(), clip.rawBytes() / 25) << mm;
      }
  }
}

TEST(EncodeSpline, ALooserToleranceAndMoreEffortTakeFewerBytes) {
  const Clip clip = sampleClip(Sample::Mocap);
  std::size_t before = clip.rawBytes();
  for (const double mm : {0.1, 0.5, 1.67, 7.03, 28.13}) {
    const auto encoded = encodeAs(clip, mm / 1000);
    ASSERT_TRUE(encoded);
    EXPECT_LT(encoded->file.size(), before);
    before = encoded->file.size();
  }
  const auto draft = encodeAs(clip, 0.001, settingsOf(Effort::Draft, SkeletonPlace::None));
  const auto fine = encodeAs(clip, 0.001, settingsOf(Effort::Default, SkeletonPlace::None));
  EXPECT_LT(fine->file.size(), draft->file.size());
}

TEST(EncodeSpline, MaxIsNeverLargerThanDefault) {
  for (const Sample sample : {Sample::Walk, Sample::Jump, Sample::Mocap}) {
    const Clip clip = sampleClip(sample);
    for (const double mm : {0.1, 0.5, 1.67, 7.03, 28.13}) {
      const auto fine = encodeAs(clip, mm / 1000, settingsOf(Effort::Default, SkeletonPlace::None));
      const auto finest = encodeAs(clip, mm / 1000, settingsOf(Effort::Max, SkeletonPlace::None));
      ASSERT_TRUE(fine && finest);
      EXPECT_LE(finest->file.size(), fine->file.size()) << article::toString(sample) << ' ' << mm << " mm";
      EXPECT_LE(measuredM(clip, finest->file), mm / 1000);
    }
  }
}

TEST(EncodeSpline, GivesTheSameBytesAgainAndInManyThreads) {
  const Clip clip = sampleClip(Sample::Jump);
  const auto once = encodeAs(clip, 0.00167), again = encodeAs(clip, 0.00167);
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->file, again->file);
  std::vector<Bytes> files(4);
  std::vector<std::thread> threads;
  for (Bytes& file : files) threads.emplace_back([&] { file = encodeAs(clip, 0.00167)->file; });
  for (std::thread& thread : threads) thread.join();
  for (const Bytes& file : files) EXPECT_EQ(file, once->file);
}

TEST(EncodeSpline, TheSkeletonStandsBesideInsideOrNowhere) {
  const Clip clip = sampleClip(Sample::Walk);
  const auto skeleton = writeSkeleton(*clip.skeleton);
  for (const SkeletonPlace place : kPlaces) {
    const auto encoded = encodeAs(clip, 0.00703, settingsOf(Effort::Draft, place));
    ASSERT_TRUE(encoded);
    const Bytes& file = encoded->file;
    EXPECT_EQ(DecodedClip::load(file).has_value(), place != SkeletonPlace::Beside);
    const auto decoded = DecodedClip::load(file, skeleton->bytes);
    ASSERT_TRUE(decoded);
    const bool named =
        std::memcmp(simmer_clip_skeleton_digest(decoded->clip()), skeleton->digest.bytes.data(), 32) == 0;
    EXPECT_EQ(named, place != SkeletonPlace::None);
    std::size_t size = 0;
    const void* inside = simmer_clip_file_skeleton(file.data(), file.size(), &size);
    ASSERT_EQ(inside != nullptr, place == SkeletonPlace::Inside);
    if (inside != nullptr) {
      EXPECT_EQ(Bytes(static_cast<const std::uint8_t*>(inside), static_cast<const std::uint8_t*>(inside) + size),
                skeleton->bytes);
    }
  }
}

TEST(EncodeSpline, SmallestClips) {
  for (const Effort effort : {Effort::Draft, Effort::Default, Effort::Max})
    for (const std::uint32_t frames : {1u, 2u, 3u})
      for (const std::size_t joints : {0u, 1u, 3u}) {
        Clip clip = chain(joints, frames);
        if (joints > 0) clip.pose(frames - 1, 0).translation = {1, 2, 3};
        const auto encoded = encodeAs(clip, 0.001, settingsOf(effort, SkeletonPlace::Beside));
        ASSERT_TRUE(encoded) << frames << " " << joints << ": " << encoded.error().text();
        EXPECT_LE(measuredM(clip, encoded->file), 0.001);
      }
}

TEST(EncodeSpline, WhatRestsCostsNothingBesideItsSkeleton) {
  const Clip still = chain(40, 50);
  const auto beside = encodeAs(still, 0.001, settingsOf(Effort::Default, SkeletonPlace::Beside));
  const auto none = encodeAs(still, 0.001, settingsOf(Effort::Default, SkeletonPlace::None));
  ASSERT_TRUE(beside && none);
  EXPECT_LT(beside->file.size(), 74u);  // 32 of them the digest
  EXPECT_LT(none->file.size(), 100u);
  const auto skeleton = writeSkeleton(*still.skeleton);
  auto decoded = DecodedClip::load(beside->file, skeleton->bytes);
  ASSERT_TRUE(decoded);
  std::vector<Transform> pose(still.joints());
  decoded->pose(17.3, pose.data());
  EXPECT_EQ(pose, still.skeleton->rest);
}

TEST(EncodeSpline, RateFramesAndNamesStandInTheFile) {
  Clip clip = sampleClip(Sample::Walk);
  clip.rateHz = 119.875;
  clip.scalars.push_back({"smile \u263a", false, std::vector<float>(clip.frames, 0.25f)});
  const auto encoded = encodeAs(clip, 0.00703);
  ASSERT_TRUE(encoded);
  const auto decoded = DecodedClip::load(encoded->file, writeSkeleton(*clip.skeleton)->bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(simmer_clip_rate(decoded->clip()), 119.875);
  EXPECT_EQ(simmer_clip_frames(decoded->clip()), clip.frames);
  EXPECT_EQ(simmer_clip_joints(decoded->clip()), clip.joints());
  EXPECT_STREQ(simmer_clip_scalar_name(decoded->clip(), 0), "smile \u263a");
}

TEST(EncodeSpline, StopsWhenAsked) {
  RecordingContext context;
  context.cancel = true;
  const Clip clip = sampleClip(Sample::Walk);
  const auto encoded = encodeSpline(clip, *writeSkeleton(*clip.skeleton), {}, 0.001, context);
  ASSERT_FALSE(encoded);
  EXPECT_EQ(encoded.error().code, ErrorCode::Cancelled);
}

TEST(EncodeSpline, RefusesWhatNotEvenTheSamplesMeet) {
  Clip clip = chain(13, 3);  // the last joint is farther away than a double can say
  for (Transform& pose : clip.poses) pose.scale = {1e30f, 1e30f, 1e30f};
  const auto encoded = encodeAs(clip, 1e-5);
  ASSERT_FALSE(encoded);
  EXPECT_EQ(encoded.error().code, ErrorCode::ToleranceUnmet);
}

// ---- scalar tracks ----

std::vector<ScalarTrack> scalarsOf(std::uint32_t frames) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<ScalarTrack> tracks(13);
  const char* const names[] = {"zero",     "constant", "ramp",         "smooth", "step",
                               "spiky",    "noise",    "tiny",         "huge",   "nearly constant",
                               "negative", "late",     "a great range"};
  for (std::size_t i = 0; i < tracks.size(); ++i) tracks[i].name = names[i];
  tracks[4].step = true;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    const float f = static_cast<float>(frame), smooth = std::sin(f * 0.1f);
    const float values[] = {0,
                            0.3f,
                            f,
                            smooth,
                            static_cast<float>(frame / 7 % 3),
                            frame % 13 == 0 ? 1.0f : 0.0f,
                            uniform(random),
                            1e-30f * smooth,
                            1e30f * smooth,
                            1 + 1e-6f * smooth,
                            -5 - smooth,
                            frame + 1 == frames ? 1.0f : 0.0f,
                            frame == frames / 2 ? 2.9e14f : smooth};
    for (std::size_t i = 0; i < tracks.size(); ++i) tracks[i].values.push_back(values[i]);
  }
  return tracks;
}

/// The error of float32 itself: what is between two frames need not be one. Only tracks that hardly change feel it.
double roundingOf(const ScalarTrack& track) {
  const auto [low, high] = std::minmax_element(track.values.begin(), track.values.end());
  const double range = static_cast<double>(*high) - *low, magnitude = std::max(std::abs(*low), std::abs(*high));
  return range > 0 ? magnitude / (1 << 24) / range : 0;
}

// Each alone: one that splines can not follow would have all of them stored as they are.
TEST(EncodeSpline, ScalarTracksAreWithinATolerance) {
  for (const std::uint32_t frames : {1u, 2u, 3u, 100u})
    for (const ScalarTrack& track : scalarsOf(frames))
      for (const double tolerance : {0.05, 1e-3, 1e-5}) {
        Clip clip = chain(2, frames);
        clip.scalars = {track};
        SplineSettings settings = settingsOf(Effort::Default, SkeletonPlace::None);
        settings.scalarTolerance = tolerance;
        const auto encoded = encodeAs(clip, 0.001, settings);
        ASSERT_TRUE(encoded) << track.name << ": " << encoded.error().text();
        const auto decoded = DecodedClip::load(encoded->file);
        ASSERT_TRUE(decoded);
        EXPECT_STREQ(simmer_clip_scalar_name(decoded->clip(), 0), track.name.c_str());
        const double error = scalarError(track, [&](double time) { return decoded->scalar(time, 0); });
        EXPECT_LE(error, std::max(tolerance, roundingOf(track)))
            << track.name << ", " << frames << " frames, " << encoded->how;
        const bool simple = track.name == "zero" || track.name == "constant" || track.name == "smooth" ||
                            track.name == "step" || track.name == "spiky" || track.name == "noise";
        EXPECT_TRUE(!simple || encoded->how == "spline") << track.name << ": " << encoded->how;
      }
}

}  // namespace
}  // namespace simmer::animation::test
