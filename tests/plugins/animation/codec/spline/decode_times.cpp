#include "tests/plugins/animation/codec/spline/decode_times.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

#include "tests/plugins/animation/codec/spline/raw_lerp.h"

namespace simmer::bench {
namespace {

constexpr int kRounds = 15, kLoadRounds = 7;
constexpr double kRoundSeconds = 150e-6;  // short, so that most rounds run undisturbed
constexpr std::size_t kTimes = 8192;
constexpr double kPlaybackStep = 0.7;  // frames from one pose to the next

using Sample = std::function<void(double seconds)>;

/// Points in time, in seconds: playing forward over and over, or anywhere.
std::vector<double> timesOf(const animation::Clip& clip, bool anywhere) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, clip.frames - 1.0);
  std::vector<double> times(kTimes);
  for (std::size_t i = 0; i < kTimes; ++i) {
    const double forward = clip.frames > 1 ? std::fmod(static_cast<double>(i) * kPlaybackStep, clip.frames - 1.0) : 0;
    times[i] = (anywhere ? uniform(random) : forward) / clip.rateHz;
  }
  return times;
}

/// One sampler over one list of times, a part of it in each round.
class Runner {
 public:
  Runner(Sample sample, std::vector<double> times) : m_sample(std::move(sample)), m_times(std::move(times)) {
    round(32);
    const double estimate = round(64);
    m_poses = std::clamp<std::size_t>(static_cast<std::size_t>(kRoundSeconds / std::max(estimate, 1e-9)), 32, kTimes);
  }
  /// Seconds a pose.
  double round() { return round(m_poses); }

 private:
  double round(std::size_t poses) {
    const double start = cpuSeconds();
    for (std::size_t i = 0; i < poses; ++i) {
      m_sample(m_times[m_next]);
      m_next = (m_next + 1) % kTimes;
    }
    return (cpuSeconds() - start) / static_cast<double>(poses);
  }

  Sample m_sample;
  std::vector<double> m_times;
  std::size_t m_next = 0, m_poses = 0;
};

struct alignas(16) Block {
  unsigned char bytes[16];
};

}  // namespace

double cpuSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

DecodeTimes measureDecode(const animation::Clip& clip, const simmer_clip* decoded) {
  const RawLerp raw(clip);
  std::vector<float> rawPose(10 * clip.joints());
  std::vector<simmer_transform> pose(clip.joints());
  const Sample sampleRaw = [&](double seconds) { raw.sample(seconds, rawPose.data()); };
  const Sample sample = [&](double seconds) { simmer_clip_sample_pose(decoded, seconds, pose.data()); };
  const std::vector<double> forward = timesOf(clip, false), anywhere = timesOf(clip, true);
  Runner rawForward(sampleRaw, forward), ourForward(sample, forward);
  Runner rawAnywhere(sampleRaw, anywhere), ourAnywhere(sample, anywhere);
  std::vector<double> times[4], ratios[3];
  for (int round = 0; round < kRounds; ++round) {
    const double a = rawForward.round(), b = ourForward.round(), c = rawAnywhere.round(), d = ourAnywhere.round();
    times[0].push_back(a);
    times[1].push_back(b);
    times[2].push_back(c);
    times[3].push_back(d);
    ratios[0].push_back(b / a);
    ratios[1].push_back(d / c);
    ratios[2].push_back(d / b);
  }
  return {median(times[1]) * 1e9, median(times[3]) * 1e9, median(times[0]) * 1e9, median(times[2]) * 1e9,
          median(ratios[0]),      median(ratios[1]),      median(ratios[2])};
}

double measureLoad(ByteView file) {
  std::vector<Block> memory(simmer_clip_memory(file.data(), file.size()) / sizeof(Block) + 1);
  const simmer_clip* clip = nullptr;
  const auto load = [&](std::size_t times) {
    const double start = cpuSeconds();
    for (std::size_t i = 0; i < times; ++i)
      simmer_clip_load(file.data(), file.size(), memory.data(), memory.size() * sizeof(Block), &clip);
    return (cpuSeconds() - start) / static_cast<double>(times);
  };
  const auto loads =
      std::clamp<std::size_t>(static_cast<std::size_t>(2 * kRoundSeconds / std::max(load(1), 1e-9)), 1, 64);
  std::vector<double> rounds;
  for (int round = 0; round < kLoadRounds; ++round) rounds.push_back(load(loads));
  return median(rounds);
}

}  // namespace simmer::bench
