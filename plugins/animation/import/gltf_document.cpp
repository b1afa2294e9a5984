#include "plugins/animation/import/gltf_document.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/import/gltf_json.h"
#include "plugins/animation/import/gltf_parse.h"

namespace simmer::animation::gltf {
namespace {

/// Extensions whose absence changes no motion. Others are named in a warning.
constexpr std::string_view kHarmless[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",          "MSFT_texture_",
                                          "KHR_lights_",    "EXT_lights_",  "KHR_mesh_quantization", "KHR_xmp"};
/// Read or refused where their data are used.
constexpr std::string_view kCheckedOnUse[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                              "KHR_meshopt_compression"};

Result<void> checkVersion(const JsonObject& root) {
  const Where top;
  const Where place(top, "asset");
  SIMMER_TRY(value, requiredMember(root, "asset", top));
  SIMMER_TRY(asset, asObject(value, place));
  SIMMER_TRY(version, textMember(asset, "version", place));
  if (!version) return failAt(ErrorCode::InvalidInput, "/asset/version", "is missing");
  if (!version->starts_with("2."))
    return failAt(ErrorCode::Unsupported, "/asset/version", "is \"{}\", expected \"2.0\"", *version);
  SIMMER_TRY(least, textMember(asset, "minVersion", place));
  if (least && *least != "2.0")
    return failAt(ErrorCode::Unsupported, "/asset/minVersion", "is \"{}\", expected \"2.0\"", *least);
  return {};
}

Result<void> checkExtensions(const JsonObject& root, Document& document) {
  const Where top;
  const Where place(top, "extensionsRequired");
  SIMMER_TRY(required, arrayMember(root, "extensionsRequired", top));
  for (std::size_t i = 0; i < required.size(); ++i) {
    const Where here(place, i);
    SIMMER_TRY(name, asText(required[i], here));
    if (name == "KHR_animation_pointer")
      return failAt(ErrorCode::Unsupported, here.text(), "the file requires {}, which is not read", name);
    const auto isPrefix = [&](std::string_view prefix) { return name.starts_with(prefix); };
    if (std::any_of(std::begin(kHarmless), std::end(kHarmless), isPrefix) ||
        std::find(std::begin(kCheckedOnUse), std::end(kCheckedOnUse), name) != std::end(kCheckedOnUse))
      continue;
    document.warnings.push_back(fmt::format(
        "{}: the file requires {}, which is not read; the animation is read without it", here.text(), name));
  }
  return {};
}

Result<ComponentType> componentType(const JsonObject& object, const Where& where) {
  SIMMER_TRY(value, requiredMember(object, "componentType", where));
  SIMMER_TRY(number, asWhole(value, Where(where, "componentType")));
  if ((number < 5120 || number > 5126) || number == 5124)
    return failAt(ErrorCode::InvalidInput, Where(where, "componentType").text(),
                  "is {}, expected 5120, 5121, 5122, 5123, 5125 or 5126", number);
  return static_cast<ComponentType>(number);
}

Result<std::uint64_t> requiredWhole(const JsonObject& object, std::string_view name, const Where& where) {
  SIMMER_TRY(value, requiredMember(object, name, where));
  return asWhole(value, Where(where, name));
}

Result<std::uint32_t> requiredIndex(const JsonObject& object, std::string_view name, const Where& where) {
  SIMMER_TRY(value, requiredMember(object, name, where));
  return asIndex(value, Where(where, name));
}

std::optional<JsonObject> extension(const JsonObject& object, std::string_view name) {
  const std::optional<Json> all = find(object, "extensions");
  JsonObject extensions, found;
  if (!all || all->get(extensions) != simdjson::SUCCESS) return std::nullopt;
  const std::optional<Json> one = find(extensions, name);
  if (!one || one->get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

Result<Buffer> parseBuffer(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Buffer buffer;
  SIMMER_TRY(length, requiredWhole(object, "byteLength", where));
  SIMMER_TRY(uri, textMember(object, "uri", where));
  buffer.byteLength = length;
  buffer.uri = uri;
  for (const std::string_view name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
    if (const auto meshopt = extension(object, name)) {
      SIMMER_TRY(fallback, boolMember(*meshopt, "fallback", false, where));
      buffer.fallback = buffer.fallback || fallback;
    }
  return buffer;
}

Result<BufferView> parseView(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  BufferView view;
  SIMMER_TRY(buffer, requiredIndex(object, "buffer", where));
  SIMMER_TRY(offset, wholeMember(object, "byteOffset", 0, where));
  SIMMER_TRY(length, requiredWhole(object, "byteLength", where));
  SIMMER_TRY(stride, wholeMember(object, "byteStride", 0, where));
  if (find(object, "byteStride") && (stride < 4 || stride > 252 || stride % 4 != 0))
    return failAt(ErrorCode::InvalidInput, Where(where, "byteStride").text(),
                  "is {}, expected a multiple of 4 from 4 to 252", stride);
  view.buffer = buffer;
  view.byteOffset = offset;
  view.byteLength = length;
  view.byteStride = stride;
  for (const std::string_view name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
    if (extension(object, name)) view.compression = name;
  return view;
}

Result<Sparse> parseSparse(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  const Where indexPlace(where, "indices"), valuePlace(where, "values");
  SIMMER_TRY(count, requiredWhole(object, "count", where));
  SIMMER_TRY(indexValue, requiredMember(object, "indices", where));
  SIMMER_TRY(indices, asObject(indexValue, indexPlace));
  SIMMER_TRY(valuesValue, requiredMember(object, "values", where));
  SIMMER_TRY(values, asObject(valuesValue, valuePlace));
  SIMMER_TRY(indexView, requiredIndex(indices, "bufferView", indexPlace));
  SIMMER_TRY(indexOffset, wholeMember(indices, "byteOffset", 0, indexPlace));
  SIMMER_TRY(indexType, componentType(indices, indexPlace));
  SIMMER_TRY(valueView, requiredIndex(values, "bufferView", valuePlace));
  SIMMER_TRY(valueOffset, wholeMember(values, "byteOffset", 0, valuePlace));
  if (indexType != ComponentType::UByte && indexType != ComponentType::UShort && indexType != ComponentType::UInt)
    return failAt(ErrorCode::InvalidInput, Where(indexPlace, "componentType").text(),
                  "is {}, expected 5121, 5123 or 5125", static_cast<unsigned>(indexType));
  return Sparse{count, indexView, indexOffset, indexType, valueView, valueOffset};
}

Result<unsigned> componentsOf(std::string_view type, const Where& where) {
  constexpr std::pair<std::string_view, unsigned> kTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                                                              {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
  for (const auto& [name, components] : kTypes)
    if (type == name) return components;
  return failAt(ErrorCode::InvalidInput, Where(where, "type").text(), "is \"{}\", expected SCALAR, VEC2, … or MAT4",
                type);
}

Result<Accessor> parseAccessor(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Accessor accessor;
  SIMMER_TRY(view, indexMember(object, "bufferView", where));
  SIMMER_TRY(offset, wholeMember(object, "byteOffset", 0, where));
  SIMMER_TRY(count, requiredWhole(object, "count", where));
  SIMMER_TRY(component, componentType(object, where));
  SIMMER_TRY(normalised, boolMember(object, "normalized", false, where));
  SIMMER_TRY(type, textMember(object, "type", where));
  if (!type) return failAt(ErrorCode::InvalidInput, Where(where, "type").text(), "is missing");
  SIMMER_TRY(components, componentsOf(*type, where));
  if (const std::optional<Json> sparseValue = find(object, "sparse")) {
    SIMMER_TRY(sparse, parseSparse(*sparseValue, Where(where, "sparse")));
    accessor.sparse = sparse;
  }
  accessor.view = view;
  accessor.byteOffset = offset;
  accessor.count = count;
  accessor.componentType = component;
  accessor.normalised = normalised;
  accessor.type = *type;
  accessor.components = components;
  return accessor;
}

/// Reads an array of the root element by element; each keeps its own error.
template <class T, class Parse>
Result<std::vector<Result<T>>> parseAll(const JsonObject& root, std::string_view name, Parse parse) {
  const Where top;
  const Where place(top, name);
  SIMMER_TRY(elements, arrayMember(root, name, top));
  std::vector<Result<T>> all;
  all.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) all.push_back(parse(elements[i], Where(place, i)));
  return all;
}

Result<void> parseNodes(const JsonObject& root, Document& document) {
  const Where top;
  const Where place(top, "nodes");
  SIMMER_TRY(elements, arrayMember(root, "nodes", top));
  document.nodes.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    SIMMER_TRY(node, parseNode(elements[i], i, Where(place, i)));
    document.nodes.push_back(std::move(node));
  }
  return {};
}

}  // namespace

Result<Document> parseDocument(ByteView json) {
  auto parser = std::make_shared<simdjson::dom::parser>();
  Json value;
  const auto status = parser->parse(json.data(), json.size()).get(value);
  if (status == simdjson::MEMALLOC)
    return fail(ErrorCode::Unsupported, "the JSON of {} bytes is too large", json.size());
  if (status != simdjson::SUCCESS)
    return fail(ErrorCode::InvalidInput, "not valid JSON: {}", simdjson::error_message(status));
  const Where top;
  if (!value.is_object()) return fail(ErrorCode::InvalidInput, "the document is {}, expected an object", kindOf(value));
  SIMMER_TRY(root, asObject(value, top));
  SIMMER_CHECK(checkVersion(root));
  Document document;
  document.text = parser;
  SIMMER_CHECK(checkExtensions(root, document));
  SIMMER_TRY(buffers, parseAll<Buffer>(root, "buffers", parseBuffer));
  SIMMER_TRY(views, parseAll<BufferView>(root, "bufferViews", parseView));
  SIMMER_TRY(accessors, parseAll<Accessor>(root, "accessors", parseAccessor));
  SIMMER_TRY(skins, parseAll<Skin>(root, "skins", parseSkin));
  SIMMER_TRY(meshes, parseAll<Mesh>(root, "meshes", parseMesh));
  SIMMER_TRY(animations, parseAll<Animation>(root, "animations", parseAnimation));
  SIMMER_CHECK(parseNodes(root, document));
  document.buffers = std::move(buffers);
  document.views = std::move(views);
  document.accessors = std::move(accessors);
  document.skins = std::move(skins);
  document.meshes = std::move(meshes);
  document.animations = std::move(animations);
  return document;
}

}  // namespace simmer::animation::gltf
