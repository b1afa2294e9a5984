// Samples clips of codec `spline`; see spline_lanes.h for SIMMER_UNIT. Tracks are taken in blocks: first the knots of a
// block's tracks are looked up, then weights are computed, then values, so that no step waits for the one before.

#include "plugins/animation/runtime/clip_samplers.h"
#include "plugins/animation/runtime/spline_points.h"
// These two need what stands above.
#include "plugins/animation/runtime/spline_knots.h"
#include "plugins/animation/runtime/spline_weights.h"
// And this the last.
#include "plugins/animation/runtime/spline_values.h"

namespace simmer::runtime::SIMMER_UNIT {

inline Instant instantOf(const SplineClip* clip, const Moment& moment) {
  const double twice = 2 * moment.fraction;
  const std::uint32_t odd = twice >= 1 ? 1 : 0;
  Instant instant = {2 * moment.frame + odd, static_cast<float>(twice - odd), moment.frame};
  if (instant.half != 0 && instant.half == lastHalfFrame(clip->frames)) {
    --instant.half;
    instant.into = 1;
  }
  return instant;
}

/// The records of a set of tracks.
class Records {
 public:
  Records(const SplineClip* clip, TrackSet set)
      : m_first(bytesOf(clip) + clip->at.sets[static_cast<unsigned>(set)]),
        m_count(clip->counts[static_cast<unsigned>(set)]),
        m_extra(kSetExtra[static_cast<unsigned>(set)]),
        m_bytes(recordBytes(set, {clip->indexBytes, clip->offsetBytes})),
        m_indexAt(m_extra + 3 + clip->offsetBytes),
        m_indexMask(maskOf(clip->indexBytes)),
        m_offsetMask(maskOf(clip->offsetBytes)) {}

  std::uint32_t count() const { return m_count; }
  const std::uint8_t* at(std::uint32_t i) const { return m_first + std::size_t{i} * m_bytes; }
  std::uint32_t target(const std::uint8_t* record) const {
    return static_cast<std::uint32_t>(wordAt(record + m_indexAt)) & m_indexMask;
  }
  std::uint32_t offset(const std::uint8_t* record) const {
    return static_cast<std::uint32_t>(wordAt(record + m_extra + 3)) & m_offsetMask;
  }
  bool hasKnots(const std::uint8_t* record) const { return (record[m_extra + 1] & kOwnKnots >> 8) != 0; }

  /// The track of a joint or scalar; count() where there is none. Records are in the order of their targets.
  std::uint32_t find(std::uint32_t wanted) const {
    std::uint32_t low = 0, high = m_count;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (target(at(middle)) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < m_count && target(at(low)) == wanted ? low : m_count;
  }
  /// The offset behind the knots of a track, or, where none stand before it, those of another set's last track.
  std::uint32_t knotsOf(std::uint32_t track, std::uint32_t before) const {
    for (std::uint32_t i = track + 1; i-- > 0;)
      if (hasKnots(at(i))) return offset(at(i));
    return before;
  }
  static std::uint32_t maskOf(std::uint32_t bytes) { return bytes == 4 ? 0xFFFFFFFF : (1u << 8 * bytes) - 1; }

 private:
  const std::uint8_t* m_first;
  std::uint32_t m_count, m_extra, m_bytes, m_indexAt, m_indexMask, m_offsetMask;
};

inline Heap heapOf(const SplineClip* clip) {
  return {bytesOf(clip) + clip->at.heap, Records::maskOf(clip->offsetBytes)};
}

/// Whether the rotations of joints stand first in a transform, and so on.
inline float* partOfTransform(simmer_transform& transform, Part part) {
  return part == Part::Rotation      ? transform.rotation
         : part == Part::Translation ? transform.translation
                                     : transform.scale;
}

template <class L>
void sampleGroup(TrackSet set, const Heap& heap, const Group<L>& group) {
  if (set == TrackSet::Spline) return sampleRotations<L>(heap, group);
  if (set == TrackSet::Quaternion) return sampleQuaternions<L>(heap, group);
  sampleVectors<L>(heap, group, set == TrackSet::Scale);
}

template <class L>
class PoseSampler {
 public:
  PoseSampler(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints)
      : m_clip(clip), m_instant(instantOf(clip, moment)), m_mask(mask), m_joints(joints), m_heap(heapOf(clip)) {}

  void sample() {
    for (std::uint32_t joint = 0; joint < m_clip->joints; ++joint)
      if (isInMask(m_mask, joint)) m_joints[joint] = kIdentity;
    for (unsigned part = 0; part < kParts; ++part) {
      sampleConstants(static_cast<Part>(part));
      copyValues(m_clip->at.rests[part], static_cast<Part>(part));
    }
    std::uint32_t knots = 0;
    for (unsigned set = 0; set <= static_cast<unsigned>(TrackSet::Scale); ++set)
      if (m_clip->counts[set] > 0) sampleSet(static_cast<TrackSet>(set), knots);
  }

 private:
  static constexpr unsigned kTracks = 64;  // of a block; the lanes behind it are room for a last group

