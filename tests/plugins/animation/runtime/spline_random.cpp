#include "tests/plugins/animation/runtime/spline_files.h"

namespace simmer::animation::test {
namespace {

using namespace runtime;

/// Specs at random.
class Maker {
 public:
  Maker(std::uint32_t seed, SplineClipSpec& spec) : m_state(seed * 2654435761u + 1), m_spec(spec) {}

  std::uint32_t below(std::uint32_t limit) { return (m_state = m_state * 1664525 + 1013904223, m_state >> 8) % limit; }

  void fill(std::uint32_t joints, std::uint32_t scalars) {
    m_spec.rate = below(2) != 0 ? 30 : 29.97;
    m_spec.globals = {4 + below(12), below(2) != 0 ? 10 + below(3) : 13 + below(12), 100 + below(20), 110};
    m_spec.joints.resize(joints);
    for (auto& joint : m_spec.joints) {
      joint[0] = part(TrackSet::Spline);
      joint[1] = part(TrackSet::Translation);
      joint[2] = below(3) == 0 ? part(TrackSet::Scale) : SplinePart{};
    }
    for (std::uint32_t i = 0; i < scalars; ++i) {
      m_spec.scalars.push_back(part(TrackSet::Scalar));
      m_spec.names.push_back(std::string(i % 3, 'a'));
    }
    finishTracks();
    addCopies();
  }

 private:
  SplinePart part(TrackSet set) {
    SplinePart part;
    part.kind = static_cast<PartKind>(m_spec.frames == 1 ? below(2) : below(set == TrackSet::Spline ? 6 : 3));
    if (part.kind > PartKind::Quaternion) part.kind = PartKind::Spline;
    part.rotation = rotation(m_spec.globals.constantBits);
    const std::uint32_t range = m_wide ? 1u << 20 : 1u << 15;
    for (auto& integer : part.vector) integer = static_cast<std::int32_t>(below(range));
    m_wide = m_wide || below(50) == 0;
    part.number = static_cast<float>(below(1000)) / 7 - 50;
    return part;
  }

  /// Kinds are known now, so that the order of the stream is.
  void finishTracks() {
    for (const PartKind kind : {PartKind::Spline, PartKind::Quaternion})
      for (auto& joint : m_spec.joints)
        if (joint[0].kind == kind)
          fillTrack(joint[0].track, kind == PartKind::Spline ? TrackSet::Spline : TrackSet::Quaternion);
    for (const TrackSet set : {TrackSet::Translation, TrackSet::Scale})
      for (auto& joint : m_spec.joints)
        if (SplinePart& part = joint[static_cast<unsigned>(partOf(set))]; part.kind == PartKind::Spline)
          fillTrack(part.track, set);
    for (SplinePart& scalar : m_spec.scalars)
      if (scalar.kind == PartKind::Spline) fillTrack(scalar.track, TrackSet::Scalar);
  }

  void fillTrack(SplineTrack& track, TrackSet set) {
    const SplineTrack*& before = m_before[static_cast<unsigned>(partOf(set))];
    track.kind = static_cast<KnotKind>(before == nullptr ? 1 + below(5) : below(6));
    track.spacing = 1 + below(below(4) == 0 ? 64 : 12);
    track.shift = below(below(4) == 0 ? 8 : 3);
    if (track.kind == KnotKind::TreeCubic || track.kind == KnotKind::TreeLinear) fillTree(track);
    if (track.kind == KnotKind::Hold) {
      track.knots.assign(m_spec.frames, false);
      for (std::uint32_t frame = 0; frame < m_spec.frames; ++frame) track.knots[frame] = frame == 0 || below(5) == 0;
    }
    if (track.kind != KnotKind::Previous) before = &track;
    const std::uint32_t most = below(5) == 0 ? 24 : 10;
    std::uint32_t widest = 0;
    for (unsigned c = 0; c < 4; ++c) {
      track.widths[c] = c < componentsOf(set) && below(6) != 0 ? 1 + below(most) : 0;
      track.orders[c] = track.widths[c] > 0 ? below(4) : 0;
      widest = std::max(widest, track.widths[c]);
    }
    if (set == TrackSet::Quaternion) track.widths[3] = widest = std::max(widest, 2u);
    // No rotation vector is longer than 3.4: √3 · step · 2^(width - 1).
    track.exponent = 160 - 4 * static_cast<std::int32_t>(widest) + static_cast<std::int32_t>(below(7));
    track.mean = rotation(m_spec.globals.meanBits);
    for (auto& bias : track.biases) bias = static_cast<std::int32_t>(below(2000)) - 1000;
    track.points.resize(m_spec.points(*before));
    for (auto& point : track.points)
      for (unsigned c = 0; c < 4; ++c) point[c] = track.widths[c] == 0 ? 0 : below(1u << track.widths[c]);
    if (set != TrackSet::Quaternion && set != TrackSet::Scalar && before->kind != KnotKind::Hold)
      chunk(track, set == TrackSet::Spline,
            before->kind == KnotKind::UniformCubic || before->kind == KnotKind::TreeCubic ? 3 : 1);
    // Never near zero, where a quaternion has no direction.
    for (auto& point : track.points)
      if (set == TrackSet::Quaternion) point[3] = (1u << widest) - 1 - below(1u << widest) / 8;
  }

