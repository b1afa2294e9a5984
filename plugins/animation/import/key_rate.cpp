#include "plugins/animation/import/key_rate.h"

#include <algorithm>
#include <cmath>

namespace simmer::animation {
namespace {

constexpr double kHighestHz = 480;
constexpr double kJitterS = 2e-5;           // float32 seconds, and sums of them
constexpr double kJitterPart = 2e-7;        // of the time itself
constexpr double kRoundedS = 6e-4;          // times rounded to milliseconds
constexpr double kRoundedFrames = 0.05;     // but never more than this part of a frame
constexpr std::size_t kRoundedKeys = 8;     // fewer might fit by chance
constexpr double kSameRate = 1.003;         // closer rates are told apart by which fits best
constexpr int kMostFramesBetweenKeys = 32;  // tried for the closest two keys
constexpr double kUsualHz[] = {5,
                               6,
                               8,
                               10,
                               12,
                               15,
                               20,
                               24000.0 / 1001,
                               24,
                               25,
                               30000.0 / 1001,
                               30,
                               48,
                               50,
                               60000.0 / 1001,
                               60,
                               72,
                               90,
                               100,
                               120000.0 / 1001,
                               120,
                               144,
                               240,
                               480};

bool fits(const std::vector<double>& keys, double rate, double jitterS, double jitterPart) {
  const auto misses = [&](double key) {
    const double frame = (key - keys.front()) * rate;
    const double allowed = std::min(0.25, (jitterS + jitterPart * key) * rate);
    return !(std::abs(frame - std::round(frame)) <= allowed);
  };
  return std::none_of(keys.begin(), keys.end(), misses);
}

/// The farthest that a key is from its frame, in seconds.
double worstMiss(const std::vector<double>& keys, double rate) {
  double worst = 0;
  for (const double key : keys) {
    const double frame = (key - keys.front()) * rate;
    worst = std::max(worst, std::abs(frame - std::round(frame)) / rate);
  }
  return worst;
}

/// The closest whole or television rate, where it is as good as the same.
double usual(const std::vector<double>& keys, double rate) {
  std::vector<double> near{std::round(rate)};
  near.insert(near.end(), std::begin(kUsualHz), std::end(kUsualHz));
  for (const double candidate : near)
    if (candidate > 0 && std::abs(rate / candidate - 1) < 2e-4 && fits(keys, candidate, kJitterS, kJitterPart))
      return candidate;
  return rate;
}

/// Rates of which the closest two keys are 1, 2, … frames apart, made exact by the whole length.
std::vector<double> candidates(const std::vector<double>& keys) {
  const double length = keys.back() - keys.front();
  double closest = length;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const double gap = keys[i] - keys[i - 1];
    if (gap > 2 * (kJitterS + kJitterPart * keys[i])) closest = std::min(closest, gap);
  }
  std::vector<double> rates(std::begin(kUsualHz), std::end(kUsualHz));
  for (int frames = 1; frames <= kMostFramesBetweenKeys; ++frames)
    rates.push_back(std::max(1.0, std::round(length * frames / closest)) / length);
  std::sort(rates.begin(), rates.end());
  return rates;
}

}  // namespace

bool fallOnFrames(const std::vector<double>& keys, double rateHz) {
  return fits(keys, rateHz, kJitterS, kJitterPart);
}

std::optional<double> commonRate(const std::vector<double>& keys) {
  if (keys.size() < 2 || !(keys.back() - keys.front() > 2 * (kJitterS + kJitterPart * keys.back())))
    return std::nullopt;
  std::optional<double> best;
  for (const double rate : candidates(keys)) {
    if (rate > kHighestHz * 1.001 || (best && rate > *best * kSameRate)) break;
    if (fits(keys, rate, kJitterS, kJitterPart) && (!best || worstMiss(keys, rate) < worstMiss(keys, *best)))
      best = rate;
  }
  if (best) return usual(keys, *best);
  if (keys.size() < kRoundedKeys) return std::nullopt;
  for (const double rate : kUsualHz)
    if (fits(keys, rate, std::min(kRoundedS, kRoundedFrames / rate), kJitterPart)) return rate;
  return std::nullopt;
}

}  // namespace simmer::animation
