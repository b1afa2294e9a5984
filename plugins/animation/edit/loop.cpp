#include <algorithm>
#include <cmath>

#include "plugins/animation/edit/edit.h"
#include "plugins/animation/edit/to_float.h"

namespace simmer::animation {
namespace {

// Metres, parts of a quaternion and of a scale: an exporter's rounding makes no two poses.
constexpr float kSame = 1e-5f;

template <std::size_t kCount>
bool same(const std::array<float, kCount>& a, const std::array<float, kCount>& b, float sign = 1) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (!(std::abs(a[i] - sign * b[i]) <= kSame)) return false;
  return true;
}

bool isRoot(const Clip& clip, std::size_t joint) {
  return clip.skeleton->parents[joint] < 0;
}

bool endsAsItBegins(const Clip& clip) {
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const Transform &first = clip.pose(0, joint), &last = clip.pose(clip.frames - 1, joint);
    if (!same(first.rotation, last.rotation) && !same(first.rotation, last.rotation, -1)) return false;
    if (!same(first.scale, last.scale) || (!isRoot(clip, joint) && !same(first.translation, last.translation)))
      return false;
  }
  return std::all_of(clip.scalars.begin(), clip.scalars.end(), [](const ScalarTrack& track) {
    return std::abs(track.values.back() - track.values.front()) <= kSame;
  });
}

/// The first pose at the last frame, but for the translation of roots.
void endWithFirstPose(Clip& clip) {
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    Transform& last = clip.pose(clip.frames - 1, joint);
    const auto translation = last.translation;
    last = clip.pose(0, joint);
    if (isRoot(clip, joint)) last.translation = translation;
  }
  for (ScalarTrack& track : clip.scalars) track.values.back() = track.values.front();
}

/// Spreads what is missing between the ends of one number evenly.
template <class At>
void spread(std::uint32_t frames, At at) {
  const double missing = static_cast<double>(at(0)) - static_cast<double>(at(frames - 1));
  if (missing == 0) return;
  for (std::uint32_t frame = 1; frame + 1 < frames; ++frame)
    at(frame) = toFloat(static_cast<double>(at(frame)) + missing * (frame / (frames - 1.0)));
}

void spreadVector(Clip& clip, std::size_t joint, std::array<float, 3> Transform::*part) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    spread(clip.frames, [&](std::uint32_t frame) -> float& { return (clip.pose(frame, joint).*part)[axis]; });
}

Quaternion rotationOf(const Transform& t) {
  return normalised({t.rotation[0], t.rotation[1], t.rotation[2], t.rotation[3]});
}

/// In the joint's own axes, so that a wrist that ends twisted is twisted back about the forearm wherever it is.
void spreadRotation(Clip& clip, std::size_t joint) {
  const Quaternion first = rotationOf(clip.pose(0, joint)), last = rotationOf(clip.pose(clip.frames - 1, joint));
  const Quaternion missing = multiply({-last[0], -last[1], -last[2], last[3]}, first);
  if (missing[0] == 0 && missing[1] == 0 && missing[2] == 0) return;
  const Arc way({0, 0, 0, 1}, missing);
  for (std::uint32_t frame = 1; frame + 1 < clip.frames; ++frame) {
    Transform& pose = clip.pose(frame, joint);
    const Quaternion q = normalised(multiply(rotationOf(pose), way.at(frame / (clip.frames - 1.0))));
    for (std::size_t i = 0; i < 4; ++i) pose.rotation[i] = static_cast<float>(q[i]);
  }
}

}  // namespace

void closeLoop(Clip& clip) {
  if (clip.frames == 1) return;
  if (!endsAsItBegins(clip)) {
    const std::size_t last = std::size_t{clip.frames - 1} * clip.joints();
    const std::size_t joints = clip.joints();
    ++clip.frames;
    clip.poses.resize(clip.poses.size() + joints);
    for (std::size_t joint = 0; joint < joints; ++joint) {
      const bool goesOn = !clip.steps(joint, Channel::Translation);
      const auto &now = clip.poses[last + joint].translation, &before = clip.poses[last - joints + joint].translation;
      for (std::size_t axis = 0; axis < 3; ++axis)
        clip.poses[last + joints + joint].translation[axis] =
            goesOn ? now[axis] + (now[axis] - before[axis]) : now[axis];
    }
    for (ScalarTrack& track : clip.scalars) track.values.push_back(track.values.front());
  }
  endWithFirstPose(clip);
}

void blendLoop(Clip& clip) {
  if (clip.frames == 1) return;
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    if (!clip.steps(joint, Channel::Translation) && !isRoot(clip, joint))
      spreadVector(clip, joint, &Transform::translation);
    if (!clip.steps(joint, Channel::Scale)) spreadVector(clip, joint, &Transform::scale);
    if (!clip.steps(joint, Channel::Rotation)) spreadRotation(clip, joint);
  }
  for (ScalarTrack& track : clip.scalars) {
    if (track.step) continue;
    const auto [low, high] = std::minmax_element(track.values.begin(), track.values.end());
    const float least = *low, most = *high;
    spread(clip.frames, [&](std::uint32_t frame) -> float& { return track.values[frame]; });
    for (float& value : track.values) value = std::clamp(value, least, most);
  }
  endWithFirstPose(clip);
}

}  // namespace simmer::animation
