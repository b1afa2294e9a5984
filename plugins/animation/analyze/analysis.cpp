#include "plugins/animation/analyze/analysis.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plugins/animation/analyze/decode_cost.h"
#include "plugins/animation/clip/error_measure.h"
#include "plugins/animation/codec/article/sampler.h"

namespace simmer::animation {
namespace {

using article::Interpolation;
using article::Plan;
using article::Stages;

constexpr std::size_t kTimeSpans = 10;
constexpr double kPersonHeightM = 1.8;
constexpr int kQuantised = 6;  // the technique that codec spline is put beside

struct Technique {
  int number;
  const char* name;
  Stages stages;
};

/// The article's rows 2 to 7; row 1 is the clip itself.
const std::array<Technique, 6>& techniques() {
  static const std::array<Technique, 6> all{{
      {2, "constant channels removed (lossless)", {true, {}, Interpolation::Linear, false}},
      {3, "linear keyframes alone", {false, kComparedToleranceMm, Interpolation::Linear, false}},
      {4, "2 + linear keyframes", {true, kComparedToleranceMm, Interpolation::Linear, false}},
      {5, "2 + cubic keyframes", {true, kComparedToleranceMm, Interpolation::Cubic, false}},
      {6, "5 + quantised values", {true, kComparedToleranceMm, Interpolation::Cubic, true}},
      {7, "2 + quantised values, every frame", {true, {}, Interpolation::Linear, true}},
  }};
  return all;
}

/// Plays a plan with what the reference holds between frames held too: the article's curves know no steps.
double worldError(const Clip& clip, const ErrorMeter& meter, const Plan& plan) {
  const article::Sampler sampler(plan);
  std::vector<Transform> held(clip.joints());
  const PoseSource play = [&](double time, Transform* pose) {
    sampler.sample(time, pose);
    if (clip.step.empty() || time == std::floor(time)) return;
    sampler.sample(std::floor(time), held.data());
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      if (clip.steps(joint, Channel::Translation)) pose[joint].translation = held[joint].translation;
      if (clip.steps(joint, Channel::Rotation)) pose[joint].rotation = held[joint].rotation;
      if (clip.steps(joint, Channel::Scale)) pose[joint].scale = held[joint].scale;
    }
  };
  return meter.measure(play).worstM;
}

template <class Row>
void weigh(Row& row, const Plan& plan, const article::JointErrorMeter& meter) {
  const Bytes stream = article::encodeTracks(plan);
  row.keys = plan.keys();
  row.bytes = stream.size();
  row.gzipBytes = article::gzipSize(stream);
  row.error = meter.measure(article::decode(plan));
}

std::vector<TimeSpan> keysOverTime(const Plan& plan) {
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(kTimeSpans, plan.frames));
  std::vector<TimeSpan> spans(count);
  std::vector<std::size_t> spanOf(plan.frames);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto start = static_cast<std::uint32_t>(std::uint64_t{plan.frames} * i / count);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{plan.frames} * (i + 1) / count);
    spans[i] = {start / plan.rateHz, end / plan.rateHz, end - start, 0};
    std::fill(spanOf.begin() + start, spanOf.begin() + end, i);
  }
  const auto add = [&](const auto& tracks) {
    for (const auto& track : tracks)
      if (!track.constant)
        for (const std::uint32_t key : track.keys) ++spans[spanOf[key]].keys;
  };
  add(plan.scalars);
  add(plan.rotations);
  return spans;
}

RecordSizes recordSizes(const Plan& plan) {
  const bool quantised = plan.stages.quantise;
  Bytes constant, animated;
  const auto add = [&](const auto& tracks) {
    for (const auto& track : tracks) {
      const Bytes bytes = article::encodeTrack(track, quantised);
      Bytes& kind = track.constant ? constant : animated;
      kind.insert(kind.end(), bytes.begin(), bytes.end());
    }
  };
  add(plan.scalars);
  add(plan.rotations);
  RecordSizes sizes{
      quantised, constant.size(), article::gzipSize(constant), animated.size(), article::gzipSize(animated), 0, 0};
  constant.insert(constant.end(), animated.begin(), animated.end());
  sizes.allBytes = constant.size();
  sizes.allGzip = article::gzipSize(constant);
  return sizes;
}

/// The coarsest row of a kind whose error is below `limitMm`.
std::optional<std::size_t> coarsestUnder(const std::vector<SweepRow>& sweep, Interpolation interpolation,
                                         double limitMm) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < sweep.size(); ++i)
    if (sweep[i].interpolation == interpolation && sweep[i].error.maxM * 1000 < limitMm) found = i;
  return found;
}

/// What the stages of an analysis share.
class Analyzer {
 public:
  Analyzer(const Clip& clip, Context& context)
      : m_clip(clip),
        m_context(context),
        m_double(article::toDouble(clip)),
        m_meter(m_double),
        m_planner(m_double, kSweptTolerancesMm.front()) {}

