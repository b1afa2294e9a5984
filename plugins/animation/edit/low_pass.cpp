#include "plugins/animation/edit/low_pass.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/clip/exact_math.h"

namespace simmer::animation {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Samples over (rate / cut-off) after which an impulse has died down to e^-22.
constexpr double kReach = 5;

}  // namespace

LowPass::LowPass(double cutOffHz, double rateHz) : m_reach(std::ceil(kReach * rateHz / cutOffHz)) {
  const double angle = kPi * (cutOffHz / rateHz);
  const double g = exact::sin(angle) / exact::cos(angle);
  m_a1 = 1 / (1 + g * (g + std::sqrt(2.0)));
  m_a2 = g * m_a1;
  m_a3 = g * m_a2;
}

/// Starts as if the first value had been there for ever.
template <class Iterator>
void LowPass::pass(Iterator begin, Iterator end) const {
  double band = 0, low = *begin;
  for (Iterator at = begin; at != end; ++at) {
    const double ahead = *at - low;
    const double v1 = m_a1 * band + m_a2 * ahead;
    const double v2 = low + (m_a2 * band + m_a3 * ahead);
    band = 2 * v1 - band;
    low = 2 * v2 - low;
    *at = v2;
  }
}

std::vector<double> LowPass::extended(const std::vector<double>& values, std::size_t by) const {
  const std::size_t count = values.size();
  std::vector<double> longer;
  longer.reserve(count + 2 * by);
  for (std::size_t i = by; i > 0; --i) longer.push_back(2 * values.front() - values[i]);
  longer.insert(longer.end(), values.begin(), values.end());
  for (std::size_t i = 1; i <= by; ++i) longer.push_back(2 * values.back() - values[count - 1 - i]);
  return longer;
}

void LowPass::apply(std::vector<double>& values) const {
  const auto by = static_cast<std::size_t>(std::min(m_reach, static_cast<double>(values.size() - 1)));
  std::vector<double> forwards = extended(values, by);
  std::vector<double> backwards = forwards;
  pass(forwards.begin(), forwards.end());
  pass(forwards.rbegin(), forwards.rend());
  pass(backwards.rbegin(), backwards.rend());
  pass(backwards.begin(), backwards.end());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (forwards[by + i] + backwards[by + i]) / 2;
}

}  // namespace simmer::animation
