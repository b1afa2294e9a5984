#include "plugins/animation/codec/spline/field.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace simmer::animation::spline {
namespace {

constexpr std::size_t kLanes = 4;

// Four half frames at once. Element by element, so that every machine gives the same bits.
using Lanes = float __attribute__((vector_size(16)));

inline Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline void store(float* to, Lanes lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}
inline Lanes all(float value) {
  return Lanes{value, value, value, value};
}

struct Vector {
  Lanes x, y, z;
};
inline Vector loadVector(const float* from, std::size_t stride) {
  return {load(from), load(from + stride), load(from + 2 * stride)};
}

/// The motion of a probe, given its distance from the joint.
template <Motion::Kind kKind>
inline Vector moved(const float* parts, std::size_t stride, std::size_t h, Lanes factor, const Vector& arm) {
  const Vector a = loadVector(parts + h, stride);
  if constexpr (kKind == Motion::Kind::Shift) return {a.x * factor, a.y * factor, a.z * factor};
  if constexpr (kKind == Motion::Kind::Turn)
    return {(a.y * arm.z - a.z * arm.y) * factor, (a.z * arm.x - a.x * arm.z) * factor,
            (a.x * arm.y - a.y * arm.x) * factor};
  const Vector b = loadVector(parts + 3 * stride + h, stride), c = loadVector(parts + 6 * stride + h, stride);
  return {(a.x * arm.x + a.y * arm.y + a.z * arm.z) * factor, (b.x * arm.x + b.y * arm.y + b.z * arm.z) * factor,
          (c.x * arm.x + c.y * arm.y + c.z * arm.z) * factor};
}

constexpr float kWall = 1000;  // penalty of each (error / tolerance)² beyond 1

inline Lanes penalty(Lanes square) {
  const Lanes fourth = square * square;
  const Lanes beyond = square > all(1) ? square - all(1) : all(0);
  return fourth * fourth + beyond * kWall;
}

}  // namespace

Field::Field(const WorldPoses& reference, const Jumps& jumps, double toleranceM, const Rows& rows)
    : m_reference(reference),
      m_toleranceM(toleranceM),
      m_rows(rows),
      m_stride((rows.count + kLanes - 1) / kLanes * kLanes),
      m_radii(skinRadii(*reference.clip().skeleton, reference.clip().probeRadiusM)),
      m_squareWeights(errorWeights(reference.clip())) {
  setTolerance(toleranceM);
  order(*reference.clip().skeleton);
  m_probes.assign(joints() * kFloats * m_stride, 0.0f);
  m_error.assign(m_probes.size(), 0.0f);
  fillWeights();
  fillReference();
  fillCounts(jumps);
}

void Field::setTolerance(double toleranceM) {
  m_toleranceM = toleranceM;
  m_perSquare = static_cast<float>(1 / (toleranceM * toleranceM));
}

// Depth first without recursion: each joint's place follows from how many joints stand below it.
void Field::order(const Skeleton& skeleton) {
  const std::size_t count = skeleton.size();
  std::vector<std::size_t> below(count, 1), next(count + 1, 0);
  for (std::size_t joint = count; joint-- > 0;)
    if (skeleton.parents[joint] >= 0) below[static_cast<std::size_t>(skeleton.parents[joint])] += below[joint];
  m_place.assign(count, 0);
  m_order.assign(count, 0);
  m_end.assign(count, 0);
  std::size_t roots = 0;
  for (std::size_t joint = 0; joint < count; ++joint) {
    std::size_t& from = skeleton.parents[joint] < 0 ? roots : next[static_cast<std::size_t>(skeleton.parents[joint])];
    m_place[joint] = from;
    from += below[joint];
    next[joint] = m_place[joint] + 1;
    m_order[m_place[joint]] = joint;
    m_end[m_place[joint]] = m_place[joint] + below[joint];
  }
}

void Field::fillWeights() {
  if (m_squareWeights.empty()) return;
  m_weights.resize(joints());
  for (std::size_t place = joints(); place-- > 0;) {
    double weight = m_squareWeights[m_order[place]];
    for (std::size_t below = place + 1; below < m_end[place]; below = m_end[below])
      weight = std::max(weight, m_weights[below]);
    m_weights[place] = weight;
  }
  for (double& weight : m_weights) weight = std::sqrt(weight);
}

void Field::toProbes(const Affine* world, double* probes) const {
  for (std::size_t place = 0; place < joints(); ++place) {
    const std::size_t joint = m_order[place];
    const auto& columns = world[joint].columns;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double* const out = probes + place * kFloats + axis;
      out[0] = columns[3][axis];
      for (std::size_t probe = 1; probe < kProbes; ++probe)
        out[3 * probe] = columns[3][axis] + m_radii[joint] * columns[probe - 1][axis];
    }
  }
}

