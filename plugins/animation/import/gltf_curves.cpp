#include "plugins/animation/import/gltf_curves.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace simmer::animation::gltf {
namespace {

constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 25;
constexpr std::size_t kMostTargets = 4096;
constexpr std::string_view kNames[] = {"translation", "rotation", "scale", "weights"};

/// The numbers of key `key`; part 0 of a spline is its in-tangent, 1 its value, 2 its out-tangent.
const float* numbers(const Track& track, std::size_t key, std::size_t part = 1) {
  const bool spline = track.interpolation == Interpolation::CubicSpline;
  return track.values.data() + (spline ? 3 * key + part : key) * track.width;
}

Quaternion unitQuaternion(const double* v) {
  const Quaternion q{v[0], v[1], v[2], v[3]};
  return std::abs(dot(q, q) - 1) <= 1e-6 ? q : normalised(q);  // unit to float32: as it stands in the file
}

/// glTF 2.0, C.5.
void hermite(const Track& track, std::size_t key, double t, double seconds, double* value) {
  const double t2 = t * t, t3 = t2 * t;
  const double p0 = 2 * t3 - 3 * t2 + 1, m0 = (t3 - 2 * t2 + t) * seconds;
  const double p1 = -2 * t3 + 3 * t2, m1 = (t3 - t2) * seconds;
  const float* from = numbers(track, key);
  const float* out = numbers(track, key, 2);
  const float* to = numbers(track, key + 1);
  const float* in = numbers(track, key + 1, 0);
  for (std::size_t i = 0; i < track.width; ++i) value[i] = p0 * from[i] + m0 * out[i] + p1 * to[i] + m1 * in[i];
}

/// Exporters write a track that never changes as a stepped one; nothing holds there.
bool isConstant(const Track& track) {
  for (std::size_t i = track.width; i < track.values.size(); ++i)
    if (track.values[i] != track.values[i - track.width]) return false;
  return true;
}

/// Collects what readCurves() gives.
class CurveReader {
 public:
  CurveReader(const Document& document, AccessorReader& accessors, GltfCurves& curves)
      : m_document(document), m_accessors(accessors), m_curves(curves) {}

  Result<void> add(const Channel& channel);
  void finish();

 private:
  Result<void> charge(std::uint32_t accessor, const std::string& where);
  Result<std::size_t> timeline(const Channel& channel);
  Result<std::size_t> checkedWidth(const Channel& channel, std::uint64_t numbers, std::uint64_t keys) const;
  Result<void> checkRotations(const Track& track, const Channel& channel) const;
  void addScalars(const Channel& channel, std::size_t width);

