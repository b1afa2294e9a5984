#include "plugins/animation/codec/spline/refine.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/codec/spline/fit.h"
#include "plugins/animation/codec/spline/motions.h"
#include "plugins/animation/runtime/spline_layout.h"

namespace simmer::animation::spline {
namespace {

using runtime::ResidualModel;

constexpr unsigned kMostRepairs = 12;
constexpr double kRepairStep = 0.0005;  // each repair aims this much lower
constexpr double kRepairWorth = 0.5;    // of a bit, while errors beyond the tolerance are mended
constexpr std::size_t kRunUp = 32;      // points before a window from which contexts are followed

/// One track's points in a window, with what they cost where they are.
class TrackRefiner {
 public:
  TrackRefiner(const Track& track, CodedTrack& coded, const Basis& basis, std::int32_t last,
               const RefineOptions& options, const std::vector<char>& missed, Field& field)
      : m_track(track),
        m_coded(coded),
        m_basis(basis),
        m_options(options),
        m_missed(missed),
        m_field(field),
        m_supports(supportsOf(basis)),
        m_unit(track.motionParts() * field.stride(), 0.0f) {
    const Fields fields = fieldsOf(track, coded);
    for (unsigned c = 0; c < track.components; ++c) {
      m_still[c] = fields.widths[c] == 0;
      if (m_still[c]) continue;
      m_orders[c] = cheapestOrder(coded, c, track.components, fields).order;
      m_middles[c] = fields.middle(c);
    }
    m_openBegin = basis.halfFrames.front() > 0;
    m_openEnd = basis.halfFrames.back() < last;
    findLevels();
  }

  void run() {
    for (std::size_t i = 0; i < m_supports.ranges.size(); ++i) {
      const Supports::Range& range = m_supports.ranges[i];
      if (range.end <= range.begin || (m_openBegin && range.begin == 0) || (m_openEnd && range.end == m_basis.rows()) ||
          (m_options.repair && !touchesMissed(range)))
        continue;
      for (unsigned c = 0; c < m_track.components; ++c)
        if (!m_still[c]) improve(m_supports.firstPoint + i, c, range);
    }
  }

 private:
  std::int32_t& at(std::size_t point, unsigned c) { return m_coded.points[point * m_track.components + c]; }
  std::int32_t at(std::size_t point, unsigned c) const { return m_coded.points[point * m_track.components + c]; }

  std::int32_t residual(std::size_t point, unsigned c) const {
    const std::int32_t value = at(point, c);
    const std::uint32_t order = m_orders[c];
    if (order == 0) return value - m_middles[c];
    const std::int32_t last = at(point - 1, c);
    if (order == 1 || point < 2) return value - last;
    const std::int32_t slope = last - at(point - 2, c);
    return value - last - (order == 2 ? slope : slope >> 1);
  }

  void findLevels() {
    const unsigned n = m_track.components;
    m_levels.assign((m_supports.ranges.size() + 3) * n, 0);
    const std::size_t from = m_supports.firstPoint < kRunUp ? 1 : m_supports.firstPoint - kRunUp + 1;
    const std::size_t to = std::min(m_supports.firstPoint + m_supports.ranges.size() + 2, m_basis.points);
    for (unsigned c = 0; c < n; ++c) {
      runtime::ComponentState state;
      for (std::size_t point = from; point < to; ++point) {
        if (point >= m_supports.firstPoint)
          m_levels[(point - m_supports.firstPoint) * n + c] =
              static_cast<std::uint8_t>(ResidualModel::level(state.average, state.average));
        state.update(residual(point, c));
      }
    }
  }

  /// Bits (1/256) of the residuals that a point takes part in. The first point costs the same whatever it is.
  std::int64_t costAround(std::size_t point, unsigned c) const {
    std::int64_t cost = 0;
    const std::size_t reach = m_orders[c] == 0 ? 0 : m_orders[c] == 1 ? 1 : 2;
    for (std::size_t i = std::max<std::size_t>(point, 1); i <= std::min(point + reach, m_basis.points - 1); ++i)
      cost += residualCost(m_levels[(i - m_supports.firstPoint) * m_track.components + c], residual(i, c));
    return cost;
  }

  /// What the point one step further does in the world.
  void fillUnit(std::size_t point, unsigned c, const Supports::Range& range) {
    const std::size_t parts = m_track.motionParts(), stride = m_field.stride();
    const auto step = static_cast<float>(m_coded.step());
    for (std::size_t row = range.begin; row < range.end; ++row) {
      const float weight = m_basis.weight(row, point) * step;
      for (std::size_t part = 0; part < parts; ++part)
        m_unit[part * stride + row] = m_track.motions[(c * parts + part) * stride + row] * weight;
    }
  }
  void clearUnit(const Supports::Range& range) {
    for (std::size_t part = 0; part < m_track.motionParts(); ++part)
      std::fill_n(m_unit.begin() + static_cast<std::ptrdiff_t>(part * m_field.stride() + range.begin),
                  range.end - range.begin, 0.0f);
  }

