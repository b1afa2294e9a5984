#include "plugins/animation/import/bvh_motion.h"

#include <charconv>
#include <cmath>

#include "plugins/animation/clip/exact_math.h"

namespace simmer::animation::bvh {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kAtZero = 0.05;                   // of an OFFSET: what is as good as nothing
constexpr std::uint64_t kFramesBetweenLooks = 64;  // at whether somebody cancelled

/// Makes poses out of rows of numbers.
class PoseBuilder {
 public:
  PoseBuilder(const Hierarchy& hierarchy, double metresPerUnit)
      : m_hierarchy(hierarchy), m_metresPerUnit(metresPerUnit) {}

  void reserve(std::uint64_t frames) { m_poses.reserve(frames * m_hierarchy.skeleton.size()); }

  /// Appends the pose of a row. False when a position is too large for a float.
  bool add(const std::vector<double>& row) {
    if (m_poses.empty()) m_added = positionsAreAdded(row);
    const std::size_t first = m_poses.size();
    m_poses.insert(m_poses.end(), m_hierarchy.skeleton.rest.begin(), m_hierarchy.skeleton.rest.end());
    bool finite = true;
    for (std::size_t i = 0; i < row.size();) i = joint(row, i, first, finite);
    return finite;
  }

  bool positionsWereAdded() const { return m_added; }
  std::vector<Transform> take() { return std::move(m_poses); }

 private:
  /// The columns of one joint from `at` on; gives the first of the next.
  std::size_t joint(const std::vector<double>& row, std::size_t at, std::size_t first, bool& finite) {
    const std::vector<Column>& columns = m_hierarchy.columns;
    const std::uint32_t joint = columns[at].joint;
    Transform& pose = m_poses[first + joint];
    const bool added = m_added && m_hierarchy.skeleton.parents[joint] >= 0;
    Quaternion rotation{0, 0, 0, 1};
    for (; at < row.size() && columns[at].joint == joint; ++at) {
      const std::size_t axis = columns[at].axis;
      if (columns[at].position) {
        const double metres = row[at] * m_metresPerUnit + (added ? pose.translation[axis] : 0.0F);
        pose.translation[axis] = static_cast<float>(metres);
        finite = finite && std::isfinite(pose.translation[axis]);
      } else {
        const double degrees = std::abs(row[at]) < 360 ? row[at] : std::fmod(row[at], 360);
        const double half = degrees * (kPi / 360);
        Quaternion turn{0, 0, 0, exact::cos(half)};
        turn[axis] = exact::sin(half);
        rotation = multiply(rotation, turn);
      }
    }
    setRotation(pose, rotation, first + joint);
    return at;
  }

  /// On the same half of the sphere as the frame before, the first one with w ≥ 0: nothing jumps where the joint does
  /// not.
  void setRotation(Transform& pose, const Quaternion& rotation, std::size_t index) const {
    double side = rotation[3];
    if (index >= m_hierarchy.skeleton.size()) {
      const auto& before = m_poses[index - m_hierarchy.skeleton.size()].rotation;
      side = dot(rotation, {before[0], before[1], before[2], before[3]});
    }
    for (std::size_t i = 0; i < 4; ++i) pose.rotation[i] = static_cast<float>(side < 0 ? -rotation[i] : rotation[i]);
  }

  /// Whether most joints below the roots stand as good as at zero, far from their OFFSETs, which are then meant
  /// besides.
  bool positionsAreAdded(const std::vector<double>& row) const {
    const Skeleton& skeleton = m_hierarchy.skeleton;
    std::size_t atZero = 0, elsewhere = 0;
    double position = 0, offset = 0;  // squares of lengths, along the axes that the joint has
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Column& column = m_hierarchy.columns[i];
      if (column.position && skeleton.parents[column.joint] >= 0) {
        const double part = skeleton.rest[column.joint].translation[column.axis];
        position += row[i] * m_metresPerUnit * row[i] * m_metresPerUnit;
        offset += part * part;
      }
      if (i + 1 < row.size() && m_hierarchy.columns[i + 1].joint == column.joint) continue;
      if (offset > 0) ++(position < kAtZero * kAtZero * offset ? atZero : elsewhere);
      position = offset = 0;
    }
    return atZero > elsewhere;
  }

  const Hierarchy& m_hierarchy;
  double m_metresPerUnit;
  std::vector<Transform> m_poses;
  bool m_added = false;
};

/// Reads numbers until the text ends, and judges their count at the end: only then it is known what is wrong.
class RowReader {
 public:
  RowReader(Text& text, const Hierarchy& hierarchy, double metresPerUnit, Context& context)
      : m_text(text), m_hierarchy(hierarchy), m_builder(hierarchy, metresPerUnit), m_context(context) {
    m_row.reserve(hierarchy.columns.size());
  }