  const Document& m_document;
  AccessorReader& m_accessors;
  GltfCurves& m_curves;
  std::map<std::uint32_t, std::size_t> m_timelines;  // by accessor
  std::uint64_t m_numbers = 0;
};

/// Counts before anything is read: one accessor may serve any number of channels.
Result<void> CurveReader::charge(std::uint32_t index, const std::string& where) {
  SIMMER_TRY(accessor, elementAt(m_document.accessors, index, "accessor", where));
  const std::uint64_t left = kMostNumbers - m_numbers;
  if (accessor->count > left / accessor->components)
    return failAt(ErrorCode::Unsupported, where, "the animation has more than {} numbers", kMostNumbers);
  m_numbers += accessor->count * accessor->components;
  return {};
}

Result<std::size_t> CurveReader::timeline(const Channel& channel) {
  const std::uint32_t index = channel.sampler.input;
  if (const auto known = m_timelines.find(index); known != m_timelines.end()) return known->second;
  const std::string where = channel.samplerWhere + "/input";
  SIMMER_CHECK(charge(index, where));
  SIMMER_TRY(times, m_accessors.floats(index, {.type = "SCALAR"}, where));
  const std::string place = fmt::format("/accessors/{}", index);
  if (times.front() < 0)
    return failAt(ErrorCode::InvalidInput, place, "the first key is at {} s, expected at least 0", times.front());
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      return failAt(ErrorCode::InvalidInput, place, "key {} is at {} s and key {} at {} s, expected later and later",
                    i - 1, times[i - 1], i, times[i]);
  m_curves.timelines.emplace_back(std::move(times));
  return m_timelines[index] = m_curves.timelines.size() - 1;
}

/// How many numbers a value has.
Result<std::size_t> CurveReader::checkedWidth(const Channel& channel, std::uint64_t count, std::uint64_t keys) const {
  const bool spline = channel.sampler.interpolation == Interpolation::CubicSpline;
  const std::uint64_t values = keys * (spline ? 3 : 1);
  const std::string where = channel.samplerWhere + "/output";
  const auto name = kNames[static_cast<std::size_t>(channel.target)];
  if (channel.target != Target::Weights) {
    if (count != values)
      return failAt(ErrorCode::InvalidInput, where, "has {} values for {} {}keys of {}, expected {}", count, keys,
                    spline ? "spline " : "", name, values);
    return channel.target == Target::Rotation ? 4 : 3;
  }
  if (count % values != 0 || count / values > kMostTargets)
    return failAt(ErrorCode::InvalidInput, where, "has {} weights for {} {}keys, expected one for each morph target",
                  count, keys, spline ? "spline " : "");
  const std::uint64_t targets = count / values;
  const Node& node = m_document.nodes[channel.node];
  if (node.mesh && *node.mesh < m_document.meshes.size() && m_document.meshes[*node.mesh]) {
    const auto& primitives = m_document.meshes[*node.mesh]->primitives;
    const std::size_t expected = primitives.empty() ? 0 : primitives.front().targets;
    if (expected != 0 && expected != targets)
      return failAt(ErrorCode::InvalidInput, where, "has {} weights to a key, the mesh has {} morph targets", targets,
                    expected);
  }
  return static_cast<std::size_t>(targets);
}

Result<void> CurveReader::checkRotations(const Track& track, const Channel& channel) const {
  const std::size_t keys = m_curves.timelines[track.timeline].times().size();
  for (std::size_t key = 0; key < keys; ++key) {
    const float* q = numbers(track, key);
    const double squared = static_cast<double>(q[0]) * q[0] + static_cast<double>(q[1]) * q[1] +
                           static_cast<double>(q[2]) * q[2] + static_cast<double>(q[3]) * q[3];
    if (!(squared > 1e-12))
      return failAt(ErrorCode::InvalidInput, fmt::format("/accessors/{}", channel.sampler.output),
                    "the rotation at key {} has length {}, expected 1", key, std::sqrt(squared));
  }
  return {};
}

void CurveReader::addScalars(const Channel& channel, std::size_t width) {
  const Node& node = m_document.nodes[channel.node];
  std::vector<std::string> names;
  if (node.mesh && *node.mesh < m_document.meshes.size() && m_document.meshes[*node.mesh])
    names = m_document.meshes[*node.mesh]->targetNames;
  for (std::size_t i = 0; i < width; ++i) {
    ScalarTrack track;
    track.name = fmt::format("{}.{}", node.name, i < names.size() && !names[i].empty() ? names[i] : std::to_string(i));
    track.step = channel.sampler.interpolation == Interpolation::Step;
    m_curves.scalars.push_back(std::move(track));
  }
}

Result<void> CurveReader::add(const Channel& channel) {
  Track track;
  track.target = channel.target;
  track.interpolation = channel.sampler.interpolation;
  SIMMER_TRY(timeline, timeline(channel));
  track.timeline = timeline;
  const std::size_t keys = m_curves.timelines[timeline].times().size();
  const std::string where = channel.samplerWhere + "/output";
  constexpr std::string_view kTypes[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
  const AccessorReader::Expected expected{
      .type = kTypes[static_cast<std::size_t>(channel.target)],
      .normalised = channel.target == Target::Rotation || channel.target == Target::Weights};
  SIMMER_TRY(accessor, m_accessors.accessor(channel.sampler.output, expected, where));
  SIMMER_TRY(width, checkedWidth(channel, accessor->count, keys));
  SIMMER_CHECK(charge(channel.sampler.output, where));
  SIMMER_TRY(values, m_accessors.floats(channel.sampler.output, expected, where));
  track.width = width;
  track.values = std::move(values);
  if (track.target == Target::Rotation) SIMMER_CHECK(checkRotations(track, channel));
  if (keys == 1 && track.interpolation == Interpolation::CubicSpline) {  // a constant: the tangents say nothing
    track.values = {track.values.begin() + static_cast<std::ptrdiff_t>(width),
                    track.values.begin() + static_cast<std::ptrdiff_t>(2 * width)};
    track.interpolation = Interpolation::Linear;
  }
  m_curves.smooth = m_curves.smooth || track.interpolation == Interpolation::CubicSpline;
  if (track.target == Target::Weights) {
    track.slot = m_curves.scalars.size();
    addScalars(channel, width);
  } else {
    track.slot = channel.joint;
    if (track.interpolation == Interpolation::Step && !isConstant(track))
      m_curves.step[channel.joint] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(track.target));
  }
  m_curves.tracks.push_back(std::move(track));
  return {};
}

void CurveReader::finish() {
  for (const Timeline& timeline : m_curves.timelines)
    m_curves.keysS.insert(m_curves.keysS.end(), timeline.times().begin(), timeline.times().end());
  std::sort(m_curves.keysS.begin(), m_curves.keysS.end());
  m_curves.keysS.erase(std::unique(m_curves.keysS.begin(), m_curves.keysS.end()), m_curves.keysS.end());
  if (std::all_of(m_curves.step.begin(), m_curves.step.end(), [](std::uint8_t flags) { return flags == 0; }))
    m_curves.step.clear();
}

}  // namespace

