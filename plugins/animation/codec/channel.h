#pragma once

#include <map>
#include <optional>

#include "plugins/animation/clip/clip.h"
#include "plugins/animation/codec/article/refine.h"
#include "plugins/animation/codec/clip_writer.h"
#include "plugins/animation/codec/encode.h"

namespace simmer::animation {

/// One channel of a clip: a component of a translation or scale, a whole rotation, or a scalar track. Points into the
/// clip, which must outlive it.
struct ChannelPlace {
  std::size_t track = 0;  ///< in a clip file's order: joint * 7 + sub-track, or the scalar's index
  bool rotation = false;
  bool step = false;
  const float* values = nullptr;  ///< of frame 0
  std::size_t stride = 1;         ///< floats from one frame to the next
  std::uint32_t frames = 0;
  double unitsPerMetre = 1;  ///< the error of its own (degrees for a rotation) that moves a joint by about a metre

  float at(std::uint32_t frame, std::size_t component = 0) const { return values[frame * stride + component]; }
};

/// Encodes one channel at any tolerance. Refinements are made when they are first needed and only as tight as needed.
class ChannelEncoder {
 public:
  ChannelEncoder(const ChannelPlace& place, ArticleSettings::Keyframes keyframes);

  const ChannelPlace& place() const { return m_place; }
  /// How many keys the channel needs at a tolerance in metres.
  std::size_t keyCount(double toleranceM) { return choose(toleranceM).count; }
  /// The channel at that tolerance. A stepped channel has a key wherever its value changes, at any tolerance.
  TrackBytes encode(double toleranceM, runtime::ValueFormat format);

 private:
  struct Fit {
    runtime::Interpolation interpolation;
    std::optional<article::Refinement> refinement;
    double madeFor = 0;
    std::map<std::size_t, double> between;  ///< error at half frames, by the number of keys
  };
  const article::Refinement& refined(Fit& fit, double tolerance);
  struct Choice {
    Fit* fit;  ///< null: the fixed keys, or every frame
    std::size_t count;
  };
  Choice choose(double toleranceM);
  std::vector<std::uint32_t> keysOf(const Choice& choice, double toleranceM) const;
  double errorBetween(Fit& fit, double tolerance, std::size_t keyCount) const;
  double scalarErrorBetween(const Fit& fit, const std::vector<std::uint32_t>& keys) const;
  double rotationErrorBetween(const Fit& fit, const std::vector<std::uint32_t>& keys) const;
  Quaternion alignedRotation(std::uint32_t frame) const;

  ChannelPlace m_place;
  std::vector<Fit> m_fits;             // empty where the keys do not depend on the tolerance
  std::vector<std::uint32_t> m_fixed;  // keys of a stepped channel
  std::vector<bool> m_turned;          // frames whose rotation is negated to lie in its predecessor's hemisphere
};

/// The channel as a constant (or the default, which costs nothing), or nothing when it moves (the article's test).
std::optional<TrackBytes> constantTrack(const ChannelPlace& place, float defaultValue);

}  // namespace simmer::animation
