#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "plugins/animation/clip/exact_math.h"
#include "plugins/animation/clip/transform.h"

// The article's own fit, line by line: every frame of the track is evaluated again for every key. Slow, and right.

namespace simmer::animation::article::plain {

using Keys = std::vector<std::uint32_t>;

inline std::vector<double> reconstruct(const std::vector<double>& values, const Keys& keys, bool cubic) {
  std::vector<double> out(values.size());
  const auto slope = [&](std::size_t i) {
    const std::size_t from = i == 0 ? 0 : i - 1, to = i == keys.size() - 1 ? i : i + 1;
    return (values[keys[to]] - values[keys[from]]) / (keys[to] - keys[from]);
  };
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    const double h = keys[k + 1] - keys[k], p0 = values[keys[k]], p1 = values[keys[k + 1]];
    const double m0 = cubic ? slope(k) * h : 0, m1 = cubic ? slope(k + 1) * h : 0;
    for (std::uint32_t f = keys[k]; f <= keys[k + 1]; ++f) {
      const double u = (f - keys[k]) / h;
      out[f] = cubic ? (2 * u * u * u - 3 * u * u + 1) * p0 + (u * u * u - 2 * u * u + u) * m0 +
                           (-2 * u * u * u + 3 * u * u) * p1 + (u * u * u - u * u) * m1
                     : p0 + (p1 - p0) * u;
    }
  }
  return out;
}

inline Keys fit(std::size_t frames, const std::function<std::vector<double>(const Keys&)>& errors, double tolerance) {
  if (frames <= 2) return frames == 2 ? Keys{0, 1} : Keys(frames, 0);
  Keys keys{0, static_cast<std::uint32_t>(frames - 1)};
  for (;;) {
    const std::vector<double> error = errors(keys);
    double worst = -1;
    std::uint32_t at = 0;
    for (std::uint32_t f = 0; f < frames; ++f)
      if (error[f] > worst) worst = error[f], at = f;
    if (worst <= tolerance || keys.size() >= frames) return keys;
    keys.insert(std::lower_bound(keys.begin(), keys.end(), at), at);
  }
}

inline Keys fitScalar(const std::vector<double>& values, double tolerance, bool cubic) {
  return fit(
      values.size(),
      [&](const Keys& keys) {
        std::vector<double> error = reconstruct(values, keys, cubic);
        for (std::size_t f = 0; f < values.size(); ++f) error[f] = std::abs(error[f] - values[f]);
        return error;
      },
      tolerance);
}

inline Keys fitRotation(const std::vector<Quaternion>& values, double toleranceDeg, bool cubic) {
  return fit(
      values.size(),
      [&](const Keys& keys) {
        std::array<std::vector<double>, 4> parts;
        for (std::size_t i = 0; i < 4; ++i) {
          std::vector<double> component;
          for (const Quaternion& q : values) component.push_back(q[i]);
          parts[i] = reconstruct(component, keys, cubic);
        }
        std::vector<double> error;
        for (std::size_t f = 0; f < values.size(); ++f) {
          Quaternion q{parts[0][f], parts[1][f], parts[2][f], parts[3][f]};
          const double length = exact::hypot(q.data(), 4);
          for (double& component : q) component /= length == 0 ? 1 : length;
          error.push_back(2 * exact::acos(std::min(1.0, std::abs(dot(q, values[f])))) * (180 / std::numbers::pi));
        }
        return error;
      },
      toleranceDeg);
}

}  // namespace simmer::animation::article::plain
