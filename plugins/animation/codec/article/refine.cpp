#include "plugins/animation/codec/article/refine.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "plugins/animation/codec/article/curve.h"

namespace simmer::animation::article {
namespace {

constexpr double kConstantRange = 1e-7;  // metres, or parts of a scale
constexpr double kConstantAngleDegrees = 1e-4;

/// The frame of a span with the largest error; of equals the earliest.
struct Worst {
  double error = -1;
  std::uint32_t frame = 0;
};

/// The inner frames of a span of a scalar track.
class ScalarTrack {
 public:
  explicit ScalarTrack(std::span<const double> values) : m_values(values) {}

  std::size_t size() const { return m_values.size(); }
  template <class Tangent>
  Worst worst(std::uint32_t start, std::uint32_t end, Interpolation interpolation, Tangent tangent) const {
    const double h = end - start;
    const double p0 = m_values[start], p1 = m_values[end];
    const bool cubic = interpolation == Interpolation::Cubic;
    const double m0 = cubic ? tangent(m_values, start) * h : 0, m1 = cubic ? tangent(m_values, end) * h : 0;
    Worst result;
    for (std::uint32_t frame = start + 1; frame < end; ++frame) {
      const double u = (frame - start) / h;
      const double value = cubic ? HermiteWeights(u).mix(p0, m0, p1, m1) : p0 + (p1 - p0) * u;
      const double error = std::abs(value - m_values[frame]);
      if (error > result.error) result = {error, frame};
    }
    return result;
  }

 private:
  std::span<const double> m_values;
};

/// The inner frames of a span of a rotation track: each component is a curve, the result is normalised.
class RotationTrack {
 public:
  explicit RotationTrack(std::span<const Quaternion> values) : m_values(values) {}

  std::size_t size() const { return m_values.size(); }
  template <class Tangent>
  Worst worst(std::uint32_t start, std::uint32_t end, Interpolation interpolation, Tangent tangent) const {
    const double h = end - start;
    const Quaternion &p0 = m_values[start], &p1 = m_values[end];
    const bool cubic = interpolation == Interpolation::Cubic;
    Quaternion m0{}, m1{};
    if (cubic) {
      m0 = tangent(m_values, start);
      m1 = tangent(m_values, end);
      for (std::size_t i = 0; i < 4; ++i) {
        m0[i] *= h;
        m1[i] *= h;
      }
    }
    Worst result;
    double smallestCosine = 2;
    for (std::uint32_t frame = start + 1; frame < end; ++frame) {
      const double u = (frame - start) / h;
      Quaternion value;
      if (cubic) {
        const HermiteWeights weights(u);
        for (std::size_t i = 0; i < 4; ++i) value[i] = weights.mix(p0[i], m0[i], p1[i], m1[i]);
      } else {
        for (std::size_t i = 0; i < 4; ++i) value[i] = p0[i] + (p1[i] - p0[i]) * u;
      }
      // The arc cosine falls as its argument grows: only a smaller one can be a larger angle.
      const double cosine = std::abs(dot(exactlyNormalised(value), m_values[frame]));
      if (cosine >= smallestCosine) continue;
      smallestCosine = cosine;
      const double error = degreesOfCosine(cosine);
      if (error > result.error) result = {error, frame};
    }
    return result;
  }

 private:
  std::span<const Quaternion> m_values;
};

double slope(double from, double to, double frames) {
  return (to - from) / frames;
}
Quaternion slope(const Quaternion& from, const Quaternion& to, double frames) {
  Quaternion result;
  for (std::size_t i = 0; i < 4; ++i) result[i] = (to[i] - from[i]) / frames;
  return result;
}

/// Keeps the keys as a chain and the worst frame of each span; a key that comes in touches two spans of a linear track
/// and four of a cubic one.
template <class Track>
class Refiner {
 public:
  Refiner(Track track, Interpolation interpolation)
      : m_track(track),
        m_interpolation(interpolation),
        m_next(track.size()),
        m_previous(track.size()),
        m_version(track.size()) {
    m_last = static_cast<std::uint32_t>(track.size() - 1);
    m_next[0] = m_last;
    m_previous[m_last] = 0;
    evaluate(0);
  }

