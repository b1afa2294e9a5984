#include "plugins/animation/codec/spline/parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simmer::animation::spline {
namespace {

constexpr double kStill = 0.02;        // of the tolerance: less motion than this is none
constexpr double kConstantSteps = 16;  // constants are rounded to this part of the tolerance
constexpr double kWidestSwing = 2.9;   // radians; beyond it a rotation is coded as a quaternion
constexpr double kStraight = 0.2;      // of the tolerance: eight times what a straight line may be off a turn
constexpr unsigned kFewestMeanBits = 6;
constexpr double kMostInteger = 1 << 30;  // of a constant

Quaternion rotationOf(const Transform& t) {
  return normalised({t.rotation[0], t.rotation[1], t.rotation[2], t.rotation[3]});
}

/// The exponent of the largest step that is at most `step`, and with which integers reach `farthest`.
std::uint32_t exponentOf(double step, double farthest) {
  std::uint32_t exponent = exponentAtMost(step);
  while (exponent < 255 && static_cast<double>(runtime::stepOf(exponent)) * kMostInteger <= farthest) ++exponent;
  return exponent;
}

unsigned bitsFor(double ratio) {
  unsigned bits = 0;
  while (bits < 30 && ratio > 1) {
    ratio /= 2;
    ++bits;
  }
  return bits;
}

class Taker {
 public:
  Taker(const WorldPoses& reference, const Field& field, const PartOptions& options)
      : m_reference(reference),
        m_clip(reference.clip()),
        m_field(field),
        m_options(options),
        m_last(2 * (static_cast<std::int32_t>(m_clip.frames) - 1)) {}

  Parts take();

 private:
  void findScales();
  void choosePrecision();
  void takeRotation(std::size_t joint);
  void takeVector(std::size_t joint, Part part);
  Track startTrack(std::size_t joint, Part part) const;
  std::vector<Quaternion> alignedRotations(std::size_t joint) const;
  bool followMean(Track& track, const std::vector<Quaternion>& rotations) const;
  void followBetween(Track& track, const std::vector<Quaternion>& relatives) const;
  Quaternion middleOf(const std::vector<Quaternion>& rotations) const;
  void spread(Track& track, const std::vector<double>& frames) const;

