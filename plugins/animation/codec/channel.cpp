#include "plugins/animation/codec/channel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plugins/animation/codec/article/curve.h"
#include "plugins/animation/codec/quantise.h"

namespace simmer::animation {
namespace {

using runtime::Interpolation;

// A refinement is made somewhat tighter than asked for, so that the search's next steps find it made.
constexpr double kAhead = 0.6;
// Errors between frames may be this much larger than at frames: many add up half-way just as few do (tried: 1 … 8).
constexpr double kBetween = 2;
constexpr double kJumpCosine = 0.70710678118654752;  // of half of 90 degrees, as ErrorMeter has it
constexpr double kDegreesPerRadian = 57.295779513082323;

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
  } else if (keyframes != Keyframes::Off) {
    if (keyframes != Keyframes::Cubic) m_fits.push_back({Interpolation::Linear, {}, 0, {}});
    if (keyframes != Keyframes::Linear) m_fits.push_back({Interpolation::Cubic, {}, 0, {}});
  }
}

Quaternion ChannelEncoder::alignedRotation(std::uint32_t frame) const {
  const Quaternion q = rotationAt(m_place, frame);
  return m_turned[frame] ? negated(q) : q;
}

const article::Refinement& ChannelEncoder::refined(Fit& fit, double tolerance) {
  if (fit.refinement && fit.madeFor <= tolerance) return *fit.refinement;
  fit.madeFor = tolerance * kAhead;  // `between` stays true: the order of insertion does not depend on the tolerance
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

double ChannelEncoder::scalarErrorBetween(const Fit& fit, const std::vector<std::uint32_t>& keys) const {
  // Half-way between frames a straight line is off by the mean of two errors that the fit has seen.
  if (fit.interpolation == Interpolation::Linear) return 0;
  double worst = 0;
  for (std::size_t key = 0; key + 1 < keys.size(); ++key) {
    const auto tangent = [&](std::size_t at) {
      const std::uint32_t from = keys[at == 0 ? 0 : at - 1], to = keys[std::min(at + 1, keys.size() - 1)];
      return (static_cast<double>(m_place.at(to)) - m_place.at(from)) / (to - from);
    };
    const double span = keys[key + 1] - keys[key], m0 = tangent(key) * span, m1 = tangent(key + 1) * span;
    for (std::uint32_t frame = keys[key]; frame < keys[key + 1]; ++frame) {
      const double value = article::HermiteWeights((frame - keys[key] + 0.5) / span)
                               .mix(m_place.at(keys[key]), m0, m_place.at(keys[key + 1]), m1);
      const double reference = (static_cast<double>(m_place.at(frame)) + m_place.at(frame + 1)) / 2;
      worst = std::max(worst, std::abs(value - reference));
    }
  }
  return worst;
}

double ChannelEncoder::rotationErrorBetween(const Fit& fit, const std::vector<std::uint32_t>& keys) const {
  const bool cubic = fit.interpolation == Interpolation::Cubic;
  double worst = 0;  // squared distance of the quaternions
  for (std::size_t key = 0; key + 1 < keys.size(); ++key) {
    const double span = keys[key + 1] - keys[key];
    const Quaternion p0 = alignedRotation(keys[key]), p1 = alignedRotation(keys[key + 1]);
    Quaternion m0, m1;
    const auto tangent = [&](std::size_t at, Quaternion& result) {
      const std::uint32_t from = keys[at == 0 ? 0 : at - 1], to = keys[std::min(at + 1, keys.size() - 1)];
      const Quaternion a = alignedRotation(from), b = alignedRotation(to);
      for (std::size_t i = 0; i < 4; ++i) result[i] = (b[i] - a[i]) / (to - from) * span;
    };
    tangent(key, m0);
    tangent(key + 1, m1);
    Quaternion before = p0;
    for (std::uint32_t frame = keys[key]; frame < keys[key + 1]; ++frame) {
      const Quaternion after = alignedRotation(frame + 1);
      const double u = (frame - keys[key] + 0.5) / span;
      const article::HermiteWeights weights(u);
      Quaternion value, reference;
      for (std::size_t i = 0; i < 4; ++i) {
        value[i] = cubic ? weights.mix(p0[i], m0[i], p1[i], m1[i]) : p0[i] + (p1[i] - p0[i]) * u;
        reference[i] = before[i] + after[i];
      }
      // Where the source itself jumps the measure leaves the half frame out.
      const bool jumps = dot(before, after) < kJumpCosine;
      before = after;
      if (jumps) continue;
      value = normalised(value);
      reference = normalised(reference);
      const Quaternion apart{value[0] - reference[0], value[1] - reference[1], value[2] - reference[2],
                             value[3] - reference[3]};
      worst = std::max(worst, dot(apart, apart));
    }
  }
  return 2 * std::sqrt(worst) * kDegreesPerRadian;  // a small rotation turns by twice the distance
}

double ChannelEncoder::errorBetween(Fit& fit, double tolerance, std::size_t keyCount) const {
  const auto [found, missing] = fit.between.try_emplace(keyCount, 0);
  if (missing) {
    const std::vector<std::uint32_t> keys = fit.refinement->keys(tolerance);
    found->second = m_place.rotation ? rotationErrorBetween(fit, keys) : scalarErrorBetween(fit, keys);
  }
  return found->second;
}

// The fit with the fewest keys that also stays close half-way between frames, or every frame: a curve overshoots beside
// a corner even with a key at every frame, and a straight line between rotations far apart is fast in the middle.
ChannelEncoder::Choice ChannelEncoder::choose(double toleranceM) {
  const double tolerance = toleranceM * m_place.unitsPerMetre;
  Choice best{nullptr, m_fixed.empty() ? m_place.frames : m_fixed.size()};
  for (Fit& fit : m_fits) {
    const std::size_t count = keysFor(refined(fit, tolerance), tolerance);
    if (count < best.count && errorBetween(fit, tolerance, count) <= kBetween * tolerance) best = {&fit, count};
  }
  return best;
}

std::vector<std::uint32_t> ChannelEncoder::keysOf(const Choice& choice, double toleranceM) const {
  if (choice.fit != nullptr) return choice.fit->refinement->keys(toleranceM * m_place.unitsPerMetre);
  if (!m_fixed.empty()) return m_fixed;
  std::vector<std::uint32_t> all(m_place.frames);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

TrackBytes ChannelEncoder::encode(double toleranceM, runtime::ValueFormat format) {
  const Choice choice = choose(toleranceM);
  const std::vector<std::uint32_t> keys = keysOf(choice, toleranceM);
  if (!m_place.rotation && format == runtime::ValueFormat::Fine) format = runtime::ValueFormat::Small;
  TrackBytes track;
  track.kind = runtime::animatedKind(m_place.step ? Interpolation::Step
                                     : choice.fit ? choice.fit->interpolation
                                                  : Interpolation::Linear,
                                     format);
  track.count = static_cast<std::uint32_t>(keys.size());
  if (m_place.rotation) {
    std::vector<Quaternion> values;
    values.reserve(keys.size());
    for (const std::uint32_t key : keys) values.push_back(alignedRotation(key));
    putRotationValues(track, values, format);
  } else {
    std::vector<float> values;
    values.reserve(keys.size());
    for (const std::uint32_t key : keys) values.push_back(m_place.at(key));
    putScalarValues(track, values, format);
  }
  if (track.count != m_place.frames) track.keys = keys;
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
