#include "plugins/animation/codec/spline/search.h"

#include <algorithm>

#include "plugins/animation/codec/spline/motions.h"

namespace simmer::animation::spline {
namespace {

constexpr std::size_t kFieldBytes = std::size_t{128} << 20;  // of one field, more or less
constexpr std::size_t kBytesPerRow = 320;                    // and joint
constexpr std::size_t kFewestRows = 2048;
constexpr double kChoosing = 0.4;      // of the time of a search, more or less
constexpr std::size_t kOverlap = 256;  // rows of neighbouring windows: as far as four of the widest spans reach

constexpr std::size_t kAround = 96;    // rows before and after one where the tolerance is missed
constexpr std::size_t kStillRows = 4;  // what stands still is off by much the same in so many rows
constexpr double kUnseen = 1;          // of the closest level: what fits to frames alone may miss
constexpr double kQuickRateHz = 40;    // rows looked at where frames are closer than that

std::size_t rowStepOf(const SearchPlan& plan, double rateHz) {
  return plan.quick ? plan.rowStep * static_cast<std::size_t>(std::max(1.0, std::min(rateHz / kQuickRateHz, 4.0)))
                    : plan.rowStep;
}

/// Whether the straight lines between frames, which are what a decoder's curve is compared with, stay so close to any
/// smooth curve through the frames.
bool bendsLittle(const Track& track, double most) {
  const std::size_t n = track.components;
  for (std::size_t i = 0; i + 4 * n < track.signal.size(); i += 2 * n) {
    double bend = 0;
    for (std::size_t c = i; c < i + n; ++c) {
      const double second = track.signal[c] - 2 * track.signal[c + 2 * n] + track.signal[c + 4 * n];
      bend += second * second;
    }
    if (bend > 64 * most * most) return false;  // a parabola is an eighth of it off its chord
  }
  return true;
}

bool isStill(PartKind kind) {
  return kind == PartKind::Default || kind == PartKind::Constant;
}

}  // namespace

Search::Search(const WorldPoses& reference, double toleranceM, bool restDefaults, const SearchPlan& plan)
    : m_reference(reference),
      m_clip(reference.clip()),
      m_toleranceM(toleranceM),
      m_restDefaults(restDefaults),
      m_plan(plan),
      m_last(static_cast<std::int32_t>(runtime::lastHalfFrame(m_clip.frames))),
      m_mostRows(std::max(kFewestRows, kFieldBytes / kBytesPerRow / std::max<std::size_t>(m_clip.joints(), 1))),
      m_jumps(m_clip) {}

std::vector<float> Search::countsOf(const Track& track) const {
  if (!m_jumps.any(track.joint)) return {};
  std::vector<float> counts(static_cast<std::size_t>(m_last) + 1, 1.0f);
  for (std::size_t h = 0; h < counts.size(); ++h)
    if (!m_jumps.counts(track.joint, h)) counts[h] = 0;
  return counts;
}

std::vector<Level> Search::levelsOf(const Track& track, const Field& field, Fits& uniform) const {
  std::vector<Level> levels;
  std::optional<TrackFits> fits;
  double tolerance = m_toleranceM * m_plan.tightest / track.metresPerUnit;
  const bool thin = m_plan.fit.thin && bendsLittle(track, kUnseen * tolerance);
  if (!track.held) fits.emplace(track, countsOf(track), thin ? uniform.thin : uniform.all, m_plan.fit);
  for (std::size_t level = 0; level < m_plan.levels; ++level, tolerance *= m_plan.ratio) {
    Candidate candidate = fits ? fits->fit(tolerance, field.rows()) : holdTrack(track, tolerance, m_last, field.rows());
    levels.push_back({std::move(candidate.coded), candidate.bits + m_plan.fit.memoryBit * candidate.memoryBits,
                      effectOf(track, candidate.curve, field)});
  }
  return levels;
}

bool Search::choose(const Monitor& monitor) {
  const auto halfFrames = static_cast<std::size_t>(m_last) + 1;
  const std::size_t step = std::max((halfFrames + m_mostRows - 1) / m_mostRows, rowStepOf(m_plan, m_clip.rateHz));
  Field field(m_reference, m_jumps, m_toleranceM * m_plan.aim, everyRow(static_cast<std::size_t>(m_last), step));
  Parts& parts = m_coded.parts;
  parts = takeApart(m_reference, field, {m_toleranceM, m_restDefaults, m_plan.quick});
  addMotions(m_reference, field, parts, m_plan.quick && m_clip.rateHz >= kQuickRateHz ? 2 : 1);
  std::vector<std::vector<Level>> levels;
  Fits uniform{{m_last, false}, {m_last, true}};
  for (const Track& track : parts.tracks) {
    if (monitor.cancelled()) return false;
    levels.push_back(levelsOf(track, field, uniform));
    monitor.progress(kChoosing * static_cast<double>(levels.size()) / static_cast<double>(parts.tracks.size()));
  }
  measureStill(field);
  const std::vector<std::size_t> chosen = allocate(parts.tracks, levels, field);
  for (std::size_t i = 0; i < chosen.size(); ++i) m_coded.tracks.push_back(std::move(levels[i][chosen[i]].coded));
  if (step == 1 && m_plan.aim == 1) m_whole.emplace(m_clip, parts, m_coded.tracks, std::move(field));
  return true;
}

/// What stands still first, alone: its rounding is there whatever is chosen.
void Search::measureStill(Field& field) const {
  const Parts& parts = m_coded.parts;
  if (!m_plan.quick)
    return field.measure([&](std::size_t h, Transform* pose) {
      std::copy(parts.base.begin(), parts.base.end(), pose);
      for (const Track& track : parts.tracks) applyTrack(track, track.at(h), pose);
    });
  // What moves as the clip has it.
  field.measureSome(kStillRows, [&](std::size_t h, Transform* pose) {
    samplePose(m_clip, static_cast<double>(h) / 2, pose);
    for (std::size_t joint = 0; joint < m_clip.joints(); ++joint) {
      const auto& kinds = parts.kinds[joint];
      if (isStill(kinds[0])) pose[joint].rotation = parts.base[joint].rotation;
      if (isStill(kinds[1])) pose[joint].translation = parts.base[joint].translation;
      if (isStill(kinds[2])) pose[joint].scale = parts.base[joint].scale;
    }
  });
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
    if (!m_whole) window.emplace(m_reference, m_jumps, m_coded.parts, m_coded.tracks, m_toleranceM, rows);
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

void Search::tightenNear(std::size_t halfFrame, double part) {
  const std::size_t begin = halfFrame < kAround ? 0 : halfFrame - kAround;
  const std::size_t end = std::min(halfFrame + kAround, static_cast<std::size_t>(m_last)) + 1;
  Refinement(m_reference, m_jumps, m_coded.parts, m_coded.tracks, m_toleranceM, {begin, end - begin, 1}).tighten(part);
}

void Search::tighten(double part) {
  if (m_whole) {
    m_used = m_whole->tighten(part);
    return;
  }
  m_used = 0;
  for (const Rows& rows : windows())
    m_used = std::max(
        m_used, Refinement(m_reference, m_jumps, m_coded.parts, m_coded.tracks, m_toleranceM, rows).tighten(part));
}

}  // namespace simmer::animation::spline
