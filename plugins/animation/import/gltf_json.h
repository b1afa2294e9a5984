#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "cooker/base/result.h"

namespace simmer::animation::gltf {

// A checked walk over simdjson's DOM. Nothing here trusts a type, a number or a count; every complaint says where it is
// (a JSON pointer), what was seen and what was expected.

using Json = simdjson::dom::element;
using JsonObject = simdjson::dom::object;

/// A place in the document as a chain on the stack, so that nothing is written down unless somebody complains.
class Where {
 public:
  Where() = default;
  Where(const Where& parent, std::string_view member) : m_parent(&parent), m_member(member) {}
  Where(const Where& parent, std::size_t index) : m_parent(&parent), m_index(index) {}

  /// The JSON pointer: "/animations/3/channels/1".
  std::string text() const;

 private:
  const Where* m_parent = nullptr;
  std::string_view m_member;
  std::size_t m_index = 0;
};

/// "a string", "an array", "null", …
std::string_view kindOf(const Json& value);

/// The member of this name, or nothing.
std::optional<Json> find(const JsonObject& object, std::string_view name);

Result<JsonObject> asObject(const Json& value, const Where& where);
/// The elements of an array: simdjson's own access by index walks the array each time.
Result<std::vector<Json>> asArray(const Json& value, const Where& where);
Result<std::string_view> asText(const Json& value, const Where& where);
/// A whole number from 0 to 2^53, also when it is written as 3.0.
Result<std::uint64_t> asWhole(const Json& value, const Where& where);
/// An index, from 0 to 2^32 - 2.
Result<std::uint32_t> asIndex(const Json& value, const Where& where);
Result<double> asNumber(const Json& value, const Where& where);

// Members of an object. `where` is the object's own place. An absent member gives nothing (or the value given).
Result<std::optional<std::uint32_t>> indexMember(const JsonObject&, std::string_view name, const Where&);
Result<std::uint64_t> wholeMember(const JsonObject&, std::string_view name, std::uint64_t absent, const Where&);
Result<bool> boolMember(const JsonObject&, std::string_view name, bool absent, const Where&);
Result<std::optional<std::string_view>> textMember(const JsonObject&, std::string_view name, const Where&);
/// The numbers of an array of exactly `count`; empty when the member is absent.
Result<std::vector<double>> numbersMember(const JsonObject&, std::string_view name, std::size_t count, const Where&);
/// The indices of an array; empty when the member is absent.
Result<std::vector<std::uint32_t>> indicesMember(const JsonObject&, std::string_view name, const Where&);
/// The elements of an array; empty when the member is absent.
Result<std::vector<Json>> arrayMember(const JsonObject&, std::string_view name, const Where&);
/// A member that must be there.
Result<Json> requiredMember(const JsonObject&, std::string_view name, const Where&);

}  // namespace simmer::animation::gltf
