#include "plugins/animation/codec/spline/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace simmer::animation::spline {
namespace {

constexpr std::array<std::uint32_t, 12> kSpacings{64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1};

bool isPower(std::uint32_t spacing) {
  return spacing >= 2 && (spacing & (spacing - 1)) == 0;
}

}  // namespace

void priceCandidate(const Track& track, std::int32_t last, Candidate& candidate) {
  candidate.bits = estimateBits(track, candidate.coded, last);
  const Fields fields = fieldsOf(track, candidate.coded);
  double record = 0;
  for (unsigned c = 0; c < track.components; ++c) record += fields.widths[c];
  const std::size_t points = candidate.coded.points.size() / track.components;
  candidate.memoryBits = record * static_cast<double>(points) + 160;
  if (candidate.coded.knots.isTree())
    candidate.memoryBits += 1.25 * static_cast<double>(last >> candidate.coded.knots.shift);
}

Candidate holdTrack(const Track& track, double tolerance, std::int32_t last, const Rows& rows) {
  Candidate best;
  best.coded.exponent = exponentAtMost(tolerance);
  const double step = best.coded.step();
  const std::size_t n = track.components;
  best.coded.knots.kind = KnotKind::Hold;
  for (std::int32_t h = 0; h <= last; h += 2) {
    std::array<std::int32_t, 4> value{};
    const double* const signal = track.at(static_cast<std::size_t>(h));
    for (std::size_t c = 0; c < n; ++c) value[c] = roundedTo(signal[c], step);
    auto& points = best.coded.points;
    if (h > 0 && std::equal(points.end() - static_cast<std::ptrdiff_t>(n), points.end(), value.begin())) continue;
    best.coded.knots.positions.push_back(h);
    points.insert(points.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(n));
  }
  evaluate(makeBasis(best.coded.knots, last, rows), best.coded.points, track.components, step, best.curve);
  priceCandidate(track, last, best);
  return best;
}

TrackFits::TrackFits(const Track& track, std::vector<float> counts, UniformFits& uniform, const FitOptions& options)
    : m_track(track), m_counts(std::move(counts)), m_uniform(uniform), m_last(uniform.last()), m_options(options) {
  for (const std::uint32_t spacing : kSpacings)
    if ((spacing == 1 && !options.fewSpacings) ||
        (static_cast<std::int32_t>(spacing) <= m_last && (!options.fewSpacings || isPower(spacing))))
      m_spacings.emplace_back().spacing = spacing;
}

const TrackFits::Spacing& TrackFits::fitted(Spacing& spacing) {
  if (spacing.known) return spacing;
  spacing.known = true;
  spacing.worst = follow({KnotKind::UniformCubic, spacing.spacing, 0, {}});
  spacing.squares.assign(static_cast<std::size_t>(m_last) / spacing.spacing + 1, 0.0f);
  for (std::size_t row = 0; row < m_errors.size(); ++row) {
    float& square = spacing.squares[static_cast<std::size_t>(m_basis->halfFrames[row]) / spacing.spacing];
    square = std::max(square, static_cast<float>(m_errors[row]));
  }
  spacing.points = m_points;
  return spacing;
}

/// Fits such a curve to the signal; the largest error.
double TrackFits::follow(const Knots& knots) {
  if (knots.isTree()) {
    m_basis = std::make_shared<Basis>(m_uniform.basisOf(knots));
    m_points = Fitter(*m_basis, m_counts).solve(m_track.signal, m_track.components);
  } else {
    const UniformFits::Entry& entry = m_uniform.of(knots.kind, knots.spacing);
    m_basis = entry.basis;
    m_points = m_counts.empty() ? entry.fitter.solve(m_track.signal, m_track.components)
                                : Fitter(*m_basis, m_counts).solve(m_track.signal, m_track.components);
  }
  squaredErrors(*m_basis, m_points, m_track.signal, m_track.components, m_errors);
  double worst = 0;
  for (std::size_t row = 0; row < m_errors.size(); ++row) {
    if (!m_counts.empty() && m_counts[static_cast<std::size_t>(m_basis->halfFrames[row])] == 0) m_errors[row] = 0;
    worst = std::max(worst, m_errors[row]);
  }
  return std::sqrt(worst);
}