void Field::fillReference() {
  std::vector<Affine> scratch;
  std::vector<double> probes(joints() * kFloats);
  std::vector<double> squares(joints(), 0.0);
  m_expected.reserve(m_rows.count * probes.size());
  for (std::size_t h = 0; h < m_stride; ++h) {
    if (h < m_rows.count) toProbes(m_reference.at(m_rows.halfFrame(h), scratch), probes.data());
    for (std::size_t i = 0; i < probes.size(); ++i) m_probes[i * m_stride + h] = static_cast<float>(probes[i]);
    if (h < m_rows.count) m_expected.insert(m_expected.end(), probes.begin(), probes.end());
    if (h % 8 != 0) continue;
    for (std::size_t place = 0; place < joints(); ++place)
      for (std::size_t below = place; below < m_end[place]; ++below)
        for (std::size_t probe = below == place ? 1 : 0; probe < (below == place ? kProbes : 1); ++probe) {
          const double* const a = &probes[place * kFloats];
          const double* const b = &probes[below * kFloats + 3 * probe];
          const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
          const double weight = m_squareWeights.empty() ? 1 : m_squareWeights[m_order[below]];
          squares[place] = std::max(squares[place], (x * x + y * y + z * z) * weight);
        }
  }
  for (const double square : squares) m_lever.push_back(std::sqrt(square));
}

void Field::fillCounts(const Jumps& jumps) {
  if (!jumps.any() && m_squareWeights.empty()) return;
  m_counts.assign(joints() * m_stride, 1.0f);
  for (std::size_t place = 0; place < joints() && !m_squareWeights.empty(); ++place)
    std::fill_n(m_counts.begin() + static_cast<std::ptrdiff_t>(place * m_stride), m_stride,
                static_cast<float>(m_squareWeights[m_order[place]]));
  for (std::size_t place = 0; place < joints(); ++place)
    if (jumps.any(m_order[place]))
      for (std::size_t row = 0; row < m_rows.count; ++row)
        if (!jumps.counts(m_order[place], m_rows.halfFrame(row))) m_counts[place * m_stride + row] = 0;
}

void Field::measureSome(std::size_t every, const Poses& poseAt) {
  std::vector<Transform> pose(joints());
  std::vector<Affine> world(joints());
  std::vector<double> actual(joints() * kFloats);
  for (std::size_t row = 0, before = 0; row < m_rows.count; before = row, row = nextRow(row, every, m_rows.count)) {
    poseAt(m_rows.halfFrame(row), pose.data());
    toWorld(*m_reference.clip().skeleton, pose.data(), world.data());
    toProbes(world.data(), actual.data());
    const double* const expected = m_expected.data() + row * actual.size();
    for (std::size_t i = 0; i < actual.size(); ++i)
      m_error[i * m_stride + row] = static_cast<float>(actual[i] - expected[i]);
    fillBetween(before, row);
  }
}

void Field::fillBetween(std::size_t before, std::size_t after) {
  if (after - before < 2) return;
  const float part = 1.0f / static_cast<float>(after - before);
  for (std::size_t i = 0; i < joints() * kFloats; ++i) {
    float* const error = m_error.data() + i * m_stride;
    const float slope = (error[after] - error[before]) * part;
    for (std::size_t row = before + 1; row < after; ++row)
      error[row] = error[before] + slope * static_cast<float>(row - before);
  }
}

float Field::worst() const {
  float found = 0;
  for (std::size_t place = 0; place < joints(); ++place)
    for (std::size_t h = 0; h < m_rows.count; ++h) {
      const float counts = m_counts.empty() ? 1 : m_counts[place * m_stride + h];
      if (counts == 0) continue;
      for (std::size_t probe = 0; probe < kProbes; ++probe) {
        const float* const e = errorOf(place) + 3 * probe * m_stride + h;
        const float square = e[0] * e[0] + e[m_stride] * e[m_stride] + e[2 * m_stride] * e[2 * m_stride];
        found = std::max(found, square * m_perSquare * counts);
      }
    }
  return found;
}

std::vector<char> Field::missed() const {
  std::vector<char> found(m_rows.count, 0);
  for (std::size_t place = 0; place < joints(); ++place)
    for (std::size_t h = 0; h < m_rows.count; ++h) {
      const float counts = m_counts.empty() ? 1 : m_counts[place * m_stride + h];
      if (counts == 0) continue;
      for (std::size_t probe = 0; probe < kProbes; ++probe) {
        const float* const e = errorOf(place) + 3 * probe * m_stride + h;
        const float square = e[0] * e[0] + e[m_stride] * e[m_stride] + e[2 * m_stride] * e[2 * m_stride];
        if (square * m_perSquare * counts > 1) found[h] = 1;
      }
    }
  return found;
}

