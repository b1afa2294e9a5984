#include "cooker/policy/sidecar.h"

#include <algorithm>

#include "cooker/base/glob.h"
#include "cooker/policy/names.h"
#include "cooker/policy/toml_text.h"

namespace simmer {
namespace {

constexpr std::string_view kClip = "clip";
constexpr std::string_view kTags = "tags";

/// Turns the text of a sidecar into a Sidecar. Lives for one parse.
class Parser {
 public:
  explicit Parser(std::string file) { m_sidecar.file = std::move(file); }

  Result<Sidecar> parse(const toml::table& file) {
    SIMMER_CHECK(parseLevel(file, {}, m_sidecar.values, m_sidecar.tags));
    std::stable_sort(m_sidecar.tables.begin(), m_sidecar.tables.end(), [](const auto& a, const auto& b) {
      return std::tuple(!a.clip.empty(), a.line, a.column) < std::tuple(!b.clip.empty(), b.line, b.column);
    });
    return std::move(m_sidecar);
  }

 private:
  /// The top of the file, or what stands in [clip."NAME"].
  Result<void> parseLevel(const toml::table& level, const std::string& clip, WrittenValues& values,
                          std::vector<WrittenValue>& tags) {
    for (const auto& [key, node] : level) {
      if (key.str() == kTags) {
        SIMMER_TRY(texts, textList(kTags, node, m_sidecar.file));
        for (const PlacedText& text : texts)
          tags.push_back(
              {text.text, static_cast<int>(text.region.begin.line), static_cast<int>(text.region.begin.column)});
      } else if (key.str() == kClip && clip.empty()) {
        SIMMER_CHECK(parseClips(node));
      } else if (const toml::table* table = node.as_table(); table && !table->is_inline()) {
        SIMMER_CHECK(parseTables(key, *table, clip));
      } else {
        SIMMER_TRY(value, writtenValue(key.str(), node, m_sidecar.file));
        values.emplace(std::string(key.str()), std::move(value));
      }
    }
    return {};
  }

  Result<void> parseClips(const toml::node& node) {
    const toml::table* clips = node.as_table();
    if (!clips)
      return failAt(ErrorCode::InvalidInput, placeText(m_sidecar.file, node.source()),
                    "'clip' is {}, expected tables [clip.\"NAME\"]", kindText(node));
    for (const auto& [name, clip] : *clips) {
      const toml::table* table = clip.as_table();
      if (!table) return notATable(kClip, name, clip);
      const std::string id(name.str());
      m_sidecar.clipLines.emplace(id, static_cast<int>(name.source().begin.line));
      SIMMER_CHECK(parseLevel(*table, id, m_sidecar.clips[id], m_sidecar.clipTags[id]));
    }
    return {};
  }

  /// [joint."hand_*"]: which tables there are is the plugin's to say.
  Result<void> parseTables(const toml::key& key, const toml::table& patterns, const std::string& clip) {
    for (const auto& [pattern, node] : patterns) {
      const toml::table* table = node.as_table();
      if (!table) return notATable(key.str(), pattern, node);
      SidecarTable found{std::string(key.str()),
                         std::string(pattern.str()),
                         clip,
                         static_cast<int>(pattern.source().begin.line),
                         static_cast<int>(pattern.source().begin.column),
                         {}};
      if (const auto glob = Glob::parse(found.pattern); !glob)
        return failAt(ErrorCode::InvalidInput, placeText(m_sidecar.file, pattern.source()), "{}: {}",
                      glob.error().where, glob.error().message);
      for (const auto& [name, value] : *table) {
        SIMMER_TRY(written, writtenValue(name.str(), value, m_sidecar.file));
        found.values.emplace(std::string(name.str()), std::move(written));
      }
      m_sidecar.tables.push_back(std::move(found));
    }
    return {};
  }

  Result<void> notATable(std::string_view table, const toml::key& name, const toml::node& node) const {
    return failAt(ErrorCode::InvalidInput, placeText(m_sidecar.file, name.source()),
                  "{} in [{}] is {}, expected a table [{}.\"NAME\"]{}", quotedName(name.str()), table, kindText(node),
                  table, table == kClip ? " for each clip" : "");
  }

  Sidecar m_sidecar;
};

}  // namespace

Result<Sidecar> Sidecar::parse(std::string_view toml, std::string file) {
  SIMMER_TRY(table, parseToml(toml, file));
  return Parser(std::move(file)).parse(table);
}

Result<void> Sidecar::checkNames(const Description& description) const {
  std::vector<std::string_view> ids;
  for (const ItemDescription& item : description.items) ids.push_back(item.id);
  for (const auto& [name, line] : clipLines) {
    if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
    return failAt(ErrorCode::InvalidInput, placeText(file, line, 1), "the source has no clip {}{}", quotedName(name),
                  nameAdvice(name, ids));
  }
  for (const SidecarTable& table : tables) {
    const auto names = description.names.find(table.name);
    const auto glob = Glob::parse(table.pattern);
    if (names == description.names.end() || !glob) continue;
    if (std::any_of(names->second.begin(), names->second.end(), [&](const auto& name) { return glob->matches(name); }))
      continue;
    return failAt(ErrorCode::InvalidInput, placeText(file, table.line, table.column),
                  "no {} of the source matches {}{}", table.name, quotedName(table.pattern),
                  nameAdvice(table.pattern, {names->second.begin(), names->second.end()}));
  }
  return {};
}

}  // namespace simmer
