#include "plugins/animation/codec/article/sampler.h"

#include <algorithm>

#include "plugins/animation/codec/article/curve.h"

namespace simmer::animation::article {

Sampler::Sampler(const Plan& plan)
    : m_cubic(plan.stages.interpolation == Interpolation::Cubic), m_quantised(plan.stages.quantise) {
  for (const ScalarPlan& track : plan.scalars) {
    m_scalars.push_back({static_cast<std::uint32_t>(m_frames.size()), static_cast<std::uint32_t>(track.keys.size()),
                         static_cast<float>(track.decoded(0)), static_cast<float>(track.low),
                         static_cast<float>(track.range) / 65535.0});
    for (const std::uint32_t key : track.keys) m_frames.push_back(static_cast<std::uint16_t>(key));
    if (m_quantised) {
      m_quantised16.insert(m_quantised16.end(), track.quantised.begin(), track.quantised.end());
    } else {
      for (const double value : track.values) m_values.push_back(static_cast<float>(value));
    }
  }
  for (const RotationPlan& track : plan.rotations) {
    m_rotations.push_back(
        {static_cast<std::uint32_t>(m_rotationFrames.size()), static_cast<std::uint32_t>(track.keys.size()), 0, 0, 0});
    for (const std::uint32_t key : track.keys) m_rotationFrames.push_back(static_cast<std::uint16_t>(key));
    for (const Quaternion& q : track.decoded())
      m_quaternions.push_back(
          {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])});
  }
}

namespace {

/// The last of `count` rising frames that is not behind `time`, and has a next one.
std::uint32_t search(const std::uint16_t* frames, std::uint32_t count, double time) {
  const auto whole = static_cast<std::uint32_t>(time);
  std::uint32_t low = 0, high = count - 1;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (frames[middle] <= whole ? low : high) = middle;
  }
  return low;
}

}  // namespace

double Sampler::stored(const Track& track, std::uint32_t key) const {
  const std::uint32_t at = track.first + key;
  return m_quantised ? track.low + track.step * m_quantised16[at] : static_cast<double>(m_values[at]);
}

Sampler::Span Sampler::spanAt(const Track& track, std::uint32_t before, double time) const {
  const std::uint16_t* frames = &m_frames[track.first + before];
  const double length = frames[1] - frames[0];
  return {before, (time - frames[0]) / length, length};
}

double Sampler::scalarIn(const Track& track, const Span& span) const {
  const std::uint32_t k = span.before;
  const double p0 = stored(track, k), p1 = stored(track, k + 1);
  if (!m_cubic) return p0 + (p1 - p0) * span.u;
  const std::uint16_t* frames = &m_frames[track.first];
  const std::uint32_t earlier = k == 0 ? 0 : k - 1, later = std::min(k + 2, track.count - 1);
  const double m0 = (p1 - stored(track, earlier)) / (frames[k + 1] - frames[earlier]) * span.frames;
  const double m1 = (stored(track, later) - p0) / (frames[later] - frames[k]) * span.frames;
  return HermiteWeights(span.u).mix(p0, m0, p1, m1);
}

float Sampler::scalarAt(const Track& track, double time) const {
  if (track.count == 1) return track.constant;
  return static_cast<float>(scalarIn(track, spanAt(track, search(&m_frames[track.first], track.count, time), time)));
}

std::array<float, 4> Sampler::rotationAt(const Track& track, double time) const {
  const std::uint16_t* frames = &m_rotationFrames[track.first];
  const std::array<float, 4>* keys = &m_quaternions[track.first];
  if (track.count == 1) return keys[0];
  const std::uint32_t k = search(frames, track.count, time);
  const double length = frames[k + 1] - frames[k];
  const double u = (time - frames[k]) / length;
  const std::uint32_t earlier = k == 0 ? 0 : k - 1, later = std::min(k + 2, track.count - 1);
  const double toFirst = length / (frames[k + 1] - frames[earlier]), toSecond = length / (frames[later] - frames[k]);
  const HermiteWeights weights(u);
  Quaternion q;
  for (std::size_t i = 0; i < 4; ++i) {
    const double p0 = keys[k][i], p1 = keys[k + 1][i];
    q[i] = m_cubic ? weights.mix(p0, (p1 - keys[earlier][i]) * toFirst, p1, (keys[later][i] - p0) * toSecond)
                   : p0 + (p1 - p0) * u;
  }
  q = normalised(q);
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

void Sampler::sampleScalars(double time, float* values) const {
  for (std::size_t i = 0; i < m_scalars.size(); ++i) values[i] = scalarAt(m_scalars[i], time);
}

void Sampler::sampleScalars(double time, float* values, std::vector<std::uint32_t>& cursors) const {
  for (std::size_t i = 0; i < m_scalars.size(); ++i) {
    const Track& track = m_scalars[i];
    if (track.count == 1) {
      values[i] = track.constant;
      continue;
    }
    const std::uint16_t* frames = &m_frames[track.first];
    std::uint32_t key = frames[cursors[i]] > time ? 0 : cursors[i];
    while (key + 2 < track.count && frames[key + 1] <= time) ++key;
    cursors[i] = key;
    values[i] = static_cast<float>(scalarIn(track, spanAt(track, key, time)));
  }
}

void Sampler::sample(double time, Transform* pose) const {
  for (std::size_t joint = 0; joint < m_rotations.size(); ++joint) {
    for (std::size_t part = 0; part < 6; ++part) {
      const float value = scalarAt(m_scalars[6 * joint + part], time);
      (part < 3 ? pose[joint].translation[part] : pose[joint].scale[part - 3]) = value;
    }
    pose[joint].rotation = rotationAt(m_rotations[joint], time);
  }
}

}  // namespace simmer::animation::article