  Result<std::vector<Transform>> read() {
    // A value takes two bytes. Where the frames can not be there, they are counted for the message and not kept.
    const std::uint64_t columns = m_hierarchy.columns.size();
    m_possible = m_hierarchy.frames <= (m_text.rest().size() + 1) / 2 / columns;
    if (m_possible) {
      const std::uint64_t transforms = std::uint64_t{m_hierarchy.frames} * m_hierarchy.skeleton.size();
      if (transforms > kMaxTransforms)
        return fail(ErrorCode::Unsupported, "{} frames of {} joints, expected at most {} transforms in a clip",
                    m_hierarchy.frames, m_hierarchy.skeleton.size(), kMaxTransforms);
      m_builder.reserve(m_hierarchy.frames);
    }
    m_lineNumber = m_text.line();
    for (std::string_view word = next(); !word.empty(); word = next()) SIMMER_CHECK(value(word));
    endLine();
    SIMMER_CHECK(judge());
    if (m_frames > m_hierarchy.frames)
      m_context.log(Context::Level::Warning,
                    fmt::format("frame count is {}, MOTION says {}: the frames behind were left out", m_frames,
                                m_hierarchy.frames));
    if (m_builder.positionsWereAdded())
      m_context.log(
          Context::Level::Warning,
          "the position channels below the root stand at zero, far from the OFFSETs: they were added to them");
    return m_builder.take();
  }

 private:
  std::string_view next() {
    const std::string_view word = m_text.word();
    if (m_text.line() != m_lineNumber) endLine();
    m_lineNumber = m_text.line();
    return word;
  }

  Result<void> value(std::string_view word) {
    ++m_values;
    ++m_onLine;
    const auto number = toNumber(word, "a value");
    if (!number) return failAt(number.error().code, m_text.where(), "value {}: {}", m_onLine, number.error().message);
    m_row.push_back(*number);
    if (m_row.size() < m_hierarchy.columns.size()) return {};
    ++m_frames;
    if (m_frames % kFramesBetweenLooks == 0) {
      if (m_context.cancelled()) return fail(ErrorCode::Cancelled, "cancelled");
      m_context.progress(std::min(1.0, static_cast<double>(m_frames) / m_hierarchy.frames));
    }
    if (m_possible && m_frames <= m_hierarchy.frames && !m_builder.add(m_row))
      return failAt(ErrorCode::InvalidInput, m_text.where(), "a position is too large for a float");
    m_row.clear();
    return {};
  }

  void endLine() {
    if (m_onLine == m_hierarchy.columns.size()) {
      ++m_wholeLines;
    } else if (m_onLine > 0 && m_oddValues == 0) {
      m_oddValues = m_onLine;
      m_oddLine = m_lineNumber;
    }
    if (m_onLine > 0) ++m_lines;
    m_onLine = 0;
  }

  Result<void> judge() const {
    const std::uint64_t columns = m_hierarchy.columns.size();
    const bool complete = m_values % columns == 0 && m_frames >= m_hierarchy.frames;
    const bool lineByLine = m_wholeLines * 2 >= m_lines;  // a frame is a line in this file
    if (complete && (m_oddValues == 0 || !lineByLine)) return {};
    if (m_oddValues == 0)
      return fail(ErrorCode::InvalidInput, "frame count is {}, MOTION says {}", m_frames, m_hierarchy.frames);
    if (lineByLine || m_lines == m_hierarchy.frames)
      return failAt(ErrorCode::InvalidInput, fmt::format("line {}", m_oddLine), "{} values, the channels add up to {}",
                    m_oddValues, columns);
    return fail(ErrorCode::InvalidInput, "MOTION has {} values, {} frames of {} channels need {}", m_values,
                m_hierarchy.frames, columns, columns * m_hierarchy.frames);
  }

  Text& m_text;
  const Hierarchy& m_hierarchy;
  PoseBuilder m_builder;
  Context& m_context;
  bool m_possible = false;
  std::vector<double> m_row;
  std::uint64_t m_values = 0, m_frames = 0;
  std::uint64_t m_lines = 0, m_wholeLines = 0;  // lines with values; those with exactly one frame
  std::uint64_t m_onLine = 0;
  std::size_t m_lineNumber = 0, m_oddLine = 0;
  std::uint64_t m_oddValues = 0;
};

}  // namespace

Result<std::vector<Transform>> readMotion(Text& text, const Hierarchy& hierarchy, double metresPerUnit,
                                          Context& context) {
  return RowReader(text, hierarchy, metresPerUnit, context).read();
}

}  // namespace simmer::animation::bvh
