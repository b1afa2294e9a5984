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

inline Scene sceneOf(const SplineClip* clip, const Moment& moment) {
  const double twice = 2 * moment.fraction;
  const std::uint32_t odd = twice >= 1 ? 1 : 0, last = lastHalfFrame(clip->frames);
  Instant instant = {2 * moment.frame + odd, static_cast<float>(twice - odd), moment.frame};
  if (instant.half != 0 && instant.half == last) {
    --instant.half;
    instant.into = 1;
  }
  const auto maskOf = [](unsigned bytes) {
    return static_cast<std::int32_t>(bytes == 4 ? 0xFFFFFFFF : (1u << 8 * bytes) - 1);
  };
  return {bytesOf(clip) + clip->at.heap,   instant,
          static_cast<std::int32_t>(last), clip->offsetBytes,
          maskOf(clip->offsetBytes),       maskOf(clip->indexBytes)};
}

/// The records of a set of tracks.
class Records {
 public:
  Records(const SplineClip* clip, const Scene& scene, TrackSet set)
      : m_first(bytesOf(clip) + clip->at.sets[static_cast<unsigned>(set)]),
        m_count(clip->counts[static_cast<unsigned>(set)]),
        m_extra(kSetExtra[static_cast<unsigned>(set)]),
        m_bytes(recordBytes(set, {clip->indexBytes, clip->offsetBytes})),
        m_scene(scene) {}

  std::uint32_t count() const { return m_count; }
  std::uint32_t bytes() const { return m_bytes; }
  SIMMER_INLINE const std::uint8_t* at(std::uint32_t i) const { return m_first + std::size_t{i} * m_bytes; }
  SIMMER_INLINE std::uint32_t target(const std::uint8_t* record) const {
    const std::uint64_t word = wordAt(record + m_extra + 4 + m_scene.offsetBytes);
    return static_cast<std::uint32_t>(word) & static_cast<std::uint32_t>(m_scene.indexMask);
  }
  SIMMER_INLINE std::uint32_t offset(const std::uint8_t* record) const {
    return static_cast<std::uint32_t>(wordAt(record + m_extra + 4)) & static_cast<std::uint32_t>(m_scene.offsetMask);
  }
  SIMMER_INLINE std::uint32_t code(const std::uint8_t* record) const { return record[m_extra + 3]; }
  SIMMER_INLINE bool hasKnots(const std::uint8_t* record) const { return (record[m_extra + 1] & kOwnKnots >> 8) != 0; }

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

 private:
  const std::uint8_t* m_first;
  std::uint32_t m_count, m_extra, m_bytes;
  const Scene& m_scene;
};

SIMMER_INLINE float* partOfTransform(simmer_transform& transform, Part part) {
  return part == Part::Rotation      ? transform.rotation
         : part == Part::Translation ? transform.translation
                                     : transform.scale;
}

/// Values go to out + stride * joint.
template <class L, unsigned Count>
SIMMER_INLINE void sampleGroup(TrackSet set, const Scene& scene, const Tracks<Count>& tracks, unsigned index,
                               float* out, std::int32_t stride) {
  if (set == TrackSet::Spline) {
    Rotations<L> rotations;
    rotations.find(scene, tracks, index);
    rotations.sum();
    return rotations.turn(tracks.records + index, out, stride);
  }
  if (set == TrackSet::Quaternion) return sampleQuaternions<L>(scene, tracks, index, out, stride);
  sampleVectors<L>(scene, tracks, index, set == TrackSet::Scale, out, stride);
}

/// Samples a pose, or with Masked some of its joints.
template <class L, bool Masked>
class PoseSampler {
 public:
  PoseSampler(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints)
      : m_clip(clip),
        m_scene(sceneOf(clip, moment)),
        m_windows(clip->frames, m_scene.instant),
        m_mask(mask),
        m_joints(joints) {}

