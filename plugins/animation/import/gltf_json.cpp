#include "plugins/animation/import/gltf_json.h"

#include <cmath>

namespace simmer::animation::gltf {
namespace {

constexpr double kLargestWhole = 9007199254740992.0;  // 2^53: beyond it a double skips whole numbers
constexpr std::uint64_t kLargestIndex = 0xFFFFFFFEu;

tl::unexpected<Error> wrongKind(const Json& value, std::string_view expected, const Where& where) {
  return failAt(ErrorCode::InvalidInput, where.text(), "is {}, expected {}", kindOf(value), expected);
}

}  // namespace

std::string Where::text() const {
  std::vector<const Where*> chain;
  for (const Where* at = this; at->m_parent != nullptr; at = at->m_parent) chain.push_back(at);
  std::string text;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at)
    text += (*at)->m_member.empty() ? fmt::format("/{}", (*at)->m_index) : fmt::format("/{}", (*at)->m_member);
  return text;
}

std::string_view kindOf(const Json& value) {
  using simdjson::dom::element_type;
  switch (value.type()) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      return "a number";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
  }
  return "unknown";
}

std::optional<Json> find(const JsonObject& object, std::string_view name) {
  Json value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

Result<JsonObject> asObject(const Json& value, const Where& where) {
  JsonObject object;
  if (value.get(object) != simdjson::SUCCESS) return wrongKind(value, "an object", where);
  return object;
}

Result<std::vector<Json>> asArray(const Json& value, const Where& where) {
  simdjson::dom::array array;
  if (value.get(array) != simdjson::SUCCESS) return wrongKind(value, "an array", where);
  std::vector<Json> elements;
  elements.reserve(array.size());
  for (const Json element : array) elements.push_back(element);
  return elements;
}

Result<std::string_view> asText(const Json& value, const Where& where) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return wrongKind(value, "a string", where);
  return text;
}

Result<double> asNumber(const Json& value, const Where& where) {
  double number = 0;
  if (value.get(number) != simdjson::SUCCESS) return wrongKind(value, "a number", where);
  return number;
}

Result<std::uint64_t> asWhole(const Json& value, const Where& where) {
  SIMMER_TRY(number, asNumber(value, where));
  if (!(number >= 0 && number <= kLargestWhole) || std::floor(number) != number)
    return failAt(ErrorCode::InvalidInput, where.text(), "is {}, expected a whole number from 0", number);
  return static_cast<std::uint64_t>(number);
}

Result<std::uint32_t> asIndex(const Json& value, const Where& where) {
  SIMMER_TRY(whole, asWhole(value, where));
  if (whole > kLargestIndex)
    return failAt(ErrorCode::InvalidInput, where.text(), "is {}, expected an index below {}", whole, kLargestIndex + 1);
  return static_cast<std::uint32_t>(whole);
}

Result<std::optional<std::uint32_t>> indexMember(const JsonObject& object, std::string_view name, const Where& where) {
  const std::optional<Json> value = find(object, name);
  if (!value) return std::nullopt;
  SIMMER_TRY(index, asIndex(*value, Where(where, name)));
  return index;
}

Result<std::uint64_t> wholeMember(const JsonObject& object, std::string_view name, std::uint64_t absent,
                                  const Where& where) {
  const std::optional<Json> value = find(object, name);
  return value ? asWhole(*value, Where(where, name)) : Result<std::uint64_t>(absent);
}

Result<bool> boolMember(const JsonObject& object, std::string_view name, bool absent, const Where& where) {
  const std::optional<Json> value = find(object, name);
  if (!value) return absent;
  bool flag = false;
  if (value->get(flag) != simdjson::SUCCESS) return wrongKind(*value, "a boolean", Where(where, name));
  return flag;
}

Result<std::optional<std::string_view>> textMember(const JsonObject& object, std::string_view name,
                                                   const Where& where) {
  const std::optional<Json> value = find(object, name);
  if (!value) return std::nullopt;
  SIMMER_TRY(text, asText(*value, Where(where, name)));
  return text;
}

Result<std::vector<Json>> arrayMember(const JsonObject& object, std::string_view name, const Where& where) {
  const std::optional<Json> value = find(object, name);
  return value ? asArray(*value, Where(where, name)) : Result<std::vector<Json>>();
}

Result<std::vector<double>> numbersMember(const JsonObject& object, std::string_view name, std::size_t count,
                                          const Where& where) {
  const Where place(where, name);
  const std::optional<Json> value = find(object, name);
  if (!value) return std::vector<double>();
  SIMMER_TRY(elements, asArray(*value, place));
  if (elements.size() != count)
    return failAt(ErrorCode::InvalidInput, place.text(), "has {} elements, expected {}", elements.size(), count);
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    SIMMER_TRY(number, asNumber(elements[i], Where(place, i)));
    numbers[i] = number;
  }
  return numbers;
}

Result<std::vector<std::uint32_t>> indicesMember(const JsonObject& object, std::string_view name, const Where& where) {
  const Where place(where, name);
  SIMMER_TRY(elements, arrayMember(object, name, where));
  std::vector<std::uint32_t> indices(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    SIMMER_TRY(index, asIndex(elements[i], Where(place, i)));
    indices[i] = index;
  }
  return indices;
}

Result<Json> requiredMember(const JsonObject& object, std::string_view name, const Where& where) {
  const std::optional<Json> value = find(object, name);
  if (!value) return failAt(ErrorCode::InvalidInput, Where(where, name).text(), "is missing");
  return *value;
}

}  // namespace simmer::animation::gltf
