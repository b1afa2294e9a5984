#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/import/gltf_document.h"

namespace simmer::animation::gltf {

/// Reads the data behind accessors. A buffer is loaded when the first accessor needs it, and once. Every count, offset
/// and stride is checked before anything is allocated. Borrows all that it is given.
class AccessorReader {
 public:
  /// What an accessor must be for whoever asks.
  struct Expected {
    std::string_view type;     ///< "VEC3"
    bool integers = false;     ///< unsigned integers, not floats
    bool normalised = false;   ///< normalised integers will do as well
    bool anyIntegers = false;  ///< plain integers will do as well (KHR_mesh_quantization)
    bool anyFloats = false;    ///< also infinite ones and NaN
    std::uint64_t stride = 1;  ///< take every n-th element only
  };

  AccessorReader(const Document& document, ByteView binaryChunk, bool hasBinaryChunk, SourceReader& reader)
      : m_document(document),
        m_binary(binaryChunk),
        m_hasBinary(hasBinaryChunk),
        m_reader(reader),
        m_loaded(document.buffers.size()) {}

  /// The elements as floats, as many as its type has to each; all are finite. `where` is the place that names the
  /// accessor.
  Result<std::vector<float>> floats(std::uint32_t accessor, const Expected& expected, std::string_view where);
  /// The elements as unsigned integers.
  Result<std::vector<std::uint32_t>> integers(std::uint32_t accessor, const Expected& expected, std::string_view where);
  /// The first and the last element of a scalar float accessor.
  Result<std::pair<float, float>> ends(std::uint32_t accessor, std::string_view where);
  /// The accessor itself, checked to be of the type.
  Result<const Accessor*> accessor(std::uint32_t index, const Expected& expected, std::string_view where) const;

 private:
  struct Span {
    ByteView bytes;  ///< from the first element to the end of the last; empty when there is no buffer view
    std::uint64_t stride = 0;
  };
  Result<ByteView> buffer(std::uint32_t index, std::string_view where);
  Result<Bytes> load(const Buffer& buffer, std::uint32_t index) const;
  Result<ByteView> view(std::uint32_t index, std::string_view where);
  Result<Span> span(std::uint32_t view, std::uint64_t offset, std::uint64_t count, std::uint64_t elementBytes,
                    std::uint64_t componentBytes, bool useStride, const std::string& where);
  Result<Span> spanOf(const Accessor& accessor, std::uint32_t index);
  template <class T, class Decode>
  Result<std::vector<T>> decodeAll(const Accessor&, std::uint32_t index, std::uint64_t step, Decode);
  template <class T, class Decode>
  Result<void> patch(const Accessor&, std::uint32_t index, std::uint64_t step, Decode, std::vector<T>& values);

  const Document& m_document;
  ByteView m_binary;
  bool m_hasBinary;
  SourceReader& m_reader;
  struct Loaded {
    bool done = false;
    Result<Bytes> bytes;
    ByteView data;
  };
  std::vector<Loaded> m_loaded;
};

}  // namespace simmer::animation::gltf