  void sample() {
    fillIdentity();
    for (unsigned part = 0; part < kParts; ++part) {
      sampleConstants(static_cast<Part>(part));
      if (m_clip->at.rests[part] != 0) copyValues(m_clip->at.rests[part], static_cast<Part>(part));
    }
    std::uint32_t knots = 0;
    for (unsigned set = 0; set <= static_cast<unsigned>(TrackSet::Scale); ++set)
      if (m_clip->counts[set] > 0) sampleSet(static_cast<TrackSet>(set), knots);
  }

 private:
  static constexpr unsigned kTracks = 64;  // of a block; a last group may repeat some behind them
  static constexpr unsigned kFew = 2;      // tracks that are sampled one by one
  static constexpr std::int32_t kFloats = sizeof(simmer_transform) / sizeof(float);
  using Block = Tracks<kTracks>;

  SIMMER_INLINE bool isWanted(std::uint32_t joint) const {
    return !Masked || (m_mask[joint / 32] >> joint % 32 & 1) != 0;
  }

  void fillIdentity() {
    static constexpr simmer_transform kFour[4] = {kIdentity, kIdentity, kIdentity, kIdentity};
    std::uint32_t joint = 0;
    for (; !Masked && joint + 4 <= m_clip->joints; joint += 4) __builtin_memcpy(m_joints + joint, kFour, sizeof kFour);
    for (; joint < m_clip->joints; ++joint)
      if (isWanted(joint)) m_joints[joint] = kIdentity;
  }

  void sampleSet(TrackSet set, std::uint32_t& knotsBefore) {
    const Scene scene = m_scene;
    const Records records(m_clip, scene, set);
    Block block;
    Listed listed;
    std::uint32_t knots = knotsBefore;
    unsigned tracks = 0;
    const std::uint8_t* record = records.at(0);
    const std::uint8_t* const end = records.at(records.count());
    for (; record != end; record += records.bytes()) {
      const std::uint32_t code = records.code(record);
      if (code >= KnotCode::kTree && records.hasKnots(record)) knots = records.offset(record);
      if (Masked && !isWanted(records.target(record))) continue;
      block.records[tracks] = record;
      if (code >= KnotCode::kTree) listed.put(tracks, code, knots);
      if (++tracks < kTracks) continue;
      sampleBlock(set, block, listed, tracks);
      tracks = listed.count = 0;
    }
    knotsBefore = knots;
    if (tracks > 0) sampleBlock(set, block, listed, tracks);
  }

  /// The tracks of a block whose knots have to be looked up.
  struct Listed {
    std::uint32_t knots[kTracks];
    std::uint8_t tracks[kTracks], codes[kTracks];
    unsigned count = 0;
    SIMMER_INLINE void put(unsigned track, std::uint32_t code, std::uint32_t offset) {
      knots[count] = offset;
      tracks[count] = static_cast<std::uint8_t>(track);
      codes[count++] = static_cast<std::uint8_t>(code);
    }
  };

  void findSpans(const Listed& listed, Block& block) {
    const std::uint8_t* const heap = m_scene.heap;
    Span span = {};
    for (unsigned i = 0; i < listed.count; ++i) {
      if (i == 0 || listed.knots[i] != listed.knots[i - 1] || listed.codes[i] != listed.codes[i - 1])
        findSpan(heap + listed.knots[i], listed.codes[i], m_windows, span);
      block.put(listed.tracks[i], span);
    }
  }

