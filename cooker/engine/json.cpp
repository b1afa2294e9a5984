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

}  // namespace simmer
