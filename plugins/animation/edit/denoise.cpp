#include <algorithm>
#include <cmath>

#include "plugins/animation/edit/edit.h"
#include "plugins/animation/edit/low_pass.h"
#include "plugins/animation/edit/to_float.h"

namespace simmer::animation {
namespace {

constexpr std::uint32_t kFewestFrames = 4;
// A rotation that spins faster than the cut-off averages out to a quaternion of no direction: it stays as it is.
constexpr double kNoDirection = 1e-3;

bool isConstant(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

class Denoiser {
 public:
  Denoiser(Clip& clip, double cutOffHz) : m_clip(clip), m_filter(cutOffHz, clip.rateHz) {}

  void joint(std::size_t joint);
  void scalar(ScalarTrack& track) const;

 private:
  void vector(std::size_t joint, std::array<float, 3> Transform::*part);
  void rotation(std::size_t joint);
  void piece(std::size_t joint, std::uint32_t begin, std::uint32_t end);

  Clip& m_clip;
  LowPass m_filter;
};

void Denoiser::joint(std::size_t joint) {
  if (!m_clip.steps(joint, Channel::Translation)) vector(joint, &Transform::translation);
  if (!m_clip.steps(joint, Channel::Scale)) vector(joint, &Transform::scale);
  if (!m_clip.steps(joint, Channel::Rotation)) rotation(joint);
}

void Denoiser::vector(std::size_t joint, std::array<float, 3> Transform::*part) {
  std::vector<double> values(m_clip.frames);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::uint32_t frame = 0; frame < m_clip.frames; ++frame)
      values[frame] = static_cast<double>((m_clip.pose(frame, joint).*part)[axis]);
    if (isConstant(values)) continue;
    m_filter.apply(values);
    for (std::uint32_t frame = 0; frame < m_clip.frames; ++frame)
      (m_clip.pose(frame, joint).*part)[axis] = toFloat(values[frame]);
  }
}

void Denoiser::rotation(std::size_t joint) {
  std::uint32_t begin = 0;
  for (std::uint32_t end = 1; end <= m_clip.frames; ++end) {
    if (end < m_clip.frames && !turnsFar(m_clip.pose(end - 1, joint), m_clip.pose(end, joint))) continue;
    if (end - begin >= kFewestFrames) piece(joint, begin, end);
    begin = end;
  }
}

/// Between two cuts.
void Denoiser::piece(std::size_t joint, std::uint32_t begin, std::uint32_t end) {
  std::array<std::vector<double>, 4> components;
  Quaternion before{};
  for (std::uint32_t frame = begin; frame < end; ++frame) {
    const auto& r = m_clip.pose(frame, joint).rotation;
    Quaternion q{r[0], r[1], r[2], r[3]};
    if (dot(q, before) < 0)
      for (double& value : q) value = -value;
    for (std::size_t i = 0; i < 4; ++i) components[i].push_back(q[i]);
    before = q;
  }
  if (std::all_of(components.begin(), components.end(), isConstant)) return;
  for (std::vector<double>& values : components) m_filter.apply(values);
  for (std::uint32_t frame = begin; frame < end; ++frame) {
    const std::size_t i = frame - begin;
    const Quaternion q{components[0][i], components[1][i], components[2][i], components[3][i]};
    if (!(dot(q, q) > kNoDirection * kNoDirection)) continue;
    const Quaternion unit = normalised(q);
    for (std::size_t c = 0; c < 4; ++c) m_clip.pose(frame, joint).rotation[c] = static_cast<float>(unit[c]);
  }
}

void Denoiser::scalar(ScalarTrack& track) const {
  std::vector<double> values(track.values.begin(), track.values.end());
  if (track.step || isConstant(values)) return;
  const auto [low, high] = std::minmax_element(track.values.begin(), track.values.end());
  const float least = *low, most = *high;
  m_filter.apply(values);
  // A morph weight that overshoots its step would show what no shape was made for.
  for (std::size_t frame = 0; frame < values.size(); ++frame)
    track.values[frame] = std::clamp(toFloat(values[frame]), least, most);
}

}  // namespace

Result<void> denoise(Clip& clip, double cutOffHz, Context& context) {
  if (clip.frames < kFewestFrames) return {};
  if (!(cutOffHz < clip.rateHz / 2))
    return fail(ErrorCode::InvalidInput,
                "denoise at {} Hz, a clip of {:.6g} frames a second has nothing above {:.6g} Hz", cutOffHz, clip.rateHz,
                clip.rateHz / 2);
  Denoiser denoiser(clip, cutOffHz);
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled while the clip was denoised");
    denoiser.joint(joint);
  }
  for (ScalarTrack& track : clip.scalars) denoiser.scalar(track);
  return {};
}

}  // namespace simmer::animation
