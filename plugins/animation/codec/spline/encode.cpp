#include "plugins/animation/codec/spline/encode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/spline/scalars.h"
#include "plugins/animation/codec/spline/search.h"

namespace simmer::animation {
namespace {

using namespace spline;

// Tolerances that the search is given, as parts of the clip's, until one leads to a file that meets it.
constexpr double kTighter[] = {1, 0.85, 0.6, 0.25, 0.1};
constexpr unsigned kMostCorrections = 6;
constexpr double kNearly = 0.9998;  // of the tolerance, for what a search has computed in double
constexpr double kSearching = 0.9;  // of the time of a cook; the rest is measured

SearchPlan planOf(Effort effort) {
  SearchPlan plan;
  if (effort == Effort::Draft) {
    plan.levels = 2;
    plan.tightest = 0.25;
    plan.ratio = 2;
    plan.fit.smoothPart = 0.9;
    plan.fit.stepPart = 1.2;
    plan.fit.rounds = 1;
    plan.fit.fewSpacings = true;
    plan.fit.thin = true;
    plan.fit.treeSaves = 80;
    plan.quick = true;
    plan.rowStep = 2;
    plan.aim = 0.98;
    plan.sweeps = 0;
  } else if (effort == Effort::Max) {
    plan.levels = 10;
    plan.ratio = 1.25;
    plan.sweeps = 14;
    plan.firstWorth = 0.001;
    plan.worthRatio = 2.5;
  }
  return plan;
}

/// Very small tolerances and very large values may lead to control points that take more bits than a field can have.
bool fitsFormat(const Track& track, const CodedTrack& coded) {
  return std::ranges::all_of(fieldsOf(track, coded).widths,
                             [](std::uint32_t width) { return width <= runtime::kMostWidth; });
}

bool fitsFormat(const CodedClip& coded) {
  for (std::size_t i = 0; i < coded.tracks.size(); ++i)
    if (!fitsFormat(coded.parts.tracks[i], coded.tracks[i])) return false;
  return std::ranges::all_of(coded.scalars, [](const CodedScalar& scalar) {
    return scalar.kind != PartKind::Spline || fitsFormat(scalar.track, scalar.coded);
  });
}

/// What the meter's own reference may be off: between frames it is rounded to float32, about as much as the farthest
/// that a joint gets from the origin, over its tolerance scale. At most a share of the tolerance, which is meant to be
/// used.
double roundingOf(const WorldPoses& reference, double toleranceM) {
  const Clip& clip = reference.clip();
  constexpr double kUnit = 1.2e-7, kMostShare = 0.02;
  constexpr std::uint32_t kLookedAt = 64;
  double farthest = 0;
  std::vector<Affine> scratch;
  for (std::uint32_t frame = 0; frame < clip.frames; frame += std::max(1u, clip.frames / kLookedAt)) {
    const Affine* const world = reference.at(std::size_t{2} * frame, scratch);
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      const double scale = clip.toleranceScale.empty() ? 1 : static_cast<double>(clip.toleranceScale[joint]);
      for (const double value : world[joint].columns[3]) farthest = std::max(farthest, std::abs(value) / scale);
    }
  }
  return std::min(kUnit * farthest, kMostShare * toleranceM);
}

/// How a search at some part of the tolerance ended.
enum class Outcome {
  Met,
  Missed,   ///< a tighter one may meet it
  Hopeless  ///< for reasons that a tighter one shares
};

class SplineEncoder {
 public:
  SplineEncoder(const Clip& clip, const SkeletonFile& skeleton, const SplineSettings& settings, double toleranceM,
                Context& context)
      : m_clip(clip),
        m_skeleton(skeleton),
        m_settings(settings),
        m_toleranceM(toleranceM),
        m_reference(std::make_shared<WorldPoses>(clip)),
        m_acceptedM(toleranceM - roundingOf(*m_reference, toleranceM)),
        m_context(context),
        m_meter(m_reference) {}

  Result<Encoded> run();

 private:
  Result<Outcome> attempt(double part);
  Result<Outcome> search(const SearchPlan& plan, double part, double from, double to);
  Result<Outcome> correct(Search& search);
  Result<void> store();
  Result<void> measure();

