#include "plugins/animation/codec/spline/allocate.h"

#include <algorithm>
#include <queue>

namespace simmer::animation::spline {
namespace {

constexpr double kFree = 1e-3;        // penalty a row below which an error costs nothing
constexpr std::size_t kFarthest = 2;  // levels that one step may skip to

class Allocator {
 public:
  Allocator(const std::vector<Track>& tracks, const std::vector<std::vector<Level>>& levels, Field& field)
      : m_tracks(tracks), m_levels(levels), m_field(field), m_chosen(tracks.size(), 0) {}

  std::vector<std::size_t> run() {
    for (std::size_t track = 0; track < m_tracks.size(); ++track) apply(track, m_levels[track][0].effect);
    for (std::size_t track = 0; track < m_tracks.size(); ++track) push(track);
    while (!m_queue.empty()) {
      const Step step = m_queue.top();
      m_queue.pop();
      // Others moved what it moves since it was evaluated: look again before believing it.
      if (isStale(step)) {
        push(step.track);
        continue;
      }
      apply(step.track, difference(step.track, step.level));
      m_chosen[step.track] = step.level;
      m_moved.push_back(m_field.placeOf(m_tracks[step.track].joint));
      push(step.track);
    }
    return m_chosen;
  }

 private:
  struct Step {
    double score;
    std::size_t track, level;
    std::size_t age;  // moves made when it was evaluated
    bool operator<(const Step& other) const { return score != other.score ? score < other.score : track > other.track; }
  };

  /// Whether a joint above or below has moved since: what moves others leaves its evaluation as it is.
  bool isStale(const Step& step) const {
    const std::size_t place = m_field.placeOf(m_tracks[step.track].joint), end = m_field.endOf(place);
    return std::any_of(m_moved.begin() + static_cast<std::ptrdiff_t>(step.age), m_moved.end(),
                       [&](std::size_t moved) { return moved < end && place < m_field.endOf(moved); });
  }
  std::vector<float> difference(std::size_t track, std::size_t level) const {
    std::vector<float> change = m_levels[track][level].effect;
    const std::vector<float>& now = m_levels[track][m_chosen[track]].effect;
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= now[i];
    return change;
  }
  Motion motionOf(std::size_t track, const std::vector<float>& parts) const {
    return {m_tracks[track].motionKind(), m_field.placeOf(m_tracks[track].joint), parts.data()};
  }
  void apply(std::size_t track, const std::vector<float>& parts) {
    m_field.apply(motionOf(track, parts), 1, 0, m_field.rows().count);
  }

  /// The best step of a track, if any stays within the tolerance.
  void push(std::size_t track) {
    Step best{0, track, 0, m_moved.size()};
    const std::size_t now = m_chosen[track];
    for (std::size_t level = now + 1; level < std::min(m_levels[track].size(), now + 1 + kFarthest); ++level) {
      const double saved = m_levels[track][now].cost - m_levels[track][level].cost;
      if (saved <= 0) continue;
      const std::vector<float> parts = difference(track, level);
      const Field::Change change = m_field.evaluate(motionOf(track, parts), 1, 0, m_field.rows().count);
      if (change.worst > 1) continue;
      const double score =
          saved / (std::max<double>(change.penalty, 0) + kFree * static_cast<double>(m_field.rows().count));
      if (score > best.score) {
        best.score = score;
        best.level = level;
      }
    }
    if (best.level > 0) m_queue.push(best);
  }

  const std::vector<Track>& m_tracks;
  const std::vector<std::vector<Level>>& m_levels;
  Field& m_field;
  std::vector<std::size_t> m_chosen;
  std::priority_queue<Step> m_queue;
  std::vector<std::size_t> m_moved;  // places, one for each move
};

}  // namespace

std::vector<float> effectOf(const Track& track, const std::vector<double>& curve, const Field& field) {
  const std::size_t parts = track.motionParts(), stride = field.stride(), n = track.components;
  std::vector<float> effect(parts * stride, 0.0f);
  for (std::size_t row = 0; row < field.rows().count; ++row) {
    const double* const signal = track.at(field.rows().halfFrame(row));
    for (std::size_t c = 0; c < n; ++c) {
      const auto off = static_cast<float>(curve[row * n + c] - signal[c]);
      for (std::size_t part = 0; part < parts; ++part)
        effect[part * stride + row] += track.motions[(c * parts + part) * stride + row] * off;
    }
  }
  return effect;
}

std::vector<std::size_t> allocate(const std::vector<Track>& tracks, const std::vector<std::vector<Level>>& levels,
                                  Field& field) {
  return Allocator(tracks, levels, field).run();
}

}  // namespace simmer::animation::spline
