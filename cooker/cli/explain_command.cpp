#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/cli/app.h"
#include "cooker/cli/project_session.h"
#include "cooker/engine/json.h"
#include "cooker/report/key_changes.h"
#include "cooker/report/numbers.h"

namespace simmer {
namespace {

/// Why an asset is as it is: its last result, what made it differ from the one before, and what the next cook does.
struct Explanation {
  std::string title, source, item;
  std::optional<HistoryEntry> last;
  bool first = false;                                 ///< nothing came before `last`
  std::optional<std::vector<KeyChange>> lastChanges;  ///< no value: the cache does not have the key texts any more
  std::string next;                                   ///< "nothing to do", "would be cooked", …
  std::optional<std::vector<KeyChange>> nextChanges;  ///< against `last`; no value as above
};

/// The text that a key was made of, as the cache keeps it.
Result<std::optional<std::string>> keyTextOf(Store& store, const std::string& hex) {
  const auto key = Digest::fromHex(hex);
  if (!key) return std::nullopt;
  const auto record = store.find(*key);
  if (!record && record.error().code == ErrorCode::Corrupt) return std::nullopt;
  if (!record) return tl::unexpected(record.error());
  return *record ? std::optional((*record)->keyText) : std::nullopt;
}

Result<std::optional<std::vector<KeyChange>>> changesBetween(Store& store, const std::string& before,
                                                             const std::string& now) {
  SIMMER_TRY(old, keyTextOf(store, before));
  if (!old) return std::nullopt;
  SIMMER_TRY(changes, keyChanges(*old, now));
  return std::optional(std::move(changes));
}

/// The entry that an asset's last result differs from: the newest with another key.
const HistoryEntry* earlier(const std::vector<HistoryEntry>& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    if (entry->row && !entry->row->key.empty() && entry->row->key != entries.back().row->key) return &*entry;
  return nullptr;
}

Result<void> explainLast(Store& store, std::vector<HistoryEntry> entries, Explanation& explanation) {
  while (!entries.empty() && !entries.back().row) entries.pop_back();
  if (entries.empty()) return {};
  explanation.last = entries.back();
  const HistoryEntry* const before = earlier(entries);
  explanation.first = !before;
  if (!before) return {};
  SIMMER_TRY(now, keyTextOf(store, explanation.last->row->key));
  if (!now) return {};
  SIMMER_TRY(changes, changesBetween(store, before->row->key, *now));
  explanation.lastChanges = std::move(changes);
  return {};
}

/// `standing` says whether the outputs are there as the last cook left them.
Result<void> explainNext(ProjectSession& session, const NamedAsset& asset, const ItemDescription& item,
                         Explanation& explanation) {
  SIMMER_TRY(recipe, session.project.resolve(asset.path, asset.contents.sidecarOrNull(), &item));
  if (!recipe) return {};
  SIMMER_TRY(now, session.open->cooker().keyNow(asset.path, *asset.contents.plugin, *recipe, item));
  const std::string lastKey = explanation.last ? explanation.last->row->key : std::string();
  const bool same = now.complete && sha256(now.text).hex() == lastKey;
  if (now.kept && now.kept->error)
    explanation.next = "fails again without a plugin running: the cache keeps the answer until its key changes";
  else if (same)
    explanation.next = now.kept ? "nothing to do" : "would be cooked: the cache has lost its result";
  else
    explanation.next = now.kept ? "would be taken from the cache" : "would be cooked";
  if (same || lastKey.empty()) return {};
  SIMMER_TRY(changes, changesBetween(*session.store, lastKey, now.text));
  explanation.nextChanges = std::move(changes);
  return {};
}

Result<Explanation> explainItem(ProjectSession& session, const NamedAsset& asset, const ItemDescription& item) {
  Explanation explanation;
  explanation.title = asset.title(item);
  explanation.source = asset.path;
  explanation.item = item.id;
  SIMMER_TRY(entries, session.open->state().history().of(asset.path, item.id));
  SIMMER_CHECK(explainLast(*session.store, entries, explanation));
  SIMMER_CHECK(explainNext(session, asset, item, explanation));
  return explanation;
}

std::string changesText(const std::vector<KeyChange>& changes) {
  std::string text;
  for (const KeyChange& change : changes) {
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("–") : value; };
    text += fmt::format("    {:<18} {} ▸ {}\n", change.component, shown(change.before), shown(change.now));
  }
  return text;
}

/// How the last result came about: "cooked in 310 ms", "taken from the cache".
std::string wayText(const AssetRow& row) {
  if (row.state == AssetState::Failed)
    return fmt::format("failed{}: {}", row.ran ? "" : " (a negative answer of the cache, no plugin ran)", row.message);
  if (!row.ran) return "taken from the cache";
  return fmt::format("cooked in {}, {} ▸ {}", durationText(row.seconds), bytesText(row.rawBytes),
                     bytesText(row.artifactBytes));
}

std::string explanationText(const Explanation& explanation) {
  std::string text = explanation.title + "\n";
  if (explanation.last) {
    text += fmt::format("  last: {}, {}\n", momentText(explanation.last->timeMs), wayText(*explanation.last->row));
    if (explanation.first)
      text += "  why: it was the first time\n";
    else if (!explanation.lastChanges)
      text += "  why: its key changed; the cache no longer has the earlier one to compare with\n";
    else
      text += "  why: its key changed\n" + changesText(*explanation.lastChanges);
  } else {
    text += "  last: never cooked\n";
  }
  text += fmt::format("  next: {}\n", explanation.next);
  if (explanation.nextChanges) text += changesText(*explanation.nextChanges);
  return text;
}

Json changesJson(const std::optional<std::vector<KeyChange>>& changes) {
  if (!changes) return nullptr;
  Json list = Json::array();
  for (const KeyChange& change : *changes)
    list.push_back({{"component", change.component}, {"before", change.before}, {"now", change.now}});
  return list;
}

Json explanationJson(const Explanation& explanation) {
  Json last = nullptr;
  if (explanation.last) {
    const AssetRow& row = *explanation.last->row;
    last = {{"time_ms", explanation.last->timeMs},
            {"state", toString(row.state)},
            {"plugin_ran", row.ran},
            {"key", row.key},
            {"message", row.message},
            {"first", explanation.first},
            {"changes", changesJson(explanation.lastChanges)}};
  }
  return {{"source", explanation.source},
          {"clip", explanation.item},
          {"last", last},
          {"next", explanation.next},
          {"next_changes", changesJson(explanation.nextChanges)}};
}

int explain(const std::string& given, bool json, CommandContext& context) {
  const auto print = [&]() -> Result<void> {
    SIMMER_TRY(session, ProjectSession::start(context, given));
    SIMMER_TRY(asset, findAsset(*session, given));
    Json list = Json::array();
    std::string text;
    for (const ItemDescription& item : asset.items) {
      SIMMER_TRY(explanation, explainItem(*session, asset, item));
      text += explanationText(explanation);
      list.push_back(explanationJson(explanation));
    }
    if (asset.items.empty()) text = asset.path + "\n  nothing to cook in it\n";
    std::cout << (json ? dump({{"assets", list}}, 1) + "\n" : text) << std::flush;
    return {};
  };
  const auto printed = print();
  return printed ? kFine : report(printed.error());
}

}  // namespace

void addExplainCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  struct Given {
    std::string asset;
    bool json = false;
  };
  const auto given = std::make_shared<Given>();
  CLI::App* command = app.add_subcommand("explain", "Why an asset was cooked, and what the next cook does with it");
  command->add_option("ASSET", given->asset, "A source, or one clip of it: npc/fox.glb:Run")->required();
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  command->add_flag("--json", given->json, "Print it as JSON");
  command->callback([given, &context, &exitCode] { exitCode = explain(given->asset, given->json, context); });
}

}  // namespace simmer
