#include "plugins/animation/export/glb_writer.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

namespace simmer::animation {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr int kFloat = 5126;
constexpr std::size_t kAlignment = 4;

/// What of a joint is written, and how glTF calls it.
struct Path {
  Channel channel;
  const char* name;
  const char* type;
};
constexpr Path kPaths[] = {
    {Channel::Translation, "translation", "VEC3"},
    {Channel::Rotation, "rotation", "VEC4"},
    {Channel::Scale, "scale", "VEC3"},
};

std::span<const float> numbers(const Transform& transform, const Path& path) {
  switch (path.channel) {
    case Channel::Translation:
      return transform.translation;
    case Channel::Rotation:
      return transform.rotation;
    default:
      return transform.scale;
  }
}

bool same(const Transform& a, const Transform& b, const Path& path) {
  const auto x = numbers(a, path), y = numbers(b, path);
  return std::equal(x.begin(), x.end(), y.begin());
}

class Writer {
 public:
  Result<Bytes> write(const Skeleton& skeleton, std::span<const Clip> clips) {
    m_root["asset"] = {{"version", "2.0"}, {"generator", "Simmer"}};
    putNodes(skeleton);
    for (const Clip& clip : clips) putAnimation(clip);
    if (m_binary.size() > 0) {
      m_root["accessors"] = std::move(m_accessors);
      m_root["bufferViews"] = std::move(m_views);
      m_root["buffers"] = Json::array({{{"byteLength", m_binary.size()}}});
    }
    return container();
  }

 private:
  void putNodes(const Skeleton& skeleton) {
    Json nodes = Json::array(), roots = Json::array();
    for (std::size_t joint = 0; joint < skeleton.size(); ++joint) {
      Json node;
      if (!skeleton.names[joint].empty()) node["name"] = skeleton.names[joint];
      for (const Path& path : kPaths)
        if (!same(skeleton.rest[joint], Transform{}, path))
          for (const float v : numbers(skeleton.rest[joint], path)) node[path.name].push_back(static_cast<double>(v));
      if (node.is_null()) node = Json::object();
      nodes.push_back(std::move(node));
      const std::int32_t parent = skeleton.parents[joint];
      (parent < 0 ? roots : nodes[static_cast<std::size_t>(parent)]["children"]).push_back(joint);
    }
    m_root["scene"] = 0;
    m_root["scenes"] = Json::array({{{"nodes", std::move(roots)}}});
    m_root["nodes"] = std::move(nodes);
    // A skin without a mesh says that the nodes are joints, also those that no clip moves: tools make bones of them.
    Json joints = Json::array();
    for (std::size_t joint = 0; joint < skeleton.size(); ++joint) joints.push_back(joint);
    m_root["skins"] = Json::array({{{"joints", std::move(joints)}}});
  }

  void putAnimation(const Clip& clip) {
    m_clip = &clip;
    m_channels = m_samplers = Json::array();
    m_allFrames = m_firstFrame = -1;
    for (std::size_t joint = 0; joint < clip.joints(); ++joint)
      for (const Path& path : kPaths) putTrack(joint, path);
    // The last key makes the length: where nothing moves, a second key of something that stands still.
    if (m_allFrames < 0 && (m_samplers.empty() || clip.frames > 1)) putEnds();
    Json animation;
    if (!clip.id.empty()) animation["name"] = clip.id;
    animation["channels"] = std::move(m_channels);
    animation["samplers"] = std::move(m_samplers);
    m_root["animations"].push_back(std::move(animation));
  }

  void putTrack(std::size_t joint, const Path& path) {
    bool moves = false;
    for (std::uint32_t frame = 1; frame < m_clip->frames && !moves; ++frame)
      moves = !same(m_clip->pose(frame, joint), m_clip->pose(0, joint), path);
    if (moves) {
      std::vector<std::uint32_t> frames(m_clip->frames);
      for (std::uint32_t frame = 0; frame < m_clip->frames; ++frame) frames[frame] = frame;
      if (m_allFrames < 0) m_allFrames = putTimes(frames);
      putChannel(joint, path, frames, m_allFrames);
    } else if (!same(m_clip->pose(0, joint), m_clip->skeleton->rest[joint], path)) {
      if (m_firstFrame < 0) m_firstFrame = putTimes({0});
      putChannel(joint, path, {0}, m_firstFrame);
    }
  }

