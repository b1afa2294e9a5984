#include "cooker/engine/asset_row.h"

#include <algorithm>

#include "cooker/engine/json.h"

namespace simmer {
namespace {

constexpr std::pair<AssetState, std::string_view> kStates[] = {
    {AssetState::Cooked, "cooked"}, {AssetState::Cached, "cached"},   {AssetState::Unchanged, "unchanged"},
    {AssetState::Failed, "failed"}, {AssetState::Ignored, "ignored"}, {AssetState::Stale, "stale"}};

}  // namespace

std::string_view toString(AssetState state) {
  for (const auto& [value, name] : kStates)
    if (value == state) return name;
  return "";
}

Result<AssetState> assetStateFrom(std::string_view text) {
  for (const auto& [value, name] : kStates)
    if (name == text) return value;
  return fail(ErrorCode::Corrupt, "'{}' is no state", text);
}

double AssetRow::measured(std::string_view quantity, double fallback) const {
  const auto found = std::find_if(measures.begin(), measures.end(), [&](auto& m) { return m.quantity == quantity; });
  return found == measures.end() ? fallback : found->value;
}

double AssetRow::worldErrorMm() const {
  return measured(kWorldError, -1);
}

double AssetRow::worldErrorPx() const {
  const double error = worldErrorMm();
  return error < 0 || metresPerPixel <= 0 ? -1 : error / 1000 / metresPerPixel;
}

bool AssetRow::overBound() const {
  return std::any_of(measures.begin(), measures.end(), [](auto& m) { return m.bound && !(m.value <= *m.bound); });
}

std::string toJsonText(const AssetRow& row) {
  Json outputs = Json::array();
  for (const PublishedOutput& output : row.outputs)
    outputs.push_back({{"path", output.path}, {"digest", output.digest.hex()}, {"bytes", output.bytes}});
  const Json json = {{"source", row.source},
                     {"item", row.item},
                     {"named", row.named},
                     {"plugin", row.plugin},
                     {"profile", row.profile},
                     {"tags", row.tags},
                     {"state", toString(row.state)},
                     {"codec", row.codec},
                     {"key", row.key},
                     {"tolerance_m", row.toleranceM},
                     {"metres_per_pixel", row.metresPerPixel},
                     {"measures", toJson(row.measures)},
                     {"source_bytes", row.sourceBytes},
                     {"raw_bytes", row.rawBytes},
                     {"artifact_bytes", row.artifactBytes},
                     {"memory_bytes", row.memoryBytes},
                     {"ran", row.ran},
                     {"seconds", row.seconds},
                     {"message", row.message},
                     {"log", row.log},
                     {"outputs", outputs}};
  return dump(json);
}

Result<AssetRow> assetRowFromJson(std::string_view text) {
  return parseJson<AssetRow>(text, [](const Json& json) -> Result<AssetRow> {
    AssetRow row;
    row.source = json.at("source");
    row.item = json.at("item");
    row.named = json.at("named");
    row.plugin = json.at("plugin");
    row.profile = json.at("profile");
    row.tags = json.at("tags").get<std::vector<std::string>>();
    SIMMER_TRY(state, assetStateFrom(json.at("state").get<std::string>()));
    row.state = state;
    row.codec = json.at("codec");
    row.key = json.at("key");
    row.toleranceM = json.at("tolerance_m");
    row.metresPerPixel = json.at("metres_per_pixel");
    row.measures = measuresFromJson(json.at("measures"));
    row.sourceBytes = json.at("source_bytes");
    row.rawBytes = json.at("raw_bytes");
    row.artifactBytes = json.at("artifact_bytes");
    row.memoryBytes = json.at("memory_bytes");
    row.ran = json.at("ran");
    row.seconds = json.at("seconds");
    row.message = json.at("message");
    row.log = json.at("log").get<std::vector<std::string>>();
    for (const Json& output : json.at("outputs")) {
      SIMMER_TRY(digest, Digest::fromHex(output.at("digest").get<std::string>()));
      row.outputs.push_back({output.at("path"), digest, output.at("bytes")});
    }
    return row;
  });
}

void Totals::add(const AssetRow& row, bool firstOfSource) {
  ++assets;
  if (firstOfSource) {
    ++sources;
    sourceBytes += row.sourceBytes;
  }
  switch (row.state) {
    case AssetState::Cooked:
      ++cooked;
      break;
    case AssetState::Cached:
      ++cached;
      break;
    case AssetState::Unchanged:
      ++unchanged;
      break;
    case AssetState::Failed:
      ++failed;
      break;
    case AssetState::Ignored:
      ++ignored;
      break;
    case AssetState::Stale:
      ++stale;
      break;
  }
  rawBytes += row.rawBytes;
  artifactBytes += row.artifactBytes;
  memoryBytes += row.memoryBytes;
  overBound += row.overBound() ? 1 : 0;
  const double error = row.worldErrorMm();
  worstErrorMm = std::max(worstErrorMm, error);
  if (error > 0 && row.toleranceM > 0) worstUsed = std::max(worstUsed, error / 1000 / row.toleranceM);
}

}  // namespace simmer
