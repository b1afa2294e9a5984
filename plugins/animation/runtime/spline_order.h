#pragma once

#include "plugins/animation/runtime/little_endian.h"
#include "plugins/animation/runtime/spline_memory.h"
#include "plugins/animation/runtime/spline_points.h"

namespace simmer::runtime {

/// Brings the tracks of joints, which stand in the order of the stream, into that in which they are sampled. Nothing
/// but the clip's own memory is used.
class TrackOrder {
 public:
  explicit TrackOrder(SplineClip* clip)
      : m_clip(clip), m_bytes(reinterpret_cast<std::uint8_t*>(clip)), m_places(trackPlacesOf(clip)) {}

  void order() {
    const std::uint32_t rotations = m_clip->counts[0], all = tracksOf(m_clip);
    const std::uint32_t translations = rotations + m_clip->counts[2];
    m_clip->uniform[0] = partition(0, rotations);
    m_clip->uniform[1] = partition(rotations, translations);
    m_clip->uniform[2] = partition(translations, all);
    rotate(rotations + m_clip->uniform[1], translations, translations + m_clip->uniform[2]);
    rotate(m_clip->uniform[0], rotations, all, false);
  }

 private:
  /// Uniform ones first, each kind in its order; gives how many. Goes a few calls deep.
  std::uint32_t partition(std::uint32_t begin, std::uint32_t end) {
    if (end - begin < 2) return begin < end && isUniform(begin) ? 1 : 0;
    const std::uint32_t middle = begin + (end - begin) / 2;
    const std::uint32_t left = partition(begin, middle), right = partition(middle, end);
    rotate(begin + left, middle, middle + right);
    return left + right;
  }
  bool isUniform(std::uint32_t track) const { return m_bytes[m_places.heads + 4 * track + 3] < KnotCode::kTree; }

  /// Moves what begins at `middle` before what begins at `begin`.
  void rotate(std::uint32_t begin, std::uint32_t middle, std::uint32_t end, bool biases = true) {
    if (begin == middle || middle == end) return;
    reverse(begin, middle, biases);
    reverse(middle, end, biases);
    reverse(begin, end, biases);
  }
  void reverse(std::uint32_t begin, std::uint32_t end, bool biases) {
    const std::uint32_t rotations = m_clip->counts[0];
    for (; begin + 1 < end; ++begin) {
      --end;
      swap(m_places.fronts[0], begin, end, 4);
      swap(m_places.fronts[1], begin, end, 4);
      swap(m_places.heads, begin, end, 4);
      swap(m_places.offsets, begin, end, m_clip->offsetBytes);
      swap(m_places.targets, begin, end, m_clip->indexBytes);
      if (biases && begin >= rotations) swap(m_places.biases, begin - rotations, end - rotations, 4);
    }
  }
  void swap(std::uint32_t place, std::uint32_t a, std::uint32_t b, std::uint32_t bytes) {
    std::uint8_t *const left = m_bytes + place + bytes * a, *const right = m_bytes + place + bytes * b;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const std::uint8_t byte = left[i];
      left[i] = right[i];
      right[i] = byte;
    }
  }

  SplineClip* m_clip;
  std::uint8_t* m_bytes;
  TrackPlaces m_places;
};

}  // namespace simmer::runtime
