#include "plugins/animation/codec/spline/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simmer::animation::spline {
namespace {

constexpr std::array<std::uint32_t, 12> kSpacings{64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1};

bool isPower(std::uint32_t spacing) {
  return spacing >= 2 && (spacing & (spacing - 1)) == 0;
}

std::int32_t roundedTo(double value, double step) {
  return static_cast<std::int32_t>(std::floor(std::clamp(value / step, -1e8, 1e8) + 0.5));
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

Candidate holdTrack(const Track& track, double tolerance, std::int32_t last) {
  Candidate best;
  best.coded.exponent = exponentAtMost(tolerance);
  const double step = best.coded.step();
  const std::size_t n = track.components;
  best.coded.knots.kind = KnotKind::Hold;
  for (std::int32_t h = 0; h <= last; h += 2) {
    std::array<std::int32_t, 4> value{};
    for (std::size_t c = 0; c < n; ++c) value[c] = roundedTo(track.signal[static_cast<std::size_t>(h) * n + c], step);
    auto& points = best.coded.points;
    if (h > 0 && std::equal(points.end() - static_cast<std::ptrdiff_t>(n), points.end(), value.begin())) continue;
    best.coded.knots.positions.push_back(h);
    points.insert(points.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(n));
  }
  evaluate(makeBasis(best.coded.knots, last), best.coded.points, track.components, step, best.curve);
  priceCandidate(track, last, best);
  return best;
}

TrackFits::TrackFits(const Track& track, std::vector<float> counts, std::int32_t last, const FitOptions& options)
    : m_track(track), m_counts(std::move(counts)), m_last(last), m_options(options) {
  for (const std::uint32_t spacing : kSpacings)
    if ((spacing == 1 && !options.fewSpacings) ||
        (static_cast<std::int32_t>(spacing) <= last && (!options.fewSpacings || isPower(spacing))))
      addSpacing(spacing);
}

void TrackFits::addSpacing(std::uint32_t spacing) {
  Spacing entry{spacing, follow(makeBasis({KnotKind::UniformCubic, spacing, 0, {}}, m_last)), {}};
  entry.squares.assign(static_cast<std::size_t>(m_last) / spacing + 1, 0.0f);
  for (std::size_t row = 0; row < m_errors.size(); ++row) {
    float& square = entry.squares[row / spacing];
    square = std::max(square, static_cast<float>(m_errors[row]));
  }
  m_spacings.push_back(std::move(entry));
}

/// Fits the basis to the signal; the largest error.
double TrackFits::follow(const Basis& basis) {
  const std::size_t n = m_track.components, rows = static_cast<std::size_t>(m_last) + 1;
  evaluate(basis, Fitter(basis, m_counts).solve(m_track.signal, m_track.components), m_track.components, m_curve);
  m_errors.resize(rows);
  double worst = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c) {
      const double difference = m_curve[row * n + c] - m_track.signal[row * n + c];
      sum += difference * difference;
    }
    if (!m_counts.empty() && m_counts[row] == 0) sum = 0;
    m_errors[row] = sum;
    worst = std::max(worst, sum);
  }
  return std::sqrt(worst);
}

/// Splits every span with an error above the limit within `reach` half frames of it. Whether any could be.
bool TrackFits::split(Knots& knots, double limit, std::int32_t reach) const {
  std::vector<std::int32_t> positions;
  bool any = false;
  for (std::size_t i = 0; i + 1 < knots.positions.size(); ++i) {
    const std::int32_t from = knots.positions[i], to = knots.positions[i + 1];
    positions.push_back(from);
    bool missed = false;
    for (std::int32_t h = std::max(0, from - reach); h <= std::min(m_last, to + reach) && !missed; ++h)
      missed = m_errors[static_cast<std::size_t>(h)] > limit;
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
    if (follow(makeBasis(knots, m_last)) <= tolerance) return true;
    // Where spans with errors are single cells already, their neighbours may help.
    if (!split(knots, limit, 0) && !split(knots, limit, 3 << knots.shift)) return false;
  }
  return follow(makeBasis(knots, m_last)) <= tolerance * 1.1;
}

