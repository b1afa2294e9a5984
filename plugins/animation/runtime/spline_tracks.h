#pragma once

#include "plugins/animation/runtime/spline_memory.h"

namespace simmer::runtime {

/// Where a track, the i-th of its set, is written.
struct TrackSlot {
  std::uint8_t *bias, *fronts[2], *head, *offset, *target;

  TrackSlot(SplineClip* clip, TrackSet set, std::uint32_t i);
};

/// Reads the tracks of a stream into a clip, in the order of the stream: their records, knots and control points.
class TrackReader {
 public:
  /// `end` is where the last control point ends in a clip that is what its header says.
  TrackReader(RangeDecoder& coder, SplineClip* clip, const SplineGlobals& globals, std::uint32_t end)
      : m_coder(coder), m_clip(clip), m_globals(globals), m_at(clip->at.heap), m_end(end) {}

  /// All tracks of a set, which have their indices already.
  bool readSet(TrackSet set);
  /// Whether the memory is filled.
  bool isFull() const { return m_at == m_end; }

 private:
  /// What a track's control points depend on.
  struct Knots {
    TrackHead head;  // only what the knots are
    std::uint32_t points = 0;
  };

  bool readTrack(TrackSet set, const TrackSlot& slot);
  bool readKnots(Part part, TrackHead& head, bool& own);
  bool readMask(Knots& knots);
  std::uint32_t readTree(Knots& knots, std::uint8_t* masks);
  void readNode(std::uint32_t low, std::uint32_t size, std::uint32_t depth, std::uint32_t cells, std::uint64_t& mask);
  std::uint32_t readHolds(std::uint8_t* masks);
  bool readMean(const TrackSlot& slot);
  bool readPoints(const TrackHead& head, const Knots& knots, unsigned components, std::uint32_t bits);
  template <unsigned Components>
  bool readPoints(const TrackHead& head, const Knots& knots, std::uint32_t bits);
  bool readChunks(TrackSet set, const TrackHead& head, const Knots& knots);
  /// Packs the next chunk; `table` is the first entry of its track, `entry` its own.
  bool writeChunk(TrackSet set, const TrackHead& head, const std::uint32_t (*points)[3], std::uint32_t count,
                  std::uint32_t table, std::uint32_t entry);
  std::uint8_t* at(std::uint32_t place) { return reinterpret_cast<std::uint8_t*>(m_clip) + place; }

  RangeDecoder& m_coder;
  SplineClip* m_clip;
  const SplineGlobals& m_globals;
  std::uint32_t m_at, m_end;
  HeadModel m_heads;
  ResidualModel m_residuals[3];  // cubic, linear, hold
  SignedModel m_biases[4];
  Knots m_knots[4];  // the last ones of each part
};

/// A rotation with 16 bits a component, as FORMAT.md says; false when it is none.
bool readRotation(RangeDecoder& coder, unsigned bits, double* q);
void packRotation(const double* q, std::uint8_t* out);

}  // namespace simmer::runtime
