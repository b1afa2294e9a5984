#include "plugins/animation/codec/spline/scalars.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/clip/error_measure.h"
#include "plugins/animation/codec/spline/candidates.h"

namespace simmer::animation::spline {
namespace {

// Parts of the tolerance that a fit aims at: its rounding comes on top.
constexpr double kParts[] = {0.8, 0.6, 0.45, 0.3, 0.15, 0.05};

Track trackOf(const ScalarTrack& scalar, std::size_t index, std::int32_t last) {
  Track track;
  track.part = Part::Scalar;
  track.held = scalar.step;
  track.joint = index;
  track.components = 1;
  for (std::int32_t h = 0; h <= last; ++h) {
    const auto frame = static_cast<std::size_t>(h / 2);
    const double from = scalar.values[frame];
    track.signal.push_back(h % 2 == 0 || scalar.step ? from : (from + scalar.values[frame + 1]) / 2);
  }
  return track;
}

double errorOf(const Candidate& candidate, const Track& track) {
  double worst = 0;
  for (std::size_t h = 0; h < track.signal.size(); ++h)
    worst = std::max(worst, std::abs(static_cast<double>(static_cast<float>(candidate.curve[h])) - track.signal[h]));
  return worst;
}

std::optional<CodedScalar> encodeScalar(const ScalarTrack& scalar, std::size_t index, std::int32_t last,
                                        double tolerance, UniformFits& uniform) {
  CodedScalar coded;
  // The decoder works in float32, a little beside what is computed here.
  const double allowed = tolerance * scalarUnit(scalar) * 0.999;
  const auto [low, high] = std::minmax_element(scalar.values.begin(), scalar.values.end());
  coded.constant = static_cast<float>((static_cast<double>(*low) + *high) / 2);
  const double off = std::max(std::abs(static_cast<double>(coded.constant) - *low),
                              std::abs(coded.constant - static_cast<double>(*high)));
  if (off <= allowed) {
    coded.kind = coded.constant == 0 ? PartKind::Default : PartKind::Constant;
    return coded;
  }
  coded.kind = PartKind::Spline;
  coded.track = trackOf(scalar, index, last);
  Candidate best;
  std::optional<TrackFits> fits;
  if (!coded.track.held) fits.emplace(coded.track, std::vector<float>(), uniform, FitOptions());
  const Rows rows = everyRow(static_cast<std::size_t>(last), 1);
  for (const double part : kParts) {
    Candidate candidate = fits ? fits->fit(part * allowed, rows) : holdTrack(coded.track, part * allowed, last, rows);
    if (errorOf(candidate, coded.track) > allowed || (best.bits > 0 && candidate.bits >= best.bits)) continue;
    best = std::move(candidate);
  }
  if (best.bits == 0) return std::nullopt;
  coded.coded = std::move(best.coded);
  return coded;
}

}  // namespace

std::optional<std::vector<CodedScalar>> encodeScalars(const Clip& clip, double tolerance) {
  std::vector<CodedScalar> coded;
  const auto last = static_cast<std::int32_t>(runtime::lastHalfFrame(clip.frames));
  UniformFits uniform(last, false);
  for (std::size_t i = 0; i < clip.scalars.size(); ++i) {
    std::optional<CodedScalar> scalar = encodeScalar(clip.scalars[i], i, last, tolerance, uniform);
    if (!scalar) return std::nullopt;
    coded.push_back(std::move(*scalar));
  }
  return coded;
}

}  // namespace simmer::animation::spline
