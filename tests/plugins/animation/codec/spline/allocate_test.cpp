#include "plugins/animation/codec/spline/allocate.h"

#include <gtest/gtest.h>

#include "tests/plugins/animation/codec/test_clips.h"

namespace simmer::animation::spline {
namespace {

using animation::test::chain;

constexpr double kToleranceM = 0.01;

/// Joints that stand beside each other: a root and its children.
Clip star(std::size_t children) {
  Clip clip = chain(children + 1, 6);
  auto skeleton = std::make_shared<Skeleton>(*clip.skeleton);
  for (std::size_t joint = 1; joint <= children; ++joint) skeleton->parents[joint] = 0;
  clip.skeleton = std::move(skeleton);
  return clip;
}

class Allocate : public ::testing::Test {
 protected:
  /// A track that shifts a joint, with levels of so many metres of error, each cheaper than the one before.
  void add(const Field& field, std::size_t joint, std::initializer_list<double> offM) {
    Track track;
    track.part = Part::Translation;
    track.joint = joint;
    m_tracks.push_back(track);
    std::vector<Level> levels;
    for (const double off : offM) {
      Level level;
      level.cost = 1000 - 100 * static_cast<double>(levels.size());
      level.effect.assign(3 * field.stride(), 0.0f);
      std::fill_n(level.effect.begin(), field.stride(), static_cast<float>(off));
      levels.push_back(std::move(level));
    }
    m_levels.push_back(std::move(levels));
  }
  std::vector<std::size_t> chosen(Field& field) { return allocate(m_tracks, m_levels, field); }

  std::vector<Track> m_tracks;
  std::vector<std::vector<Level>> m_levels;
};

TEST_F(Allocate, TakesTheCheapestThatStaysWithin) {
  const Clip clip = star(3);
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  Field field(reference, jumps, kToleranceM, everyRow(10, 1));
  add(field, 1, {0.001, 0.004, 0.009});
  add(field, 2, {0.001, 0.004, 0.011});
  add(field, 3, {0.001, 0.012, 0.012});
  EXPECT_EQ(chosen(field), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_NEAR(field.worst(), 0.81, 1e-4);
}

TEST_F(Allocate, JointsBesideEachOtherDoNotShareTheirRoom) {
  const Clip clip = star(6);
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  Field field(reference, jumps, kToleranceM, everyRow(10, 1));
  for (std::size_t joint = 1; joint <= 6; ++joint) add(field, joint, {0.001, 0.005, 0.0095});
  EXPECT_EQ(chosen(field), std::vector<std::size_t>(6, 2));
}

TEST_F(Allocate, JointsBelowEachOtherDo) {
  const Clip clip = chain(4, 6);
  const WorldPoses reference(clip);
  const Jumps jumps(clip);
  Field field(reference, jumps, kToleranceM, everyRow(10, 1));
  for (std::size_t joint = 0; joint < 4; ++joint) add(field, joint, {0.001, 0.006});
  const std::vector<std::size_t> levels = chosen(field);
  EXPECT_EQ(std::count(levels.begin(), levels.end(), 1u), 1);  // another would be beyond
  EXPECT_LE(field.worst(), 1);
}

}  // namespace
}  // namespace simmer::animation::spline
