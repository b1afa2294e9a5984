#include "plugins/animation/import/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "plugins/animation/clip/kinematics.h"
#include "plugins/animation/import/key_rate.h"

namespace simmer::animation {
namespace {

constexpr double kBakedLeastHz = 10, kSampledLeastHz = 24, kHighestHz = 480;
constexpr double kRateOfOneFrame = 30;
constexpr double kLadderHz[] = {24,  25,  30,  48,  50,  60,  72,  75,  90,  96,  100, 120,
                                144, 150, 180, 192, 200, 240, 288, 300, 360, 384, 400, 480};
constexpr std::size_t kEnoughRates = 3;    // of the ladder; with fewer, multiples of the common rate are tried too
constexpr double kWorthMoreFrames = 2;     // the part by which many more frames have to lower the error
constexpr double kSnapS = 2e-5;            // a frame this close to a key is at the key
constexpr double kMostTransforms = 12e6;   // 480 MB
constexpr double kMostSearched = 1e5;      // frames times joints that a search of the rate looks at, for each rate
constexpr double kMostMeasured = 4e5;      // … and the measure of the result
constexpr double kScalarTolerance = 1e-3;  // of a weight, while the rate is searched
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::array<double, 4> kBetween{0.2, 0.4, 0.6, 0.8};

/// The frames of curves at one rate.
class Sampler {
 public:
  Sampler(const Curves& curves, double rateHz) : m_curves(curves), m_rateHz(rateHz) {}

  static double framesAt(const Curves& curves, double rateHz) {
    const double length = (curves.keysS.back() - curves.keysS.front()) * rateHz;
    return std::ceil(length - std::max(1e-3, kSnapS * rateHz)) + 1;
  }
  double timeS(double frame) const { return m_curves.keysS.front() + frame / m_rateHz; }
  /// Stepped keys within half a frame belong to this one.
  double stepTimeS(double frame) const { return timeS(frame + 0.5); }
  /// The time of a frame, or of the key that it is meant to be at.
  double keyTimeS(double frame) const {
    const double time = timeS(frame);
    const auto& keys = m_curves.keysS;
    const auto after = std::lower_bound(keys.begin(), keys.end(), time);
    if (after != keys.end() && *after - time <= kSnapS) return *after;
    if (after != keys.begin() && time - *(after - 1) <= kSnapS) return *(after - 1);
    return time;
  }
  void pose(double frame, Transform* pose) const { m_curves.poseAt(keyTimeS(frame), stepTimeS(frame), pose); }
  void scalars(double frame, float* values) const { m_curves.scalarsAt(keyTimeS(frame), stepTimeS(frame), values); }

 private:
  const Curves& m_curves;
  double m_rateHz;
};

/// How far frames are from the curves between them.
class GapMeter {
 public:
  struct Options {
    bool leaveOutJumps = false;
    bool moveSteps = false;  ///< compare with stepped keys moved to their frames, since no rate would help those
    double mostTransforms = kMostMeasured;
    double stopAboveM = kInfinite;
  };

  GapMeter(const Curves& curves, const std::vector<float>& probeRadiusM, const Options& options)
      : m_curves(curves),
        m_options(options),
        m_radii(skinRadii(*curves.skeleton, probeRadiusM)),
        m_before(m_radii.size()),
        m_after(m_radii.size()),
        m_pose(m_radii.size()),
        m_world(m_radii.size()),
        m_sourceWorld(m_radii.size()),
        m_arcs(m_radii.size()),
        m_leftOut(m_radii.size(), 0),
        m_scalars(4, std::vector<float>(curves.scalars.size())) {}

  /// The largest distance; infinite when a scalar track misses its tolerance while the rate is searched.
  Result<double> measure(double rateHz, Context& context);

 private:
  void measureGap(const Sampler& sampler, double frame);
  void findArcs();
  void findJumps();
  void compare(double fraction);
  void compareScalars(double fraction, double timeS, double stepTimeS);

