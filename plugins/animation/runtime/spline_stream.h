#pragma once

// The parts of a `spline` stream, each written once for reading and writing (see spline_models.h). FORMAT.md has their
// order.

#include <cmath>

#include "plugins/animation/runtime/spline_format.h"
#include "plugins/animation/runtime/spline_models.h"

// GCC leaves loops over components to be loops without -O3.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define SIMMER_UNROLL_COMPONENTS _Pragma("GCC unroll 4")
#else
#define SIMMER_UNROLL_COMPONENTS
#endif

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
    for (std::uint32_t& value : values) value = coder.even(bits, value);
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
  bool chunked = false;  ///< in memory
};

struct HeadModel {
  TreeModel<kKnotKindBits> knots[4];
  TreeModel<kSpacingBits> spacing;
  TreeModel<kShiftBits> shift;
  SignedModel exponent[4];
  TreeModel<kWidthBits> widths[4];
  TreeModel<2> orders[4];
  Probability split[kBlockDepth][4], held[2], chunked[4];
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

  /// `mayBeChunked` is of the function of this name.
  template <class Coder>
  void codeStep(Coder& coder, Part part, unsigned components, bool mayBeChunked, TrackHead& head) {
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
    head.chunked = mayBeChunked && coder.bit(chunked[index], head.chunked);
  }
};

/// Control points as unsigned fields of the head's widths, one point after the other.
template <unsigned Components>
class PointCoder {
 public:
  PointCoder(ResidualModel& model, const TrackHead& head) : m_model(model) {
    for (unsigned c = 0; c < Components; ++c) {
      Component& component = m_components[c];
      component.width = head.widths[c];
      // What is predicted: the middle of the field (order 0), the last value (1), and how far it was from the one
      // before, whole (2) or half (3).
      const std::uint32_t order = head.orders[c];
      component.middle = order == 0 && component.width > 0 ? std::int32_t{1} << (component.width - 1) : 0;
      component.keep = order == 0 ? 0 : -1;
      component.slope = order == 2 ? 2 : order == 3 ? 1 : 0;
    }
  }

  /// The first control point; a field without a width is 0.
  template <class Coder>
  void codeFirst(Coder& coder, std::uint32_t (&fields)[Components]) {
    for (unsigned c = 0; c < Components; ++c) {
      fields[c] = coder.even(m_components[c].width, fields[c]);
      m_components[c].last = m_components[c].before = static_cast<std::int32_t>(fields[c]);
    }
  }
  /// The next one; on reading, values beyond their width are possible in hostile streams only (false then).
  template <class Coder>
  bool codeNext(Coder& coder, std::uint32_t (&fields)[Components]) {
    std::uint32_t siblings = 0, beyond = 0;
    bool isFirst = true;
    SIMMER_UNROLL_COMPONENTS
    for (unsigned c = 0; c < Components; ++c) {
      Component& component = m_components[c];
      if (component.width == 0) continue;
      const std::uint32_t average = component.state.average;
      const unsigned level = ResidualModel::level(average, isFirst ? average : siblings);
      const std::int32_t predicted = component.predict();
      const Residual residual =
          m_model.code(coder, level, component.state, static_cast<std::int32_t>(fields[c]) - predicted);
      const std::uint32_t magnitude = component.state.update(residual);
      siblings = isFirst ? magnitude : (siblings + magnitude) >> 1;
      isFirst = false;
      // Unsigned, since it may be hostile.
      const std::uint32_t field = static_cast<std::uint32_t>(predicted) + static_cast<std::uint32_t>(residual.value());
      fields[c] = field;
      beyond |= field >> component.width;
      component.before = component.last;
      component.last = static_cast<std::int32_t>(field & 0xFFFFFF);
    }
    return beyond == 0;
  }

 private:
  struct Component {
    std::uint32_t width = 0;
    std::int32_t middle = 0, keep = 0, slope = 0, last = 0, before = 0;
    ComponentState state;

    std::int32_t predict() const { return middle + (last & keep) + ((last - before) * slope >> 1); }
  };

  ResidualModel& m_model;
  Component m_components[Components];
};

}  // namespace simmer::runtime