namespace {

/// What the evaluation and the application of a motion walk over.
struct Range {
  const float* reference;
  const float* counts;  // or null
  std::size_t joints, stride, begin, end;
};

/// Calls `visit(joint, row, error, old, next)` for four rows of a probe after the other: where its error stands, what
/// it is, and what it would be with the motion.
template <Motion::Kind kKind, class Error, class Visit>
inline void forEachProbe(const Range& range, Error* error, const float* parts, Lanes factor, Visit visit) {
  const std::size_t stride = range.stride;
  for (std::size_t joint = 0; joint < range.joints; ++joint)
    for (std::size_t probe = joint == 0 && kKind != Motion::Kind::Shift ? 1 : 0; probe < 4; ++probe) {
      const float* const at = range.reference + (joint * 12 + probe * 3) * stride;
      Error* const e = error + (joint * 12 + probe * 3) * stride;
      for (std::size_t row = range.begin; row < range.end; row += kLanes) {
        Vector arm{};
        if constexpr (kKind != Motion::Kind::Shift) {
          const Vector x = loadVector(at + row, stride), o = loadVector(range.reference + row, stride);
          arm = {x.x - o.x, x.y - o.y, x.z - o.z};
        }
        const Vector old = loadVector(e + row, stride);
        const Vector add = moved<kKind>(parts, stride, row, factor, arm);
        visit(joint, row, e + row, old, Vector{old.x + add.x, old.y + add.y, old.z + add.z});
      }
    }
}

template <Motion::Kind kKind>
Field::Change evaluateKind(const Range& range, const float* error, const float* parts, Lanes factor, Lanes perSquare) {
  Lanes before = all(0), after = all(0), worst = all(0);
  const auto squareOf = [&](const Vector& v) { return (v.x * v.x + v.y * v.y + v.z * v.z) * perSquare; };
  forEachProbe<kKind>(range, error, parts, factor,
                      [&](std::size_t joint, std::size_t row, const float*, const Vector& old, const Vector& moved) {
                        Lanes square = squareOf(old), next = squareOf(moved);
                        if (range.counts != nullptr) {
                          const Lanes counts = load(range.counts + joint * range.stride + row);
                          square *= counts;
                          next *= counts;
                        }
                        before += penalty(square);
                        after += penalty(next);
                        const Lanes worse = next > square ? next : all(0);
                        worst = worse > worst ? worse : worst;
                      });
  const Lanes change = after - before;
  return {(change[0] + change[1]) + (change[2] + change[3]),
          std::max(std::max(worst[0], worst[1]), std::max(worst[2], worst[3]))};
}

template <Motion::Kind kKind>
void applyKind(const Range& range, float* error, const float* parts, Lanes factor) {
  forEachProbe<kKind>(range, error, parts, factor,
                      [&](std::size_t, std::size_t, float* to, const Vector&, const Vector& moved) {
                        store(to, moved.x);
                        store(to + range.stride, moved.y);
                        store(to + 2 * range.stride, moved.z);
                      });
}

}  // namespace

Field::Change Field::evaluate(const Motion& motion, float factor, std::size_t begin, std::size_t end) const {
  const std::size_t place = motion.joint;
  const Range range{referenceOf(place),      m_counts.empty() ? nullptr : m_counts.data() + place * m_stride,
                    m_end[place] - place,    m_stride,
                    begin / kLanes * kLanes, std::min(end, m_rows.count)};
  switch (motion.kind) {
    case Motion::Kind::Turn:
      return evaluateKind<Motion::Kind::Turn>(range, errorOf(place), motion.parts, all(factor), all(m_perSquare));
    case Motion::Kind::Shift:
      return evaluateKind<Motion::Kind::Shift>(range, errorOf(place), motion.parts, all(factor), all(m_perSquare));
    case Motion::Kind::Stretch:
      break;
  }
  return evaluateKind<Motion::Kind::Stretch>(range, errorOf(place), motion.parts, all(factor), all(m_perSquare));
}

void Field::apply(const Motion& motion, float factor, std::size_t begin, std::size_t end) {
  const std::size_t place = motion.joint;
  const Range range{referenceOf(place),         nullptr, m_end[place] - place, m_stride, begin / kLanes * kLanes,
                    std::min(end, m_rows.count)};
  switch (motion.kind) {
    case Motion::Kind::Turn:
      return applyKind<Motion::Kind::Turn>(range, errorOf(place), motion.parts, all(factor));
    case Motion::Kind::Shift:
      return applyKind<Motion::Kind::Shift>(range, errorOf(place), motion.parts, all(factor));
    case Motion::Kind::Stretch:
      return applyKind<Motion::Kind::Stretch>(range, errorOf(place), motion.parts, all(factor));
  }
}

}  // namespace simmer::animation::spline
