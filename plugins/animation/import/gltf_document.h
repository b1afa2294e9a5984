#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/base/bytes.h"
#include "cooker/plugin/setting.h"
#include "plugins/animation/clip/transform.h"

namespace simmer::animation::gltf {

// What of a glTF document animation needs, as plain values. Indices are only checked where they are used: a file that
// is broken in a part that no clip needs still imports. That is also why elements are results: an element that is
// wrong is an error for whoever uses it and for nobody else.

struct Buffer {
  std::uint64_t byteLength = 0;
  std::optional<std::string_view> uri;  ///< points into the document
  bool fallback = false;                ///< holds nothing: a placeholder for data under meshopt compression
};

struct BufferView {
  std::uint32_t buffer = 0;
  std::uint64_t byteOffset = 0;
  std::uint64_t byteLength = 0;
  std::uint64_t byteStride = 0;  ///< 0: tightly packed
  std::string compression;       ///< the extension that holds its data in another form; empty: none
};

enum class ComponentType : std::uint16_t { Byte = 5120, UByte, Short, UShort, UInt = 5125, Float };

struct Sparse {
  std::uint64_t count = 0;
  std::uint32_t indexView = 0;
  std::uint64_t indexOffset = 0;
  ComponentType indexType = ComponentType::UShort;
  std::uint32_t valueView = 0;
  std::uint64_t valueOffset = 0;
};

struct Accessor {
  std::optional<std::uint32_t> view;  ///< none: zeros
  std::uint64_t byteOffset = 0;
  std::uint64_t count = 0;
  ComponentType componentType = ComponentType::Float;
  std::string type;         ///< "VEC3"
  unsigned components = 1;  ///< of one element
  bool normalised = false;
  std::optional<Sparse> sparse;
};

struct Node {
  std::string name;  ///< "node 12" where the file has none
  Transform local;
  /// Column by column, where the file gives one.
  std::optional<std::array<double, 16>> matrix;
  bool decomposable = true;  ///< `matrix` is a translation, rotation and scale, and `local` is made from it
  std::vector<std::uint32_t> children;
  std::optional<std::uint32_t> mesh;
  std::optional<std::uint32_t> skin;
};

struct Skin {
  std::vector<std::uint32_t> joints;
  std::optional<std::uint32_t> inverseBindMatrices;
};

struct Primitive {
  std::optional<std::uint32_t> position;
  std::vector<std::uint32_t> joints;   ///< JOINTS_0, JOINTS_1, …
  std::vector<std::uint32_t> weights;  ///< WEIGHTS_0, WEIGHTS_1, …
  std::size_t targets = 0;
  bool draco = false;
};

struct Mesh {
  std::vector<Primitive> primitives;
  std::vector<std::string> targetNames;  ///< `extras.targetNames`
};

enum class Interpolation : std::uint8_t { Linear, Step, CubicSpline };

struct Sampler {
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  Interpolation interpolation = Interpolation::Linear;
};

struct ChannelTarget {
  std::uint32_t sampler = 0;
  std::optional<std::uint32_t> node;
  std::string path;     ///< "translation"
  std::string pointer;  ///< of KHR_animation_pointer
};

struct Animation {
  std::optional<std::string> name;
  std::vector<Result<ChannelTarget>> channels;
  std::vector<Result<Sampler>> samplers;
  Settings embedded;  ///< `extras.simmer`
  std::vector<std::string> warnings;
};

struct Document {
  std::vector<Result<Buffer>> buffers;
  std::vector<Result<BufferView>> views;
  std::vector<Result<Accessor>> accessors;
  std::vector<Node> nodes;
  std::vector<Result<Skin>> skins;
  std::vector<Result<Mesh>> meshes;
  std::vector<Result<Animation>> animations;
  std::vector<std::string> warnings;
  std::shared_ptr<const void> text;  ///< keeps the texts alive that buffers point to
};

/// Reads the JSON of a glTF 2.0 file. InvalidInput with the place when it is no JSON, or no glTF, or a node is wrong;
/// Unsupported for another version, or when it requires an extension that changes what an animation means.
Result<Document> parseDocument(ByteView json);

/// The element that `index` names, or an error at `where` when there is none, or its own error.
template <class T>
Result<const T*> elementAt(const std::vector<Result<T>>& elements, std::uint64_t index, std::string_view kind,
                           std::string_view where) {
  if (index >= elements.size())
    return failAt(ErrorCode::InvalidInput, std::string(where), "names {} {}, the file has {}", kind, index,
                  elements.size());
  if (!elements[index]) return tl::unexpected(elements[index].error());
  return &*elements[index];
}

}  // namespace simmer::animation::gltf
