#include "tests/plugins/animation/codec/spline/codec_run.h"

#include <cstdlib>

#include "plugins/animation/codec/decoded_clip.h"
#include "tests/support/bench_measure.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::bench {
namespace {

using animation::DecodedClip;

// Short encodings are timed again, since a single one says little.
constexpr double kTimedOnceSeconds = 0.05;
constexpr std::size_t kMostEncodings = 5;

}  // namespace

Result<CodecRun> runCodec(const animation::Clip& clip, const std::string& toleranceMm, animation::Effort effort) {
  const double toleranceM = std::strtod(toleranceMm.c_str(), nullptr) / 1000;
  animation::SplineSettings settings;
  settings.effort = effort;
  settings.skeleton = animation::spline::SkeletonPlace::None;
  SIMMER_TRY(skeleton, writeSkeleton(*clip.skeleton));
  test::RecordingContext context;
  CodecRun run;
  std::vector<double> times;
  do {
    const double start = cpuSeconds();
    SIMMER_TRY(encoded, encodeSpline(clip, skeleton, settings, toleranceM, context));
    times.push_back(cpuSeconds() - start);
    run.file = std::move(encoded.file);
    run.how = encoded.how;
    run.measured = encoded.measured;
  } while (times.back() < kTimedOnceSeconds && times.size() < kMostEncodings);
  SIMMER_TRY(decoded, DecodedClip::load(run.file));
  run.clip = clip.id;
  run.toleranceMm = toleranceMm;
  const double errorM = test::benchMeasure(clip, decoded.poseSource()).worst;
  run.errorMm = errorM * 1000;
  run.within = errorM <= toleranceM;
  run.rawBytes = static_cast<double>(clip.rawBytes());
  run.artifactBytes = static_cast<double>(run.file.size());
  run.memoryBytes = static_cast<double>(decoded.memoryBytes());
  run.loadSeconds = measureLoad(run.file);
  run.decode = measureDecode(clip, decoded.clip());
  run.encodeSeconds = median(times);
  run.unitSeconds = run.decode.rawSequentialNs * 1e-9 * clip.frames;
  return run;
}

}  // namespace simmer::bench
