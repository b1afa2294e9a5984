// What a game pays for a cooked clip: sampling a pose forwards and at random, one joint, and loading. Beside it, in the
// same run, two raw float32 frames read and interpolated.

#include <map>

#include <benchmark/benchmark.h>

#include "plugins/animation/codec/article/samples.h"
#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/encode.h"
#include "tests/bench/bench_report.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

/// The article's walk and its cooked form at one pixel of 256.
struct Fixture {
  Clip clip = article::toClip(article::makeSample(article::Sample::Walk), "walk");
  Bytes file = cooked();
  DecodedClip decoded = *DecodedClip::load(file);
  std::vector<simmer_transform> pose = std::vector<simmer_transform>(clip.joints());

  Bytes cooked() const {
    test::RecordingContext context;
    const SkeletonFile skeleton = *writeSkeleton(*clip.skeleton);
    return encodeArticle(clip, skeleton, {}, 1.8 / 256, context)->file;
  }
  /// Times in seconds, forwards in small steps or jumping about.
  double timeAt(std::size_t step, bool jumping) const {
    const double frames = static_cast<double>(clip.frames) - 1;
    const double at = static_cast<double>(step) * (jumping ? 61.803 : 0.7);
    return (at - frames * static_cast<double>(static_cast<std::size_t>(at / frames))) / clip.rateHz;
  }
};

Fixture& fixture() {
  static Fixture shared;
  return shared;
}

/// Linear, in float, as the usual baseline does it.
void rawPose(benchmark::State& state) {
  const Clip& clip = fixture().clip;
  std::vector<Transform> pose(clip.joints());
  std::size_t step = 0;
  for (auto _ : state) {
    const double frame = fixture().timeAt(step++, state.range(0) != 0) * clip.rateHz;
    const auto before = static_cast<std::uint32_t>(frame);
    const float u = static_cast<float>(frame - before);
    const auto* a = reinterpret_cast<const float*>(&clip.pose(before, 0));
    const auto* b = reinterpret_cast<const float*>(&clip.pose(std::min(before + 1, clip.frames - 1), 0));
    auto* out = reinterpret_cast<float*>(pose.data());
    for (std::size_t i = 0; i < 10 * clip.joints(); ++i) out[i] = a[i] + (b[i] - a[i]) * u;
    benchmark::DoNotOptimize(pose.data());
  }
}

void cookedPose(benchmark::State& state) {
  Fixture& f = fixture();
  std::size_t step = 0;
  for (auto _ : state) {
    simmer_clip_sample_pose(f.decoded.clip(), f.timeAt(step++, state.range(0) != 0), f.pose.data());
    benchmark::DoNotOptimize(f.pose.data());
  }
}

void cookedJoint(benchmark::State& state) {
  Fixture& f = fixture();
  std::size_t step = 0;
  for (auto _ : state) {
    simmer_clip_sample_joint(f.decoded.clip(), f.timeAt(step++, true), 8, f.pose.data());
    benchmark::DoNotOptimize(f.pose.data());
  }
}

void load(benchmark::State& state) {
  Fixture& f = fixture();
  std::vector<std::max_align_t> memory(simmer_clip_memory(f.file.data(), f.file.size()) / sizeof(std::max_align_t) + 1);
  for (auto _ : state) {
    const simmer_clip* clip = nullptr;
    simmer_clip_load(f.file.data(), f.file.size(), memory.data(), memory.size() * sizeof(std::max_align_t), &clip);
    benchmark::DoNotOptimize(clip);
  }
}

BENCHMARK(rawPose)->Name("raw float32 pose, forwards")->Arg(0);
BENCHMARK(rawPose)->Name("raw float32 pose, random")->Arg(1);
BENCHMARK(cookedPose)->Name("cooked pose, forwards")->Arg(0);
BENCHMARK(cookedPose)->Name("cooked pose, random")->Arg(1);
BENCHMARK(cookedJoint)->Name("one cooked joint, random");
BENCHMARK(load)->Name("load and validate");

/// Takes the results into our own table and JSON.
class Collect : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) nanoseconds[run.run_name.function_name] = run.GetAdjustedCPUTime();
  }
  std::map<std::string, double> nanoseconds;
};

}  // namespace
}  // namespace simmer::animation

int main(int argc, char** argv) {
  simmer::bench::BenchReport report("decode", argc, argv);
  simmer::animation::Collect collect;
  benchmark::RunSpecifiedBenchmarks(&collect);
  for (const auto& [name, ns] : collect.nanoseconds) report.add(name, ns, "ns");
  const auto& ns = collect.nanoseconds;
  report.add("cooked ÷ raw, forwards", ns.at("cooked pose, forwards") / ns.at("raw float32 pose, forwards"), "×");
  report.add("cooked ÷ raw, random", ns.at("cooked pose, random") / ns.at("raw float32 pose, random"), "×");
  return report.finish();
}