  void sampleBlock(TrackSet set, Block& block, const Listed& listed, unsigned tracks) {
    findSpans(listed, block);
    float* const out = partOfTransform(*m_joints, partOf(set));
    if (tracks <= kFew) {
      for (unsigned i = 0; i < tracks; ++i) sampleGroup<OneLane>(set, m_scene, block, i, out, kFloats);
      return;
    }
    for (; tracks < L::kLanes; ++tracks) block.repeat(tracks, tracks - 1);
    if (set == TrackSet::Spline) return sampleRotations(block, tracks, out);
    for (unsigned i = 0; i < tracks; i += L::kLanes)
      sampleGroup<L>(set, m_scene, block, startOf(i, tracks), out, kFloats);
  }
  /// The last group goes back over some of the one before it.
  static unsigned startOf(unsigned index, unsigned tracks) {
    return index + L::kLanes <= tracks ? index : tracks - L::kLanes;
  }
  void sampleRotations(const Block& block, unsigned tracks, float* out) const {
    Rotations<L> groups[kTracks / L::kLanes];
    for (unsigned i = 0; i < tracks; i += L::kLanes) groups[i / L::kLanes].find(m_scene, block, startOf(i, tracks));
    for (unsigned i = 0; i < tracks; i += L::kLanes) groups[i / L::kLanes].sum();
    for (unsigned i = 0; i < tracks; i += L::kLanes)
      groups[i / L::kLanes].turn(block.records + startOf(i, tracks), out, kFloats);
  }

  /// Calls visit(joint, values) for each joint that is in a set of bits and wanted; each has `bytes` of values.
  template <class Visit>
  SIMMER_INLINE void forEach(std::uint32_t place, std::size_t bytes, Visit visit) const {
    const std::uint8_t* words = bytesOf(m_clip) + place;
    const std::uint8_t* values = words + (m_clip->joints + 31) / 32 * 4;
    for (std::uint32_t base = 0; base < m_clip->joints; base += 32, words += 4)
      for (auto bits = static_cast<std::uint32_t>(wordAt(words)); bits != 0; bits &= bits - 1, values += bytes) {
        const std::uint32_t joint = base + static_cast<std::uint32_t>(lowestBit(bits));
        if (isWanted(joint)) visit(joint, values);
      }
  }

  /// float32 values of joints.
  void copyValues(std::uint32_t place, Part part) {
    const unsigned components = part == Part::Rotation ? 4 : 3;
    forEach(place, constantBytes(part, true), [&](std::uint32_t joint, const std::uint8_t* values) {
      copyFloats(values, components, partOfTransform(m_joints[joint], part));
    });
  }

  void sampleConstants(Part part) {
    const std::uint32_t place = m_clip->at.constants[static_cast<unsigned>(part)];
    if (place == 0) return;
    if ((m_clip->wide >> static_cast<unsigned>(part) & 1) != 0) return copyValues(place, part);
    if (part == Part::Rotation) return sampleRotations(place);
    const bool scale = part == Part::Scale;
    const float first = scale ? 1.0f : 0.0f, step = m_clip->steps[scale ? 1 : 0];
    float* const out = partOfTransform(*m_joints, part);
    forEach(place, constantBytes(part, false), [&](std::uint32_t joint, const std::uint8_t* values) {
      L::storeVector(wordAt(values), first, step, out + std::size_t{joint} * static_cast<std::size_t>(kFloats));
    });
  }

  void sampleRotations(std::uint32_t place) {
    const std::uint8_t* records[L::kLanes];
    std::int32_t places[L::kLanes];
    unsigned lanes = 0;
    float* const out = m_joints->rotation;
    forEach(place, constantBytes(Part::Rotation, false), [&](std::uint32_t joint, const std::uint8_t* values) {
      records[lanes] = values;
      places[lanes] = static_cast<std::int32_t>(joint) * kFloats;
      if (++lanes < L::kLanes) return;
      sampleConstantRotations<L>(records, out, L::load(places));
      lanes = 0;
    });
    for (unsigned i = 0; i < lanes; ++i) sampleConstantRotations<OneLane>(records + i, out, places[i]);
  }

  const SplineClip* m_clip;
  Scene m_scene;
  Windows m_windows;
  const std::uint32_t* m_mask;
  simmer_transform* m_joints;
};

template <class L>
void samplePose(const SplineClip* clip, const Moment& moment, const std::uint32_t* mask, simmer_transform* joints) {
  if (mask == nullptr) return PoseSampler<L, false>(clip, moment, mask, joints).sample();
  PoseSampler<L, true>(clip, moment, mask, joints).sample();
}

}  // namespace simmer::runtime::SIMMER_UNIT
