#include "plugins/animation/import/gltf_accessor.h"

#include <cmath>

#include "plugins/animation/import/gltf_uri.h"

namespace simmer::animation::gltf {
namespace {

/// More numbers than any clip has; keeps accessors without data, which cost the file nothing, from costing memory.
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 25;

std::uint64_t sizeOf(ComponentType type) {
  switch (type) {
    case ComponentType::Byte:
    case ComponentType::UByte:
      return 1;
    case ComponentType::Short:
    case ComponentType::UShort:
      return 2;
    case ComponentType::UInt:
    case ComponentType::Float:
      return 4;
  }
  return 4;
}

template <class T>
T load(const std::uint8_t* bytes) {
  return ByteReader(ByteView(bytes, sizeof(T))).take<T>();
}

/// As glTF 2.0 section 3.6.2.2 defines normalised integers.
float toFloat(const std::uint8_t* bytes, ComponentType type, bool normalised) {
  switch (type) {
    case ComponentType::Byte:
      return normalised ? std::max(load<std::int8_t>(bytes) / 127.0f, -1.0f) : load<std::int8_t>(bytes);
    case ComponentType::UByte:
      return normalised ? *bytes / 255.0f : *bytes;
    case ComponentType::Short:
      return normalised ? std::max(load<std::int16_t>(bytes) / 32767.0f, -1.0f) : load<std::int16_t>(bytes);
    case ComponentType::UShort:
      return normalised ? load<std::uint16_t>(bytes) / 65535.0f : load<std::uint16_t>(bytes);
    case ComponentType::UInt:
      return static_cast<float>(load<std::uint32_t>(bytes));
    case ComponentType::Float:
      return load<float>(bytes);
  }
  return 0;
}

std::uint32_t toInteger(const std::uint8_t* bytes, ComponentType type) {
  switch (sizeOf(type)) {
    case 1:
      return *bytes;
    case 2:
      return load<std::uint16_t>(bytes);
    default:
      return load<std::uint32_t>(bytes);
  }
}

std::string accessorPlace(std::uint32_t index) {
  return fmt::format("/accessors/{}", index);
}

}  // namespace

Result<Bytes> AccessorReader::load(const Buffer& buffer, std::uint32_t index) const {
  const std::string place = fmt::format("/buffers/{}/uri", index);
  const auto at = [&](Error error) {
    if (error.where.empty()) error.where = place;
    return tl::unexpected(std::move(error));
  };
  if (isDataUri(*buffer.uri)) {
    auto decoded = decodeDataUri(*buffer.uri);
    return decoded ? std::move(decoded) : at(std::move(decoded).error());
  }
  const Result<std::string> path = relativePath(*buffer.uri);
  if (!path) return at(path.error());
  auto read = m_reader.read(*path);
  if (read) return read;
  if (read.error().code == ErrorCode::NotFound)
    return failAt(ErrorCode::InvalidInput, place, "the buffer '{}' is not there", shortUri(*buffer.uri));
  return at(std::move(read).error());
}

Result<ByteView> AccessorReader::buffer(std::uint32_t index, std::string_view where) {
  SIMMER_TRY(found, elementAt(m_document.buffers, index, "buffer", where));
  const Buffer& buffer = *found;
  Loaded& loaded = m_loaded[index];
  if (loaded.done) return loaded.bytes ? Result<ByteView>(loaded.data) : tl::unexpected(loaded.bytes.error());
  loaded.done = true;
  const std::string place = fmt::format("/buffers/{}", index);
  if (buffer.fallback && !buffer.uri) {
    loaded.bytes = failAt(ErrorCode::Unsupported, place, "its data are under EXT_meshopt_compression alone");
  } else if (buffer.uri) {
    loaded.bytes = load(buffer, index);
    if (loaded.bytes) loaded.data = *loaded.bytes;
  } else if (index == 0 && m_hasBinary) {
    loaded.data = m_binary;
  } else {
    loaded.bytes = failAt(ErrorCode::InvalidInput, place, "has no uri, and {}",
                          index == 0 ? "the file no BIN chunk" : "only the first buffer may be the BIN chunk");
  }
  if (loaded.bytes && loaded.data.size() < buffer.byteLength)
    loaded.bytes = failAt(ErrorCode::InvalidInput, place + "/byteLength", "is {}, but the data have {} bytes",
                          buffer.byteLength, loaded.data.size());
  if (!loaded.bytes) return tl::unexpected(loaded.bytes.error());
  loaded.data = loaded.data.first(buffer.byteLength);
  return loaded.data;
}

Result<ByteView> AccessorReader::view(std::uint32_t index, std::string_view where) {
  SIMMER_TRY(found, elementAt(m_document.views, index, "buffer view", where));
  const BufferView& view = *found;
  const std::string place = fmt::format("/bufferViews/{}", index);
  auto data = buffer(view.buffer, place + "/buffer");
  if (!data && !view.compression.empty() && data.error().code == ErrorCode::Unsupported)
    return failAt(ErrorCode::Unsupported, place, "its data are under {}, which is not read", view.compression);
  if (!data) return data;
  if (view.byteLength > data->size() || view.byteOffset > data->size() - view.byteLength)
    return failAt(ErrorCode::InvalidInput, place, "{} bytes at {} end behind the {} bytes of the buffer",
                  view.byteLength, view.byteOffset, data->size());
  return data->subspan(view.byteOffset, view.byteLength);
}

Result<AccessorReader::Span> AccessorReader::span(std::uint32_t viewIndex, std::uint64_t offset, std::uint64_t count,
                                                  std::uint64_t elementBytes, std::uint64_t componentBytes,
                                                  bool useStride, const std::string& where) {
  SIMMER_TRY(data, view(viewIndex, where));
  const BufferView& view = *m_document.views[viewIndex];
  const std::uint64_t stride = useStride && view.byteStride != 0 ? view.byteStride : elementBytes;
  if (stride < elementBytes)
    return failAt(ErrorCode::InvalidInput, where, "an element has {} bytes, the stride is {}", elementBytes, stride);
  if (offset % componentBytes != 0 || view.byteOffset % componentBytes != 0)
    return failAt(ErrorCode::InvalidInput, where, "starts at byte {}, expected a multiple of {}",
                  view.byteOffset + offset, componentBytes);
  const bool fits = offset <= data.size() && elementBytes <= data.size() - offset &&
                    (count - 1) <= (data.size() - offset - elementBytes) / stride;
  if (!fits)
    return failAt(ErrorCode::InvalidInput, where, "{} elements of {} bytes at {} end behind the {} bytes of the view",
                  count, stride, offset, data.size());
  return Span{data.subspan(offset, (count - 1) * stride + elementBytes), stride};
}

Result<AccessorReader::Span> AccessorReader::spanOf(const Accessor& accessor, std::uint32_t index) {
  const std::uint64_t component = sizeOf(accessor.componentType);
  if (!accessor.view) return Span{};
  return span(*accessor.view, accessor.byteOffset, accessor.count, component * accessor.components, component, true,
              accessorPlace(index));
}

Result<const Accessor*> AccessorReader::accessor(std::uint32_t index, const Expected& expected,
                                                 std::string_view where) const {
  SIMMER_TRY(found, elementAt(m_document.accessors, index, "accessor", where));
  const Accessor& accessor = *found;
  const std::string place = accessorPlace(index);
  if (accessor.type != expected.type)
    return failAt(ErrorCode::InvalidInput, place + "/type", "is {}, expected {}", accessor.type, expected.type);
  const bool isFloat = accessor.componentType == ComponentType::Float;
  const auto number = static_cast<unsigned>(accessor.componentType);
  if (expected.integers) {
    if (isFloat || accessor.componentType == ComponentType::Byte || accessor.componentType == ComponentType::Short)
      return failAt(ErrorCode::InvalidInput, place + "/componentType", "is {}, expected an unsigned integer", number);
  } else if (!isFloat && !expected.anyIntegers) {
    if (!expected.normalised)
      return failAt(ErrorCode::InvalidInput, place + "/componentType", "is {}, expected 5126 (float)", number);
    if (!accessor.normalised || accessor.componentType == ComponentType::UInt)
      return failAt(ErrorCode::InvalidInput, place + "/componentType",
                    "is {} and {}normalised, expected 5126 (float) or a normalised integer", number,
                    accessor.normalised ? "" : "not ");
  }
  if (accessor.count == 0) return failAt(ErrorCode::InvalidInput, place + "/count", "is 0, expected at least 1");
  if (accessor.count > kMostNumbers * expected.stride / accessor.components)
    return failAt(ErrorCode::Unsupported, place + "/count", "is {}: at most {} numbers are read", accessor.count,
                  kMostNumbers);
  return &accessor;
}

template <class T, class Decode>
Result<void> AccessorReader::patch(const Accessor& accessor, std::uint32_t index, std::uint64_t step, Decode decode,
                                   std::vector<T>& values) {
  const Sparse& sparse = *accessor.sparse;
  const std::string place = accessorPlace(index) + "/sparse";
  const std::uint64_t component = sizeOf(accessor.componentType), indexBytes = sizeOf(sparse.indexType);
  if (sparse.count == 0 || sparse.count > accessor.count)
    return failAt(ErrorCode::InvalidInput, place + "/count", "is {}, expected 1 to {}", sparse.count, accessor.count);
  SIMMER_TRY(indices, span(sparse.indexView, sparse.indexOffset, sparse.count, indexBytes, indexBytes, false,
                           place + "/indices"));
  SIMMER_TRY(patches, span(sparse.valueView, sparse.valueOffset, sparse.count, component * accessor.components,
                           component, false, place + "/values"));
  std::int64_t before = -1;
  for (std::uint64_t i = 0; i < sparse.count; ++i) {
    const std::uint32_t at = toInteger(indices.bytes.data() + i * indexBytes, sparse.indexType);
    if (at >= accessor.count || at <= before)
      return failAt(ErrorCode::InvalidInput, place + "/indices", "index {} is {}, expected {} to {}", i, at, before + 1,
                    accessor.count - 1);
    before = at;
    if (at % step != 0) continue;
    for (std::uint64_t c = 0; c < accessor.components; ++c)
      values[at / step * accessor.components + c] = decode(patches.bytes.data() + i * patches.stride + c * component);
  }
  return {};
}

template <class T, class Decode>
Result<std::vector<T>> AccessorReader::decodeAll(const Accessor& accessor, std::uint32_t index, std::uint64_t step,
                                                 Decode decode) {
  SIMMER_TRY(span, spanOf(accessor, index));
  const std::uint64_t component = sizeOf(accessor.componentType), components = accessor.components;
  const std::uint64_t taken = (accessor.count + step - 1) / step;
  std::vector<T> values(taken * components);
  for (std::uint64_t i = 0; i < taken && !span.bytes.empty(); ++i)
    for (std::uint64_t c = 0; c < components; ++c)
      values[i * components + c] = decode(span.bytes.data() + i * step * span.stride + c * component);
  if (accessor.sparse) SIMMER_CHECK(patch(accessor, index, step, decode, values));
  return values;
}

Result<std::vector<float>> AccessorReader::floats(std::uint32_t index, const Expected& expected,
                                                  std::string_view where) {
  SIMMER_TRY(found, accessor(index, expected, where));
  const Accessor& accessor = *found;
  SIMMER_TRY(values, decodeAll<float>(accessor, index, expected.stride, [&](const std::uint8_t* bytes) {
               return toFloat(bytes, accessor.componentType, accessor.normalised);
             }));
  for (std::size_t i = 0; i < values.size() && !expected.anyFloats; ++i)
    if (!std::isfinite(values[i]))
      return failAt(ErrorCode::InvalidInput, accessorPlace(index), "element {} holds {}, expected finite numbers",
                    i / accessor.components * expected.stride, values[i]);
  return std::move(values);
}

Result<std::vector<std::uint32_t>> AccessorReader::integers(std::uint32_t index, const Expected& expected,
                                                            std::string_view where) {
  SIMMER_TRY(found, accessor(index, expected, where));
  const Accessor& accessor = *found;
  return decodeAll<std::uint32_t>(accessor, index, expected.stride,
                                  [&](const std::uint8_t* bytes) { return toInteger(bytes, accessor.componentType); });
}

Result<std::pair<float, float>> AccessorReader::ends(std::uint32_t index, std::string_view where) {
  const Expected expected{.type = "SCALAR"};
  SIMMER_TRY(found, accessor(index, expected, where));
  if (found->sparse || !found->view) {
    SIMMER_TRY(values, floats(index, expected, where));
    return std::pair(values.front(), values.back());
  }
  SIMMER_TRY(span, spanOf(*found, index));
  return std::pair(gltf::load<float>(span.bytes.data()),
                   gltf::load<float>(span.bytes.data() + (found->count - 1) * span.stride));
}

}  // namespace simmer::animation::gltf