  const Clip& m_clip;
  const SkeletonFile& m_skeleton;
  const SplineSettings& m_settings;
  double m_toleranceM;
  std::shared_ptr<const WorldPoses> m_reference;
  double m_acceptedM;  // for files that are not the reference itself
  Context& m_context;
  ErrorMeter m_meter;
  std::vector<CodedScalar> m_scalars;
  Encoded m_encoded;
};

Result<void> SplineEncoder::measure() {
  SIMMER_TRY(decoded, DecodedClip::load(m_encoded.file, m_skeleton.bytes));
  m_encoded.error = m_meter.measure(decoded.poseSource());
  m_encoded.scalarError = 0;
  for (std::uint32_t i = 0; i < m_clip.scalars.size(); ++i)
    m_encoded.scalarError = std::max(
        m_encoded.scalarError, scalarError(m_clip.scalars[i], [&](double time) { return decoded.scalar(time, i); }));
  ++m_encoded.measured;
  return {};
}

/// Searches at a part of the tolerance; what took longest is not always smallest, so Max takes what Default finds where
/// that is smaller.
Result<Outcome> SplineEncoder::attempt(double part) {
  const bool both = m_settings.effort == Effort::Max;
  SIMMER_TRY(outcome, search(planOf(m_settings.effort), part, 0, both ? 0.5 : 1));
  if (!both || outcome == Outcome::Hopeless) return outcome;
  Encoded longest = std::exchange(m_encoded, {});
  SIMMER_TRY(second, search(planOf(Effort::Default), part, 0.5, 1));
  const unsigned measured = longest.measured + m_encoded.measured;
  if (outcome == Outcome::Met && (second != Outcome::Met || m_encoded.file.size() >= longest.file.size()))
    m_encoded = std::move(longest);
  m_encoded.measured = measured;
  return outcome == Outcome::Met ? outcome : second;
}

/// Its progress goes from one share of the whole to another.
Result<Outcome> SplineEncoder::search(const SearchPlan& plan, double part, double from, double to) {
  Search found(*m_reference, m_acceptedM * part, m_settings.skeleton != SkeletonPlace::None, plan);
  found.coded().scalars = m_scalars;
  if (!found.run({[this] { return m_context.cancelled(); },
                  [&](double fraction) { m_context.progress(kSearching * (from + (to - from) * fraction)); }}))
    return fail(ErrorCode::Cancelled, "cooking was cancelled");
  if (!fitsFormat(found.coded())) return Outcome::Hopeless;
  if (found.used() * part > 1) return Outcome::Missed;
  return correct(found);
}

/// Writes what a search has found and measures it, until what the decoder makes of it meets the tolerance.
Result<Outcome> SplineEncoder::correct(Search& search) {
  double aim = 1;
  for (unsigned correction = 0; correction < kMostCorrections; ++correction) {
    Result<Bytes> file = writeSplineClip(headOf(m_clip, m_skeleton.digest), search.coded(), *m_clip.skeleton,
                                         m_settings.skeleton, m_skeleton.bytes);
    if (!file) return Outcome::Hopeless;  // beyond the format
    m_encoded.file = std::move(*file);
    SIMMER_CHECK(measure());
    if (m_encoded.scalarError > m_settings.scalarTolerance) return Outcome::Hopeless;
    if (m_encoded.error.worstM <= m_acceptedM) return Outcome::Met;
    const double part = m_acceptedM / m_encoded.error.worstM;
    if (search.used() == 0 && correction + 2 < kMostCorrections) {
      search.tightenNear(static_cast<std::size_t>(2 * m_encoded.error.timeInFrames), kNearly);
      continue;
    }
    // The decoder's float32 is a little beside the search's double, which a plan without passes has not computed.
    aim = search.used() > 0 ? std::min(aim, search.used() * part) * kNearly : kNearly;
    search.tighten(aim);
  }
  return Outcome::Missed;
}

/// The reference itself.
Result<void> SplineEncoder::store() {
  const bool inside = m_settings.skeleton == SkeletonPlace::Inside;
  SIMMER_TRY(file, writeRawClip(m_clip, m_skeleton.digest,
                                {.deflate = true, .skeletonFile = inside ? ByteView(m_skeleton.bytes) : ByteView()}));
  m_encoded.file = std::move(file);
  m_encoded.how = "raw float32";
  SIMMER_CHECK(measure());
  if (m_encoded.error.worstM > m_toleranceM)
    return fail(ErrorCode::ToleranceUnmet, "the samples as float32 are off by {:.3g} mm, at most {:.3g} mm is allowed",
                m_encoded.error.worstM * 1000, m_toleranceM * 1000);
  if (m_encoded.scalarError > m_settings.scalarTolerance)
    return fail(ErrorCode::ToleranceUnmet, "scalar tracks as float32 are off by {:.3g} of their range",
                m_encoded.scalarError);
  return {};
}

Result<Encoded> SplineEncoder::run() {
  std::optional<std::vector<CodedScalar>> scalars = encodeScalars(m_clip, m_settings.scalarTolerance);
  if (scalars) {
    m_scalars = std::move(*scalars);
    for (const double part : kTighter) {
      SIMMER_TRY(outcome, attempt(part));
      if (outcome == Outcome::Hopeless) break;
      if (outcome == Outcome::Missed) continue;
      m_encoded.how = part == 1 ? "spline" : fmt::format("spline, searched at {} of the tolerance", part);
      return std::move(m_encoded);
    }
  }
  SIMMER_CHECK(store());
  return std::move(m_encoded);
}

}  // namespace

Result<Encoded> encodeSpline(const Clip& clip, const SkeletonFile& skeleton, const SplineSettings& settings,
                             double toleranceM, Context& context) {
  return SplineEncoder(clip, skeleton, settings, toleranceM, context).run();
}

}  // namespace simmer::animation
