#include "tests/plugins/animation/codec/spline/hostile_clips.h"

#include <cmath>
#include <random>

#include "tests/plugins/animation/codec/test_clips.h"

namespace simmer::animation::test {
namespace {

constexpr double kPi = 3.14159265358979323846;

std::array<float, 4> about(Vector3 axis, double degrees) {
  const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double sine = std::sin(degrees * kPi / 360) / length;
  return {static_cast<float>(axis[0] * sine), static_cast<float>(axis[1] * sine), static_cast<float>(axis[2] * sine),
          static_cast<float>(std::cos(degrees * kPi / 360))};
}

Vector3 axisOf(std::size_t joint) {
  const auto j = static_cast<double>(joint);
  return {std::sin(j), std::cos(1.7 * j), std::sin(2.3 * j + 1)};
}

/// Every joint swings about an axis of its own.
void wave(Clip& clip, double degrees = 30, double cycles = 2) {
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      const double phase = 2 * kPi * cycles * frame / clip.frames + static_cast<double>(joint);
      clip.pose(frame, joint).rotation = about(axisOf(joint), degrees * std::sin(phase));
    }
}

Clip waving(std::size_t joints, std::uint32_t frames) {
  Clip clip = chain(joints, frames);
  wave(clip);
  return clip;
}

/// Another rest pose, which all frames but their rotations start from.
Clip withRest(Clip clip, float offset, float rootScale) {
  auto skeleton = std::make_shared<Skeleton>(*clip.skeleton);
  for (std::size_t joint = 0; joint < skeleton->size(); ++joint) {
    skeleton->rest[joint].translation = {0, joint == 0 ? 0 : offset, 0};
    if (joint == 0) skeleton->rest[joint].scale = {rootScale, rootScale, rootScale};
  }
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      clip.pose(frame, joint).translation = skeleton->rest[joint].translation;
      clip.pose(frame, joint).scale = skeleton->rest[joint].scale;
    }
  clip.skeleton = std::move(skeleton);
  return clip;
}

/// Joints that all stand at the root.
Clip roots(std::size_t joints, std::uint32_t frames) {
  Clip clip = chain(joints, frames);
  auto skeleton = std::make_shared<Skeleton>(*clip.skeleton);
  for (std::int32_t& parent : skeleton->parents) parent = -1;
  clip.skeleton = std::move(skeleton);
  return clip;
}

Clip spins() {
  Clip clip = chain(5, 61);
  constexpr double kDegreesAFrame[] = {6, 30, 80, 240, 360.0 / 61};  // 240: two turns in three frames
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < 5; ++joint)
      clip.pose(frame, joint).rotation = about(axisOf(joint), kDegreesAFrame[joint] * frame);
  return clip;
}

Clip twoTurnsInThreeFrames() {
  Clip clip = chain(3, 3);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    clip.pose(frame, 1).rotation = about({0, 0, 1}, 360.0 * frame);
  return clip;
}

/// The other quaternion of the same rotation, here and there.
Clip signs() {
  Clip clip = waving(4, 50);
  std::mt19937 random(5);
  for (Transform& pose : clip.poses)
    if (random() % 2 == 0)
      for (float& v : pose.rotation) v = -v;
  return clip;
}

Clip tumbling() {
  Clip clip = chain(4, 120);
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    Quaternion q{0, 0, 0, 1};
    for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
      const double f = frame * 0.13 + static_cast<double>(joint);
      const auto turn = about({std::sin(f), std::cos(0.7 * f), std::sin(1.3 * f)}, 15);
      q = normalised(multiply(q, {turn[0], turn[1], turn[2], turn[3]}));
      for (std::size_t i = 0; i < 4; ++i) clip.pose(frame, joint).rotation[i] = static_cast<float>(q[i]);
    }
  }
  return clip;
}

Clip flips() {
  Clip clip = chain(4, 40);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    clip.pose(frame, 1).rotation = about({1, 0, 0}, frame / 5 % 2 == 0 ? 0 : 180);
    clip.pose(frame, 2).rotation = about({0, 1, 0}, frame % 2 == 0 ? 10 : 189.9);
  }
  return clip;
}

Clip stepOnly() {
  Clip clip = chain(4, 60);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      Transform& pose = clip.pose(frame, joint);
      const auto key = static_cast<double>(frame / (3 + joint) * 7 % 11);
      pose.rotation = about(axisOf(joint), 31 * key);
      pose.translation[1] += static_cast<float>(0.1 * key);
      pose.scale[2] = static_cast<float>(1 + 0.05 * key);
    }
  clip.step.assign(clip.joints(), 7);
  return clip;
}

/// Held parts among those that are not.
Clip stepMixed() {
  Clip clip = stepOnly();
  wave(clip, 40, 3);
  clip.step = {0, 1 << static_cast<unsigned>(Channel::Rotation), 1 << static_cast<unsigned>(Channel::Translation), 4};
  return clip;
}

