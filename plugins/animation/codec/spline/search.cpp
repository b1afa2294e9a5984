#include "plugins/animation/codec/spline/search.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace simmer::animation::spline {
namespace {

constexpr unsigned kMostRepairs = 12;
constexpr double kRepairStep = 0.0005;  // each repair aims this much lower
constexpr double kRepairWorth = 0.5;    // of a bit, while errors beyond the tolerance are mended

}  // namespace

Search::Search(const Clip& clip, double toleranceM, bool restDefaults, const SearchPlan& plan)
    : m_toleranceM(toleranceM),
      m_plan(plan),
      m_last(static_cast<std::int32_t>(runtime::lastHalfFrame(clip.frames))),
      m_field(clip, toleranceM) {
  m_coded.parts = takeApart(clip, m_field, {toleranceM, restDefaults});
  addMotions(clip, m_field, m_coded.parts);
}

std::vector<float> Search::countsOf(const Track& track) const {
  std::vector<float> counts;
  for (std::size_t h = 0; h < m_field.halfFrames(); ++h) {
    if (m_field.counts(track.joint, h)) continue;
    if (counts.empty()) counts.assign(m_field.halfFrames(), 1.0f);
    counts[h] = 0;
  }
  return counts;
}

void Search::makeLevels(std::size_t index) {
  const Track& track = m_coded.parts.tracks[index];
  std::optional<TrackFits> fits;
  if (!track.held) fits.emplace(track, countsOf(track), m_last, m_plan.fit);
  double tolerance = m_toleranceM * m_plan.tightest / track.metresPerUnit;
  for (std::size_t level = 0; level < m_plan.levels; ++level, tolerance *= m_plan.ratio)
    m_levels[index].push_back(fits ? fits->fit(tolerance) : holdTrack(track, tolerance, m_last));
}

void Search::poseAt(std::size_t h, Transform* pose) const {
  const Parts& parts = m_coded.parts;
  std::copy(parts.base.begin(), parts.base.end(), pose);
  for (std::size_t i = 0; i < parts.tracks.size(); ++i)
    applyTrack(parts.tracks[i], &m_curves[i][h * parts.tracks[i].components], pose);
}

void Search::choose() {
  const std::vector<Track>& tracks = m_coded.parts.tracks;
  // What stands still first, alone: its rounding is there whatever is chosen.
  for (std::size_t i = 0; i < tracks.size(); ++i) m_curves[i] = tracks[i].signal;
  m_field.measure([this](std::size_t h, Transform* pose) { poseAt(h, pose); });
  const std::vector<std::size_t> chosen = allocate(tracks, m_levels, {m_plan.fit.memoryBit}, m_field);
  for (std::size_t i = 0; i < tracks.size(); ++i) m_coded.tracks.push_back(std::move(m_levels[i][chosen[i]].coded));
  m_levels.clear();
}

void Search::measure() {
  const std::vector<Track>& tracks = m_coded.parts.tracks;
  for (std::size_t i = 0; i < tracks.size(); ++i)
    evaluate(makeBasis(m_coded.tracks[i].knots, m_last), m_coded.tracks[i].points, tracks[i].components,
             m_coded.tracks[i].step(), m_curves[i]);
  m_field.measure([this](std::size_t h, Transform* pose) { poseAt(h, pose); });
  m_used = std::sqrt(static_cast<double>(m_field.worst()));
}

bool Search::run(const std::function<bool()>& cancelled) {
  const std::size_t count = m_coded.parts.tracks.size();
  m_levels.resize(count);
  m_curves.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (cancelled()) return false;
    makeLevels(i);
  }
  choose();
  measure();
  double worth = m_plan.firstWorth;
  for (unsigned sweep = 0; sweep < m_plan.sweeps; ++sweep, worth *= m_plan.worthRatio) {
    if (cancelled()) return false;
    RefineOptions options;
    options.bitWorth = worth;
    refine(m_coded.parts.tracks, m_coded.tracks, m_last, options, m_field);
  }
  measure();
  tighten(1);
  return true;
}

void Search::tighten(double part) {
  for (unsigned repair = 0; repair < kMostRepairs && m_used > part; ++repair) {
    m_field.setTolerance(m_toleranceM * part * (1 - kRepairStep * (repair + 1)));
    RefineOptions options;
    options.bitWorth = kRepairWorth;
    options.repair = true;
    options.missed = m_field.missed();
    refine(m_coded.parts.tracks, m_coded.tracks, m_last, options, m_field);
    m_field.setTolerance(m_toleranceM);
    measure();
  }
}

}  // namespace simmer::animation::spline
