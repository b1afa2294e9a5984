#include <cmath>
#include <cstring>
#include <limits>

#include "plugins/animation/runtime/spline_memory.h"
#include "tests/plugins/animation/runtime/spline_files.h"

namespace simmer::animation::test {
namespace {

/// Clips of all lengths and sizes, with everything that a stream can hold.
std::vector<SplineClipSpec> everySpec() {
  std::vector<SplineClipSpec> specs;
  std::uint32_t seed = 0;
  for (const std::uint32_t frames : {1u, 2u, 3u, 17u, 33u, 60u, 400u})
    for (const std::uint32_t joints : {1u, 7u, 40u, 90u}) {
      ++seed;
      specs.push_back(randomSpline(seed, joints, frames, seed % 5));
    }
  specs.push_back(randomSpline(++seed, 60, 900, 0));
  specs.push_back(randomSpline(++seed, 300, 90, 0));   // two bytes an index, four an offset
  specs.push_back(randomSpline(++seed, 2, 40000, 1));  // four bytes a count of knots
  return specs;
}

std::vector<double> timesOf(const SplineClipSpec& spec) {
  const double last = spec.frames - 1;
  std::vector<double> times{0, last, last / 2, last / 3 + 0.1};
  for (const double time : {0.25, 0.5, 0.75, 1.0, last - 0.5, last - 0.3, 15.9, 16.0, 31.75, 32.0, 32.5, 63.9})
    if (time >= 0 && time <= last) times.push_back(time);
  return times;
}

std::vector<simmer_transform> poseOf(const Loaded& clip, double time) {
  std::vector<simmer_transform> pose(simmer_clip_joints(clip.clip));
  simmer_clip_sample_pose(clip.clip, time / simmer_clip_rate(clip.clip), pose.data());
  return pose;
}

void expectPart(const float* got, const std::vector<double>& expected, const char* what) {
  double sign = 1;
  if (expected.size() == 4) {
    double cosine = 0;
    for (std::size_t i = 0; i < 4; ++i) cosine += got[i] * expected[i];
    sign = cosine < 0 ? -1 : 1;
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(got[i], sign * expected[i], 1e-5 * std::max(1.0, std::fabs(expected[i]))) << what << " " << i;
}

TEST(SplineSample, IsWhatTheSpecificationSays) {
  std::size_t number = 0;
  for (const SplineClipSpec& spec : everySpec()) {
    SCOPED_TRACE(number++);
    const Loaded clip(writeSplineSpec(spec));
    ASSERT_EQ(clip.status, SIMMER_OK);
    const SplineReference reference(spec);
    for (const double time : timesOf(spec)) {
      SCOPED_TRACE(time);
      const std::vector<simmer_transform> pose = poseOf(clip, time);
      for (std::size_t joint = 0; joint < pose.size(); ++joint) {
        SCOPED_TRACE(joint);
        expectPart(pose[joint].rotation, reference.part(joint, 0, time), "rotation");
        expectPart(pose[joint].translation, reference.part(joint, 1, time), "translation");
        expectPart(pose[joint].scale, reference.part(joint, 2, time), "scale");
      }
      for (std::uint32_t i = 0; i < spec.scalars.size(); ++i) {
        const float value = clip.scalar(time, i);
        expectPart(&value, {reference.scalar(i, time)}, "scalar");
        EXPECT_EQ(simmer_clip_scalar_name(clip.clip, i), spec.names[i]);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(SplineSample, EveryUnitGivesTheSameBits) {
  if (runtime::bestUnit() == runtime::Unit::Portable) GTEST_SKIP() << "there is one unit on this machine";
  for (const SplineClipSpec& spec : everySpec()) {
    Loaded clip(writeSplineSpec(spec));
    ASSERT_EQ(clip.status, SIMMER_OK);
    for (const double time : timesOf(spec)) {
      auto* const unit = &reinterpret_cast<simmer_clip*>(clip.memory.data())->unit;
      const std::vector<simmer_transform> best = poseOf(clip, time);
      *unit = static_cast<std::uint8_t>(runtime::Unit::Portable);
      const std::vector<simmer_transform> portable = poseOf(clip, time);
      *unit = static_cast<std::uint8_t>(runtime::bestUnit());
      ASSERT_EQ(std::memcmp(best.data(), portable.data(), best.size() * sizeof best[0]), 0) << time;
    }
  }
}

TEST(SplineSample, ChunksAreTheSameControlPoints) {
  std::size_t chunked = 0, smaller = 0;
  for (SplineClipSpec spec : everySpec()) {
    for (const auto& joint : spec.joints)
      for (const SplinePart& part : joint) chunked += part.kind == PartKind::Spline && part.track.chunked ? 1 : 0;
    const Loaded with(writeSplineSpec(spec));
    spec.tracksInChunks = false;
    const Loaded without(writeSplineSpec(spec));
    ASSERT_EQ(with.status, SIMMER_OK);
    ASSERT_EQ(without.status, SIMMER_OK);
    smaller += with.memory.size() < without.memory.size() ? 1 : 0;
    for (const double time : timesOf(spec)) {
      const std::vector<simmer_transform> a = poseOf(with, time), b = poseOf(without, time);
      const auto* const left = reinterpret_cast<const float*>(a.data());
      const auto* const right = reinterpret_cast<const float*>(b.data());
      for (std::size_t i = 0; i < a.size() * sizeof a[0] / sizeof(float); ++i)
        ASSERT_NEAR(left[i], right[i], 1e-6 * std::max(1.0, std::fabs(static_cast<double>(right[i])))) << time;
    }
  }
  EXPECT_GT(chunked, 50u);
  EXPECT_GT(smaller, 5u);
}

/// A track of one component that moves, so that a value can be worked out by hand.
SplineClipSpec byHand(KnotKind kind, std::uint32_t frames, std::vector<bool> knots,
                      const std::vector<std::uint32_t>& fields) {
  SplineClipSpec spec;
  spec.frames = frames;
  spec.joints.resize(1);
  SplinePart& part = spec.joints[0][1];
  part.kind = PartKind::Spline;
  part.track.kind = kind;
  part.track.knots = std::move(knots);
  part.track.exponent = 160;  // a step of 1
  part.track.widths = {8, 0, 0, 0};
  part.track.biases = {-10, 3, 0};
  for (const std::uint32_t field : fields) part.track.points.push_back({field, 0, 0, 0});
  return spec;
}

/// Linear, a control point for each frame: at a frame only one counts.
TEST(SplineSample, EveryControlPointOfAChunkIsFound) {
  SplineClipSpec spec = byHand(KnotKind::UniformLinear, 200, {}, {});
  SplineTrack& track = spec.joints[0][1].track;
  track.spacing = 2;
  track.widths = {15, 9, 0, 0};
  track.chunked = true;
  for (std::uint32_t i = 0; i < 200; ++i) track.points.push_back({i < 100 ? i * i : 32767 - i, i % 7, 0, 0});
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const simmer_transform pose = clip.joint(i, 0);
    EXPECT_EQ(pose.translation[0], static_cast<float>(track.points[i][0]) - 10) << i;
    EXPECT_EQ(pose.translation[1], static_cast<float>(i % 7 + 3)) << i;
    EXPECT_EQ(pose.translation[2], 0) << i;
  }
}

TEST(SplineSample, OneJointIsTheSameAsThePose) {
  for (const SplineClipSpec& spec : everySpec()) {
    const Loaded clip(writeSplineSpec(spec));
    ASSERT_EQ(clip.status, SIMMER_OK);
    for (const double time : timesOf(spec)) {
      const std::vector<simmer_transform> pose = poseOf(clip, time);
      for (std::uint32_t joint = 0; joint < pose.size(); ++joint) {
        const simmer_transform alone = clip.joint(time, joint);
        ASSERT_EQ(std::memcmp(&alone, &pose[joint], sizeof alone), 0) << time << " " << joint;
      }
    }
  }
}

TEST(SplineSample, ASubsetIsTheSameAsThePoseAndLeavesTheOthers) {
  const simmer_transform untouched = {{7, 7, 7}, {7, 7, 7, 7}, {7, 7, 7}};
  std::uint32_t state = 1;
  for (const SplineClipSpec& spec : everySpec())
    for (std::uint32_t share = 0; share <= 4; ++share) {
      const Loaded clip(writeSplineSpec(spec));
      const std::vector<simmer_transform> pose = poseOf(clip, 0.7);
      std::vector<std::uint32_t> mask((pose.size() + 31) / 32, 0);
      for (std::size_t i = 0; i < pose.size(); ++i)
        if (((state = state * 1664525 + 1013904223) >> 16) % 4 < share) mask[i / 32] |= 1u << i % 32;
      std::vector<simmer_transform> some(pose.size(), untouched);
      simmer_clip_sample_joints(clip.clip, 0.7 / spec.rate, mask.data(), some.data());
      for (std::size_t i = 0; i < pose.size(); ++i) {
        const bool wanted = (mask[i / 32] >> i % 32 & 1) != 0;
        ASSERT_EQ(std::memcmp(&some[i], wanted ? &pose[i] : &untouched, sizeof untouched), 0) << i;
      }
    }
}

TEST(SplineSample, TimesOutsideAreClamped) {
  const SplineClipSpec spec = randomSpline(77, 20, 30, 2);
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto same = [&](double a, double b) {
    const std::vector<simmer_transform> left = poseOf(clip, a), right = poseOf(clip, b);
    return std::memcmp(left.data(), right.data(), left.size() * sizeof left[0]) == 0;
  };
  for (const double before : {-1.0, -infinity, std::numeric_limits<double>::quiet_NaN()}) EXPECT_TRUE(same(before, 0));
  for (const double behind : {29.5, 1e300, infinity}) EXPECT_TRUE(same(behind, 29));
  EXPECT_TRUE(same(3 - 0.9e-6, 3)) << "within a millionth of a frame";
  EXPECT_FALSE(same(3, 3.25));
}

TEST(SplineSample, HeldValuesHoldUntilTheNextKnot) {
  const Loaded clip(writeSplineSpec(byHand(KnotKind::Hold, 4, {true, false, true, true}, {20, 50, 90})));
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (const auto& [time, value] : {std::pair{0.0, 10}, {1.9, 10}, {2.0, 40}, {2.99, 40}, {3.0, 80}})
    EXPECT_EQ(clip.joint(time, 0).translation[0], static_cast<float>(value)) << time;
  EXPECT_EQ(clip.joint(1, 0).translation[1], 3) << "no width: the bias alone";
}

TEST(SplineSample, LinesBetweenKnots) {
  // Cells of one half frame: knots at 0, 2 and 5 half frames, and at the end, 6.
  SplineClipSpec spec = byHand(KnotKind::TreeLinear, 4, {true, false, true, true, true, false}, {10, 30, 60, 90, 110});
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (const auto& [time, value] :
       {std::pair{0.0, 0.0}, {0.5, 10}, {1.0, 20}, {1.25, 35}, {1.5, 50}, {2.0, 80}, {2.5, 90}, {3.0, 100}})
    EXPECT_FLOAT_EQ(clip.joint(time, 0).translation[0], static_cast<float>(value)) << time;
}

TEST(SplineSample, CubicSplinesReproduceALine) {
  // Control points of a line stand at the means of three knots. Knots at 0, 4, 6, 8 and, at the end, 10.
  std::vector<bool> cells(10, false);
  for (const std::size_t cell : {0, 4, 6, 8}) cells[cell] = true;
  SplineClipSpec spec = byHand(KnotKind::TreeCubic, 6, cells, {});
  const double knots[] = {-8, -4, 0, 4, 6, 8, 10, 12, 14};
  for (unsigned i = 0; i < 7; ++i)
    spec.joints[0][1].track.points.push_back(
        {static_cast<std::uint32_t>(100 + 3 * (knots[i] + knots[i + 1] + knots[i + 2])), 0, 0, 0});
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  for (double time = 0; time <= 5; time += 0.125)
    EXPECT_NEAR(clip.joint(time, 0).translation[0], 90 + 18 * time, 1e-4) << time;
}

TEST(SplineSample, RotationVectorsUpToTheirLongest) {
  // Each frame holds another vector, up to 3.4 long.
  SplineClipSpec spec = byHand(KnotKind::Hold, 400, std::vector<bool>(400, true), {});
  SplinePart& part = spec.joints[0][0];
  std::swap(part, spec.joints[0][1]);
  part.track.widths = {16, 16, 16, 0};
  part.track.exponent = 4 * (40 - 14) + 1;  // a step of 1.19 / 16384 radians
  part.track.mean = {3, {2047, 2047, 2047}};
  for (unsigned i = 0; i < 400; ++i)
    part.track.points.push_back({32768 + i * 80, 32768 - i * 70, 32768 + (i % 7) * 1500, 0});
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  const SplineReference reference(spec);
  for (unsigned frame = 0; frame < 400; ++frame) {
    const simmer_transform pose = clip.joint(frame, 0);
    const std::vector<double> expected = reference.part(0, 0, frame);
    for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(pose.rotation[i], expected[i], 1e-6) << frame << " " << i;
  }
}

TEST(SplineSample, FarRotationsAreOfUnitLength) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SplineClipSpec spec = randomSpline(500 + seed, 30, 20, 0);
    for (auto& joint : spec.joints) joint[0].track.exponent = static_cast<std::int32_t>(seed * 255 / 49);
    const Loaded clip(writeSplineSpec(spec));
    ASSERT_EQ(clip.status, SIMMER_OK);
    for (const double time : timesOf(spec))
      for (const simmer_transform& joint : poseOf(clip, time)) {
        double square = 0;
        for (const float v : joint.rotation) square += static_cast<double>(v) * v;
        ASSERT_NEAR(square, 1, 2e-6) << seed;
      }
  }
}

}  // namespace
}  // namespace simmer::animation::test
