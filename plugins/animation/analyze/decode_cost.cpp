#include "plugins/animation/analyze/decode_cost.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "plugins/animation/codec/article/sampler.h"

namespace simmer::animation {
namespace {

constexpr int kRounds = 9;
constexpr double kRoundNs = 4e5;  // short, so that most rounds run undisturbed on a busy machine
constexpr std::size_t kFewestPoses = 16, kMostPoses = 4096;

double nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times that play forward by 0.7 of a frame, over and over, as in the article.
std::vector<double> playback(std::uint32_t frames) {
  std::vector<double> times(kMostPoses);
  for (std::size_t i = 0; i < times.size() && frames > 1; ++i)
    times[i] = std::fmod(static_cast<double>(i) * 0.7, frames - 1.001);
  return times;
}

/// Nanoseconds for one call of `decode(time)`. The number of poses in a round goes by how long they take.
template <class Decode>
double medianNs(const std::vector<double>& times, Decode decode) {
  const auto round = [&](std::size_t poses) {
    const double start = nanoseconds();
    for (std::size_t i = 0; i < poses; ++i) decode(times[i]);
    return (nanoseconds() - start) / static_cast<double>(poses);
  };
  round(kFewestPoses);
  const double estimate = std::max(1.0, round(kFewestPoses));
  const auto poses = std::clamp(static_cast<std::size_t>(kRoundNs / estimate), kFewestPoses, kMostPoses);
  std::array<double, kRounds> rounds;
  for (double& result : rounds) result = round(poses);
  std::ranges::nth_element(rounds, rounds.begin() + kRounds / 2);
  return rounds[kRounds / 2];
}

/// As the article plays a raw clip: every number on its own, between two frames.
void sampleRaw(const Clip& clip, double time, Transform* pose) {
  const auto before = static_cast<std::uint32_t>(time);
  const std::uint32_t after = std::min(before + 1, clip.frames - 1);
  const auto u = static_cast<float>(time - before);
  const auto mix = [u](const auto& a, const auto& b, auto& out) {
    for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] + (b[i] - a[i]) * u;
  };
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    const Transform &a = clip.pose(before, joint), &b = clip.pose(after, joint);
    mix(a.translation, b.translation, pose[joint].translation);
    mix(a.rotation, b.rotation, pose[joint].rotation);
    mix(a.scale, b.scale, pose[joint].scale);
  }
}

}  // namespace

DecodeCost measureDecodeCost(const Clip& clip, const article::Plan& linear, const article::Plan& cubic,
                             const article::Plan& quantised) {
  const std::vector<double> times = playback(clip.frames);
  std::vector<Transform> pose(clip.joints());
  const auto costOf = [&](const article::Plan& plan) {
    const article::Sampler sampler(plan);
    return medianNs(times, [&](double time) { sampler.sample(time, pose.data()); });
  };
  DecodeCost cost;
  cost.raw = medianNs(times, [&](double time) { sampleRaw(clip, time, pose.data()); });
  cost.linear = costOf(linear);
  cost.cubic = costOf(cubic);
  cost.quantised = costOf(quantised);
  const article::Sampler scalars(linear);
  std::vector<float> values(scalars.scalarCount());
  std::vector<std::uint32_t> cursors(scalars.scalarCount());
  cost.scalarsBySearch = medianNs(times, [&](double time) { scalars.sampleScalars(time, values.data()); });
  cost.scalarsByCursor = medianNs(times, [&](double time) { scalars.sampleScalars(time, values.data(), cursors); });
  return cost;
}

}  // namespace simmer::animation
