#include "plugins/animation/export/bvh_writer.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "plugins/animation/clip/exact_math.h"

namespace simmer::animation {
namespace {

constexpr double kDegrees = 180 / 3.14159265358979323846;
constexpr double kGimbalLock = 1e-9;  // cosine of the middle angle below which z alone is turned
constexpr float kScaleSlack = 1e-6F;  // rounding of a scale of 1

/// Angles z, y, x in degrees whose rotations, in this order, are the quaternion.
std::array<double, 3> anglesZyx(const std::array<float, 4>& rotation) {
  Transform turn;
  turn.rotation = rotation;
  const Affine m = Affine::of(turn);
  const auto at = [&](std::size_t row, std::size_t column) { return m.columns[column][row]; };
  const double cosine = std::sqrt(at(0, 0) * at(0, 0) + at(1, 0) * at(1, 0));
  const double y = exact::atan2(-at(2, 0), cosine);
  if (cosine < kGimbalLock) return {exact::atan2(-at(0, 1), at(1, 1)) * kDegrees, y * kDegrees, 0};
  return {exact::atan2(at(1, 0), at(0, 0)) * kDegrees, y * kDegrees, exact::atan2(at(2, 1), at(2, 2)) * kDegrees};
}

/// The turn closest to the one before that is the same angle: a file without jumps is easier to edit.
double unwound(double angle, double before) {
  return angle - 360 * std::floor((angle - before) / 360 + 0.5);
}

/// A name that the text can hold: braces and control characters become '_'.
std::string safeName(std::string name) {
  for (char& c : name)
    if (c == '{' || c == '}' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '_';
  return name;
}

class Writer {
 public:
  Writer(const Clip& clip, double metresPerUnit)
      : m_clip(clip), m_metresPerUnit(metresPerUnit), m_children(clip.joints()) {
    for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
      const std::int32_t parent = clip.skeleton->parents[joint];
      if (parent >= 0) m_children[static_cast<std::size_t>(parent)].push_back(joint);
      m_moves = m_moves || (parent >= 0 && leavesRest(joint));
    }
  }

  Bytes write() {
    put("HIERARCHY\n");
    for (std::size_t joint = 0; joint < m_clip.joints(); ++joint)
      if (m_clip.skeleton->parents[joint] < 0) putTree(joint);
    put("MOTION\nFrames: {}\nFrame Time: {}\n", m_clip.frames, 1 / m_clip.rateHz);
    std::vector<std::array<double, 3>> angles(m_order.size());
    for (std::uint32_t frame = 0; frame < m_clip.frames; ++frame) putRow(frame, angles);
    return Bytes(m_text.begin(), m_text.end());
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
  }

  bool leavesRest(std::size_t joint) const {
    for (std::uint32_t frame = 0; frame < m_clip.frames; ++frame)
      if (m_clip.pose(frame, joint).translation != m_clip.skeleton->rest[joint].translation) return true;
    return false;
  }

  /// All joints have or none: one that stays at its OFFSET tells a reader that positions replace it.
  bool hasPosition(std::size_t joint) const { return m_moves || m_clip.skeleton->parents[joint] < 0; }

  void putVector(const std::array<float, 3>& metres) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      put("{}{:.6f}", axis == 0 ? "" : " ", static_cast<double>(metres[axis]) / m_metresPerUnit);
  }

  /// A joint and all below it, depth first and without recursion.
  void putTree(std::size_t root) {
    struct Open {
      std::size_t joint;
      std::size_t nextChild = 0;
    };
    std::vector<Open> open{{root}};
    putHead(root, 0);
    while (!open.empty()) {
      Open& top = open.back();
      const std::vector<std::size_t>& children = m_children[top.joint];
      if (top.nextChild < children.size()) {
        const std::size_t child = children[top.nextChild++];
        putHead(child, open.size());
        open.push_back({child});
        continue;
      }
      const std::string indent = indentOf(open.size() - 1);
      if (children.empty()) put("{0}\tEnd Site\n{0}\t{{\n{0}\t\tOFFSET 0 0 0\n{0}\t}}\n", indent);
      put("{}}}\n", indent);
      open.pop_back();
    }
  }

  /// Up to a depth: a chain of thousands of joints would else take its square in tabs.
  static std::string indentOf(std::size_t depth) { return std::string(std::min<std::size_t>(depth, 64), '\t'); }

  void putHead(std::size_t joint, std::size_t depth) {
    m_order.push_back(joint);
    const std::string indent = indentOf(depth);
    put("{0}{1} {2}\n{0}{{\n{0}\tOFFSET ", indent, depth == 0 ? "ROOT" : "JOINT",
        safeName(m_clip.skeleton->names[joint]));
    putVector(m_clip.skeleton->rest[joint].translation);
    put("\n{}\tCHANNELS {}Zrotation Yrotation Xrotation\n", indent,
        hasPosition(joint) ? "6 Xposition Yposition Zposition " : "3 ");
  }

  void putRow(std::uint32_t frame, std::vector<std::array<double, 3>>& angles) {
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      const Transform& pose = m_clip.pose(frame, m_order[i]);
      if (i > 0) m_text += ' ';
      if (hasPosition(m_order[i])) {
        putVector(pose.translation);
        m_text += ' ';
      }
      const std::array<double, 3> turn = anglesZyx(pose.rotation);
      for (std::size_t k = 0; k < 3; ++k) {
        angles[i][k] = frame == 0 ? turn[k] : unwound(turn[k], angles[i][k]);
        put("{}{:.7f}", k == 0 ? "" : " ", angles[i][k]);
      }
    }
    m_text += '\n';
  }

  const Clip& m_clip;
  double m_metresPerUnit;
  std::vector<std::vector<std::size_t>> m_children;
  std::vector<std::size_t> m_order;  // the joints as they stand in the file
  bool m_moves = false;              // whether a joint below the roots leaves its rest translation
  std::string m_text;
};

/// Refuses what BVH can not say.
Result<void> check(const Clip& clip) {
  const auto& names = clip.skeleton->names;
  for (std::size_t joint = 0; joint < clip.joints(); ++joint) {
    if (!clip.step.empty() && clip.step[joint] != 0)
      return failAt(ErrorCode::Unsupported, fmt::format("joint '{}'", names[joint]),
                    "a step track can not be written: BVH interpolates everything");
    for (std::uint32_t frame = 0; frame < clip.frames; ++frame)
      for (const float scale : clip.pose(frame, joint).scale)
        if (!(std::abs(scale - 1) <= kScaleSlack))
          return failAt(ErrorCode::Unsupported, fmt::format("joint '{}', frame {}", names[joint], frame),
                        "scale {} can not be written: BVH has none", scale);
  }
  if (!clip.scalars.empty())
    return fail(ErrorCode::Unsupported, "scalar track '{}' can not be written: BVH has none", clip.scalars[0].name);
  return {};
}

}  // namespace

Result<Bytes> writeBvh(const Clip& clip, double metresPerUnit) {
  if (!(metresPerUnit > 0) || !std::isfinite(metresPerUnit))
    return fail(ErrorCode::InvalidInput, "metres per unit is {}, expected above 0", metresPerUnit);
  SIMMER_CHECK(validate(clip));
  if (clip.joints() == 0) return fail(ErrorCode::InvalidInput, "the skeleton has no joints");
  SIMMER_CHECK(check(clip));
  return Writer(clip, metresPerUnit).write();
}

}  // namespace simmer::animation