  Refinement refine(double untilTolerance) {
    Refinement result;
    result.frames = m_last + 1;
    for (;;) {
      dropStale();
      // Without a frame between keys nothing is left to err.
      const double error = m_spans.empty() ? 0 : m_spans.top().worst.error;
      result.worst.push_back(error);
      if (m_spans.empty() || error <= untilTolerance) return result;
      const Span span = m_spans.top();
      insert(span.start, span.worst.frame);
      result.inserted.push_back(span.worst.frame);
    }
  }

 private:
  struct Span {
    Worst worst;
    std::uint32_t start = 0, version = 0;
    /// Order of a heap: the largest error on top, of equals the earliest frame.
    bool operator<(const Span& other) const {
      return worst.error != other.worst.error ? worst.error < other.worst.error : worst.frame > other.worst.frame;
    }
  };

  void dropStale() {
    while (!m_spans.empty() && m_spans.top().version != m_version[m_spans.top().start]) m_spans.pop();
  }

  void insert(std::uint32_t start, std::uint32_t frame) {
    const std::uint32_t end = m_next[start];
    m_next[start] = frame;
    m_previous[frame] = start;
    m_next[frame] = end;
    m_previous[end] = frame;
    evaluate(start);
    evaluate(frame);
    if (m_interpolation == Interpolation::Linear) return;
    if (start > 0) evaluate(m_previous[start]);  // its tangent at `start` is another now
    if (end < m_last) evaluate(end);
  }

  void evaluate(std::uint32_t start) {
    ++m_version[start];
    const std::uint32_t end = m_next[start];
    if (end - start < 2) return;
    const auto tangent = [this](const auto& values, std::uint32_t key) {
      const std::uint32_t from = key == 0 ? key : m_previous[key];
      const std::uint32_t to = key == m_last ? key : m_next[key];
      return slope(values[from], values[to], to - from);
    };
    m_spans.push({m_track.worst(start, end, m_interpolation, tangent), start, m_version[start]});
  }

  Track m_track;
  Interpolation m_interpolation;
  std::uint32_t m_last = 0;
  std::vector<std::uint32_t> m_next, m_previous;  // neighbours of each key, by frame
  std::vector<std::uint32_t> m_version;           // of the span that starts at a frame
  std::priority_queue<Span> m_spans;              // also spans that are no more: their version is old
};

template <class Track>
Refinement refineTrack(Track track, Interpolation interpolation, double untilTolerance) {
  if (track.size() > 2) return Refiner<Track>(track, interpolation).refine(untilTolerance);
  Refinement all;
  all.frames = static_cast<std::uint32_t>(track.size());
  all.worst = {0};
  return all;
}

}  // namespace

std::vector<std::uint32_t> Refinement::keys(double tolerance) const {
  std::vector<std::uint32_t> keys;
  if (frames == 0) return keys;
  const auto met = std::ranges::find_if(worst, [&](double error) { return error <= tolerance; });
  const auto count = std::min(static_cast<std::size_t>(met - worst.begin()), inserted.size());
  keys.reserve(count + 2);
  keys.push_back(0);
  keys.insert(keys.end(), inserted.begin(), inserted.begin() + static_cast<std::ptrdiff_t>(count));
  if (frames > 1) keys.push_back(frames - 1);
  std::ranges::sort(keys);
  return keys;
}

Refinement refineScalar(std::span<const double> values, Interpolation interpolation, double untilTolerance) {
  return refineTrack(ScalarTrack(values), interpolation, untilTolerance);
}

Refinement refineRotation(std::span<const Quaternion> values, Interpolation interpolation, double untilToleranceDeg) {
  return refineTrack(RotationTrack(values), interpolation, untilToleranceDeg);
}

bool isConstant(std::span<const double> values) {
  if (values.empty()) return true;
  const auto [low, high] = std::ranges::minmax(values);
  return high - low < kConstantRange;
}

bool isConstant(std::span<const Quaternion> values) {
  return std::ranges::all_of(
      values, [&](const Quaternion& q) { return degreesBetween(q, values.front()) < kConstantAngleDegrees; });
}

}  // namespace simmer::animation::article
