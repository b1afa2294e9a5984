#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/joint_errors.h"
#include "tests/plugins/animation/codec/spline/spline_fixtures.h"

namespace simmer::animation::test {
namespace {

using article::Sample;

constexpr double kToleranceM = 0.00703;

bool contains(const std::string& name, std::string_view part) {
  return name.find(part) != std::string::npos;
}

/// The clip with this scale for joints whose names hold a part, and all below them.
Clip scaled(Clip clip, std::string_view part, float scale) {
  if (clip.toleranceScale.empty()) clip.toleranceScale.assign(clip.joints(), 1.0f);
  std::vector<bool> found(clip.joints());
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const std::int32_t parent = clip.skeleton->parents[joint];
    found[joint] =
        contains(clip.skeleton->names[joint], part) || (parent >= 0 && found[static_cast<std::size_t>(parent)]);
    if (found[joint]) clip.toleranceScale[joint] = scale;
  }
  EXPECT_TRUE(std::ranges::count(found, true) > 0) << part;
  return clip;
}

enum class Codec { Spline, Draft, Article };
constexpr Codec kCodecs[] = {Codec::Spline, Codec::Draft, Codec::Article};

Bytes fileOf(const Clip& clip, Codec codec, double toleranceM = kToleranceM) {
  SplineSettings settings;
  settings.effort = codec == Codec::Draft ? Effort::Draft : Effort::Default;
  settings.skeleton = SkeletonPlace::None;
  const auto encoded = codec == Codec::Article ? encode(clip, toleranceM) : encodeAs(clip, toleranceM, settings);
  EXPECT_TRUE(encoded) << encoded.error().text();
  return encoded ? encoded->file : Bytes();
}

std::vector<double> errorsOf(const Clip& clip, const Bytes& file) {
  Result<DecodedClip> decoded = DecodedClip::load(file);
  EXPECT_TRUE(decoded);
  return jointErrors(clip, decoded->poseSource(), skinRadii(*clip.skeleton)[0]);
}

TEST(ToleranceScale, EveryJointKeepsToItsOwn) {
  for (const Sample sample : {Sample::Walk, Sample::Mocap}) {
    const Clip clip = scaled(scaled(sampleClip(sample), "hand", 0.25f), "thigh", 4);
    for (const Codec codec : kCodecs) {
      const std::vector<double> errors = errorsOf(clip, fileOf(clip, codec));
      double loosest = 0;
      for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
        const double scale = static_cast<double>(clip.toleranceScale[joint]);
        EXPECT_LE(errors[joint], scale * kToleranceM * (1 + 1e-9)) << clip.skeleton->names[joint];
        if (scale > 1) loosest = std::max(loosest, errors[joint]);
      }
      EXPECT_GT(loosest, kToleranceM) << "what is allowed is used";
    }
  }
}

TEST(ToleranceScale, LooserJointsTakeFewerBytesAndTighterOnesMore) {
  for (const Sample sample : {Sample::Walk, Sample::Mocap}) {
    const Clip clip = sampleClip(sample);
    for (const Codec codec : kCodecs) {
      const std::size_t plain = fileOf(clip, codec).size();
      const Clip cape = scaled(clip, "cape", 4), legs = scaled(cape, "thigh", 4);
      EXPECT_LT(fileOf(cape, codec).size(), plain) << article::toString(sample);
      EXPECT_LT(fileOf(legs, codec).size(), fileOf(cape, codec).size()) << article::toString(sample);
      EXPECT_GT(fileOf(scaled(clip, "hand", 0.25f), codec).size(), plain) << article::toString(sample);
    }
  }
}

TEST(ToleranceScale, OneEverywhereGivesTheSameBytes) {
  const Clip clip = sampleClip(Sample::Jump);
  Clip ones = clip;
  ones.toleranceScale.assign(clip.joints(), 1.0f);
  for (const Codec codec : kCodecs) EXPECT_EQ(fileOf(ones, codec), fileOf(clip, codec));
}

// No joint is special then: the tolerance itself is another one.
TEST(ToleranceScale, TheSameEverywhereIsAnotherTolerance) {
  const Clip clip = sampleClip(Sample::Mocap);
  for (const float scale : {0.25f, 4.0f}) {
    Clip all = clip;
    all.toleranceScale.assign(clip.joints(), scale);
    for (const Codec codec : kCodecs) {
      const auto size = static_cast<double>(fileOf(clip, codec, kToleranceM * static_cast<double>(scale)).size());
      EXPECT_NEAR(static_cast<double>(fileOf(all, codec).size()), size, 0.02 * size);
    }
  }
}

TEST(ToleranceScale, TheExtremesAreMet) {
  for (const float scale : {0.01f, 100.0f}) {
    const Clip clip = scaled(sampleClip(Sample::Walk), "hand", scale);
    for (const Codec codec : kCodecs) {
      const Bytes file = fileOf(clip, codec);
      const std::vector<double> errors = errorsOf(clip, file);
      for (std::size_t joint = 0; joint < clip.joints(); ++joint)
        EXPECT_LE(errors[joint], static_cast<double>(clip.toleranceScale[joint]) * kToleranceM * (1 + 1e-9));
      EXPECT_LT(file.size(), clip.rawBytes() / 5) << "not the samples as they are";
    }
  }
}

TEST(ProbeRadius, ASwordIsMeasuredAtItsPoint) {
  Clip clip = sampleClip(Sample::Walk);
  clip.probeRadiusM.assign(clip.joints(), 0.0f);
  std::size_t hand = 0;
  while (!contains(clip.skeleton->names[hand], "hand")) ++hand;
  clip.probeRadiusM[hand] = 1;
  Clip plain = clip;
  plain.probeRadiusM.clear();
  for (const Codec codec : kCodecs) {
    const auto atPoint = [&](const Bytes& file) {
      Result<DecodedClip> decoded = DecodedClip::load(file);
      return jointErrors(clip, decoded->poseSource(), 1)[hand];
    };
    const Bytes with = fileOf(clip, codec), without = fileOf(plain, codec);
    EXPECT_LE(atPoint(with), kToleranceM * (1 + 1e-9));
    EXPECT_GT(atPoint(without), kToleranceM);
    EXPECT_GT(with.size(), without.size());
  }
}

}  // namespace
}  // namespace simmer::animation::test
