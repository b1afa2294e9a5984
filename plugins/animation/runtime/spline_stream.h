#pragma once

// The parts of a `spline` stream, each written once for reading and writing (see spline_models.h). FORMAT.md has their
// order.

#include <cmath>

#include "plugins/animation/runtime/spline_format.h"
#include "plugins/animation/runtime/spline_models.h"

namespace simmer::runtime {

/// What holds for a whole clip.
struct SplineGlobals {
  std::uint32_t meanBits = 12;            ///< of a component of a mean rotation
  std::uint32_t constantBits = 12;        ///< of a component of a constant rotation
  std::uint32_t translationExponent = 0;  ///< step of constant translations
  std::uint32_t scaleExponent = 0;        ///< step of constant scales

  template <class Coder>
  void code(Coder& coder) {
    meanBits = coder.even(4, meanBits);
    constantBits = coder.even(5, constantBits);
    translationExponent = coder.even(kExponentBits, translationExponent);
    scaleExponent = coder.even(kExponentBits, scaleExponent);
  }
};

/// Which parts of which joints move.
struct KindModel {
  TreeModel<2> models[4][4];
  std::uint32_t last[4] = {0, 0, 0, 0};

  template <class Coder>
  std::uint32_t code(Coder& coder, Part part, std::uint32_t kind = 0) {
    const auto index = static_cast<unsigned>(part);
    last[index] = models[index][last[index]].code(coder, kind);
    return last[index];
  }
};

/// A rotation as its three smallest components, the largest left out and positive.
struct SmallestThree {
  std::uint32_t largest = 0, values[3] = {0, 0, 0};

  template <class Coder>
  void code(Coder& coder, unsigned bits) {
    largest = coder.even(2, largest);
    for (std::uint32_t& value : values) {
      const unsigned high = bits > 16 ? bits - 16 : 0;
      const std::uint32_t upper = coder.even(high, value >> (bits - high));
      value = upper << (bits - high) | coder.even(bits - high, value & ((1u << (bits - high)) - 1));
    }
  }

  /// The largest value of a component: even, so that zero can be had. `bits` is at least 2.
  static std::uint32_t most(unsigned bits) { return (1u << bits) - 2; }
  /// The rotation x y z w; false when a value is too large.
  bool unpack(unsigned bits, double* q) const {
    double rest = 1;
    for (std::uint32_t i = 0, in = 0; i < 4; ++i) {
      if (i == largest) continue;
      const std::uint32_t value = values[in++];
      if (value > most(bits)) return false;
      q[i] = (value / static_cast<double>(most(bits)) * 2 - 1) * 0.70710678118654752;
      rest -= q[i] * q[i];
    }
    q[largest] = rest > 0 ? std::sqrt(rest) : 0;
    return true;
  }
};

/// Constant vectors. One may repeat an earlier one but for signs, as the bones of the two sides of a body do.
struct ConstantModel {
  Probability copies, sameDistance, turned[3];
  SignedModel components[3];
  SizeModel distances;
  std::uint32_t lastDistance = 0;

  /// `index` vectors stand before; `copyOf` is how many back the repeated one is, 0 for none.
  template <class Coder>
  std::uint32_t codeDistance(Coder& coder, std::uint32_t copyOf = 0) {
    if (!coder.bit(copies, copyOf != 0)) return 0;
    if (lastDistance != 0 && coder.bit(sameDistance, copyOf == lastDistance)) return lastDistance;
    lastDistance = distances.code(coder, copyOf);
    return lastDistance;
  }
};

/// The head of a track of up to four components.
struct TrackHead {
  KnotKind knots = KnotKind::Previous;
  std::uint32_t spacing = 1;  ///< of uniform knots, half frames
  std::uint32_t shift = 0;    ///< of tree knots
  std::int32_t exponent = 0;  ///< of the step
  std::uint32_t widths[4] = {0, 0, 0, 0};
  std::uint32_t orders[4] = {0, 0, 0, 0};
};

struct HeadModel {
  TreeModel<kKnotKindBits> knots[4];
  TreeModel<kSpacingBits> spacing;
  TreeModel<kShiftBits> shift;
  SignedModel exponent[4];
  TreeModel<kWidthBits> widths[4];
  TreeModel<2> orders[4];
  Probability split[kBlockDepth][4], held[2];
  std::int32_t lastExponent[4] = {100, 100, 100, 100};