  const WorldPoses& m_reference;
  const Clip& m_clip;
  const Field& m_field;
  const PartOptions& m_options;
  std::int32_t m_last;
  std::vector<double> m_parentScale;  // largest axis of the parent's world scale, over time
  Parts m_parts;
  std::vector<Track> m_ordered[4];
};

void Taker::findScales() {
  std::vector<Affine> scratch;
  m_parentScale.assign(m_clip.joints(), 1e-12);
  const std::uint32_t stride = std::max(1u, m_clip.frames / 64);
  for (std::uint32_t frame = 0; frame < m_clip.frames; frame += stride) {
    const Affine* const world = m_reference.at(std::size_t{2} * frame, scratch);
    for (std::size_t joint = 0; joint < m_clip.joints(); ++joint) {
      const std::int32_t parent = m_clip.skeleton->parents[joint];
      const double scale = parent < 0 ? 1 : world[static_cast<std::size_t>(parent)].largestAxis();
      m_parentScale[joint] = std::max(m_parentScale[joint], scale);
    }
  }
}

void Taker::choosePrecision() {
  double lever = 1e-6, scale = 1e-12, perScale = 1e-12, farthest = 0, largest = 0;
  for (std::size_t joint = 0; joint < m_clip.joints(); ++joint) {
    lever = std::max(lever, m_field.lever(joint));
    scale = std::max(scale, m_parentScale[joint] * m_field.weight(joint));
    const auto& s = m_clip.poses[joint].scale;
    const double smallest = std::min({std::abs(s[0]), std::abs(s[1]), std::abs(s[2])});
    if (smallest > 1e-6) perScale = std::max(perScale, m_field.lever(joint) / smallest);
    for (std::size_t i = 0; i < 3; ++i) {
      farthest = std::max(farthest, std::abs(static_cast<double>(m_clip.poses[joint].translation[i])));
      largest = std::max(largest, std::abs(static_cast<double>(s[i]) - 1));
    }
  }
  runtime::SplineGlobals& globals = m_parts.globals;
  globals.meanBits =
      std::clamp(bitsFor(4 * lever / m_options.toleranceM), kFewestMeanBits, runtime::kMostQuaternionBits);
  globals.constantBits =
      std::clamp(bitsFor(kConstantSteps * lever / m_options.toleranceM), kFewestMeanBits, runtime::kMostConstantBits);
  globals.translationExponent = exponentOf(m_options.toleranceM / kConstantSteps / scale, farthest);
  globals.scaleExponent = exponentOf(m_options.toleranceM / kConstantSteps / perScale, largest);
}

Track Taker::startTrack(std::size_t joint, Part part) const {
  Track track;
  track.part = part;
  track.joint = joint;
  track.held = m_clip.steps(joint, part == Part::Rotation      ? Channel::Rotation
                                   : part == Part::Translation ? Channel::Translation
                                                               : Channel::Scale);
  return track;
}

/// Every frame's rotation on its predecessor's half of the sphere.
std::vector<Quaternion> Taker::alignedRotations(std::size_t joint) const {
  std::vector<Quaternion> rotations(m_clip.frames);
  for (std::uint32_t frame = 0; frame < m_clip.frames; ++frame) {
    rotations[frame] = rotationOf(m_clip.pose(frame, joint));
    if (frame > 0 && dot(rotations[frame], rotations[frame - 1]) < 0)
      for (double& value : rotations[frame]) value = -value;
  }
  return rotations;
}

/// The rotation in the middle of the range of the rotation vectors, which keeps the fields of control points narrow.
Quaternion Taker::middleOf(const std::vector<Quaternion>& rotations) const {
  Quaternion middle{0, 0, 0, 0};
  for (const Quaternion& q : rotations)
    for (std::size_t i = 0; i < 4; ++i) middle[i] += q[i];
  middle = dot(middle, middle) > 1e-6 ? normalised(middle) : rotations[0];
  for (int round = 0; round < (m_options.quick ? 1 : 3); ++round) {
    Vector3 low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
    for (const Quaternion& q : rotations) {
      Quaternion relative = multiply(conjugate(middle), q);
      if (relative[3] < 0)
        for (double& value : relative) value = -value;
      const Vector3 v = logarithm(relative);
      for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], v[i]);
        high[i] = std::max(high[i], v[i]);
      }
    }
    middle = normalised(
        multiply(middle, exponential({(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2})));
  }
  return middle;
}

/// The values of frames at half frames too: between them a straight line, or the earlier one.
void Taker::spread(Track& track, const std::vector<double>& frames) const {
  const std::size_t n = track.components;
  for (std::size_t h = 0; h <= static_cast<std::size_t>(m_last); ++h)
    for (std::size_t c = 0; c < n; ++c) {
      const double from = frames[h / 2 * n + c];
      const bool between = h % 2 != 0 && !track.held;
      track.signal.push_back(between ? (from + frames[(h / 2 + 1) * n + c]) / 2 : from);
    }
}

/// The rotation vectors from the mean; false where they reach too far to be followed.
bool Taker::followMean(Track& track, const std::vector<Quaternion>& rotations) const {
  track.components = 3;
  track.signal.resize((static_cast<std::size_t>(m_last) + 1) * 3);
  std::vector<Quaternion> relatives(rotations.size());
  Quaternion before{0, 0, 0, 1};
  for (std::size_t h = 0; h <= static_cast<std::size_t>(m_last); ++h) {
    const bool between = h % 2 != 0 && !track.held;
    if (between && m_options.quick) continue;
    Quaternion q = rotations[h / 2];
    if (between) {
      for (std::size_t i = 0; i < 4; ++i) q[i] += rotations[h / 2 + 1][i];
      q = normalised(q);
    }
    Quaternion relative = multiply(conjugate(track.meanRotation), q);
    if (track.held ? relative[3] < 0 : dot(relative, before) < 0)
      for (double& value : relative) value = -value;
    before = relative;
    if (!between) relatives[h / 2] = relative;
    const Vector3 v = logarithm(relative);
    const double angle = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (angle > (track.held ? 3.2 : kWidestSwing)) return false;
    std::copy_n(v.data(), 3, &track.signal[3 * h]);
  }
  if (m_options.quick && !track.held) followBetween(track, relatives);
  return true;
}

