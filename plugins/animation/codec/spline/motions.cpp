#include "plugins/animation/codec/spline/motions.h"

#include <algorithm>
#include <cmath>

namespace simmer::animation::spline {
namespace {

Vector3 apply(const Affine& map, const Vector3& v) {
  Vector3 out;
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = map.columns[0][i] * v[0] + map.columns[1][i] * v[1] + map.columns[2][i] * v[2];
  return out;
}

/// A change of a local rotation by a small turn, as a turn in the world: P · [t]x · P⁻¹ = [± P t / s]x where P is a
/// rotation or reflection with a uniform scale s. (With shear it is an estimate; the closed loop bounds what comes of
/// it.)
Vector3 turnInWorld(const Affine& parent, double perSize, const Vector3& turn) {
  Vector3 out = apply(parent, turn);
  for (double& value : out) value *= perSize;
  return out;
}

void rotationMotion(const Track& track, const Affine& parent, std::size_t h, std::size_t row, std::size_t stride,
                    float* motions) {
  const double* const signal = track.at(h);
  const double perSize = (parent.determinant() < 0 ? -1 : 1) / std::max(parent.largestAxis(), 1e-12);
  const Matrix3 jacobian = track.quaternion ? Matrix3{} : turnOfChange({signal[0], signal[1], signal[2]});
  for (unsigned c = 0; c < track.components; ++c) {
    Vector3 turn;
    if (track.quaternion) {
      const Quaternion q = normalised({signal[0], signal[1], signal[2], signal[3]});
      Quaternion change{0, 0, 0, 0};
      change[c] = 1;
      const Quaternion product = multiply(change, conjugate(q));
      turn = {2 * product[0], 2 * product[1], 2 * product[2]};
    } else {
      turn = rotate(track.meanRotation, {jacobian[c], jacobian[3 + c], jacobian[6 + c]});
    }
    const Vector3 world = turnInWorld(parent, perSize, turn);
    for (std::size_t i = 0; i < 3; ++i) motions[(c * 3 + i) * stride + row] = static_cast<float>(world[i]);
  }
}

/// A change of a scale by d takes a point from x to x + M · diag(d / s) · M⁻¹ · x with M the joint's axes in the world.
void scaleMotion(const Affine& joint, const Transform& pose, std::size_t row, std::size_t stride, float* motions) {
  const auto& m = joint.columns;
  const double volume = joint.determinant();
  if (std::abs(volume) < 1e-18) return;
  for (std::size_t c = 0; c < 3; ++c) {
    // Row c of the inverse: the cross product of the other two columns.
    const Vector3 &a = m[(c + 1) % 3], &b = m[(c + 2) % 3];
    const Vector3 inverse{(a[1] * b[2] - a[2] * b[1]) / volume, (a[2] * b[0] - a[0] * b[2]) / volume,
                          (a[0] * b[1] - a[1] * b[0]) / volume};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        motions[(c * 9 + i * 3 + j) * stride + row] = static_cast<float>(m[c][i] * inverse[j] / pose.scale[c]);
  }
}

/// Straight lines between two rows that are known.
void fillBetween(Track& track, std::size_t before, std::size_t after, std::size_t stride) {
  const float part = 1.0f / static_cast<float>(after - before);
  for (std::size_t i = 0; i < track.motions.size(); i += stride) {
    float* const motion = &track.motions[i];
    const float slope = (motion[after] - motion[before]) * part;
    for (std::size_t row = before + 1; row < after; ++row)
      motion[row] = motion[before] + slope * static_cast<float>(row - before);
  }
}

}  // namespace

void addMotions(const WorldPoses& reference, const Field& field, Parts& parts, std::size_t every) {
  const Clip& clip = reference.clip();
  const std::size_t stride = field.stride();
  for (Track& track : parts.tracks) track.motions.assign(track.components * track.motionParts() * stride, 0.0f);
  const bool scaled = std::ranges::any_of(parts.tracks, [](const Track& track) { return track.part == Part::Scale; });
  std::vector<Transform> pose(clip.joints());
  std::vector<Affine> scratch;
  const Affine ground;
  const std::size_t count = field.rows().count;
  for (std::size_t row = 0, before = 0; row < count; before = row, row = nextRow(row, every, count)) {
    const std::size_t h = field.rows().halfFrame(row);
    const Affine* const world = reference.at(h, scratch);
    if (scaled) samplePose(clip, static_cast<double>(h) / 2, pose.data());
    for (Track& track : parts.tracks) {
      const std::int32_t above = clip.skeleton->parents[track.joint];
      const Affine& parent = above < 0 ? ground : world[static_cast<std::size_t>(above)];
      if (track.part == Part::Rotation) {
        rotationMotion(track, parent, h, row, stride, track.motions.data());
      } else if (track.part == Part::Scale) {
        scaleMotion(world[track.joint], pose[track.joint], row, stride, track.motions.data());
      } else {
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t i = 0; i < 3; ++i)
            track.motions[(c * 3 + i) * stride + row] = static_cast<float>(parent.columns[c][i]);
      }
    }
    if (row - before > 1)
      for (Track& track : parts.tracks) fillBetween(track, before, row, stride);
  }
}

}  // namespace simmer::animation::spline