/// Splits every span with an error above the limit within `reach` half frames of it. Whether any could be.
bool TrackFits::split(Knots& knots, double limit, std::int32_t reach) const {
  std::vector<std::int32_t> positions;
  bool any = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < knots.positions.size(); ++i) {
    const std::int32_t from = knots.positions[i], to = knots.positions[i + 1];
    positions.push_back(from);
    bool missed = false;
    while (m_basis->halfFrames[begin] < from - reach) ++begin;
    for (std::size_t row = begin; row < m_errors.size() && m_basis->halfFrames[row] <= to + reach && !missed; ++row)
      missed = m_errors[row] > limit;
    const std::int32_t middle = missed ? splitOf(knots, from, to, m_last) : -1;
    if (middle < 0) continue;
    positions.push_back(middle);
    any = true;
  }
  positions.push_back(knots.positions.back());
  knots.positions = std::move(positions);
  return any;
}

bool TrackFits::growTree(Knots& knots, double tolerance) {
  const double limit = tolerance * tolerance;
  for (unsigned round = 0; round < m_options.rounds; ++round) {
    if (follow(knots) <= tolerance) return true;
    // Where spans with errors are single cells already, their neighbours may help.
    if (!split(knots, limit, 0) && !split(knots, limit, 3 << knots.shift)) return false;
  }
  return follow(knots) <= tolerance * 1.1;
}

void TrackFits::guessNode(std::int32_t low, std::int32_t size, std::uint32_t shift, float limit, Knots& tree) {
  if (low >= m_last) return;
  bool wide = size == 1 << shift;
  for (Spacing& entry : m_spacings)
    if (!wide && entry.spacing == static_cast<std::uint32_t>(size))
      wide = fitted(entry).squares[static_cast<std::size_t>(low / size)] <= limit;
  if (wide) {
    tree.positions.push_back(low);
    return;
  }
  guessNode(low, size / 2, shift, limit, tree);
  guessNode(low + size / 2, size / 2, shift, limit, tree);
}

/// A tree whose nodes are as wide as uniform knots may be at the same place.
Knots TrackFits::guessTree(std::uint32_t shift, double tolerance) {
  Knots tree{KnotKind::TreeCubic, 1, shift, {}};
  const std::int32_t block = static_cast<std::int32_t>(runtime::kBlockCells) << shift;
  const auto limit = static_cast<float>(tolerance * tolerance);
  for (std::int32_t low = 0; low < m_last; low += block) {
    if (block <= 64) {
      guessNode(low, block, shift, limit, tree);
    } else {
      // Uniform knots are known up to 64 half frames: a wider node is as good as its parts.
      tree.positions.push_back(low);
    }
  }
  tree.positions.push_back(m_last);
  return tree;
}

/// Takes the last fit, which is of these knots, where it is cheaper.
void TrackFits::consider(const Knots& knots, const std::vector<double>& points, std::uint32_t exponent,
                         Best& best) const {
  Candidate candidate;
  candidate.coded.knots = knots.isTree() ? withLongestCells(knots) : knots;
  candidate.coded.exponent = exponent;
  const double step = candidate.coded.step();
  candidate.coded.points.reserve(points.size());
  for (const double point : points) candidate.coded.points.push_back(roundedTo(point, step));
  priceCandidate(m_track, m_last, candidate);
  if (best.candidate.bits == 0 || priceOf(candidate) < priceOf(best.candidate)) best = {std::move(candidate), m_basis};
}

