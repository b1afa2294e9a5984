#include "cooker/engine/cook_result.h"

#include "cooker/engine/json.h"

namespace simmer {
namespace {

Json toJson(const SettingValue& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

SettingValue settingFromJson(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

Json toJson(const ItemDescription& item) {
  Json embedded = Json::object();
  for (const auto& [name, value] : item.embedded) embedded[name] = toJson(value);
  return {{"id", item.id},
          {"named", item.named},
          {"height_m", item.heightM},
          {"duration_s", item.durationS},
          {"embedded", embedded},
          {"height_from", item.heightFrom}};
}

ItemDescription itemFromJson(const Json& json) {
  ItemDescription item{json.at("id"), json.at("named"), json.at("height_m"), json.at("duration_s"), {}};
  for (const auto& [name, value] : json.at("embedded").items()) item.embedded[name] = settingFromJson(value);
  item.heightFrom = json.at("height_from");
  return item;
}

}  // namespace

Record CookResult::toRecord(std::string keyText) const {
  Record record{std::move(keyText), {}, {}};
  Json outputList = Json::array();
  for (const Output& output : outputs) {
    outputList.push_back({{"suffix", output.suffix}, {"per_source", output.perSource}});
    record.blobs.push_back(output.blob);
  }
  Json json = {{"outputs", outputList},
               {"tolerance_m", toleranceM},
               {"object_height_m", objectHeightM},
               {"codec", codec},
               {"raw_bytes", rawBytes},
               {"memory_bytes", memoryBytes},
               {"measures", simmer::toJson(measures)},
               {"seconds", seconds},
               {"log", log}};
  if (error) json["error"] = toJson(*error);
  record.meta = dump(json);
  return record;
}

Result<CookResult> CookResult::fromRecord(const Record& record) {
  return parseJson<CookResult>(record.meta, [&](const Json& json) -> Result<CookResult> {
    CookResult result;
    const Json& outputs = json.at("outputs");
    if (outputs.size() != record.blobs.size())
      return fail(ErrorCode::Corrupt, "{} outputs, {} blobs", outputs.size(), record.blobs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      result.outputs.push_back({outputs[i].at("suffix"), outputs[i].at("per_source"), record.blobs[i]});
    result.toleranceM = json.at("tolerance_m");
    result.objectHeightM = json.at("object_height_m");
    result.codec = json.at("codec");
    result.rawBytes = json.at("raw_bytes");
    result.memoryBytes = json.at("memory_bytes");
    result.measures = measuresFromJson(json.at("measures"));
    result.seconds = json.at("seconds");
    result.log = json.at("log").get<std::vector<std::string>>();
    if (json.contains("error")) result.error = errorFromJson(json.at("error"));
    if (!result.error && result.outputs.empty()) return fail(ErrorCode::Corrupt, "neither outputs nor an error");
    return result;
  });
}

std::string DescribeResult::toJsonText() const {
  Json json = {{"log", log}};
  if (description) {
    Json items = Json::array();
    for (const ItemDescription& item : description->items) items.push_back(toJson(item));
    json["items"] = items;
    json["warnings"] = description->warnings;
    json["names"] = description->names;
  } else {
    json["error"] = toJson(description.error());
  }
  return dump(json);
}

Result<DescribeResult> DescribeResult::fromJson(std::string_view text) {
  return parseJson<DescribeResult>(text, [](const Json& json) -> Result<DescribeResult> {
    DescribeResult result;
    result.log = json.at("log").get<std::vector<std::string>>();
    if (json.contains("error")) {
      result.description = tl::unexpected(errorFromJson(json.at("error")));
      return result;
    }
    for (const Json& item : json.at("items")) result.description->items.push_back(itemFromJson(item));
    result.description->warnings = json.at("warnings").get<std::vector<std::string>>();
    json.at("names").get_to(result.description->names);
    return result;
  });
}

std::string namesToJson(const std::vector<std::string>& names) {
  return dump(Json(names));
}

Result<std::vector<std::string>> namesFromJson(std::string_view text) {
  return parseJson<std::vector<std::string>>(
      text, [](const Json& json) -> Result<std::vector<std::string>> { return json.get<std::vector<std::string>>(); });
}

}  // namespace simmer
