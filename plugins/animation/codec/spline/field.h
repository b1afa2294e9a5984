#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plugins/animation/clip/world_poses.h"
#include "plugins/animation/codec/spline/jumps.h"
#include "plugins/animation/codec/spline/rows.h"

namespace simmer::animation::spline {

/// How a change of one track moves the joint it belongs to and everything below, in world space, to first order.
/// `parts` are arrays over the field's rows, `stride` floats apart.
struct Motion {
  enum class Kind : std::uint8_t { Turn, Shift, Stretch };

  Kind kind = Kind::Turn;
  std::size_t joint = 0;         ///< in the field's order
  const float* parts = nullptr;  ///< Turn: the angular motion x y z; Shift: the motion x y z, metres; Stretch: a 3 × 3
                                 ///< matrix, rows first, that takes a point's distance from the joint to its motion
};

/// Where every joint's probes (its origin and its skin points, as ErrorMeter has them) are at some half frames, and how
/// far what is encoded so far is from there. Distances in metres. Holds about 200 bytes for each joint and row.
class Field {
 public:
  /// Keeps references to the clip, where its joints are and its jumps, which must outlive it.
  Field(const WorldPoses& reference, const Jumps& jumps, double toleranceM, const Rows& rows);

  std::size_t joints() const { return m_order.size(); }
  const Rows& rows() const { return m_rows; }
  std::size_t stride() const { return m_stride; }  ///< rows().count rounded up to whole lanes
  /// Joints in the field's order stand before all below them, these follow at once.
  std::size_t placeOf(std::size_t joint) const { return m_place[joint]; }
  std::size_t endOf(std::size_t place) const { return m_end[place]; }
  /// Largest distance of a probe below a joint from the joint's origin, at any time, metres over the tolerance scale of
  /// the probe's joint.
  double lever(std::size_t joint) const { return m_lever[m_place[joint]]; }
  /// 1 over the smallest tolerance scale of a joint and all below it: how much a shift of it counts.
  double weight(std::size_t joint) const { return m_weights.empty() ? 1 : m_weights[m_place[joint]]; }
  double toleranceM() const { return m_toleranceM; }
  void setTolerance(double toleranceM);

  /// Measures exactly, in double: `poseAt` gives the encoded local pose at a half frame.
  using Poses = std::function<void(std::size_t halfFrame, Transform* pose)>;
  void measure(const Poses& poseAt) { measureSome(1, poseAt); }
  /// Every n-th row, and the last; straight lines between them.
  void measureSome(std::size_t every, const Poses& poseAt);

  struct Change {
    float penalty;  ///< of the sum over rows and probes of (error / tolerance)^8, and what is beyond the wall
    float worst;    ///< the largest (error / tolerance)² that got worse
  };
  /// What the motion would do between two rows, times `factor`.
  Change evaluate(const Motion& motion, float factor, std::size_t begin, std::size_t end) const;
  void apply(const Motion& motion, float factor, std::size_t begin, std::size_t end);
  /// The largest (error / tolerance)².
  float worst() const;
  /// [row]: whether some error is above the tolerance there.
  std::vector<char> missed() const;

 private:
  void order(const Skeleton& skeleton);
  void fillReference();
  void fillWeights();
  void fillCounts(const Jumps& jumps);
  void fillBetween(std::size_t before, std::size_t after);
  void toProbes(const Affine* world, double* probes) const;
  float* errorOf(std::size_t place) { return &m_error[place * kFloats * m_stride]; }
  const float* errorOf(std::size_t place) const { return &m_error[place * kFloats * m_stride]; }
  const float* referenceOf(std::size_t place) const { return &m_probes[place * kFloats * m_stride]; }

  static constexpr std::size_t kProbes = 4, kFloats = 3 * kProbes;

  const WorldPoses& m_reference;
  double m_toleranceM;
  float m_perSquare = 0;  // 1 / tolerance²
  Rows m_rows;
  std::size_t m_stride;
  std::vector<double> m_radii;
  std::vector<std::size_t> m_order, m_place, m_end;
  std::vector<double> m_lever;
  std::vector<double> m_squareWeights;   // [joint] as errorWeights() has it
  std::vector<double> m_weights;         // [place], empty: 1 everywhere
  std::vector<double> m_expected;        // [row][place][probe][axis]
  std::vector<float> m_probes, m_error;  // [place][probe][axis][row]
  std::vector<float> m_counts;           // [place][row]: weight of a squared error, 0 where it is left out; empty: 1
};

}  // namespace simmer::animation::spline