  const Curves& m_curves;
  Options m_options;
  std::vector<double> m_radii;
  std::vector<Transform> m_before, m_after, m_pose;
  std::vector<Affine> m_world, m_sourceWorld;
  std::vector<Arc> m_arcs;  // between the frames
  std::vector<char> m_leftOut;
  std::vector<std::vector<float>> m_scalars;
  double m_afterFrame = -1;  // the frame that m_after holds
  double m_worstSquared = 0;
  bool m_scalarMissed = false;
};

void GapMeter::findArcs() {
  for (std::size_t joint = 0; joint < m_arcs.size(); ++joint) {
    const auto& from = m_before[joint].rotation;
    const auto& to = m_after[joint].rotation;
    m_arcs[joint] = Arc({from[0], from[1], from[2], from[3]}, {to[0], to[1], to[2], to[3]});
  }
}

void GapMeter::findJumps() {
  for (std::size_t joint = 0; joint < m_leftOut.size(); ++joint) {
    const std::int32_t parent = m_curves.skeleton->parents[joint];
    const bool stepped = !m_curves.step.empty() && (m_curves.step[joint] & 2) != 0;
    m_leftOut[joint] = (!stepped && turnsFar(m_before[joint], m_after[joint])) ||
                       (parent >= 0 && m_leftOut[static_cast<std::size_t>(parent)]);
  }
}

/// m_pose holds the source's pose on entry.
void GapMeter::compare(double fraction) {
  toWorld(*m_curves.skeleton, m_pose.data(), m_sourceWorld.data());
  for (std::size_t joint = 0; joint < m_pose.size(); ++joint) {
    m_pose[joint] = interpolate(m_before[joint], m_after[joint], fraction);
    const Quaternion turned = m_arcs[joint].at(fraction);
    for (std::size_t i = 0; i < 4; ++i) m_pose[joint].rotation[i] = static_cast<float>(turned[i]);
    const unsigned held = m_curves.step.empty() ? 0 : m_curves.step[joint];
    if (held & 1) m_pose[joint].translation = m_before[joint].translation;
    if (held & 2) m_pose[joint].rotation = m_before[joint].rotation;
    if (held & 4) m_pose[joint].scale = m_before[joint].scale;
  }
  toWorld(*m_curves.skeleton, m_pose.data(), m_world.data());
  for (std::size_t joint = 0; joint < m_pose.size(); ++joint) {
    if (m_leftOut[joint]) continue;
    Affine difference;
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t i = 0; i < 3; ++i)
        difference.columns[c][i] = m_world[joint].columns[c][i] - m_sourceWorld[joint].columns[c][i];
    for (std::size_t probe = 0; probe < 4; ++probe) {
      double squared = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double along = probe == 0 ? 0 : m_radii[joint] * difference.columns[probe - 1][i];
        squared += (difference.columns[3][i] + along) * (difference.columns[3][i] + along);
      }
      if (!(squared <= m_worstSquared)) m_worstSquared = std::isfinite(squared) ? squared : kInfinite;
    }
  }
}

void GapMeter::compareScalars(double fraction, double timeS, double stepTimeS) {
  m_curves.scalarsAt(timeS, stepTimeS, m_scalars[2].data());
  for (std::size_t i = 0; i < m_curves.scalars.size(); ++i) {
    const double from = m_scalars[0][i], to = m_scalars[1][i];
    const double value = m_curves.scalars[i].step ? from : from + (to - from) * fraction;
    if (!(std::abs(value - m_scalars[2][i]) <= kScalarTolerance)) m_scalarMissed = true;
  }
}

void GapMeter::measureGap(const Sampler& sampler, double frame) {
  if (frame == m_afterFrame) {
    m_before.swap(m_after);
  } else {
    sampler.pose(frame, m_before.data());
  }
  m_afterFrame = frame + 1;
  sampler.pose(m_afterFrame, m_after.data());
  findArcs();
  if (m_options.leaveOutJumps) findJumps();
  if (m_options.moveSteps) {
    sampler.scalars(frame, m_scalars[0].data());
    sampler.scalars(frame + 1, m_scalars[1].data());
  }
  for (const double fraction : kBetween) {
    const double time = sampler.timeS(frame + fraction);
    const double stepTime = m_options.moveSteps ? sampler.stepTimeS(frame) : time;
    m_curves.poseAt(time, stepTime, m_pose.data());
    compare(fraction);
    if (m_options.moveSteps) compareScalars(fraction, time, stepTime);
  }
}

