#include "plugins/animation/import/gltf_parse.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/import/gltf_matrix.h"

namespace simmer::animation::gltf {
namespace {

constexpr std::size_t kMostInfluenceSets = 16;  // of four joints each

Result<void> parseTransform(const JsonObject& object, Node& node, const Where& where) {
  SIMMER_TRY(matrix, numbersMember(object, "matrix", 16, where));
  if (!matrix.empty()) {
    std::copy(matrix.begin(), matrix.end(), node.matrix.emplace().begin());
    const std::optional<Transform> local = decompose(*node.matrix);
    node.decomposable = local.has_value();
    if (local) node.local = *local;
    return {};
  }
  SIMMER_TRY(translation, numbersMember(object, "translation", 3, where));
  SIMMER_TRY(rotation, numbersMember(object, "rotation", 4, where));
  SIMMER_TRY(scale, numbersMember(object, "scale", 3, where));
  for (const auto* part : {&translation, &rotation, &scale})
    for (const double v : *part)
      if (!(std::abs(v) <= 3e38))
        return failAt(ErrorCode::InvalidInput, where.text(), "its transform holds {}, expected a float", v);
  for (std::size_t i = 0; i < translation.size(); ++i) node.local.translation[i] = static_cast<float>(translation[i]);
  for (std::size_t i = 0; i < scale.size(); ++i) node.local.scale[i] = static_cast<float>(scale[i]);
  if (rotation.empty()) return {};
  const Quaternion raw{rotation[0], rotation[1], rotation[2], rotation[3]};
  if (!(dot(raw, raw) > 0))
    return failAt(ErrorCode::InvalidInput, Where(where, "rotation").text(), "has length 0, expected 1");
  const Quaternion unit = normalised(raw);
  for (std::size_t i = 0; i < 4; ++i) node.local.rotation[i] = static_cast<float>(unit[i]);
  return {};
}

/// NAME_0, NAME_1, … of a primitive's attributes.
Result<std::vector<std::uint32_t>> attributeSets(const JsonObject& attributes, std::string_view name,
                                                 const Where& where) {
  std::vector<std::uint32_t> sets;
  for (std::size_t i = 0; i < kMostInfluenceSets; ++i) {
    SIMMER_TRY(index, indexMember(attributes, fmt::format("{}_{}", name, i), where));
    if (!index) break;
    sets.push_back(*index);
  }
  return sets;
}

Result<Primitive> parsePrimitive(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  const Where attributePlace(where, "attributes");
  SIMMER_TRY(attributesValue, requiredMember(object, "attributes", where));
  SIMMER_TRY(attributes, asObject(attributesValue, attributePlace));
  Primitive primitive;
  SIMMER_TRY(position, indexMember(attributes, "POSITION", attributePlace));
  SIMMER_TRY(joints, attributeSets(attributes, "JOINTS", attributePlace));
  SIMMER_TRY(weights, attributeSets(attributes, "WEIGHTS", attributePlace));
  SIMMER_TRY(targets, arrayMember(object, "targets", where));
  primitive.position = position;
  primitive.joints = std::move(joints);
  primitive.weights = std::move(weights);
  primitive.targets = targets.size();
  JsonObject extensions;
  const std::optional<Json> all = find(object, "extensions");
  if (all && all->get(extensions) == simdjson::SUCCESS)
    primitive.draco = find(extensions, "KHR_draco_mesh_compression").has_value();
  return primitive;
}

/// `extras.targetNames`, an agreement between exporters; anything else there is somebody else's.
std::vector<std::string> targetNames(const JsonObject& mesh) {
  std::vector<std::string> names;
  JsonObject extras;
  simdjson::dom::array list;
  const std::optional<Json> value = find(mesh, "extras");
  if (!value || value->get(extras) != simdjson::SUCCESS) return names;
  const std::optional<Json> member = find(extras, "targetNames");
  if (!member || member->get(list) != simdjson::SUCCESS) return names;
  for (const Json name : list) {
    std::string_view text;
    if (name.get(text) != simdjson::SUCCESS) return {};
    names.emplace_back(text);
  }
  return names;
}

Result<Sampler> parseSampler(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Sampler sampler;
  SIMMER_TRY(inputValue, requiredMember(object, "input", where));
  SIMMER_TRY(outputValue, requiredMember(object, "output", where));
  SIMMER_TRY(input, asIndex(inputValue, Where(where, "input")));
  SIMMER_TRY(output, asIndex(outputValue, Where(where, "output")));
  SIMMER_TRY(name, textMember(object, "interpolation", where));
  sampler.input = input;
  sampler.output = output;
  if (!name || *name == "LINEAR") return sampler;
  if (*name != "STEP" && *name != "CUBICSPLINE")
    return failAt(ErrorCode::InvalidInput, Where(where, "interpolation").text(),
                  "is \"{}\", expected LINEAR, STEP or CUBICSPLINE", *name);
  sampler.interpolation = *name == "STEP" ? Interpolation::Step : Interpolation::CubicSpline;
  return sampler;
}

Result<ChannelTarget> parseChannel(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  const Where targetPlace(where, "target");
  SIMMER_TRY(samplerValue, requiredMember(object, "sampler", where));
  SIMMER_TRY(sampler, asIndex(samplerValue, Where(where, "sampler")));
  SIMMER_TRY(targetValue, requiredMember(object, "target", where));
  SIMMER_TRY(target, asObject(targetValue, targetPlace));
  SIMMER_TRY(node, indexMember(target, "node", targetPlace));
  SIMMER_TRY(path, textMember(target, "path", targetPlace));
  if (!path) return failAt(ErrorCode::InvalidInput, Where(targetPlace, "path").text(), "is missing");
  ChannelTarget channel{sampler, node, std::string(*path), {}};
  if (channel.path != "pointer") return channel;
  const Where extensionsPlace(targetPlace, "extensions");
  const Where pointerPlace(extensionsPlace, "KHR_animation_pointer");
  SIMMER_TRY(extensionsValue, requiredMember(target, "extensions", targetPlace));
  SIMMER_TRY(extensions, asObject(extensionsValue, extensionsPlace));
  SIMMER_TRY(extensionValue, requiredMember(extensions, "KHR_animation_pointer", extensionsPlace));
  SIMMER_TRY(extension, asObject(extensionValue, pointerPlace));
  SIMMER_TRY(pointer, textMember(extension, "pointer", pointerPlace));
  if (!pointer) return failAt(ErrorCode::InvalidInput, Where(pointerPlace, "pointer").text(), "is missing");
  channel.pointer = *pointer;
  return channel;
}

/// The range that an array of two numbers is.
std::optional<NumberRange> rangeOf(const Json& value) {
  simdjson::dom::array list;
  NumberRange range;
  if (value.get(list) != simdjson::SUCCESS || list.size() != 2) return std::nullopt;
  if (list.at(0).get(range.first) != simdjson::SUCCESS || list.at(1).get(range.last) != simdjson::SUCCESS)
    return std::nullopt;
  return range;
}

/// `extras.simmer`: settings that an artist put into the asset. What is no setting is left out with a warning.
void parseEmbedded(const JsonObject& object, Animation& animation, const Where& where) {
  const Where extrasPlace(where, "extras");
  const Where place(extrasPlace, "simmer");
  JsonObject extras, settings;
  const std::optional<Json> value = find(object, "extras");
  if (!value || value->get(extras) != simdjson::SUCCESS) return;
  const std::optional<Json> member = find(extras, "simmer");
  if (!member) return;
  if (member->get(settings) != simdjson::SUCCESS) {
    animation.warnings.push_back(
        fmt::format("{}: is {}, expected an object of settings; left out", place.text(), kindOf(*member)));
    return;
  }
  for (const auto& [key, setting] : settings) {
    bool flag = false;
    std::int64_t whole = 0;
    double number = 0;
    std::string_view text;
    if (setting.get(flag) == simdjson::SUCCESS) {
      animation.embedded[std::string(key)] = flag;
    } else if (setting.is_int64() && setting.get(whole) == simdjson::SUCCESS) {
      animation.embedded[std::string(key)] = whole;
    } else if (setting.get(number) == simdjson::SUCCESS) {
      animation.embedded[std::string(key)] = number;
    } else if (setting.get(text) == simdjson::SUCCESS) {
      animation.embedded[std::string(key)] = std::string(text);
    } else if (const auto range = rangeOf(setting)) {
      animation.embedded[std::string(key)] = rangeText(*range);
    } else {
      animation.warnings.push_back(
          fmt::format("{}: is {}, expected a boolean, a number, a string or two numbers; left out",
                      Where(place, key).text(), kindOf(setting)));
    }
  }
}

}  // namespace

Result<Node> parseNode(const Json& value, std::size_t index, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Node node;
  SIMMER_TRY(name, textMember(object, "name", where));
  node.name = name && !name->empty() ? std::string(*name) : fmt::format("node {}", index);
  SIMMER_CHECK(parseTransform(object, node, where));
  SIMMER_TRY(children, indicesMember(object, "children", where));
  SIMMER_TRY(mesh, indexMember(object, "mesh", where));
  SIMMER_TRY(skin, indexMember(object, "skin", where));
  node.children = std::move(children);
  node.mesh = mesh;
  node.skin = skin;
  return node;
}

Result<Skin> parseSkin(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Skin skin;
  SIMMER_TRY(joints, indicesMember(object, "joints", where));
  SIMMER_TRY(matrices, indexMember(object, "inverseBindMatrices", where));
  if (joints.empty()) return failAt(ErrorCode::InvalidInput, Where(where, "joints").text(), "names no joints");
  skin.joints = std::move(joints);
  skin.inverseBindMatrices = matrices;
  return skin;
}

Result<Mesh> parseMesh(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Mesh mesh;
  const Where place(where, "primitives");
  SIMMER_TRY(primitives, arrayMember(object, "primitives", where));
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    SIMMER_TRY(primitive, parsePrimitive(primitives[i], Where(place, i)));
    mesh.primitives.push_back(std::move(primitive));
  }
  mesh.targetNames = targetNames(object);
  return mesh;
}

Result<Animation> parseAnimation(const Json& value, const Where& where) {
  SIMMER_TRY(object, asObject(value, where));
  Animation animation;
  SIMMER_TRY(name, textMember(object, "name", where));
  if (name && !name->empty()) animation.name = std::string(*name);
  const Where channelsPlace(where, "channels"), samplersPlace(where, "samplers");
  SIMMER_TRY(channels, arrayMember(object, "channels", where));
  SIMMER_TRY(samplers, arrayMember(object, "samplers", where));
  animation.channels.reserve(channels.size());
  animation.samplers.reserve(samplers.size());
  for (std::size_t i = 0; i < channels.size(); ++i)
    animation.channels.push_back(parseChannel(channels[i], Where(channelsPlace, i)));
  for (std::size_t i = 0; i < samplers.size(); ++i)
    animation.samplers.push_back(parseSampler(samplers[i], Where(samplersPlace, i)));
  parseEmbedded(object, animation, where);
  return animation;
}

}  // namespace simmer::animation::gltf
