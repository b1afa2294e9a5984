#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cooker/base/bytes.h"

namespace simmer::test {

using Json = nlohmann::json;

/// Writes small glTF files for tests: one buffer, one buffer view for each accessor.
class GltfBuilder {
 public:
  GltfBuilder() { json["asset"]["version"] = "2.0"; }

  /// An accessor over these values; gives its index.
  template <class T>
  int add(const std::vector<T>& values, const std::string& type, int componentType, bool normalised = false) {
    static const std::map<std::string, int> components{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const int view = addView(values);
    Json accessor{{"bufferView", view},
                  {"componentType", componentType},
                  {"count", values.size() / static_cast<std::size_t>(components.at(type))},
                  {"type", type}};
    if (normalised) accessor["normalized"] = true;
    json["accessors"].push_back(accessor);
    return static_cast<int>(json["accessors"].size()) - 1;
  }
  int floats(const std::vector<float>& values, const std::string& type) { return add(values, type, 5126); }

  template <class T>
  int addView(const std::vector<T>& values) {
    while (data.size() % 4 != 0) data.push_back(0);
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", data.size()}, {"byteLength", values.size() * sizeof(T)}});
    const auto* raw = reinterpret_cast<const std::uint8_t*>(values.data());
    data.insert(data.end(), raw, raw + values.size() * sizeof(T));
    return static_cast<int>(json["bufferViews"].size()) - 1;
  }

  /// A node; gives its index.
  int node(Json node) {
    json["nodes"].push_back(std::move(node));
    return static_cast<int>(json["nodes"].size()) - 1;
  }
  /// A channel of animation `animation` with a sampler of its own.
  void channel(std::size_t animation, int node, const std::string& path, int input, int output,
               const std::string& interpolation = "LINEAR") {
    while (json["animations"].size() <= animation)
      json["animations"].push_back({{"channels", Json::array()}, {"samplers", Json::array()}});
    Json& target = json["animations"][animation];
    target["channels"].push_back(
        {{"sampler", target["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
    target["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
  }

  std::string base64() const {
    static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < data.size(); i += 3) {
      const std::size_t left = data.size() - i;
      const std::uint32_t bits = static_cast<std::uint32_t>(data[i]) << 16 |
                                 (left > 1 ? static_cast<std::uint32_t>(data[i + 1]) << 8 : 0u) |
                                 (left > 2 ? static_cast<std::uint32_t>(data[i + 2]) : 0u);
      text += digits[bits >> 18];
      text += digits[bits >> 12 & 63];
      text += left > 1 ? digits[bits >> 6 & 63] : '=';
      text += left > 2 ? digits[bits & 63] : '=';
    }
    return text;
  }
  /// As .gltf with its data in a data URI, unless the buffer has a URI already.
  std::string text() const {
    Json whole = json;
    if (!data.empty() && !whole.contains("buffers"))
      whole["buffers"] = {{{"byteLength", data.size()}, {"uri", "data:application/octet-stream;base64," + base64()}}};
    return whole.dump();
  }
  /// As .glb.
  Bytes binary() const {
    Json whole = json;
    whole["buffers"] = {{{"byteLength", data.size()}}};
    std::string text = whole.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    Bytes padded = data;
    padded.resize((padded.size() + 3) / 4 * 4);
    ByteWriter writer;
    writer.putBytes(asBytes("glTF"));
    writer.put<std::uint32_t>(2);
    writer.put(static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + padded.size()));
    writer.put(static_cast<std::uint32_t>(text.size()));
    writer.putBytes(asBytes("JSON"));
    writer.putBytes(asBytes(text));
    writer.put(static_cast<std::uint32_t>(padded.size()));
    writer.putBytes(asBytes(std::string_view("BIN\0", 4)));
    writer.putBytes(padded);
    return writer.take();
  }

  Json json;
  Bytes data;
};

/// A file with one node "box" that moves 1 m along x in a second, two keys.
inline GltfBuilder movingBox() {
  GltfBuilder gltf;
  const int node = gltf.node({{"name", "box"}});
  const int times = gltf.floats({0, 1}, "SCALAR");
  gltf.channel(0, node, "translation", times, gltf.floats({0, 0, 0, 1, 0, 0}, "VEC3"));
  return gltf;
}

}  // namespace simmer::test