Result<double> GapMeter::measure(double rateHz, Context& context) {
  const Sampler sampler(m_curves, rateHz);
  const double gaps = Sampler::framesAt(m_curves, rateHz) - 1;
  const double stride = std::max(1.0, std::ceil(gaps * static_cast<double>(m_radii.size()) / m_options.mostTransforms));
  const double stop = m_options.stopAboveM * m_options.stopAboveM;
  m_afterFrame = -1;
  m_worstSquared = 0;
  m_scalarMissed = false;
  for (double frame = 0; frame < gaps && !(m_worstSquared > stop) && !m_scalarMissed; frame += stride) {
    measureGap(sampler, frame);
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled while the curves were sampled");
  }
  if (m_scalarMissed) return kInfinite;
  return std::sqrt(m_worstSquared);
}

/// What rate a clip gets.
struct Choice {
  double rateHz = kRateOfOneFrame;
  bool leaveOutJumps = false;    ///< the source has frames itself
  std::optional<double> errorM;  ///< where the search has found it already
};

bool affordable(const Curves& curves, double rateHz) {
  const double scalars = static_cast<double>(curves.scalars.size());  // ten of them are as large as a transform
  const double joints = std::max(1.0, static_cast<double>(curves.skeleton->size()) + scalars / 10);
  return Sampler::framesAt(curves, rateHz) * joints <= kMostTransforms;
}

std::vector<double> ratesToTry(const Curves& curves, std::optional<double> common) {
  std::vector<double> rates;
  for (const double rate : kLadderHz)
    if (!common || fallOnFrames(curves.keysS, rate)) rates.push_back(rate);
  if (common && rates.size() < kEnoughRates) {
    double multiple = std::max(1.0, std::ceil(kSampledLeastHz / *common - 1e-6));
    for (; multiple == 1 || multiple * *common <= kHighestHz * 1.001;
         multiple = std::max(multiple + 1, std::ceil(multiple * 1.25)))
      rates.push_back(multiple * *common);
    std::sort(rates.begin(), rates.end());
  }
  std::erase_if(rates, [&](double rate) { return !affordable(curves, rate); });
  return rates;
}

/// The first of these rates that keeps to the tolerance.
Result<std::optional<Choice>> firstWithin(const Curves& curves, const std::vector<double>& rates, bool leaveOutJumps,
                                          const ImportOptions& options, Context& context) {
  GapMeter meter(curves, options.probeRadiusM,
                 {.leaveOutJumps = leaveOutJumps,
                  .moveSteps = true,
                  .mostTransforms = kMostSearched,
                  .stopAboveM = options.resampleToleranceM});
  for (const double rate : rates) {
    SIMMER_TRY(error, meter.measure(rate, context));
    if (error > options.resampleToleranceM) continue;
    const bool everyGap =
        Sampler::framesAt(curves, rate) * static_cast<double>(curves.skeleton->size()) <= kMostSearched;
    return Choice{rate, leaveOutJumps, everyGap && curves.step.empty() ? std::optional(error) : std::nullopt};
  }
  return std::nullopt;
}

bool hasFrames(const Curves& curves, double commonHz) {
  return !curves.smooth && commonHz >= kBakedLeastHz &&
         static_cast<double>(curves.keysS.size()) * 2 >= Sampler::framesAt(curves, commonHz);
}