  void putEnds() {
    std::vector<std::uint32_t> ends{0};
    if (m_clip->frames > 1) ends.push_back(m_clip->frames - 1);
    const int times = putTimes(ends);
    for (std::size_t i = 0; i < m_channels.size(); ++i)
      if (m_channels[i]["target"]["node"] == 0 && m_channels[i]["target"]["path"] == kPaths[0].name) {
        m_samplers[i]["input"] = times;
        m_samplers[i]["output"] = putValues(0, kPaths[0], ends);
        return;
      }
    putChannel(0, kPaths[0], ends, times);
  }

  void putChannel(std::size_t joint, const Path& path, const std::vector<std::uint32_t>& frames, int times) {
    m_channels.push_back({{"sampler", m_samplers.size()}, {"target", {{"node", joint}, {"path", path.name}}}});
    const char* interpolation = m_clip->steps(joint, path.channel) ? "STEP" : "LINEAR";
    m_samplers.push_back(
        {{"input", times}, {"interpolation", interpolation}, {"output", putValues(joint, path, frames)}});
  }

  int putTimes(const std::vector<std::uint32_t>& frames) {
    const std::size_t start = m_binary.size();
    std::vector<float> times;
    times.reserve(frames.size());
    for (const std::uint32_t frame : frames) times.push_back(static_cast<float>(frame / m_clip->rateHz));
    for (const float time : times) m_binary.put(time);
    const int index = putAccessor(start, frames.size(), "SCALAR");
    m_accessors.back()["min"] = Json::array({static_cast<double>(times.front())});
    m_accessors.back()["max"] = Json::array({static_cast<double>(times.back())});
    return index;
  }

  int putValues(std::size_t joint, const Path& path, const std::vector<std::uint32_t>& frames) {
    const std::size_t start = m_binary.size();
    for (const std::uint32_t frame : frames)
      for (const float v : numbers(m_clip->pose(frame, joint), path)) m_binary.put(v);
    return putAccessor(start, frames.size(), path.type);
  }

  /// An accessor of all that was written since `start`. Float32 values keep everything aligned to 4 bytes.
  int putAccessor(std::size_t start, std::size_t count, const char* type) {
    m_views.push_back({{"buffer", 0}, {"byteOffset", start}, {"byteLength", m_binary.size() - start}});
    m_accessors.push_back(
        {{"bufferView", m_views.size() - 1}, {"componentType", kFloat}, {"count", count}, {"type", type}});
    return static_cast<int>(m_accessors.size()) - 1;
  }

  Result<Bytes> container() {
    std::string json = m_root.dump();
    json.append((kAlignment - json.size() % kAlignment) % kAlignment, ' ');
    const Bytes binary = m_binary.take();
    const std::size_t total = 12 + 8 + json.size() + (binary.empty() ? 0 : 8 + binary.size());
    if (total > std::numeric_limits<std::uint32_t>::max())
      return fail(ErrorCode::InvalidInput, "the clips take {} bytes as glTF, expected at most {}", total,
                  std::numeric_limits<std::uint32_t>::max());
    ByteWriter file;
    for (const std::size_t word : {std::size_t{kMagic}, std::size_t{2}, total, json.size(), std::size_t{kJsonChunk}})
      file.put(static_cast<std::uint32_t>(word));
    file.putBytes(asBytes(json));
    if (!binary.empty()) {
      file.put(static_cast<std::uint32_t>(binary.size()));
      file.put(kBinChunk);
      file.putBytes(binary);
    }
    return file.take();
  }

  Json m_root, m_accessors = Json::array(), m_views = Json::array();
  ByteWriter m_binary;
  const Clip* m_clip = nullptr;  // the one that is written now
  Json m_channels, m_samplers;
  int m_allFrames = -1, m_firstFrame = -1;  // its accessors of times; -1: not written yet
};

}  // namespace

Result<Bytes> writeGlb(const Skeleton& skeleton, std::span<const Clip> clips) {
  SIMMER_CHECK(validate(skeleton));
  if (skeleton.size() == 0) return fail(ErrorCode::InvalidInput, "the skeleton has no joints");
  for (const Clip& clip : clips) {
    SIMMER_CHECK(validate(clip));
    if (!(*clip.skeleton == skeleton))
      return failAt(ErrorCode::InvalidInput, clip.id, "the clip has another skeleton than the file");
    if (!clip.scalars.empty())
      return failAt(ErrorCode::Unsupported, clip.id,
                    "scalar track '{}' can not be written: glTF keeps it in the morph targets of a mesh, and a clip "
                    "has none",
                    clip.scalars.front().name);
  }
  return Writer().write(skeleton, clips);
}

}  // namespace simmer::animation
