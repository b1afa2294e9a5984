#include "cooker/report/read_report.h"

#include <algorithm>

#include "cooker/engine/json.h"
#include "cooker/report/report_json.h"

namespace simmer {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 53;  // what JSON numbers hold exactly

/// A count of bytes or things. Throws as the JSON library does when it is none.
std::uint64_t countFrom(const Json& json, const char* name) {
  const Json& value = json.at(name);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMostBytes)
    throw Json::type_error::create(302, fmt::format("\"{}\" is no count of bytes or things", name), nullptr);
  return value.get<std::uint64_t>();
}

/// A figure; null means that it is not known.
double figureFrom(const Json& json, const char* name, double unknown) {
  const Json& value = json.at(name);
  return value.is_null() ? unknown : value.get<double>();
}

Result<AssetRow> rowFrom(const Json& json) {
  AssetRow row;
  row.source = json.at("source");
  row.item = json.at("clip");
  row.named = json.at("named");
  row.plugin = json.at("plugin");
  row.profile = json.at("profile");
  row.tags = json.at("tags").get<std::vector<std::string>>();
  std::sort(row.tags.begin(), row.tags.end());
  const std::string state = json.at("state");
  SIMMER_TRY(known, assetStateFrom(state));
  row.state = known;
  row.codec = json.at("codec");
  row.key = json.at("key");
  row.toleranceM = figureFrom(json, "tolerance_mm", 0) / 1000;
  row.metresPerPixel = figureFrom(json, "mm_per_pixel", 0) / 1000;
  row.measures = measuresFromJson(json.at("measures"));
  row.sourceBytes = countFrom(json, "source_bytes");
  row.rawBytes = countFrom(json, "raw_bytes");
  row.artifactBytes = countFrom(json, "artifact_bytes");
  row.memoryBytes = countFrom(json, "memory_bytes");
  row.message = json.at("message");
  for (const Json& output : json.at("outputs"))
    row.outputs.push_back({output.at("path"), {}, countFrom(output, "bytes")});
  return row;
}

Result<ProjectState> stateFrom(const Json& json) {
  if (!json.is_object() || !json.contains("schema"))
    return fail(ErrorCode::InvalidInput, "this is no report that `simmer report --json` wrote");
  const std::int64_t schema = json.at("schema").get<std::int64_t>();
  if (schema != kReportSchema)
    return fail(ErrorCode::Unsupported, "the report has schema {}, this program reads schema {}", schema,
                kReportSchema);
  ProjectState state;
  for (const Json& asset : json.at("assets")) {
    SIMMER_TRY(row, rowFrom(asset));
    for (const PublishedOutput& output : row.outputs) state.files.emplace(output.path, output.bytes);
    state.rows.push_back(std::move(row));
  }
  for (const Json& file : json.at("other_files")) state.files.emplace(file.at("path"), countFrom(file, "bytes"));
  std::stable_sort(state.rows.begin(), state.rows.end(), [](auto& a, auto& b) { return a.source < b.source; });
  const Json& totals = json.at("totals");
  std::vector<const AssetRow*> all;
  for (const AssetRow& row : state.rows) all.push_back(&row);
  state.totals = totalsOfRows(all);
  state.totals.shippedBytes = countFrom(totals, "shipped_bytes");
  state.timeMs = static_cast<std::int64_t>(countFrom(json, "cooked_ms"));
  return state;
}

}  // namespace

Result<ProjectState> readReport(std::string_view text) {
  auto state = parseJson<ProjectState>(text, stateFrom);
  if (!state && state.error().code == ErrorCode::Corrupt)
    return fail(ErrorCode::InvalidInput, "this is no report that `simmer report --json` wrote: {}",
                state.error().message);
  return state;
}

}  // namespace simmer
