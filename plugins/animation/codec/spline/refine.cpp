#include "plugins/animation/codec/spline/refine.h"

#include <algorithm>

namespace simmer::animation::spline {
namespace {

using runtime::ResidualModel;

/// One track's points with what they cost where they are.
class TrackRefiner {
 public:
  TrackRefiner(const Track& track, CodedTrack& coded, std::int32_t last, const RefineOptions& options, Field& field)
      : m_track(track),
        m_coded(coded),
        m_options(options),
        m_field(field),
        m_basis(makeBasis(coded.knots, last)),
        m_supports(m_basis.supports()),
        m_unit(track.motionParts() * field.stride(), 0.0f) {
    const Fields fields = fieldsOf(track, coded);
    for (unsigned c = 0; c < track.components; ++c)
      m_orders[c] = fields.widths[c] == 0 ? 0 : cheapestOrder(coded, c, track.components, fields.widths[c]).order;
    for (unsigned c = 0; c < track.components; ++c) m_still[c] = fields.widths[c] == 0;
    findLevels();
  }

  std::size_t run() {
    std::size_t moved = 0;
    for (std::size_t point = 0; point < m_basis.points; ++point)
      for (unsigned c = 0; c < m_track.components; ++c)
        if (!m_still[c] && improve(point, c)) ++moved;
    return moved;
  }

 private:
  std::int32_t& at(std::size_t point, unsigned c) { return m_coded.points[point * m_track.components + c]; }
  std::int32_t at(std::size_t point, unsigned c) const { return m_coded.points[point * m_track.components + c]; }

  std::int32_t residual(std::size_t point, unsigned c) const {
    const std::int32_t value = at(point, c);
    const std::uint32_t order = m_orders[c];
    if (order == 0) return value;
    const std::int32_t last = at(point - 1, c);
    if (order == 1 || point < 2) return value - last;
    const std::int32_t slope = last - at(point - 2, c);
    return value - last - (order == 2 ? slope : slope / 2);
  }

  void findLevels() {
    const unsigned n = m_track.components;
    m_levels.assign(m_basis.points * n, 0);
    for (unsigned c = 0; c < n; ++c) {
      runtime::ComponentState state;
      for (std::size_t point = 1; point < m_basis.points; ++point) {
        m_levels[point * n + c] = static_cast<std::uint8_t>(ResidualModel::level(state.average, state.average));
        state.update(residual(point, c));
      }
    }
  }

  /// Bits (1/256) of the residuals that a point takes part in. The first point costs the same whatever it is.
  std::int64_t costAround(std::size_t point, unsigned c) const {
    std::int64_t cost = 0;
    const std::size_t reach = m_orders[c] == 0 ? 0 : m_orders[c] == 1 ? 1 : 2;
    for (std::size_t i = std::max<std::size_t>(point, 1); i <= std::min(point + reach, m_basis.points - 1); ++i)
      cost += residualCost(m_levels[i * m_track.components + c], residual(i, c));
    return cost;
  }

  void fillUnit(std::size_t point, unsigned c, float scale) {
    const std::size_t parts = m_track.motionParts(), stride = m_field.stride();
    const Basis::Support support = m_supports[point];
    for (std::int32_t h = support.begin; h < support.end; ++h) {
      const auto row = static_cast<std::size_t>(h);
      const auto index = static_cast<std::int32_t>(point) - m_basis.first[row];
      const float weight = index < 0 || index > static_cast<std::int32_t>(m_basis.degree)
                               ? 0
                               : m_basis.weights[4 * row + static_cast<std::size_t>(index)] * scale;
      for (std::size_t part = 0; part < parts; ++part)
        m_unit[part * stride + row] = m_track.motions[(c * parts + part) * stride + row] * weight;
    }
  }
  void clearUnit(std::size_t point) {
    const Basis::Support support = m_supports[point];
    for (std::size_t part = 0; part < m_track.motionParts(); ++part)
      std::fill(m_unit.begin() + static_cast<std::ptrdiff_t>(part * m_field.stride()) + support.begin,
                m_unit.begin() + static_cast<std::ptrdiff_t>(part * m_field.stride()) + support.end, 0.0f);
  }

  bool improve(std::size_t point, unsigned c) {
    const Basis::Support support = m_supports[point];
    if (support.end <= support.begin || (m_options.repair && !touchesMissed(support))) return false;
    const std::int64_t now = costAround(point, c);
    std::int64_t saved[2];
    for (int side = 0; side < 2; ++side) {
      const std::int32_t by = side == 0 ? -1 : 1;
      at(point, c) += by;
      saved[side] = now - costAround(point, c);
      at(point, c) -= by;
    }
    if (!m_options.repair && saved[0] <= 0 && saved[1] <= 0) return false;
    fillUnit(point, c, static_cast<float>(m_coded.step()));
    const Motion motion{m_track.motionKind(), m_field.placeOf(m_track.joint), m_unit.data()};
    const auto begin = static_cast<std::size_t>(support.begin), end = static_cast<std::size_t>(support.end);
    double best = 0;
    std::int32_t by = 0;
    for (int side = 0; side < 2; ++side) {
      if (!m_options.repair && saved[side] <= 0) continue;
      const std::int32_t direction = side == 0 ? -1 : 1;
      const Field::Change change = m_field.evaluate(motion, static_cast<float>(direction), begin, end);
      if (change.worst > m_options.limit && !m_options.repair) continue;
      const double gain =
          m_options.bitWorth * static_cast<double>(saved[side]) / 256 - static_cast<double>(change.penalty);
      if (gain > best) {
        best = gain;
        by = direction;
      }
    }
    if (by != 0) {
      m_field.apply(motion, static_cast<float>(by), begin, end);
      at(point, c) += by;
    }
    clearUnit(point);
    return by != 0;
  }

  bool touchesMissed(const Basis::Support& support) const {
    return std::any_of(m_options.missed.begin() + support.begin, m_options.missed.begin() + support.end,
                       [](char missed) { return missed != 0; });
  }

  const Track& m_track;
  CodedTrack& m_coded;
  const RefineOptions& m_options;
  Field& m_field;
  Basis m_basis;
  std::vector<Basis::Support> m_supports;
  std::vector<float> m_unit;
  std::uint32_t m_orders[4] = {};
  bool m_still[4] = {};
  std::vector<std::uint8_t> m_levels;
};

}  // namespace

std::size_t refine(const std::vector<Track>& tracks, std::vector<CodedTrack>& coded, std::int32_t last,
                   const RefineOptions& options, Field& field) {
  std::size_t moved = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i)
    moved += TrackRefiner(tracks[i], coded[i], last, options, field).run();
  return moved;
}

}  // namespace simmer::animation::spline
