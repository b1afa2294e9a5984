#pragma once

#include <vector>

namespace simmer {

struct TreemapRect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// Tiles `frame` with one rectangle for each value, in the order of the values: areas are proportional to the values,
/// nothing overlaps, and the tiles are as near to squares as a greedy choice makes them. Values that are not positive
/// and finite get an empty rectangle at the frame's corner. The same values give the same tiles.
///
/// Method: Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000.
std::vector<TreemapRect> squarify(const std::vector<double>& values, const TreemapRect& frame);

}  // namespace simmer
