#include "plugins/animation/codec/spline/points.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simmer::animation::spline {
namespace {

using runtime::ResidualModel;

/// What a difference costs at a level, in 1/256 of a bit.
struct LevelCost {
  std::uint16_t zero, one, more;  ///< the last for each by which its magnitude is above 1
};
// Geometric distributions, not what the coder takes on the average: a table that was measured has dips, points go
// there, and the next measurement finds them deeper. These have expected magnitudes half as large as the levels' own
// and rarer zeros, which gave the smallest files of 34 clips: small differences also make those behind them cheaper.
constexpr LevelCost kCosts[ResidualModel::kLevels] = {
    {95, 809, 1124}, {185, 605, 1124}, {215, 564, 1124}, {256, 517, 1124}, {290, 522, 735}, {327, 594, 397},
    {379, 657, 262}, {461, 707, 188},  {529, 786, 133},  {621, 865, 96},   {742, 947, 70},  {834, 1050, 50},
    {986, 1150, 36}, {1092, 1264, 25}, {1183, 1384, 18}, {1246, 1507, 13}, {1345, 1629, 9}, {1373, 1755, 6},
    {1402, 1882, 4}, {1402, 2010, 3},  {1402, 2138, 2},  {1373, 2267, 2},  {1318, 2398, 1}, {1183, 2536, 1}};
constexpr std::uint32_t kFarCost = 1280;  // far ones cost this, and two bits for each doubling

unsigned bitsOf(std::uint32_t value) {
  unsigned bits = 0;
  while (bits < 32 && value >> bits != 0) ++bits;
  return bits;
}

std::int32_t predict(std::uint32_t order, std::int32_t last, std::int32_t before, std::size_t point) {
  if (order == 1 || point < 2) return last;
  return order == 2 ? 2 * last - before : last + ((last - before) >> 1);
}

}  // namespace

std::uint32_t residualCost(unsigned level, std::int32_t residual) {
  const LevelCost& cost = kCosts[level];
  if (residual == 0) return cost.zero;
  const std::uint32_t above = runtime::magnitudeOf(residual) - 1;
  if (above < 2) return cost.one + cost.more * above;
  const std::uint32_t far = std::max<std::uint32_t>(cost.more, kFarCost + 512 * runtime::floorLog2(above + 1));
  return cost.one + (above > 0xFFFF ? far : std::min(cost.more * above, far));
}

Fields fieldsOf(const Track& track, const CodedTrack& coded) {
  Fields fields;
  const std::size_t n = track.components;
  for (std::size_t c = 0; c < n; ++c) {
    std::int32_t low = coded.points[c], high = coded.points[c];
    for (std::size_t i = c; i < coded.points.size(); i += n) {
      low = std::min(low, coded.points[i]);
      high = std::max(high, coded.points[i]);
    }
    if (track.part == Part::Rotation) {
      if (low == 0 && high == 0) continue;
      const auto reach = static_cast<std::uint32_t>(std::max(high, -1 - low));
      fields.widths[c] = bitsOf(reach) + 1;
      fields.biases[c] = -(std::int32_t{1} << (fields.widths[c] - 1));
    } else {
      fields.widths[c] = bitsOf(static_cast<std::uint32_t>(high - low));
      fields.biases[c] = low;
    }
  }
  return fields;
}

OrderChoice cheapestOrder(const CodedTrack& coded, unsigned component, unsigned components, const Fields& fields) {
  OrderChoice best;
  best.cost = ~std::uint64_t{0};
  const std::size_t count = coded.points.size() / components;
  for (const std::uint32_t order : {1u, 2u, 3u, 0u}) {
    std::uint64_t cost = 256 * fields.widths[component];
    runtime::ComponentState state;
    std::int32_t last = coded.points[component], before = last;
    for (std::size_t i = 1; i < count; ++i) {
      const std::int32_t value = coded.points[i * components + component];
      const std::int32_t residual = value - (order == 0 ? fields.middle(component) : predict(order, last, before, i));
      cost += residualCost(ResidualModel::level(state.average, state.average), residual);
      state.update(residual);
      before = last;
      last = value;
    }
    if (cost < best.cost) best = {order, cost};
  }
  return best;
}

double estimateBits(const Track& track, const CodedTrack& coded, std::int32_t last) {
  const Fields fields = fieldsOf(track, coded);
  std::uint64_t cost = 256 * (6 + 6);
  if (coded.knots.isTree()) {
    const auto blocks = static_cast<std::uint64_t>(last / (32 << coded.knots.shift) + 1);
    cost += 256 * 2 * (coded.knots.positions.size() - blocks) + 128 * blocks;
  }
  if (coded.knots.kind == KnotKind::Hold) cost += 256 * 6 * coded.knots.positions.size();
  for (unsigned c = 0; c < track.components; ++c) {
    cost += 512;
    if (fields.widths[c] > 0) cost += cheapestOrder(coded, c, track.components, fields).cost + 512;
  }
  return static_cast<double>(cost) / 256;
}

}  // namespace simmer::animation::spline