std::size_t Timeline::keyAt(double timeS) const {
  const std::size_t last = m_times.size() - 1;
  if (timeS < m_times[m_last] || (m_last < last && timeS >= m_times[m_last + 1])) {
    if (m_last + 1 < last && timeS >= m_times[m_last + 1] && timeS < m_times[m_last + 2]) return ++m_last;
    const auto after = std::upper_bound(m_times.begin(), m_times.end(), timeS,
                                        [](double time, float key) { return time < static_cast<double>(key); });
    m_last = after == m_times.begin() ? 0 : static_cast<std::size_t>(after - m_times.begin()) - 1;
  }
  return m_last;
}

Quaternion GltfCurves::slerp(std::size_t index, std::size_t key, double fraction) const {
  if (m_arcs.size() != tracks.size()) m_arcs.resize(tracks.size());
  KeyArc& kept = m_arcs[index];
  if (kept.key != key) {
    const float* from = numbers(tracks[index], key);
    const float* to = numbers(tracks[index], key + 1);
    kept.key = key;
    kept.arc = Arc({from[0], from[1], from[2], from[3]}, {to[0], to[1], to[2], to[3]});
  }
  return kept.arc.at(fraction);
}

void GltfCurves::evaluate(std::size_t index, double timeS, double stepTimeS, double* value) const {
  const Track& track = tracks[index];
  const Timeline& timeline = timelines[track.timeline];
  const std::vector<float>& times = timeline.times();
  const bool step = track.interpolation == Interpolation::Step;
  const std::size_t key = timeline.keyAt(step ? stepTimeS : timeS);
  const double before = times[key];
  const bool held = step || key + 1 == times.size() || timeS <= before;
  const float* from = numbers(track, key);
  if (held) {
    std::copy_n(from, track.width, value);
  } else if (track.interpolation == Interpolation::CubicSpline) {
    const double seconds = times[key + 1] - before;
    hermite(track, key, (timeS - before) / seconds, seconds, value);
  } else {
    const double t = (timeS - before) / (times[key + 1] - before);
    if (track.target == Target::Rotation) {
      const Quaternion q = slerp(index, key, t);
      std::copy(q.begin(), q.end(), value);
      return;
    }
    const float* to = numbers(track, key + 1);
    for (std::size_t i = 0; i < track.width; ++i) value[i] = from[i] + (static_cast<double>(to[i]) - from[i]) * t;
  }
  if (track.target != Target::Rotation) return;
  const Quaternion q = unitQuaternion(value);
  std::copy(q.begin(), q.end(), value);
}

void GltfCurves::poseAt(double timeS, double stepTimeS, Transform* pose) const {
  std::copy(skeleton->rest.begin(), skeleton->rest.end(), pose);
  double value[4];
  for (std::size_t index = 0; index < tracks.size(); ++index) {
    const Track& track = tracks[index];
    if (track.target == Target::Weights) continue;
    evaluate(index, timeS, stepTimeS, value);
    float* part = track.target == Target::Translation ? pose[track.slot].translation.data()
                  : track.target == Target::Rotation  ? pose[track.slot].rotation.data()
                                                      : pose[track.slot].scale.data();
    for (std::size_t i = 0; i < track.width; ++i) part[i] = static_cast<float>(value[i]);
  }
}

void GltfCurves::scalarsAt(double timeS, double stepTimeS, float* values) const {
  std::vector<double> value;
  for (std::size_t index = 0; index < tracks.size(); ++index) {
    const Track& track = tracks[index];
    if (track.target != Target::Weights) continue;
    value.resize(track.width);
    evaluate(index, timeS, stepTimeS, value.data());
    for (std::size_t i = 0; i < track.width; ++i) values[track.slot + i] = static_cast<float>(value[i]);
  }
}

Result<std::unique_ptr<GltfCurves>> readCurves(const Document& document, std::shared_ptr<const Skeleton> skeleton,
                                               const std::vector<Channel>& channels, AccessorReader& accessors) {
  auto curves = std::make_unique<GltfCurves>();
  curves->skeleton = std::move(skeleton);
  curves->step.assign(curves->skeleton->size(), 0);
  CurveReader reader(document, accessors, *curves);
  for (const Channel& channel : channels) SIMMER_CHECK(reader.add(channel));
  reader.finish();
  return curves;
}

}  // namespace simmer::animation::gltf