double TrackFits::priceOf(const Candidate& candidate) const {
  return candidate.bits + m_options.memoryBit * candidate.memoryBits +
         (candidate.coded.knots.isTree() ? m_options.treeBits : 0);
}

/// Kinks and noise: straight lines between frames are what the reference itself is.
void TrackFits::considerLines(double smooth, std::uint32_t exponent, Best& best) {
  for (const std::uint32_t spacing : {2u, 1u}) {
    const Knots lines{KnotKind::UniformLinear, spacing, 0, {}};
    const double worst = follow(lines);
    // One point at each half frame is the signal itself.
    if (spacing == 2 && worst > smooth) continue;
    if (spacing == 2 || best.candidate.bits == 0) consider(lines, m_points, exponent, best);
    break;
  }
  if (m_options.treeSaves > 0) return;  // such a tree hardly does
  for (const std::uint32_t shift : {1u, 0u}) {
    Knots linear = coarsestTree(KnotKind::TreeLinear, shift, m_last);
    if (!growTree(linear, smooth)) continue;
    consider(linear, m_points, exponent, best);
    break;
  }
}

/// The points of the tree that was taken, 0 for none.
std::size_t TrackFits::considerTrees(double smooth, std::uint32_t exponent, Best& best) {
  for (const std::uint32_t shift : {1u, 0u}) {
    Knots tree = guessTree(shift, smooth);
    if (m_options.treeSaves > 0) {
      const std::size_t least = tree.positions.size() + 2 + m_options.treeSaves;
      if (widestUniform(smooth, least) != nullptr) return 0;
    }
    if (!growTree(tree, smooth)) continue;
    const std::size_t points = tree.positions.size() + 2;
    consider(tree, m_points, exponent, best);
    // Where most blocks are whole, wider blocks save knots.
    const auto blocks = static_cast<std::size_t>(m_last / (32 << shift) + 1);
    if (shift == 1 && points < 3 * blocks && blocks > 2) {
      Knots coarse = coarsestTree(KnotKind::TreeCubic, 3, m_last);
      if (growTree(coarse, smooth)) consider(coarse, m_points, exponent, best);
    }
    return points;
  }
  return 0;
}

/// The widest spacing that follows the signal with fewer points; null where there is none.
TrackFits::Spacing* TrackFits::widestUniform(double smooth, std::size_t mostPoints) {
  for (Spacing& entry : m_spacings) {
    if (static_cast<std::size_t>(m_last) / entry.spacing + 4 >= mostPoints) return nullptr;
    if (fitted(entry).worst <= smooth) return &entry;
  }
  return nullptr;
}

Candidate TrackFits::fit(double tolerance, const Rows& rows) {
  const double smooth = tolerance * m_options.smoothPart;
  const std::uint32_t exponent = exponentAtMost(tolerance * m_options.stepPart);
  Best best;
  const std::size_t points = considerTrees(smooth, exponent, best);
  const auto most = points == 0 ? std::numeric_limits<std::size_t>::max() : 2 * points;
  const Spacing* const uniform = widestUniform(smooth, most);
  if (uniform != nullptr) {
    m_basis = m_uniform.of(KnotKind::UniformCubic, uniform->spacing).basis;
    consider({KnotKind::UniformCubic, uniform->spacing, 0, {}}, uniform->points, exponent, best);
  }
  const std::size_t fewest = points == 0 && uniform != nullptr && m_options.treeSaves > 0
                                 ? uniform->points.size() / m_track.components
                                 : points;
  if (fewest == 0 || 4 * fewest > static_cast<std::size_t>(m_last)) considerLines(smooth, exponent, best);
  Candidate& found = best.candidate;
  // Fits may have looked at other rows.
  const bool same = best.basis->rows() == rows.count && best.basis->stands.empty();
  evaluate(same ? *best.basis : makeBasis(found.coded.knots, m_last, rows), found.coded.points, m_track.components,
           found.coded.step(), found.curve);
  return std::move(found);
}

}  // namespace simmer::animation::spline
