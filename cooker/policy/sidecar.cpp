#include "cooker/policy/sidecar.h"

#include <algorithm>

#include "cooker/policy/names.h"
#include "cooker/policy/toml_text.h"

namespace simmer {
namespace {

Result<WrittenValues> parseValues(const toml::table& table, std::string_view file) {
  WrittenValues values;
  for (const auto& [key, node] : table) {
    SIMMER_TRY(value, writtenValue(key.str(), node, file));
    values.emplace(std::string(key.str()), std::move(value));
  }
  return values;
}

Result<void> parseClips(const toml::node& node, Sidecar& sidecar) {
  const toml::table* clips = node.as_table();
  if (!clips)
    return failAt(ErrorCode::InvalidInput, placeText(sidecar.file, node.source()),
                  "'clip' is {}, expected tables [clip.\"NAME\"]", kindText(node));
  for (const auto& [name, clip] : *clips) {
    const toml::table* table = clip.as_table();
    if (!table)
      return failAt(ErrorCode::InvalidInput, placeText(sidecar.file, name.source()),
                    "{} in [clip] is {}, expected a table [clip.\"NAME\"] for each clip", quotedName(name.str()),
                    kindText(clip));
    SIMMER_TRY(values, parseValues(*table, sidecar.file));
    sidecar.clips.emplace(std::string(name.str()), std::move(values));
    sidecar.clipLines.emplace(std::string(name.str()), static_cast<int>(name.source().begin.line));
  }
  return {};
}

}  // namespace

Result<Sidecar> Sidecar::parse(std::string_view toml, std::string file) {
  SIMMER_TRY(table, parseToml(toml, file));
  Sidecar sidecar;
  sidecar.file = std::move(file);
  for (const auto& [key, node] : table) {
    if (key.str() == "clip") {
      SIMMER_CHECK(parseClips(node, sidecar));
      continue;
    }
    if (node.is_table())
      return failAt(ErrorCode::InvalidInput, placeText(sidecar.file, key.source()),
                    "unknown table {}; a sidecar has settings and [clip.\"NAME\"]", quotedName(key.str()));
    SIMMER_TRY(value, writtenValue(key.str(), node, sidecar.file));
    sidecar.values.emplace(std::string(key.str()), std::move(value));
  }
  return sidecar;
}

Result<void> Sidecar::checkClips(const Description& description) const {
  std::vector<std::string_view> ids;
  for (const ItemDescription& item : description.items) ids.push_back(item.id);
  for (const auto& [name, line] : clipLines) {
    if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
    return failAt(ErrorCode::InvalidInput, placeText(file, line, 1), "the source has no clip {}{}", quotedName(name),
                  nameAdvice(name, ids));
  }
  return {};
}

}  // namespace simmer
