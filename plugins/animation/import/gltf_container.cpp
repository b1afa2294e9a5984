#include "plugins/animation/import/gltf_container.h"

#include <algorithm>

#include "plugins/animation/import/source_file.h"

namespace simmer::animation::gltf {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;

bool startsWith(ByteView bytes, std::string_view prefix) {
  return asText(bytes).substr(0, prefix.size()) == prefix;
}

Result<ByteView> checkText(ByteView json) {
  if (startsWith(json, "\xEF\xBB\xBF")) json = json.subspan(3);
  if (json.empty()) return fail(ErrorCode::InvalidInput, "the JSON is empty");
  std::size_t start = 0;
  while (start + 1 < json.size() && json[start] <= ' ') ++start;
  if (json[start] == '{') return json;
  if (const std::string_view kind = knownKind(json); !kind.empty())
    return fail(ErrorCode::InvalidInput, "the file is {}, expected glTF", kind);
  return fail(ErrorCode::InvalidInput, "the text starts with {}, expected \"glTF\" or '{{'",
              inQuotes(asText(json.subspan(start, std::min<std::size_t>(8, json.size() - start)))));
}

Result<std::size_t> checkHeader(ByteView file, Container& container) {
  ByteReader reader(file);
  reader.take<std::uint32_t>();
  const auto version = reader.take<std::uint32_t>();
  const std::size_t length = reader.take<std::uint32_t>();
  if (!reader.ok())
    return failAt(ErrorCode::InvalidInput, "GLB header", "the file has {} bytes, expected at least {}", file.size(),
                  kHeaderBytes);
  if (version == 1)
    return failAt(ErrorCode::Unsupported, "GLB header", "this is glTF 1.0 (container version 1), expected glTF 2.0");
  if (version != 2)
    return failAt(ErrorCode::Unsupported, "GLB header", "the container version is {}, expected 2", version);
  if (length < kHeaderBytes + kChunkHeaderBytes)
    return failAt(ErrorCode::InvalidInput, "GLB header", "the length is {} bytes, expected at least {}", length,
                  kHeaderBytes + kChunkHeaderBytes);
  if (length > file.size())
    return failAt(ErrorCode::InvalidInput, "GLB header", "the file has {} bytes, its header says {}: it is cut off",
                  file.size(), length);
  if (length < file.size())
    container.warnings.push_back(fmt::format("{} bytes behind the end of the GLB are ignored", file.size() - length));
  return length;
}

Result<void> addChunk(std::size_t number, std::uint32_t type, ByteView data, Container& container) {
  const auto place = [&] { return fmt::format("GLB chunk {}", number); };
  if ((number == 0) != (type == kJsonChunk))
    return number == 0 ? failAt(ErrorCode::InvalidInput, place(), "has type 0x{:08X}, expected JSON first", type)
                       : failAt(ErrorCode::InvalidInput, place(), "is a second JSON chunk");
  if (type == kJsonChunk) {
    container.json = data;
  } else if (type == kBinaryChunk) {
    if (container.hasBinary) return failAt(ErrorCode::InvalidInput, place(), "is a second BIN chunk");
    container.binary = data;
    container.hasBinary = true;
  }
  return {};
}

Result<Container> openBinary(ByteView file) {
  Container container;
  SIMMER_TRY(length, checkHeader(file, container));
  ByteReader reader(file.first(length));
  reader.takeBytes(kHeaderBytes);
  for (std::size_t number = 0; reader.left() > 0; ++number) {
    const std::size_t left = reader.left();
    const auto size = reader.take<std::uint32_t>();
    const auto type = reader.take<std::uint32_t>();
    const auto place = [&] { return fmt::format("GLB chunk {}", number); };
    if (!reader.ok())
      return failAt(ErrorCode::InvalidInput, place(), "{} bytes are left, expected a chunk header of {}", left,
                    kChunkHeaderBytes);
    if (size > reader.left())
      return failAt(ErrorCode::InvalidInput, place(), "has {} bytes, its header says {}", reader.left(), size);
    if (size % 4 != 0) return failAt(ErrorCode::InvalidInput, place(), "has {} bytes, expected a multiple of 4", size);
    SIMMER_CHECK(addChunk(number, type, reader.takeBytes(size), container));
  }
  SIMMER_TRY(json, checkText(container.json));
  container.json = json;
  return container;
}

}  // namespace

Result<Container> openContainer(ByteView file) {
  if (startsWith(file, "glTF")) return openBinary(file);
  if (file.empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  Container container;
  SIMMER_TRY(json, checkText(file));
  container.json = json;
  return container;
}

}  // namespace simmer::animation::gltf