void TrackFits::guessNode(std::int32_t low, std::int32_t size, std::uint32_t shift, float limit, Knots& tree) const {
  if (low >= m_last) return;
  bool wide = size == 1 << shift;
  for (const Spacing& entry : m_spacings)
    if (!wide && entry.spacing == static_cast<std::uint32_t>(size))
      wide = entry.squares[static_cast<std::size_t>(low / size)] <= limit;
  if (wide) {
    tree.positions.push_back(low);
    return;
  }
  guessNode(low, size / 2, shift, limit, tree);
  guessNode(low + size / 2, size / 2, shift, limit, tree);
}

/// A tree whose nodes are as wide as uniform knots may be at the same place.
Knots TrackFits::guessTree(std::uint32_t shift, double tolerance) const {
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

void TrackFits::consider(const Knots& knots, std::uint32_t exponent, Candidate& best) {
  Candidate candidate;
  candidate.coded.knots = knots.isTree() ? withLongestCells(knots) : knots;
  candidate.coded.exponent = exponent;
  const Basis basis = makeBasis(candidate.coded.knots, m_last);
  const std::vector<double> points = Fitter(basis, m_counts).solve(m_track.signal, m_track.components);
  candidate.coded.points.reserve(points.size());
  for (const double point : points) candidate.coded.points.push_back(roundedTo(point, candidate.coded.step()));
  evaluate(basis, candidate.coded.points, m_track.components, candidate.coded.step(), candidate.curve);
  priceCandidate(m_track, m_last, candidate);
  if (best.bits == 0 || priceOf(candidate) < priceOf(best)) best = std::move(candidate);
}

double TrackFits::priceOf(const Candidate& candidate) const {
  return candidate.bits + m_options.memoryBit * candidate.memoryBits +
         (candidate.coded.knots.isTree() ? m_options.treeBits : 0);
}

Candidate TrackFits::fit(double tolerance) {
  const double smooth = tolerance * m_options.smoothPart;
  const std::uint32_t exponent = exponentAtMost(tolerance * m_options.stepPart);
  Candidate best;
  std::size_t points = 0;
  const auto widest =
      std::find_if(m_spacings.begin(), m_spacings.end(), [&](const Spacing& entry) { return entry.worst <= smooth; });
  for (const std::uint32_t shift : {1u, 0u}) {
    Knots tree = guessTree(shift, smooth);
    if (!growTree(tree, smooth)) continue;
    points = tree.positions.size() + 2;
    consider(tree, exponent, best);
    // Where most blocks are whole, wider blocks save knots.
    const auto blocks = static_cast<std::size_t>(m_last / (32 << shift) + 1);
    if (shift == 1 && points < 3 * blocks && blocks > 2) {
      Knots coarse = coarsestTree(KnotKind::TreeCubic, 3, m_last);
      if (growTree(coarse, smooth)) consider(coarse, exponent, best);
    }
    break;
  }
  if (widest != m_spacings.end()) {
    const auto uniform = static_cast<std::size_t>(m_last) / widest->spacing + 4;
    if (points == 0 || uniform < 2 * points) consider({KnotKind::UniformCubic, widest->spacing, 0, {}}, exponent, best);
  }
  // Kinks and noise: straight lines between frames are what the reference itself is.
  if (points == 0 || 4 * points > static_cast<std::size_t>(m_last)) {
    for (const std::uint32_t spacing : {2u, 1u}) {
      const Knots lines{KnotKind::UniformLinear, spacing, 0, {}};
      // One point at each half frame is the signal itself.
      if (spacing == 2 && follow(makeBasis(lines, m_last)) > smooth) continue;
      if (spacing == 2 || best.bits == 0) consider(lines, exponent, best);
      break;
    }
    for (const std::uint32_t shift : {1u, 0u}) {
      Knots linear = coarsestTree(KnotKind::TreeLinear, shift, m_last);
      if (!growTree(linear, smooth)) continue;
      consider(linear, exponent, best);
      break;
    }
  }
  return best;
}

}  // namespace simmer::animation::spline