  /// Tracks that are sampled together. Those that share knots share a slot.
  struct Block {
    const std::uint8_t* records[kTracks];
    float* out[kTracks];
    std::uint8_t slots[kTracks];
    unsigned tracks = 0, spans = 0;
    Spans<kTracks + L::kLanes> found;
    Weights weights[kTracks + L::kLanes];
  };

  void sampleSet(TrackSet set, std::uint32_t& knots) {
    const Records records(m_clip, set);
    Block block;
    bool fresh = true;  // the knots have no slot in the block yet
    for (std::uint32_t i = 0; i < records.count(); ++i) {
      const std::uint8_t* const record = records.at(i);
      if (records.hasKnots(record)) {
        knots = records.offset(record);
        fresh = true;
      }
      const std::uint32_t joint = records.target(record);
      if (!isInMask(m_mask, joint)) continue;
      if (fresh) {
        Span span;
        findSpan(m_heap.bytes + knots, m_clip->frames, m_instant, span);
        block.found.put(block.spans++, span);
        fresh = false;
      }
      block.records[block.tracks] = record;
      block.out[block.tracks] = partOfTransform(m_joints[joint], partOf(set));
      block.slots[block.tracks++] = static_cast<std::uint8_t>(block.spans - 1);
      if (block.tracks == kTracks) {
        sampleBlock(set, block);
        fresh = true;
      }
    }
    if (block.tracks > 0) sampleBlock(set, block);
  }

  void sampleBlock(TrackSet set, Block& block) {
    for (unsigned i = 0; i < L::kLanes; ++i) block.found.put(block.spans + i, {kHeld, 0, {0, 0, 0, 1, 0, 0}});
    for (unsigned i = 0; i < block.spans; i += L::kLanes) weigh<L>(block.found, i, m_instant.into, block.weights + i);
    for (unsigned i = 0; i < block.tracks; i += L::kLanes) {
      Group<L> group;
      for (unsigned lane = 0; lane < L::kLanes; ++lane) {
        const unsigned track = i + lane < block.tracks ? i + lane : i;
        group.records[lane] = block.records[track];
        group.weights[lane] = reinterpret_cast<const std::uint8_t*>(&block.weights[block.slots[track]]);
        group.out[lane] = block.out[track];
      }
      sampleGroup<L>(set, m_heap, group);
    }
    block.tracks = block.spans = 0;
  }

  /// Calls visit(joint, rank) for each joint that is in a set of bits and wanted.
  template <class Visit>
  void forEach(std::uint32_t place, Visit visit) const {
    std::uint32_t rank = 0;
    for (std::uint32_t base = 0; base < m_clip->joints; base += 32, place += 4)
      for (auto bits = static_cast<std::uint32_t>(wordAt(bytesOf(m_clip) + place)); bits != 0; bits &= bits - 1) {
        const std::uint32_t joint = base + static_cast<std::uint32_t>(lowestBit(bits));
        if (isInMask(m_mask, joint)) visit(joint, rank);
        ++rank;
      }
  }
  const std::uint8_t* valuesAt(std::uint32_t place) const {
    return bytesOf(m_clip) + place + (m_clip->joints + 31) / 32 * 4;
  }

  /// float32 values of joints.
  void copyValues(std::uint32_t place, Part part) {
    if (place == 0) return;
    const unsigned components = part == Part::Rotation ? 4 : 3;
    const std::uint8_t* const values = valuesAt(place);
    forEach(place, [&](std::uint32_t joint, std::uint32_t rank) {
      copyFloats(values + std::size_t{4} * components * rank, components, partOfTransform(m_joints[joint], part));
    });
  }

  void sampleConstants(Part part) {
    const std::uint32_t place = m_clip->at.constants[static_cast<unsigned>(part)];
    if (place == 0) return;
    if ((m_clip->wide >> static_cast<unsigned>(part) & 1) != 0) return copyValues(place, part);
    const std::uint8_t* const values = valuesAt(place);
    const std::size_t bytes = constantBytes(part, false);
    Group<L> group;
    unsigned lanes = 0;
    forEach(place, [&](std::uint32_t joint, std::uint32_t rank) {
      group.records[lanes] = values + bytes * rank;
      group.out[lanes++] = partOfTransform(m_joints[joint], part);
      if (lanes < L::kLanes) return;
      sampleConstantGroup(part, group);
      lanes = 0;
    });
    if (lanes == 0) return;
    for (; lanes < L::kLanes; ++lanes) {
      group.records[lanes] = group.records[0];
      group.out[lanes] = group.out[0];
    }
    sampleConstantGroup(part, group);
  }
  void sampleConstantGroup(Part part, const Group<L>& group) {
    if (part == Part::Rotation) return sampleConstantRotations<L>(group);
    sampleConstantVectors<L>(group, part == Part::Scale, m_clip->steps[part == Part::Scale ? 1 : 0]);
  }

  const SplineClip* m_clip;
  Instant m_instant;
  const std::uint32_t* m_mask;
  simmer_transform* m_joints;
  Heap m_heap;
};

}  // namespace simmer::runtime::SIMMER_UNIT
