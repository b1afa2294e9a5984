// ErrorMeter against a second implementation of "bench measure v1", which the reference sizes of the corpus were made
// with: written from its description, with 3 x 3 matrices and recursion to the parent instead of a pass in order.

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "plugins/animation/clip/error_measure.h"
#include "tests/support/plugin_fixtures.h"
#include "tests/support/rawclip.h"

namespace simmer::animation {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;  // [row][column]
struct Pose {
  Vector3 translation;
  Quaternion rotation;
  Vector3 scale;
};
struct Frame {
  Matrix linear;
  Vector3 origin;
};

Pose inDouble(const Transform& t) {
  const auto& r = t.rotation;
  return {{t.translation[0], t.translation[1], t.translation[2]},
          normalised({r[0], r[1], r[2], r[3]}),
          {t.scale[0], t.scale[1], t.scale[2]}};
}

Pose halfWay(const Pose& a, const Pose& b) {
  Pose result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.translation[i] = (a.translation[i] + b.translation[i]) / 2;
    result.scale[i] = (a.scale[i] + b.scale[i]) / 2;
  }
  const double sign = dot(a.rotation, b.rotation) < 0 ? -1 : 1;
  for (std::size_t i = 0; i < 4; ++i) result.rotation[i] = (a.rotation[i] + sign * b.rotation[i]) / 2;
  result.rotation = normalised(result.rotation);
  return result;
}

Frame local(const Pose& pose) {
  Frame frame{{}, pose.translation};
  for (std::size_t column = 0; column < 3; ++column) {
    Vector3 axis{0, 0, 0};
    axis[column] = pose.scale[column];
    const Vector3 turned = rotate(pose.rotation, axis);
    for (std::size_t row = 0; row < 3; ++row) frame.linear[row][column] = turned[row];
  }
  return frame;
}

Vector3 carry(const Frame& frame, const Vector3& v) {
  Vector3 result = frame.origin;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) result[row] += frame.linear[row][i] * v[i];
  return result;
}

/// A point of a joint's space, carried up joint by joint.
Vector3 inWorld(const Skeleton& skeleton, const std::vector<Pose>& poses, std::size_t joint, Vector3 point) {
  for (auto at = static_cast<std::int32_t>(joint); at >= 0; at = skeleton.parents[static_cast<std::size_t>(at)])
    point = carry(local(poses[static_cast<std::size_t>(at)]), point);
  return point;
}

std::vector<double> benchRadii(const Skeleton& skeleton) {
  std::vector<Pose> rest;
  for (const Transform& t : skeleton.rest) rest.push_back(inDouble(t));
  Vector3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (std::size_t joint = 0; joint < rest.size(); ++joint) {
    const Vector3 origin = inWorld(skeleton, rest, joint, {0, 0, 0});
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], origin[i]);
      high[i] = std::max(high[i], origin[i]);
    }
  }
  double height = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  if (height < 1e-6) height = 1.8;
  std::vector<double> radii;
  for (std::size_t joint = 0; joint < rest.size(); ++joint) {
    double volume = 1;  // |determinant| of a chain is the product of its scales
    for (auto at = static_cast<std::int32_t>(joint); at >= 0; at = skeleton.parents[static_cast<std::size_t>(at)])
      for (const double scale : rest[static_cast<std::size_t>(at)].scale) volume *= std::abs(scale);
    const double side = std::cbrt(volume);
    radii.push_back(0.03 * height / 1.8 / (side < 1e-6 ? 1 : side));
  }
  return radii;
}

struct BenchError {
  double worst = 0, origin = 0;
};