Clip extremes() {
  Clip clip = roots(6, 20);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    const float f = static_cast<float>(frame);
    clip.pose(frame, 0).translation = {1e30f, -1e30f, 1e30f * (1 + f / 100)};
    clip.pose(frame, 1).translation = {1e-40f * f, 1e-45f, -1e-38f};
    clip.pose(frame, 2).scale = {1e-38f, 1e-40f * f, 1};
    clip.pose(frame, 3).translation = {1e6f * f, 0, 0};
    clip.pose(frame, 4).scale = {3e4f, 3e4f + f, -3e4f};
    clip.pose(frame, 5).rotation = {1e-40f, -1e-45f, 0, 1};
  }
  return clip;
}

Clip farAway() {
  Clip clip = waving(3, 30);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    clip.pose(frame, 0).translation = {1000.0f + 0.01f * static_cast<float>(frame), 5, -2000};
  return clip;
}

Clip negativeScale() {
  Clip clip = waving(4, 40);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    clip.pose(frame, 1).scale = {-1, 1, 1};
    clip.pose(frame, 2).scale = {-0.5f, -2, -1 - 0.01f * static_cast<float>(frame)};
  }
  return clip;
}

Clip zeroScale() {
  Clip clip = waving(4, 40);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    clip.pose(frame, 1).scale = {0, 1, 1};
    clip.pose(frame, 2).scale = frame < 20 ? std::array<float, 3>{1, 1, 1} : std::array<float, 3>{0, 0, 0};
  }
  return clip;
}

Clip scaleThroughZero() {
  Clip clip = waving(3, 40);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    const float s = static_cast<float>(std::cos(0.3 * frame));
    clip.pose(frame, 0).scale = {s, s, s};
    clip.pose(frame, 1).scale = {1, s, 1};
  }
  return clip;
}

Clip atRate(double rateHz) {
  Clip clip = waving(5, 57);
  clip.rateHz = rateHz;
  return clip;
}

Clip noise() {
  Clip clip = chain(5, 50);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Transform& pose : clip.poses) {
    pose.rotation = about({uniform(random), uniform(random), uniform(random) + 2}, 90 * uniform(random));
    for (float& v : pose.translation) v += static_cast<float>(0.3 * uniform(random));
    for (float& v : pose.scale) v += static_cast<float>(0.3 * uniform(random));
  }
  return clip;
}

Clip crowd() {
  Clip clip = chain(500, 20);
  auto skeleton = std::make_shared<Skeleton>(*clip.skeleton);
  for (std::size_t joint = 1; joint < skeleton->size(); ++joint)
    skeleton->parents[joint] = static_cast<std::int32_t>((joint - 1) / 3);
  clip.skeleton = std::move(skeleton);
  wave(clip);
  return clip;
}

/// Of all kinds of movement, one after the other.
Clip longOne() {
  Clip clip = chain(10, 5000);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      const double t = frame / 30.0, j = static_cast<double>(joint);
      const double slow = std::sin(0.3 * t + j), quick = std::sin((2 + 0.2 * j) * t);
      clip.pose(frame, joint).rotation = about(axisOf(joint), frame / 500 % 3 == 0 ? 5 * slow : 25 * slow + 10 * quick);
      if (joint == 0) clip.pose(frame, joint).translation = {static_cast<float>(0.5 * t), 0, static_cast<float>(slow)};
    }
  return clip;
}

}  // namespace

const std::vector<HostileClip>& hostileClips() {
  static const std::vector<HostileClip> all{
      {"RootScale200", [] { return withRest(waving(5, 40), 0.002f, 200); }},
      {"OneCentimetre", [] { return withRest(waving(5, 40), 0.0025f, 1); }},
      {"Spins", spins},
      {"TwoTurnsInThreeFrames", twoTurnsInThreeFrames},
      {"Signs", signs},
      {"Tumbling", tumbling},
      {"Flips", flips},
      {"Chain60", [] { return waving(60, 40); }},
      {"StepOnly", stepOnly},
      {"StepMixed", stepMixed},
      {"Extremes", extremes},
      {"FarAway", farAway},
      {"Still", [] { return chain(5, 30); }},
      {"OneFrame", [] { return waving(5, 1); }},
      {"TwoFrames", [] { return waving(5, 2); }},
      {"ThreeFrames", [] { return waving(5, 3); }},
      {"NegativeScale", negativeScale},
      {"ZeroScale", zeroScale},
      {"ScaleThroughZero", scaleThroughZero},
      {"Rate119", [] { return atRate(119.875); }},
      {"Rate29", [] { return atRate(29.97); }},
      {"SlowRate", [] { return atRate(1e-3); }},
      {"Noise", noise},
      {"Crowd", crowd, true},
      {"Long", longOne, true},
  };
  return all;
}

}  // namespace simmer::animation::test
