#include <cmath>
#include <functional>

#include "tests/plugins/animation/runtime/spline_files.h"

namespace simmer::animation::test {
namespace {

using namespace runtime;

bool isCubic(KnotKind kind) {
  return kind == KnotKind::UniformCubic || kind == KnotKind::TreeCubic;
}

/// The knots in half frames as the format has them, and `more` beyond each end with the outermost spacing.
std::vector<double> knotsOf(const SplineClipSpec& spec, const SplineTrack& track, unsigned more) {
  const double last = 2.0 * (spec.frames - 1);
  std::vector<double> inner;
  if (track.kind == KnotKind::UniformCubic || track.kind == KnotKind::UniformLinear) {
    const auto spans = static_cast<unsigned>(std::max(1.0, std::ceil(last / track.spacing)));
    for (unsigned i = 0; i <= spans; ++i) inner.push_back(static_cast<double>(i) * track.spacing);
  } else {
    for (std::size_t cell = 0; cell < track.knots.size(); ++cell)
      if (track.knots[cell]) inner.push_back(std::ldexp(static_cast<double>(cell), static_cast<int>(track.shift)));
    inner.push_back(last);
  }
  const double first = inner[1] - inner[0], end = inner.back() - inner[inner.size() - 2];
  std::vector<double> knots;
  for (unsigned i = more; i > 0; --i) knots.push_back(inner[0] - i * first);
  knots.insert(knots.end(), inner.begin(), inner.end());
  for (unsigned i = 1; i <= more; ++i) knots.push_back(inner.back() + i * end);
  return knots;
}

/// The recursion of Cox and de Boor, by its definition.
double basis(const std::vector<double>& t, std::size_t i, unsigned degree, double h) {
  if (degree == 0) return h >= t[i] && h < t[i + 1] ? 1 : 0;
  return (h - t[i]) / (t[i + degree] - t[i]) * basis(t, i, degree - 1, h) +
         (t[i + degree + 1] - h) / (t[i + degree + 1] - t[i + 1]) * basis(t, i + 1, degree - 1, h);
}

double stepIn(int exponent) {
  return std::exp2(exponent / 4.0 - 40);
}

std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

std::vector<double> unpack(const SmallestThree& packed, unsigned bits) {
  std::vector<double> q(4);
  const double most = std::exp2(bits) - 2;
  double rest = 1;
  for (unsigned i = 0, in = 0; i < 4; ++i) {
    if (i == packed.largest) continue;
    q[i] = (packed.values[in++] / most * 2 - 1) * std::sqrt(0.5);
    rest -= q[i] * q[i];
  }
  q[packed.largest] = std::sqrt(rest);
  return q;
}

/// As 16-bit numbers, of unit length.
std::vector<double> sixteenBits(std::vector<double> q) {
  double square = 0;
  for (double& value : q) {
    value = std::floor(value * 32767 + 0.5) / 32767;
    square += value * value;
  }
  for (double& value : q) value /= std::sqrt(square);
  return q;
}

}  // namespace

/// The track that a track has its knots from.
const SplineTrack& SplineReference::knotsOf(std::size_t joint, unsigned part) const {
  const SplineTrack* last = nullptr;
  for (const PartKind kind : {PartKind::Spline, PartKind::Quaternion})
    for (std::size_t i = 0; i < m_spec.joints.size(); ++i) {
      const SplinePart& other = m_spec.joints[i][part];
      if (other.kind != kind) continue;
      if (other.track.kind != KnotKind::Previous) last = &other.track;
      if (i == joint) return *last;
    }
  ADD_FAILURE() << "no such track";
  return *last;
}

std::vector<double> SplineReference::values(const SplineTrack& track, const SplineTrack& knots, unsigned components,
                                            double time, bool rotation) const {
  std::vector<double> sums(components, 0);
  if (knots.kind == KnotKind::Hold) {
    std::size_t point = 0;
    for (std::size_t frame = 1; frame <= static_cast<std::size_t>(time); ++frame)
      if (knots.knots[frame]) ++point;
    for (unsigned c = 0; c < components; ++c) sums[c] = track.points[point][c];
  } else {
    const unsigned degree = isCubic(knots.kind) ? 3 : 1;
    const std::vector<double> t = test::knotsOf(m_spec, knots, degree);
    const double last = 2.0 * (m_spec.frames - 1), h = std::min(2 * time, last * (1 - 1e-13));
    for (std::size_t i = 0; i < track.points.size(); ++i) {
      const double weight = basis(t, i, degree, h);
      for (unsigned c = 0; c < components; ++c) sums[c] += weight * track.points[i][c];
    }
  }
  for (unsigned c = 0; c < components; ++c) {
    const double bias = !rotation ? track.biases[c] : track.widths[c] == 0 ? 0 : -std::exp2(track.widths[c] - 1.0);
    sums[c] = stepIn(track.exponent) * (sums[c] + bias);
  }
  return sums;
}

std::vector<double> SplineReference::part(std::size_t joint, unsigned part, double time) const {
  const SplinePart& p = m_spec.joints[joint][part];
  const bool rotation = part == 0;
  const double first = part == 2 ? 1 : 0;
  if (p.kind == PartKind::Default) {
    if (m_spec.rest == nullptr)
      return rotation ? std::vector<double>{0, 0, 0, 1} : std::vector<double>{first, first, first};
    const Transform& rest = m_spec.rest->rest[joint];
    if (rotation) return {rest.rotation.begin(), rest.rotation.end()};
    return part == 1 ? std::vector<double>{rest.translation.begin(), rest.translation.end()}
                     : std::vector<double>{rest.scale.begin(), rest.scale.end()};
  }
  if (p.kind == PartKind::Constant && rotation) {
    const std::vector<double> q = unpack(p.rotation, m_spec.globals.constantBits);
    return m_spec.globals.constantBits <= 12 ? sixteenBits(q) : q;
  }
  if (p.kind == PartKind::Constant) {
    const double step =
        stepIn(static_cast<int>(part == 1 ? m_spec.globals.translationExponent : m_spec.globals.scaleExponent));
    return {first + step * p.vector[0], first + step * p.vector[1], first + step * p.vector[2]};
  }
  const SplineTrack& knots = knotsOf(joint, part);
  if (p.kind == PartKind::Quaternion) {
    std::vector<double> q = values(p.track, knots, 4, time, true);
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (length == 0) return {0, 0, 0, 1};
    for (double& value : q) value /= length;
    return q;
  }
  std::vector<double> v = values(p.track, knots, 3, time, rotation);
  if (!rotation) return {first + v[0], first + v[1], first + v[2]};
  const double angle = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double sine = angle < 1e-9 ? 0.5 : std::sin(angle / 2) / angle;
  return multiply(sixteenBits(unpack(p.track.mean, m_spec.globals.meanBits)),
                  {sine * v[0], sine * v[1], sine * v[2], std::cos(angle / 2)});
}

double SplineReference::scalar(std::size_t index, double time) const {
  const SplinePart& scalar = m_spec.scalars[index];
  if (scalar.kind == PartKind::Default) return 0;
  if (scalar.kind == PartKind::Constant) return scalar.number;
  const SplineTrack* knots = nullptr;
  for (std::size_t i = 0; i <= index; ++i)
    if (m_spec.scalars[i].kind == PartKind::Spline && m_spec.scalars[i].track.kind != KnotKind::Previous)
      knots = &m_spec.scalars[i].track;
  return values(scalar.track, *knots, 1, time, false)[0];
}

}  // namespace simmer::animation::test
