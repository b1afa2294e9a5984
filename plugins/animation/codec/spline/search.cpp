#include "plugins/animation/codec/spline/search.h"

#include <algorithm>

namespace simmer::animation::spline {
namespace {

constexpr std::size_t kFieldBytes = std::size_t{128} << 20;  // of one field, more or less
constexpr std::size_t kBytesPerRow = 320;                    // and joint
constexpr std::size_t kFewestRows = 2048;
constexpr double kChoosing = 0.4;      // of the time of a search, more or less
constexpr std::size_t kOverlap = 256;  // rows of neighbouring windows: as far as four of the widest spans reach

}  // namespace

Search::Search(const Clip& clip, double toleranceM, bool restDefaults, const SearchPlan& plan)
    : m_clip(clip),
      m_toleranceM(toleranceM),
      m_restDefaults(restDefaults),
      m_plan(plan),
      m_last(static_cast<std::int32_t>(runtime::lastHalfFrame(clip.frames))),
      m_mostRows(std::max(kFewestRows, kFieldBytes / kBytesPerRow / std::max<std::size_t>(clip.joints(), 1))),
      m_jumps(clip) {}

std::vector<float> Search::countsOf(const Track& track) const {
  if (!m_jumps.any(track.joint)) return {};
  std::vector<float> counts(static_cast<std::size_t>(m_last) + 1, 1.0f);
  for (std::size_t h = 0; h < counts.size(); ++h)
    if (!m_jumps.counts(track.joint, h)) counts[h] = 0;
  return counts;
}

std::vector<Level> Search::levelsOf(const Track& track, const Field& field) const {
  std::vector<Level> levels;
  std::optional<TrackFits> fits;
  if (!track.held) fits.emplace(track, countsOf(track), m_last, m_plan.fit);
  double tolerance = m_toleranceM * m_plan.tightest / track.metresPerUnit;
  for (std::size_t level = 0; level < m_plan.levels; ++level, tolerance *= m_plan.ratio) {
    Candidate candidate = fits ? fits->fit(tolerance) : holdTrack(track, tolerance, m_last);
    levels.push_back({std::move(candidate.coded), candidate.bits + m_plan.fit.memoryBit * candidate.memoryBits,
                      effectOf(track, candidate.curve, field)});
  }
  return levels;
}

bool Search::choose(const Monitor& monitor) {
  const auto halfFrames = static_cast<std::size_t>(m_last) + 1;
  const std::size_t step = std::max((halfFrames + m_mostRows - 1) / m_mostRows, m_plan.rowStep);
  Field field(m_clip, m_jumps, m_toleranceM * m_plan.aim, {0, (halfFrames + step - 1) / step, step});
  Parts& parts = m_coded.parts;
  parts = takeApart(m_clip, field, {m_toleranceM, m_restDefaults});
  addMotions(m_clip, field, parts);
  std::vector<std::vector<Level>> levels;
  for (const Track& track : parts.tracks) {
    if (monitor.cancelled()) return false;
    levels.push_back(levelsOf(track, field));
    monitor.progress(kChoosing * static_cast<double>(levels.size()) / static_cast<double>(parts.tracks.size()));
  }
  // What stands still first, alone: its rounding is there whatever is chosen.
  field.measure([&](std::size_t h, Transform* pose) {
    std::copy(parts.base.begin(), parts.base.end(), pose);
    for (const Track& track : parts.tracks) applyTrack(track, &track.signal[h * track.components], pose);
  });
  const std::vector<std::size_t> chosen = allocate(parts.tracks, levels, field);
  for (std::size_t i = 0; i < chosen.size(); ++i) m_coded.tracks.push_back(std::move(levels[i][chosen[i]].coded));
  if (step == 1 && m_plan.aim == 1) m_whole.emplace(m_clip, parts, m_coded.tracks, std::move(field));
  return true;
}

std::vector<Rows> Search::windows() const {
  const auto halfFrames = static_cast<std::size_t>(m_last) + 1;
  std::vector<Rows> windows;
  for (std::size_t begin = 0;; begin += m_mostRows - kOverlap) {
    const std::size_t count = std::min(m_mostRows, halfFrames - begin);
    windows.push_back({begin, count, 1});
    if (begin + count == halfFrames) return windows;
  }
}

bool Search::run(const Monitor& monitor) {
  return choose(monitor) && (m_plan.sweeps == 0 || refine(monitor));
}

bool Search::refine(const Monitor& monitor) {
  m_used = 0;
  const std::vector<Rows> all = windows();
  const double steps = static_cast<double>(all.size()) * m_plan.sweeps;
  double done = 0;
  for (const Rows& rows : all) {
    std::optional<Refinement> window;
    if (!m_whole) window.emplace(m_clip, m_jumps, m_coded.parts, m_coded.tracks, m_toleranceM, rows);
    Refinement& refinement = m_whole ? *m_whole : *window;
    refinement.measure();
    double worth = m_plan.firstWorth;
    for (unsigned sweep = 0; sweep < m_plan.sweeps; ++sweep, worth *= m_plan.worthRatio) {
      if (monitor.cancelled()) return false;
      refinement.sweep({worth, false});
      monitor.progress(kChoosing + (1 - kChoosing) * ++done / steps);
    }
    m_used = std::max(m_used, refinement.tighten(1));
  }
  return true;
}

void Search::tighten(double part) {
  if (m_whole) {
    m_used = m_whole->tighten(part);
    return;
  }
  m_used = 0;
  for (const Rows& rows : windows())
    m_used =
        std::max(m_used, Refinement(m_clip, m_jumps, m_coded.parts, m_coded.tracks, m_toleranceM, rows).tighten(part));
}

}  // namespace simmer::animation::spline