/// The half frames of rotation vectors: in the middle of the vectors, but where turns are so large that this is not the
/// middle of the turn.
void Taker::followBetween(Track& track, const std::vector<Quaternion>& relatives) const {
  const double most = kStraight * m_options.toleranceM / track.metresPerUnit;
  for (std::size_t frame = 0; frame + 1 < relatives.size(); ++frame) {
    double* const v = &track.signal[6 * frame];
    double apart = 0, reach = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      apart += (v[6 + c] - v[c]) * (v[6 + c] - v[c]);
      reach += v[c] * v[c] + v[6 + c] * v[6 + c];
    }
    // The two middles are apart by the square of the turn between, times the turn from the mean.
    if (apart * apart * (reach + apart) > most * most) {
      Quaternion q = relatives[frame];
      for (std::size_t i = 0; i < 4; ++i) q[i] += relatives[frame + 1][i];
      const Vector3 middle = logarithm(normalised(q));
      std::copy_n(middle.data(), 3, v + 3);
    } else {
      for (std::size_t c = 0; c < 3; ++c) v[3 + c] = (v[c] + v[6 + c]) / 2;
    }
  }
}

void Taker::takeRotation(std::size_t joint) {
  Track track = startTrack(joint, Part::Rotation);
  track.metresPerUnit = std::max(m_field.lever(joint), 1e-9);
  const std::vector<Quaternion> rotations = alignedRotations(joint);
  Transform& base = m_parts.base[joint];
  const Quaternion middle = middleOf(rotations);
  double most = 0;
  for (const Quaternion& q : rotations) {
    const Quaternion apart = multiply(conjugate(middle), q);
    most = std::max(most, apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
  }
  PartKind& kind = m_parts.kinds[joint][0];
  if (2 * std::sqrt(most) * track.metresPerUnit <= kStill * m_options.toleranceM || rotations.size() == 1) {
    const Quaternion usual = m_options.restDefaults ? rotationOf(m_clip.skeleton->rest[joint]) : Quaternion{0, 0, 0, 1};
    const Quaternion apart = multiply(conjugate(usual), middle);
    const double off = 2 * std::sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    if (off * track.metresPerUnit <= kStill * m_options.toleranceM) {
      kind = PartKind::Default;
      return;
    }
    kind = PartKind::Constant;
    m_parts.constantRotations.push_back(packRotation(middle, m_parts.globals.constantBits));
    const auto& packed = m_parts.constantRotations.back();
    const Quaternion value = m_parts.globals.constantBits <= runtime::kPackedConstantBits
                                 ? unpackMean(packed, m_parts.globals.constantBits)
                                 : unpackRotation(packed, m_parts.globals.constantBits);
    for (std::size_t i = 0; i < 4; ++i) base.rotation[i] = static_cast<float>(value[i]);
    return;
  }
  track.mean = packRotation(middle, m_parts.globals.meanBits);
  track.meanRotation = unpackMean(track.mean, m_parts.globals.meanBits);
  kind = PartKind::Spline;
  if (!followMean(track, rotations)) {
    kind = PartKind::Quaternion;
    track.quaternion = true;
    track.components = 4;
    track.metresPerUnit *= 2;
    track.signal.clear();
    std::vector<double> values;
    for (const Quaternion& q : rotations) values.insert(values.end(), q.begin(), q.end());
    spread(track, values);
  }
  m_ordered[track.quaternion ? 1 : 0].push_back(std::move(track));
}

void Taker::takeVector(std::size_t joint, Part part) {
  const bool scale = part == Part::Scale;
  Track track = startTrack(joint, part);
  std::vector<double> values;
  Vector3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  double largest = 1e-6;
  for (std::uint32_t frame = 0; frame < m_clip.frames; ++frame)
    for (std::size_t i = 0; i < 3; ++i) {
      const Transform& pose = m_clip.pose(frame, joint);
      const double value = scale ? static_cast<double>(pose.scale[i]) - 1 : static_cast<double>(pose.translation[i]);
      values.push_back(value);
      low[i] = std::min(low[i], value);
      high[i] = std::max(high[i], value);
      largest = std::max(largest, std::abs(value + 1));
    }
  track.metresPerUnit =
      scale ? std::max(m_field.lever(joint), 1e-9) / largest : m_parentScale[joint] * m_field.weight(joint);
  double range = 0;
  for (std::size_t i = 0; i < 3; ++i) range = std::max(range, high[i] - low[i]);
  PartKind& kind = m_parts.kinds[joint][static_cast<unsigned>(part)];
  if (range * track.metresPerUnit > kStill * m_options.toleranceM && m_clip.frames > 1) {
    kind = PartKind::Spline;
    spread(track, values);
    m_ordered[scale ? 3 : 2].push_back(std::move(track));
    return;
  }
  const Transform& rest = m_clip.skeleton->rest[joint];
  const double step = runtime::stepOf(scale ? m_parts.globals.scaleExponent : m_parts.globals.translationExponent);
  std::array<std::int32_t, 3> rounded{};
  bool usual = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const double middle = (low[i] + high[i]) / 2;
    const double expected = !m_options.restDefaults ? 0 : scale ? rest.scale[i] - 1.0 : rest.translation[i];
    usual = usual && std::abs(middle - expected) * track.metresPerUnit <= kStill * m_options.toleranceM;
    rounded[i] = static_cast<std::int32_t>(std::clamp(std::floor(middle / step + 0.5), -kMostInteger, kMostInteger));
  }
  usual = usual || (!m_options.restDefaults && rounded == std::array<std::int32_t, 3>{});
  kind = usual ? PartKind::Default : PartKind::Constant;
  if (usual) return;
  auto& base = scale ? m_parts.base[joint].scale : m_parts.base[joint].translation;
  for (std::size_t i = 0; i < 3; ++i)
    base[i] = static_cast<float>(rounded[i]) * static_cast<float>(step) + (scale ? 1.0f : 0.0f);
  (scale ? m_parts.constantScales : m_parts.constantTranslations).push_back(rounded);
}

