#pragma once

#include <cstddef>

namespace simmer::animation::spline {

/// Half frames that are looked at: `begin`, `begin + step`, …
struct Rows {
  std::size_t begin = 0, count = 0, step = 1;

  std::size_t halfFrame(std::size_t row) const { return begin + row * step; }
};

/// Every `step`-th half frame of a clip whose last is `last`.
inline Rows everyRow(std::size_t last, std::size_t step) {
  return {0, last / step + 1, step};
}

/// The row after another where every n-th is looked at and the last of `count`; `count` after that.
inline std::size_t nextRow(std::size_t row, std::size_t every, std::size_t count) {
  if (row + 1 >= count) return count;
  return row + every < count ? row + every : count - 1;
}

}  // namespace simmer::animation::spline
