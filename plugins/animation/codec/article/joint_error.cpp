#include "plugins/animation/codec/article/joint_error.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/codec/article/curve.h"

namespace simmer::animation::article {

JointErrorMeter::JointErrorMeter(const DoubleClip& reference) : m_reference(reference.frames * reference.joints()) {
  for (std::uint32_t frame = 0; frame < reference.frames; ++frame)
    place(reference, frame, &m_reference[frame * reference.joints()]);
}

void JointErrorMeter::place(const DoubleClip& clip, std::uint32_t frame, Placed* out) {
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    Vector3 offset;
    for (std::size_t axis = 0; axis < 3; ++axis) offset[axis] = clip.translation(joint, axis)[frame];
    const Quaternion& rotation = clip.rotation(joint)[frame];
    const std::int32_t parentOrNone = clip.skeleton->parents[joint];
    if (parentOrNone < 0) {
      out[joint] = {offset, rotation};
      continue;
    }
    const auto parent = static_cast<std::size_t>(parentOrNone);
    for (std::size_t axis = 0; axis < 3; ++axis) offset[axis] *= clip.scale(parent, axis)[frame];
    const Vector3 turned = rotate(out[parent].rotation, offset);
    for (std::size_t axis = 0; axis < 3; ++axis) out[joint].position[axis] = out[parent].position[axis] + turned[axis];
    out[joint].rotation = multiply(out[parent].rotation, rotation);
  }
}

JointError JointErrorMeter::measure(const DoubleClip& decoded) const {
  JointError error;
  if (m_reference.empty()) return error;
  std::vector<Placed> actual(decoded.joints());
  double sum = 0, smallestCosine = 1;
  for (std::uint32_t frame = 0; frame < decoded.frames; ++frame) {
    place(decoded, frame, actual.data());
    const Placed* expected = &m_reference[frame * actual.size()];
    for (std::size_t joint = 0; joint < actual.size(); ++joint) {
      const auto &a = expected[joint].position, &b = actual[joint].position;
      const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
      const double distance = std::sqrt(x * x + y * y + z * z);
      error.maxM = std::max(error.maxM, distance);
      sum += distance;
      smallestCosine = std::min(smallestCosine, std::abs(dot(expected[joint].rotation, actual[joint].rotation)));
    }
  }
  error.meanM = sum / static_cast<double>(m_reference.size());
  error.maxDegrees = degreesOfCosine(smallestCosine);
  return error;
}

}  // namespace simmer::animation::article