BenchError benchMeasure(const Clip& clip, const PoseSource& decoded) {
  const Skeleton& skeleton = *clip.skeleton;
  const std::vector<double> radii = benchRadii(skeleton);
  std::vector<Transform> buffer(clip.joints());
  BenchError error;
  for (std::uint32_t half = 0; half + 1 < 2 * clip.frames; ++half) {
    decoded(half / 2.0, buffer.data());
    std::vector<Pose> actual, expected;
    std::vector<bool> jumps;
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      actual.push_back(inDouble(buffer[joint]));
      const Pose before = inDouble(clip.pose(half / 2, joint));
      const Pose after = inDouble(clip.pose((half + 1) / 2, joint));
      expected.push_back(half % 2 == 0 ? before : halfWay(before, after));
      const std::int32_t parent = skeleton.parents[joint];
      jumps.push_back((parent >= 0 && jumps[static_cast<std::size_t>(parent)]) ||
                      std::abs(dot(before.rotation, after.rotation)) < std::sqrt(0.5));
    }
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      for (std::size_t probe = 0; probe < 4 && !jumps[joint]; ++probe) {
        Vector3 point{0, 0, 0};
        if (probe > 0) point[probe - 1] = radii[joint];
        const Vector3 a = inWorld(skeleton, actual, joint, point), b = inWorld(skeleton, expected, joint, point);
        const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        error.worst = std::max(error.worst, distance);
        if (probe == 0) error.origin = std::max(error.origin, distance);
      }
  }
  return error;
}

/// A decoder with small errors everywhere, the same at each call of a time.
PoseSource shaken(const Clip& clip) {
  return [&clip](double time, Transform* pose) {
    samplePose(clip, std::floor(time / 2) * 2, pose);
    std::mt19937 random(static_cast<unsigned>(time * 2));
    std::uniform_real_distribution<float> uniform(-0.004f, 0.004f);
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      for (float& v : pose[joint].translation) v += uniform(random) * (1 + std::abs(v));
      for (float& v : pose[joint].rotation) v += uniform(random);
      for (float& v : pose[joint].scale) v *= 1 + uniform(random);
    }
  };
}

// Scale on armature nodes, scaled bones, non-uniform scale with shear, stepped turns, one root and many.
class BenchMeasure : public testing::TestWithParam<const char*> {};

TEST_P(BenchMeasure, AgreesWithErrorMeter) {
  SIMMER_SHARED(file, std::string("bench/clips/") + GetParam() + ".rawclip");
  auto clip = simmer::test::readRawclip(file);
  ASSERT_TRUE(clip) << clip.error().text();
  if (clip->frames > 40) {
    clip->frames = 40;
    clip->poses.resize(clip->frames * clip->joints());
  }
  const PoseSource decoded = shaken(*clip);
  const BenchError expected = benchMeasure(*clip, decoded);
  const WorldError actual = ErrorMeter(*clip).measure(decoded);
  ASSERT_GT(expected.worst, 1e-4);
  // The meter's reference between frames is rounded to float32, as a game has it.
  EXPECT_NEAR(actual.worstM, expected.worst, 2e-5 * expected.worst);
  EXPECT_NEAR(actual.jointM, expected.origin, 2e-5 * expected.worst);
}

INSTANTIATE_TEST_SUITE_P(Corpus, BenchMeasure,
                         testing::Values("seed_jump", "cmu_walk_120", "trex_attack_24", "raptor_jump_24",
                                         "shark_swim_24", "fox_survey_24", "kaykit_dodge_30", "step_rotation_24",
                                         "bear_balloons_30", "mannequiny_kick_24"),
                         [](const auto& param) { return param.param; });

TEST(Rawclip, ReadsTheCorpus) {
  SIMMER_SHARED(folder, "bench/clips");
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto clip = simmer::test::readRawclip(entry.path());
    ASSERT_TRUE(clip) << entry.path() << ": " << clip.error().text();
    ++count;
  }
  EXPECT_EQ(count, 34u);
}

TEST(Rawclip, RefusesWhatIsNone) {
  SIMMER_SHARED(file, "bench/clips/walk_24.rawclip");
  const simmer::test::TemporaryFolder folder;
  const Bytes whole = *readFile(file);
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{20}, std::size_t{200}, whole.size() - 4}) {
    const auto cut = folder.path() / "cut.rawclip";
    ASSERT_TRUE(writeFileAtomically(cut, ByteView(whole).first(size)));
    EXPECT_FALSE(simmer::test::readRawclip(cut)) << size;
  }
}

}  // namespace
}  // namespace simmer::animation
