#include "plugins/animation/codec/spline/motions.h"

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/test_clips.h"

namespace simmer::animation::spline {
namespace {

constexpr double kToleranceM = 0.005;

class Motions : public ::testing::Test {
 protected:
  Parts motions(std::size_t every) {
    Parts parts = takeApart(m_reference, m_field, {kToleranceM, false, false});
    addMotions(m_reference, m_field, parts, every);
    return parts;
  }

  Clip m_clip = animation::test::sampleClip(article::Sample::Walk);
  WorldPoses m_reference{m_clip};
  Jumps m_jumps{m_clip};
  Field m_field{m_reference, m_jumps, kToleranceM, everyRow(std::size_t{2} * (m_clip.frames - 1), 1)};
};

TEST_F(Motions, AreWhatASmallChangeDoesInTheWorld) {
  constexpr double kStep = 1e-4;
  const std::size_t h = 40;
  const Parts parts = motions(1);
  std::vector<Transform> pose(m_clip.joints());
  std::vector<Affine> moved(m_clip.joints()), scratch;
  const Affine* const world = m_reference.at(h, scratch);
  for (const Track& track : parts.tracks) {
    if (track.part != Part::Rotation) continue;
    for (unsigned c = 0; c < track.components; ++c) {
      samplePose(m_clip, h / 2.0, pose.data());
      std::array<double, 4> value{};
      std::copy_n(track.at(h), track.components, value.begin());
      value[c] += kStep;
      applyTrack(track, value.data(), pose.data());
      toWorld(*m_clip.skeleton, pose.data(), moved.data());
      const float* const turn = &track.motions[std::size_t{3} * c * m_field.stride() + h];
      const Vector3 by{turn[0], turn[m_field.stride()], turn[2 * m_field.stride()]};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Vector3 &a = world[track.joint].columns[axis], &b = moved[track.joint].columns[axis];
        const Vector3 cross{by[1] * a[2] - by[2] * a[1], by[2] * a[0] - by[0] * a[2], by[0] * a[1] - by[1] * a[0]};
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR((b[i] - a[i]) / kStep, cross[i], 5e-3);
      }
    }
  }
}

TEST_F(Motions, BetweenRowsAreStraight) {
  const Parts all = motions(1), some = motions(4);
  ASSERT_EQ(all.tracks.size(), some.tracks.size());
  const std::size_t count = m_field.rows().count, stride = m_field.stride();
  for (std::size_t i = 0; i < all.tracks.size(); ++i)
    for (std::size_t at = 0; at < all.tracks[i].motions.size(); at += stride)
      for (std::size_t row = 0; row < count; ++row) {
        const float* const motion = &all.tracks[i].motions[at];
        const std::size_t before = row / 4 * 4, after = std::min(before + 4, count - 1);
        const float part = before == after ? 0 : static_cast<float>(row - before) / static_cast<float>(after - before);
        EXPECT_NEAR(some.tracks[i].motions[at + row], motion[before] + (motion[after] - motion[before]) * part, 1e-6);
      }
}

}  // namespace
}  // namespace simmer::animation::spline