  bool touchesMissed(const Supports::Range& range) const {
    return std::any_of(m_missed.begin() + static_cast<std::ptrdiff_t>(range.begin),
                       m_missed.begin() + static_cast<std::ptrdiff_t>(range.end),
                       [](char missed) { return missed != 0; });
  }

  std::int64_t saving(std::size_t point, unsigned c, std::int32_t by, std::int64_t now) {
    at(point, c) += by;
    const std::int64_t then = costAround(point, c);
    at(point, c) -= by;
    return now - then;
  }

  void improve(std::size_t point, unsigned c, const Supports::Range& range) {
    const std::int64_t now = costAround(point, c);
    const std::int64_t saved[2] = {saving(point, c, -1, now), saving(point, c, 1, now)};
    if (!m_options.repair && saved[0] <= 0 && saved[1] <= 0) return;
    fillUnit(point, c, range);
    const Motion motion{m_track.motionKind(), m_field.placeOf(m_track.joint), m_unit.data()};
    double best = 0;
    std::int32_t by = 0;
    for (int side = 0; side < 2; ++side) {
      if (!m_options.repair && saved[side] <= 0) continue;
      const std::int32_t direction = side == 0 ? -1 : 1;
      const Field::Change change = m_field.evaluate(motion, static_cast<float>(direction), range.begin, range.end);
      if (change.worst > 1 && !m_options.repair) continue;
      const double gain =
          m_options.bitWorth * static_cast<double>(saved[side]) / 256 - static_cast<double>(change.penalty);
      if (gain <= best) continue;
      best = gain;
      by = direction;
    }
    if (by != 0) {
      m_field.apply(motion, static_cast<float>(by), range.begin, range.end);
      at(point, c) += by;
    }
    clearUnit(range);
  }

  const Track& m_track;
  CodedTrack& m_coded;
  const Basis& m_basis;
  const RefineOptions& m_options;
  const std::vector<char>& m_missed;
  Field& m_field;
  Supports m_supports;
  std::vector<float> m_unit;
  std::uint32_t m_orders[4] = {};
  std::int32_t m_middles[4] = {};
  bool m_still[4] = {};
  bool m_openBegin = false, m_openEnd = false;  // the clip goes on beyond the window
  std::vector<std::uint8_t> m_levels;           // from the supports' first point on
};

}  // namespace

Refinement::Refinement(const WorldPoses& reference, const Jumps& jumps, Parts& parts, std::vector<CodedTrack>& coded,
                       double toleranceM, const Rows& rows)
    : Refinement(reference.clip(), parts, coded, Field(reference, jumps, toleranceM, rows)) {
  addMotions(reference, m_field, parts);
}

Refinement::Refinement(const Clip& clip, const Parts& parts, std::vector<CodedTrack>& coded, Field field)
    : m_parts(parts),
      m_coded(coded),
      m_toleranceM(field.toleranceM()),
      m_last(static_cast<std::int32_t>(runtime::lastHalfFrame(clip.frames))),
      m_field(std::move(field)),
      m_curves(parts.tracks.size()) {
  const Rows& rows = m_field.rows();
  for (const CodedTrack& track : coded) m_bases.push_back(makeBasis(track.knots, m_last, rows));
}

void Refinement::sweep(const RefineOptions& options) {
  const std::vector<char> missed = options.repair ? m_field.missed() : std::vector<char>();
  for (std::size_t i = 0; i < m_coded.size(); ++i)
    TrackRefiner(m_parts.tracks[i], m_coded[i], m_bases[i], m_last, options, missed, m_field).run();
}

void Refinement::poseAt(std::size_t halfFrame, Transform* pose) const {
  std::copy(m_parts.base.begin(), m_parts.base.end(), pose);
  for (std::size_t i = 0; i < m_curves.size(); ++i) {
    const Track& track = m_parts.tracks[i];
    applyTrack(track, &m_curves[i][(halfFrame - m_field.rows().begin) * track.components], pose);
  }
}

double Refinement::measure() {
  for (std::size_t i = 0; i < m_curves.size(); ++i)
    evaluate(m_bases[i], m_coded[i].points, m_parts.tracks[i].components, m_coded[i].step(), m_curves[i]);
  m_field.measure([this](std::size_t halfFrame, Transform* pose) { poseAt(halfFrame, pose); });
  return std::sqrt(static_cast<double>(m_field.worst()));
}

double Refinement::tighten(double part) {
  double used = measure();
  for (unsigned repair = 0; repair < kMostRepairs && used > part; ++repair) {
    m_field.setTolerance(m_toleranceM * part * (1 - kRepairStep * (repair + 1)));
    sweep({kRepairWorth, true});
    m_field.setTolerance(m_toleranceM);
    used = measure();
  }
  return used;
}

}  // namespace simmer::animation::spline