  template <class Coder>
  void codeKnots(Coder& coder, Part part, TrackHead& head) {
    head.knots =
        static_cast<KnotKind>(knots[static_cast<unsigned>(part)].code(coder, static_cast<std::uint32_t>(head.knots)));
    if (head.knots == KnotKind::UniformCubic || head.knots == KnotKind::UniformLinear)
      head.spacing = spacing.code(coder, head.spacing - 1) + 1;
    if (head.knots == KnotKind::TreeCubic || head.knots == KnotKind::TreeLinear)
      head.shift = shift.code(coder, head.shift);
  }

  template <class Coder>
  void codeStep(Coder& coder, Part part, unsigned components, TrackHead& head) {
    const auto index = static_cast<unsigned>(part);
    // Unsigned, since a hostile difference would overflow.
    const auto last = static_cast<std::uint32_t>(lastExponent[index]);
    const std::int32_t difference = exponent[index].code(coder, head.exponent - lastExponent[index]);
    head.exponent = static_cast<std::int32_t>(last + static_cast<std::uint32_t>(difference));
    lastExponent[index] = head.exponent;
    for (unsigned c = 0; c < components; ++c) {
      head.widths[c] = widths[index].code(coder, head.widths[c]);
      if (head.widths[c] > 0) head.orders[c] = orders[index].code(coder, head.orders[c]);
    }
  }
};

/// Control points as unsigned fields of the head's widths, one point after the other.
class PointCoder {
 public:
  PointCoder(ResidualModel& model, const TrackHead& head, unsigned components)
      : m_model(model), m_head(head), m_components(components) {}

  /// The fields of the next control point; on reading, values beyond their width are possible in hostile streams only
  /// (false then).
  template <class Coder>
  bool code(Coder& coder, std::uint32_t* fields) {
    std::uint32_t sum = 0, counted = 0;
    bool fits = true;
    for (unsigned c = 0; c < m_components; ++c) {
      const std::uint32_t width = m_head.widths[c];
      if (width == 0) {
        fields[c] = 0;
        continue;
      }
      std::uint32_t field = fields[c];
      if (m_points == 0) {
        const unsigned high = width > 16 ? width - 16 : 0;
        const std::uint32_t upper = coder.even(high, field >> (width - high));
        field = upper << (width - high) | coder.even(width - high, field & ((1u << (width - high)) - 1));
      } else {
        ComponentState& state = m_state[c];
        const std::int32_t predicted = predict(c);
        const std::uint32_t sibling = counted == 0   ? state.average
                                      : counted == 1 ? sum
                                      : counted == 2 ? sum >> 1
                                                     : sum / 3;
        const unsigned level = ResidualModel::level(state.average, sibling);
        const std::int32_t residual = m_model.code(coder, level, state, static_cast<std::int32_t>(field) - predicted);
        state.update(residual);
        const std::uint32_t magnitude =
            residual < 0 ? 0u - static_cast<std::uint32_t>(residual) : static_cast<std::uint32_t>(residual);
        sum += (magnitude < (1u << 20) ? magnitude : 1u << 20) << 4;
        ++counted;
        field = static_cast<std::uint32_t>(predicted + residual);
        fits = fits && field >> width == 0;
      }
      fields[c] = field;
      m_before[c] = m_last[c];
      m_last[c] = static_cast<std::int32_t>(field & 0xFFFFFF);
    }
    ++m_points;
    return fits;
  }

 private:
  /// Order 0: the middle of the field; 1: the last value; 2: the line through the last two.
  std::int32_t predict(unsigned c) const {
    const std::uint32_t order = m_head.orders[c];
    if (order == 0) return static_cast<std::int32_t>(1u << (m_head.widths[c] - 1));
    if (order == 1 || m_points < 2) return m_last[c];
    if (order == 2) return 2 * m_last[c] - m_before[c];
    return m_last[c] + (m_last[c] - m_before[c]) / 2;
  }

  ResidualModel& m_model;
  const TrackHead& m_head;
  unsigned m_components;
  std::uint32_t m_points = 0;
  ComponentState m_state[4];
  std::int32_t m_last[4] = {0, 0, 0, 0}, m_before[4] = {0, 0, 0, 0};
};

}  // namespace simmer::runtime
