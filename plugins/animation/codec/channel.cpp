#include "plugins/animation/codec/channel.h"

#include <algorithm>
#include <numeric>

#include "plugins/animation/codec/quantise.h"

namespace simmer::animation {
namespace {

using runtime::Interpolation;

// A refinement is made somewhat tighter than asked for, so that the search's next steps find it made.
constexpr double kAhead = 0.6;

Quaternion rotationAt(const ChannelPlace& place, std::uint32_t frame) {
  return normalised({place.at(frame, 0), place.at(frame, 1), place.at(frame, 2), place.at(frame, 3)});
}

Quaternion negated(const Quaternion& q) {
  return {-q[0], -q[1], -q[2], -q[3]};
}

std::size_t keysFor(const article::Refinement& refinement, double tolerance) {
  const auto met = std::ranges::find_if(refinement.worst, [&](double error) { return error <= tolerance; });
  const auto count = static_cast<std::size_t>(met - refinement.worst.begin());
  return std::min<std::size_t>(count, refinement.inserted.size()) + std::min<std::size_t>(refinement.frames, 2);
}

std::vector<double> scalarValues(const ChannelPlace& place) {
  std::vector<double> values(place.frames);
  for (std::uint32_t frame = 0; frame < place.frames; ++frame) values[frame] = place.at(frame);
  return values;
}

bool sameValue(const ChannelPlace& place, std::uint32_t a, std::uint32_t b) {
  if (!place.rotation) return place.at(a) == place.at(b);
  bool same = true, opposite = true;
  for (std::size_t i = 0; i < 4; ++i) {
    same = same && place.at(a, i) == place.at(b, i);
    opposite = opposite && place.at(a, i) == -place.at(b, i);
  }
  return same || opposite;
}

}  // namespace

ChannelEncoder::ChannelEncoder(const ChannelPlace& place, ArticleSettings::Keyframes keyframes) : m_place(place) {
  using Keyframes = ArticleSettings::Keyframes;
  if (place.rotation) {
    Quaternion before = rotationAt(place, 0);
    m_turned.resize(place.frames);
    for (std::uint32_t frame = 1; frame < place.frames; ++frame) {
      Quaternion q = rotationAt(place, frame);
      m_turned[frame] = dot(before, q) < 0;
      before = m_turned[frame] ? negated(q) : q;
    }
  }
  if (place.step) {
    m_fixed.push_back(0);
    for (std::uint32_t frame = 1; frame < place.frames; ++frame)
      if (!sameValue(place, frame - 1, frame)) m_fixed.push_back(frame);
  } else if (keyframes == Keyframes::Off) {
    m_fixed.resize(place.frames);
    std::iota(m_fixed.begin(), m_fixed.end(), 0u);
  } else {
    if (keyframes != Keyframes::Cubic) m_fits.push_back({Interpolation::Linear, {}, 0});
    if (keyframes != Keyframes::Linear) m_fits.push_back({Interpolation::Cubic, {}, 0});
  }
}

Quaternion ChannelEncoder::alignedRotation(std::uint32_t frame) const {
  const Quaternion q = rotationAt(m_place, frame);
  return m_turned[frame] ? negated(q) : q;
}

const article::Refinement& ChannelEncoder::refined(Fit& fit, double tolerance) {
  if (fit.refinement && fit.madeFor <= tolerance) return *fit.refinement;
  fit.madeFor = tolerance * kAhead;
  const auto interpolation =
      fit.interpolation == Interpolation::Cubic ? article::Interpolation::Cubic : article::Interpolation::Linear;
  if (m_place.rotation) {
    std::vector<Quaternion> values(m_place.frames);
    for (std::uint32_t frame = 0; frame < m_place.frames; ++frame) values[frame] = alignedRotation(frame);
    fit.refinement = article::refineRotation(values, interpolation, fit.madeFor);
  } else {
    fit.refinement = article::refineScalar(scalarValues(m_place), interpolation, fit.madeFor);
  }
  return *fit.refinement;
}

ChannelEncoder::Fit& ChannelEncoder::bestFit(double tolerance) {
  Fit* best = nullptr;
  std::size_t fewest = 0;
  for (Fit& fit : m_fits) {
    const std::size_t count = keysFor(refined(fit, tolerance), tolerance);
    if (best != nullptr && count >= fewest) continue;
    best = &fit;
    fewest = count;
  }
  return *best;
}

std::size_t ChannelEncoder::keyCount(double toleranceM) {
  if (m_fits.empty()) return m_fixed.size();
  const double tolerance = toleranceM * m_place.unitsPerMetre;
  return keysFor(*bestFit(tolerance).refinement, tolerance);
}

TrackBytes ChannelEncoder::encode(double toleranceM, runtime::ValueFormat format) {
  TrackBytes track;
  Interpolation interpolation = m_place.step ? Interpolation::Step : Interpolation::Linear;
  if (m_fits.empty()) {
    track.keys = m_fixed;
  } else {
    const double tolerance = toleranceM * m_place.unitsPerMetre;
    const Fit& fit = bestFit(tolerance);
    interpolation = fit.interpolation;
    track.keys = fit.refinement->keys(tolerance);
  }
  if (!m_place.rotation && format == runtime::ValueFormat::Fine) format = runtime::ValueFormat::Small;
  track.kind = runtime::animatedKind(interpolation, format);
  track.count = static_cast<std::uint32_t>(track.keys.size());
  if (m_place.rotation) {
    std::vector<Quaternion> values;
    values.reserve(track.keys.size());
    for (const std::uint32_t key : track.keys) values.push_back(alignedRotation(key));
    putRotationValues(track, values, format);
  } else {
    std::vector<float> values;
    values.reserve(track.keys.size());
    for (const std::uint32_t key : track.keys) values.push_back(m_place.at(key));
    putScalarValues(track, values, format);
  }
  if (track.count == m_place.frames) track.keys.clear();
  return track;
}

std::optional<TrackBytes> constantTrack(const ChannelPlace& place, float defaultValue) {
  TrackBytes track;
  ByteWriter bytes;
  bool isDefault = false;
  if (place.rotation) {
    std::vector<Quaternion> values(place.frames);
    for (std::uint32_t frame = 0; frame < place.frames; ++frame) values[frame] = rotationAt(place, frame);
    if (!article::isConstant(std::span<const Quaternion>(values))) return {};
    const Quaternion& q = values[0];
    isDefault = q[0] == 0 && q[1] == 0 && q[2] == 0;
    for (const double v : q) bytes.put(static_cast<float>(v));
  } else {
    if (!article::isConstant(std::span<const double>(scalarValues(place)))) return {};
    isDefault = place.at(0) == defaultValue;
    bytes.put(place.at(0));
  }
  if (isDefault) return track;
  track.kind = runtime::kConstantKind;
  track.values = bytes.take();
  return track;
}

}  // namespace simmer::animation
