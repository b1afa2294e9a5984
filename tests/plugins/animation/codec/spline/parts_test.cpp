#include "plugins/animation/codec/spline/parts.h"

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/spline/hostile_clips.h"
#include "tests/plugins/animation/codec/spline/spline_fixtures.h"

namespace simmer::animation::spline {
namespace {

using animation::test::chain;
using animation::test::hostileClips;
using animation::test::sampleClip;

constexpr double kToleranceM = 0.001;

Parts partsOf(const Clip& clip, bool restDefaults, bool quick = false) {
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  const Field field(reference, jumps, kToleranceM, everyRow(runtime::lastHalfFrame(clip.frames), 1));
  return takeApart(reference, field, {kToleranceM, restDefaults, quick});
}

std::size_t count(const Parts& parts, PartKind kind) {
  std::size_t sum = 0;
  for (const auto& joint : parts.kinds) sum += static_cast<std::size_t>(std::count(joint.begin(), joint.end(), kind));
  return sum;
}

/// The error of the parts put together again: what stands still, and the signals of what moves.
double errorM(const Clip& clip, const Parts& parts) {
  return ErrorMeter(clip)
      .measure([&](double time, Transform* pose) {
        std::copy(parts.base.begin(), parts.base.end(), pose);
        const auto h = static_cast<std::size_t>(time * 2);
        for (const Track& track : parts.tracks) applyTrack(track, &track.signal[h * track.components], pose);
      })
      .worstM;
}

TEST(Parts, PutTogetherAgainTheyAreTheClip) {
  for (const auto& [name, make, large] : hostileClips()) {
    if (large || name == "Extremes") continue;
    const Clip clip = make();
    for (const bool restDefaults : {false, true})
      for (const bool quick : {false, true})
        EXPECT_LT(errorM(clip, partsOf(clip, restDefaults, quick)), kToleranceM / 4) << name;
  }
}

TEST(Parts, QuickHalfFramesAreExactWhereTurnsAreLarge) {
  // A joint that turns 60 degrees from frame to frame about changing axes: a straight line misses the middle by far.
  Clip clip = chain(2, 12);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    const float part = frame % 2 == 0 ? 0.0f : 0.5f;
    clip.pose(frame, 0).rotation = {frame % 4 == 1 ? part : 0, frame % 4 == 3 ? part : 0, 0,
                                    std::sqrt(1 - part * part)};
  }
  EXPECT_LT(errorM(clip, partsOf(clip, false, true)), kToleranceM / 4);
}

TEST(Parts, OnlyWhatMovesIsATrack) {
  const Clip clip = sampleClip(article::Sample::Walk);  // 20 joints turn, the root moves
  const Parts parts = partsOf(clip, false);
  ASSERT_EQ(parts.kinds.size(), clip.joints());
  std::size_t rotations = 0, translations = 0;
  for (const Track& track : parts.tracks) {
    if (track.part == Part::Rotation) ++rotations;
    if (track.part == Part::Translation) ++translations;
  }
  EXPECT_EQ(rotations, 20u);
  EXPECT_EQ(translations, 1u);
  EXPECT_EQ(parts.tracks.size(), 21u);
  EXPECT_EQ(count(parts, PartKind::Spline) + count(parts, PartKind::Quaternion), parts.tracks.size());
  EXPECT_EQ(parts.constantRotations.size() + parts.constantTranslations.size() + parts.constantScales.size(),
            count(parts, PartKind::Constant));
}

TEST(Parts, ADefaultIsTheRestPoseWhereThereIsOne) {
  const Clip still = chain(6, 10);
  EXPECT_EQ(count(partsOf(still, true), PartKind::Default), 18u);
  const Parts alone = partsOf(still, false);  // five offsets are not zero
  EXPECT_EQ(count(alone, PartKind::Default), 13u);
  EXPECT_EQ(alone.constantTranslations.size(), 5u);
}

TEST(Parts, WhatHoldsIsSaidToHold) {
  Clip clip = sampleClip(article::Sample::Walk);
  clip.step.assign(clip.joints(), 1 << static_cast<unsigned>(Channel::Rotation));
  for (const Track& track : partsOf(clip, false).tracks) {
    EXPECT_EQ(track.held, track.part == Part::Rotation);
    if (!track.held) continue;
    for (std::size_t h = 1; h < track.signal.size() / track.components; h += 2)
      for (unsigned c = 0; c < track.components; ++c)
        EXPECT_EQ(track.signal[h * track.components + c], track.signal[(h - 1) * track.components + c]);
  }
}

TEST(Parts, TracksStandInTheOrderOfTheStream) {
  for (const auto& [name, make, large] : hostileClips()) {
    if (large) continue;
    const auto place = [](const Track& track) {
      return std::pair(track.part == Part::Rotation ? track.quaternion : static_cast<int>(track.part) + 1, track.joint);
    };
    const Parts parts = partsOf(make(), false);
    for (std::size_t i = 1; i < parts.tracks.size(); ++i)
      EXPECT_LT(place(parts.tracks[i - 1]), place(parts.tracks[i])) << name;
  }
}

}  // namespace
}  // namespace simmer::animation::spline