/// For a source with frames: its own rate, or a multiple where that is not enough.
Result<Choice> rateForFrames(const Curves& curves, double ownHz, const ImportOptions& options, Context& context) {
  Choice own{ownHz, true, {}};
  if (!affordable(curves, ownHz)) return own;
  GapMeter meter(curves, options.probeRadiusM, {.leaveOutJumps = true});
  SIMMER_TRY(error, meter.measure(ownHz, context));
  own.errorM = error;
  if (error <= options.resampleToleranceM || error == kInfinite) return own;
  std::vector<double> rates;
  for (double multiple = 2; multiple * ownHz <= kHighestHz * 1.001 && affordable(curves, multiple * ownHz); ++multiple)
    rates.push_back(multiple * ownHz);
  if (rates.empty()) return own;
  SIMMER_TRY(finer, firstWithin(curves, rates, true, options, context));
  if (finer) return *finer;
  SIMMER_TRY(least, meter.measure(rates.back(), context));
  return least * kWorthMoreFrames <= error ? Choice{rates.back(), true, least} : own;
}

Result<Choice> chooseRate(const Curves& curves, const ImportOptions& options, Context& context) {
  if (options.sampleRateHz > 0) return Choice{options.sampleRateHz, false, {}};
  if (curves.keysS.size() < 2) return Choice{};
  const std::optional<double> common = commonRate(curves.keysS);
  if (common && hasFrames(curves, *common)) return rateForFrames(curves, *common, options, context);
  const std::vector<double> rates = ratesToTry(curves, common);
  if (rates.empty())
    return fail(
        ErrorCode::Unsupported,
        "the clip lasts {} s: with {} joints at {} Hz that is above 12 million transforms; set sample_rate lower",
        curves.keysS.back() - curves.keysS.front(), curves.skeleton->size(), kSampledLeastHz);
  SIMMER_TRY(found, firstWithin(curves, rates, false, options, context));
  return found.value_or(Choice{rates.back(), false, {}});
}

Result<void> fill(const Curves& curves, Clip& clip, Context& context) {
  const Sampler sampler(curves, clip.rateHz);
  const std::size_t joints = clip.joints();
  clip.poses.resize(clip.frames * joints);
  clip.step = curves.step;
  clip.scalars = curves.scalars;
  for (ScalarTrack& track : clip.scalars) track.values.resize(clip.frames);
  std::vector<float> values(clip.scalars.size());
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    sampler.pose(frame, clip.poses.data() + frame * joints);
    sampler.scalars(frame, values.data());
    for (std::size_t i = 0; i < values.size(); ++i) clip.scalars[i].values[frame] = values[i];
    if (context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled while the curves were sampled");
  }
  return {};
}

}  // namespace

Result<Clip> resample(const Curves& curves, const ImportOptions& options, Context& context,
                      std::vector<std::string>& warnings) {
  SIMMER_TRY(choice, chooseRate(curves, options, context));
  if (!std::isfinite(choice.rateHz) || !affordable(curves, choice.rateHz))
    return fail(ErrorCode::Unsupported, "{} s at {} Hz with {} joints is above 12 million transforms",
                curves.keysS.back() - curves.keysS.front(), choice.rateHz, curves.skeleton->size());
  Clip clip;
  clip.skeleton = curves.skeleton;
  clip.rateHz = choice.rateHz;
  clip.frames = static_cast<std::uint32_t>(std::max(1.0, Sampler::framesAt(curves, choice.rateHz)));
  SIMMER_CHECK(fill(curves, clip, context));
  if (!choice.errorM) {
    GapMeter meter(curves, options.probeRadiusM, {.leaveOutJumps = choice.leaveOutJumps});
    SIMMER_TRY(measured, meter.measure(choice.rateHz, context));
    choice.errorM = measured;
  }
  const double error = *choice.errorM;
  if (!std::isfinite(error)) return fail(ErrorCode::InvalidInput, "a joint moves to where numbers end");
  clip.resampleErrorM = error;
  if (error > options.resampleToleranceM)
    warnings.push_back(fmt::format("at {} Hz the clip is up to {:.3g} mm off the source's curves between frames",
                                   clip.rateHz, error * 1000));
  return clip;
}

}  // namespace simmer::animation
