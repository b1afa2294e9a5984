#include "cooker/engine/json.h"

namespace simmer {

Json toJson(const Measures& measures) {
  Json array = Json::array();
  for (const Measure& measure : measures) {
    Json json = {{"quantity", measure.quantity}, {"value", measure.value}, {"unit", measure.unit}};
    if (measure.bound) json["bound"] = *measure.bound;
    array.push_back(std::move(json));
  }
  return array;
}

Measures measuresFromJson(const Json& json) {
  Measures measures;
  for (const Json& entry : json) {
    Measure measure{entry.at("quantity"), entry.at("value"), {}, entry.at("unit")};
    if (entry.contains("bound")) measure.bound = entry.at("bound").get<double>();
    measures.push_back(std::move(measure));
  }
  return measures;
}

Json toJson(const Error& error) {
  return {{"code", static_cast<int>(error.code)}, {"message", error.message}, {"where", error.where}};
}

Error errorFromJson(const Json& json) {
  const int code = json.at("code");
  const bool known = code >= 0 && code <= static_cast<int>(ErrorCode::Corrupt);
  return {known ? static_cast<ErrorCode>(code) : ErrorCode::Corrupt, json.at("message"), json.at("where")};
}

}  // namespace simmer
