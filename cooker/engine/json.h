#pragma once

// JSON as the engine keeps it in databases: written by us, read back as hostile.

#include <nlohmann/json.hpp>

#include "cooker/plugin/plugin_api.h"

namespace simmer {

using Json = nlohmann::ordered_json;

/// Compact text. Bytes that are not UTF-8 become the replacement character: it never throws.
inline std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json toJson(const Measures& measures);
Json toJson(const Error& error);
/// Throws nlohmann::json::exception: only inside parseJson().
Measures measuresFromJson(const Json& json);
Error errorFromJson(const Json& json);

/// Reads `text` with `read`, which may use throwing accessors; every mistake in the text becomes Corrupt.
template <class T, class Read>
Result<T> parseJson(std::string_view text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& exception) {
    return fail(ErrorCode::Corrupt, "{}", exception.what());
  }
}

}  // namespace simmer
