#include "plugins/animation/codec/spline/allocate.h"

#include <algorithm>
#include <queue>

namespace simmer::animation::spline {
namespace {

constexpr double kFree = 1e-3;        // penalty a half frame below which an error costs nothing
constexpr std::size_t kFarthest = 2;  // levels that one step may skip to

class Allocator {
 public:
  Allocator(const std::vector<Track>& tracks, const std::vector<std::vector<Candidate>>& levels, const Price& price,
            Field& field)
      : m_tracks(tracks), m_levels(levels), m_price(price), m_field(field), m_chosen(tracks.size(), 0) {
    for (std::size_t track = 0; track < tracks.size(); ++track) {
      m_effects.emplace_back();
      for (const Candidate& candidate : levels[track])
        m_effects.back().push_back(effectOf(tracks[track], candidate.curve, field));
    }
  }

  std::vector<std::size_t> run() {
    for (std::size_t track = 0; track < m_tracks.size(); ++track) apply(track, m_effects[track][0]);
    for (std::size_t track = 0; track < m_tracks.size(); ++track) push(track);
    while (!m_queue.empty()) {
      const Step step = m_queue.top();
      m_queue.pop();
      // Others moved since it was evaluated: look again before believing it.
      if (step.age != m_moves) {
        push(step.track);
        continue;
      }
      apply(step.track, difference(step.track, step.level));
      m_chosen[step.track] = step.level;
      ++m_moves;
      push(step.track);
    }
    return m_chosen;
  }

 private:
  struct Step {
    double score;
    std::size_t track, level;
    std::uint64_t age;
    bool operator<(const Step& other) const { return score != other.score ? score < other.score : track > other.track; }
  };

  std::vector<float> difference(std::size_t track, std::size_t level) const {
    std::vector<float> change = m_effects[track][level];
    const std::vector<float>& now = m_effects[track][m_chosen[track]];
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= now[i];
    return change;
  }
  Motion motionOf(std::size_t track, const std::vector<float>& parts) const {
    return {m_tracks[track].motionKind(), m_field.placeOf(m_tracks[track].joint), parts.data()};
  }
  void apply(std::size_t track, const std::vector<float>& parts) {
    m_field.apply(motionOf(track, parts), 1, 0, m_field.halfFrames());
  }

  /// The best step of a track, if any stays within the tolerance.
  void push(std::size_t track) {
    Step best{0, track, 0, m_moves};
    const std::size_t now = m_chosen[track];
    for (std::size_t level = now + 1; level < std::min(m_levels[track].size(), now + 1 + kFarthest); ++level) {
      const double saved = m_price.of(m_levels[track][now]) - m_price.of(m_levels[track][level]);
      if (saved <= 0) continue;
      const std::vector<float> parts = difference(track, level);
      const Field::Change change = m_field.evaluate(motionOf(track, parts), 1, 0, m_field.halfFrames());
      if (change.worst > 1) continue;
      const double score =
          saved / (std::max<double>(change.penalty, 0) + kFree * static_cast<double>(m_field.halfFrames()));
      if (score > best.score) {
        best.score = score;
        best.level = level;
      }
    }
    if (best.level > 0) m_queue.push(best);
  }

  const std::vector<Track>& m_tracks;
  const std::vector<std::vector<Candidate>>& m_levels;
  const Price& m_price;
  Field& m_field;
  std::vector<std::size_t> m_chosen;
  std::vector<std::vector<std::vector<float>>> m_effects;
  std::priority_queue<Step> m_queue;
  std::uint64_t m_moves = 0;
};

}  // namespace

std::vector<float> effectOf(const Track& track, const std::vector<double>& curve, const Field& field) {
  const std::size_t parts = track.motionParts(), stride = field.stride(), n = track.components;
  std::vector<float> effect(parts * stride, 0.0f);
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t h = 0; h < field.halfFrames(); ++h) {
      float sum = 0;
      for (std::size_t c = 0; c < n; ++c)
        sum += track.motions[(c * parts + part) * stride + h] *
               static_cast<float>(curve[h * n + c] - track.signal[h * n + c]);
      effect[part * stride + h] = sum;
    }
  return effect;
}

std::vector<std::size_t> allocate(const std::vector<Track>& tracks, const std::vector<std::vector<Candidate>>& levels,
                                  const Price& price, Field& field) {
  return Allocator(tracks, levels, price, field).run();
}

}  // namespace simmer::animation::spline
