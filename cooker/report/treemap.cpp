#include "cooker/report/treemap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace simmer {
namespace {

bool counts(double value) {
  return std::isfinite(value) && value > 0;
}

/// The worst ratio of sides in a row of tiles whose areas sum up to `sum`, along a side of this length.
double worstRatio(double largest, double smallest, double sum, double side) {
  const double thickness = sum / side;
  const double longest = largest / thickness, shortest = smallest / thickness;
  return std::max(std::max(longest / thickness, thickness / longest),
                  std::max(shortest / thickness, thickness / shortest));
}

/// Lays tiles of these areas in one row along the shorter side of `free`, and takes the row away from it.
void layRow(const std::vector<double>& areas, double sum, const std::vector<std::size_t>& order, std::size_t begin,
            std::size_t end, TreemapRect& free, std::vector<TreemapRect>& tiles) {
  const bool upright = free.width >= free.height;  // the row is a column at the left
  const double side = upright ? free.height : free.width;
  const double thickness = end == order.size() ? (upright ? free.width : free.height) : sum / side;
  double at = 0, seen = 0;
  for (std::size_t i = begin; i < end; ++i) {
    seen += areas[order[i]];
    const double next = i + 1 == end ? side : side * (seen / sum);  // the last tile ends where the row does
    tiles[order[i]] = upright ? TreemapRect{free.x, free.y + at, thickness, next - at}
                              : TreemapRect{free.x + at, free.y, next - at, thickness};
    at = next;
  }
  (upright ? free.x : free.y) += thickness;
  (upright ? free.width : free.height) -= thickness;
}

}  // namespace

std::vector<TreemapRect> squarify(const std::vector<double>& values, const TreemapRect& frame) {
  std::vector<TreemapRect> tiles(values.size(), TreemapRect{frame.x, frame.y, 0, 0});
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts(values[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  if (order.empty() || !counts(frame.width) || !counts(frame.height)) return tiles;
  // Divided by the largest first, so that no sum overflows.
  const double largest = values[order.front()];
  double total = 0;
  for (const std::size_t i : order) total += values[i] / largest;
  std::vector<double> areas(values.size());
  for (const std::size_t i : order) areas[i] = values[i] / largest / total * frame.width * frame.height;
  TreemapRect free = frame;
  for (std::size_t begin = 0; begin < order.size();) {
    const double side = std::max(std::min(free.width, free.height), 1e-12);
    double sum = areas[order[begin]];
    double worst = worstRatio(sum, sum, sum, side);
    std::size_t end = begin + 1;
    for (; end < order.size(); ++end) {
      const double more = areas[order[end]];
      const double ratio = worstRatio(areas[order[begin]], more, sum + more, side);
      if (!(ratio <= worst)) break;
      worst = ratio;
      sum += more;
    }
    layRow(areas, sum, order, begin, end, free, tiles);
    begin = end;
  }
  return tiles;
}

}  // namespace simmer