Parts Taker::take() {
  findScales();
  choosePrecision();
  m_parts.kinds.assign(m_clip.joints(), {PartKind::Default, PartKind::Default, PartKind::Default});
  m_parts.base.assign(m_clip.joints(), Transform{});
  if (m_options.restDefaults) m_parts.base = m_clip.skeleton->rest;
  for (std::size_t joint = 0; joint < m_clip.joints(); ++joint) {
    takeRotation(joint);
    takeVector(joint, Part::Translation);
    takeVector(joint, Part::Scale);
  }
  for (auto& tracks : m_ordered)
    for (Track& track : tracks) m_parts.tracks.push_back(std::move(track));
  return std::move(m_parts);
}

}  // namespace

std::uint32_t exponentAtMost(double step) {
  std::uint32_t exponent = 0;
  while (exponent + 1 < 1u << runtime::kExponentBits && static_cast<double>(runtime::stepOf(exponent + 1)) <= step)
    ++exponent;
  return exponent;
}

Motion::Kind Track::motionKind() const {
  if (part == Part::Rotation) return Motion::Kind::Turn;
  return part == Part::Translation ? Motion::Kind::Shift : Motion::Kind::Stretch;
}

Parts takeApart(const WorldPoses& reference, const Field& field, const PartOptions& options) {
  return Taker(reference, field, options).take();
}

void applyTrack(const Track& track, const double* value, Transform* pose) {
  Transform& out = pose[track.joint];
  if (track.part != Part::Rotation) {
    for (std::size_t i = 0; i < 3; ++i)
      (track.part == Part::Scale ? out.scale : out.translation)[i] =
          static_cast<float>(track.part == Part::Scale ? value[i] + 1 : value[i]);
    return;
  }
  const Quaternion q = track.quaternion ? normalised({value[0], value[1], value[2], value[3]})
                                        : multiply(track.meanRotation, exponential({value[0], value[1], value[2]}));
  for (std::size_t i = 0; i < 4; ++i) out.rotation[i] = static_cast<float>(q[i]);
}

}  // namespace simmer::animation::spline