  /// Of every other track that is long enough; its values become more or less alike for some time.
  void chunk(SplineTrack& track, bool rotation, unsigned degree) {
    if (track.points.size() <= 32 + degree || below(2) == 0) return;
    for (std::size_t i = 0; i < track.points.size(); ++i)
      for (unsigned c = 0; c < 3; ++c) {
        const std::uint32_t most = (1u << track.widths[c]) - 1, part = static_cast<std::uint32_t>(i / 100);
        std::uint32_t& field = track.points[i][c];
        field >>= (part + 5 * c) % (track.widths[c] + 1);
        if (part % 3 == 1) field = most - field;
      }
    track.chunked = sumChunks(track, rotation, degree).fit();
  }

  void fillTree(SplineTrack& track) {
    const std::uint32_t cells = m_spec.cells(track), density = 1 + below(4);
    track.knots.assign(cells, false);
    for (std::uint32_t block = 0; block < cells; block += 32) {
      track.knots[block] = true;
      split(track, cells, block, 32, density);
    }
  }
  void split(SplineTrack& track, std::uint32_t cells, std::uint32_t low, std::uint32_t size, std::uint32_t density) {
    if (size == 1) return;
    const std::uint32_t middle = low + size / 2;
    if (middle >= cells) return split(track, cells, low, size / 2, density);
    if (below(density) != 0 || below(3) == 0) return;
    track.knots[middle] = true;
    split(track, cells, low, size / 2, density);
    split(track, cells, middle, size / 2, density);
  }

  SmallestThree rotation(unsigned bits) {
    SmallestThree packed;
    const std::uint32_t most = SmallestThree::most(bits);
    packed.largest = below(4);
    // Within half of the range around zero: the largest is the largest then.
    for (auto& value : packed.values) value = most / 4 + static_cast<std::uint32_t>(below(65536) / 65536.0 * most / 2);
    return packed;
  }

  /// Some constant vectors become those before, with other signs.
  void addCopies() {
    for (const unsigned part : {1u, 2u}) {
      std::vector<SplinePart*> constants;
      for (auto& joint : m_spec.joints)
        if (joint[part].kind == PartKind::Constant) constants.push_back(&joint[part]);
      std::vector<bool> copied(constants.size(), false);
      for (std::size_t i = 1; i < constants.size(); ++i) {
        const std::uint32_t distance = 1 + below(static_cast<std::uint32_t>(i));
        if (below(3) != 0 || copied[i - distance]) continue;
        copied[i] = true;
        constants[i]->copyOf = distance;
        for (unsigned c = 0; c < 3; ++c)
          constants[i]->vector[c] = constants[i - distance]->vector[c] * (below(2) != 0 ? 1 : -1);
      }
    }
  }

  std::uint32_t m_state;
  SplineClipSpec& m_spec;
  bool m_wide = false;
  const SplineTrack* m_before[4] = {};
};

}  // namespace

SplineClipSpec randomSpline(std::uint32_t seed, std::uint32_t joints, std::uint32_t frames, std::uint32_t scalars) {
  SplineClipSpec spec;
  spec.frames = frames;
  Maker(seed, spec).fill(joints, scalars);
  return spec;
}

}  // namespace simmer::animation::test