  Result<ClipAnalysis> run() {
    describe();
    SIMMER_CHECK(runTechniques());
    SIMMER_CHECK(runSweep());
    SIMMER_CHECK(runSpline());
    const Plan linear = m_planner.plan(techniques()[2].stages);
    const Plan cubic = m_planner.plan(techniques()[3].stages);
    const Plan quantised = m_planner.plan(techniques()[4].stages);
    m_result.keysOverTime = keysOverTime(linear);
    m_result.records = {recordSizes(cubic), recordSizes(quantised)};
    for (const int height : kScreenHeightsPx) {
      const double limit = m_result.mmPerPixel(height);
      m_result.pixels.push_back({height, limit, coarsestUnder(m_result.sweep, Interpolation::Linear, limit),
                                 coarsestUnder(m_result.sweep, Interpolation::Cubic, limit)});
    }
    SIMMER_CHECK(step());
    m_result.decode = measureDecodeCost(m_clip, linear, cubic, quantised);
    return std::move(m_result);
  }

 private:
  Result<void> step() {
    constexpr double kSteps = 3.0 + 6 + 3 * kSweptTolerancesMm.size();
    m_context.progress(++m_steps / kSteps);
    if (m_context.cancelled()) return fail(ErrorCode::Cancelled, "the analysis was cancelled");
    return {};
  }

  void describe() {
    m_result.id = m_clip.id;
    m_result.joints = m_clip.joints();
    m_result.frames = m_clip.frames;
    m_result.rateHz = m_clip.rateHz;
    m_result.seconds = m_double.seconds();
    const double height = measuredHeight(*m_clip.skeleton);
    m_result.heightMeasured = height > 0;
    m_result.heightM = height > 0 ? height : kPersonHeightM;
    m_result.scalarTracks = m_clip.scalars.size();
    for (const std::uint8_t flags : m_clip.step)
      m_result.steppedTracks += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(flags & 7)));
  }

  Result<void> runTechniques() {
    const Bytes raw = article::encodeRaw(m_double);
    m_result.techniques.push_back({1,
                                   "raw float32, every channel, every frame",
                                   7 * m_clip.joints() * m_clip.frames,
                                   raw.size(),
                                   article::gzipSize(raw),
                                   {},
                                   0});
    const ErrorMeter world(m_clip);
    for (const Technique& technique : techniques()) {
      SIMMER_CHECK(step());
      const Plan plan = m_planner.plan(technique.stages);
      TechniqueRow row;
      row.number = technique.number;
      row.name = technique.name;
      weigh(row, plan, m_meter);
      row.worldErrorM = worldError(m_clip, world, plan);
      m_result.techniques.push_back(row);
      m_result.constantScalars = std::max(m_result.constantScalars, plan.constantScalars());
      m_result.constantRotations = std::max(m_result.constantRotations, plan.constantRotations());
    }
    return {};
  }

  Result<void> runSweep() {
    for (const Interpolation interpolation : {Interpolation::Linear, Interpolation::Cubic})
      for (const double tolerance : kSweptTolerancesMm) {
        SIMMER_CHECK(step());
        SweepRow row;
        row.interpolation = interpolation;
        row.toleranceMm = tolerance;
        weigh(row, m_planner.plan({true, tolerance, interpolation, false}), m_meter);
        m_result.sweep.push_back(row);
      }
    return {};
  }

  Result<void> runSpline() {
    for (const double tolerance : kSweptTolerancesMm) {
      SIMMER_CHECK(step());
      SIMMER_TRY(row, splineRow(m_clip, m_meter, tolerance, m_context));
      if (row) m_result.spline.sweep.push_back(*row);
    }
    SIMMER_CHECK(step());
    const double beside = m_result.technique(kQuantised).worldErrorM * 1000;
    if (!std::isfinite(beside)) return {};
    SIMMER_TRY(row, splineRow(m_clip, m_meter, std::max(beside, kSweptTolerancesMm.front()), m_context));
    m_result.spline.besideTechnique6 = row;
    return {};
  }

  const Clip& m_clip;
  Context& m_context;
  const article::DoubleClip m_double;
  const article::JointErrorMeter m_meter;
  article::Planner m_planner;
  ClipAnalysis m_result;
  int m_steps = 0;
};

}  // namespace

double ClipAnalysis::keysPerTrackSecond(const TechniqueRow& row) const {
  if (animatedTracks() == 0) return 0;
  const std::size_t animatedKeys = row.keys - constantScalars - constantRotations;
  return static_cast<double>(animatedKeys) / static_cast<double>(animatedTracks()) / seconds;
}

Result<ClipAnalysis> analyzeClip(const Clip& clip, Context& context) {
  SIMMER_CHECK(article::checkFits(clip));
  return Analyzer(clip, context).run();
}

}  // namespace simmer::animation
