#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/base/file.h"
#include "cooker/cli/app.h"
#include "cooker/cli/override_arguments.h"
#include "cooker/cli/progress.h"
#include "cooker/cli/project_lock.h"
#include "cooker/cli/project_session.h"
#include "cooker/engine/cook_project.h"
#include "cooker/policy/sidecar_edit.h"
#include "cooker/report/cook_text.h"
#include "cooker/report/numbers.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSidecarLimit = std::uint64_t{1} << 20;

struct OverrideArguments {
  std::string asset;
  std::vector<std::string> settings;
  std::vector<std::string> unset;
  bool list = false;
};

std::string sidecarName(const NamedAsset& asset) {
  return asset.path + kSidecarSuffix;
}

Result<std::string> readSidecar(const ProjectSession& session, const NamedAsset& asset) {
  const auto bytes = readFile(session.project.source() / sidecarName(asset), kSidecarLimit);
  if (bytes) return std::string(asText(*bytes));
  if (bytes.error().code == ErrorCode::NotFound) return std::string();
  return tl::unexpected(bytes.error());
}

/// The text with all changes, when every item of the source still has a recipe with it.
Result<std::string> changedText(const ProjectSession& session, const Catalog& catalog, const NamedAsset& asset,
                                const OverrideArguments& arguments) {
  const std::string file = sidecarName(asset);
  SIMMER_TRY(text, readSidecar(session, asset));
  std::vector<SidecarChange> changes;
  for (const std::string& name : arguments.unset) changes.push_back(parseUnset(asset, name));
  for (const std::string& given : arguments.settings) {
    SIMMER_TRY(change, parseSetting(asset, catalog, given));
    changes.push_back(std::move(change));
  }
  for (const SidecarChange& change : changes) {
    auto changed =
        change.value.empty() ? unsetInToml(text, file, change.path) : setInToml(text, file, change.path, change.value);
    if (!changed) return changed;
    text = std::move(*changed);
  }
  SIMMER_TRY(sidecar, Sidecar::parse(text, file));
  SIMMER_CHECK(sidecar.checkNames(asset.contents.description));
  SIMMER_CHECK(session.project.resolve(asset.path, &sidecar, nullptr));
  for (const ItemDescription& item : asset.contents.description.items)
    SIMMER_CHECK(session.project.resolve(asset.path, &sidecar, &item));
  return std::move(text);
}

Result<void> writeSidecar(const ProjectSession& session, const NamedAsset& asset, const std::string& text) {
  const fs::path file = session.project.source() / sidecarName(asset);
  if (text.find_first_not_of(" \t\r\n") != std::string::npos) return writeFileAtomically(file, asBytes(text));
  std::error_code error;
  fs::remove(file, error);
  if (error) return failAt(ErrorCode::Io, file.string(), "can not be removed: {}", error.message());
  return {};
}

std::string listText(const Sidecar& sidecar) {
  std::string text;
  const auto add = [&](const std::string& prefix, const WrittenValues& values) {
    for (const auto& [name, written] : values)
      text +=
          fmt::format("{}{} = {}  ({}:{})\n", prefix, name, canonicalText(written.value), sidecar.file, written.line);
  };
  const auto addTags = [&](const std::string& prefix, const std::vector<WrittenValue>& tags) {
    for (const WrittenValue& tag : tags)
      text += fmt::format("{}tag {}  ({}:{})\n", prefix, canonicalText(tag.value), sidecar.file, tag.line);
  };
  add("", sidecar.values);
  addTags("", sidecar.tags);
  for (const auto& [clip, values] : sidecar.clips) {
    add(fmt::format("clip {}: ", clip), values);
    if (const auto tags = sidecar.clipTags.find(clip); tags != sidecar.clipTags.end())
      addTags(fmt::format("clip {}: ", clip), tags->second);
  }
  for (const SidecarTable& table : sidecar.tables)
    add(fmt::format("{}{} {}: ", table.clip.empty() ? "" : fmt::format("clip {}, ", table.clip), table.name,
                    table.pattern),
        table.values);
  return text;
}

int list(ProjectSession& session, const NamedAsset& asset) {
  const auto text = readSidecar(session, asset);
  if (!text) return report(text.error());
  const auto sidecar = Sidecar::parse(*text, sidecarName(asset));
  if (!sidecar) return report(sidecar.error());
  const std::string listed = listText(*sidecar);
  std::cout << (listed.empty() ? fmt::format("nothing is overridden for {}\n", asset.path) : listed) << std::flush;
  return kFine;
}

const AssetRow* rowOf(const std::vector<AssetRow>& rows, const std::string& item) {
  for (const AssetRow& row : rows)
    if (row.item == item) return &row;
  return nullptr;
}

std::string growthText(std::uint64_t before, std::uint64_t now) {
  if (before == 0 || before == now) return {};
  return fmt::format("{:+.1f} %", 100.0 * (static_cast<double>(now) / static_cast<double>(before) - 1));
}

/// Size, error and tolerance of each item before and after.
std::string comparisonText(const std::vector<AssetRow>& before, const std::vector<AssetRow>& now) {
  using Align = TextTable::Align;
  TextTable table({{"asset", Align::Left},
                   {"", Align::Left},
                   {"cooked", Align::Right},
                   {"change", Align::Right},
                   {"tolerance mm", Align::Right},
                   {"error mm", Align::Right},
                   {"px", Align::Right},
                   {"state", Align::Left}});
  std::string failures;
  const auto add = [&](const std::string& name, const char* when, const AssetRow& row, const std::string& growth) {
    table.add({name, when, row.artifactBytes > 0 ? bytesText(row.artifactBytes) : "–", growth,
               toleranceMmText(row.toleranceM * 1000), measuredMmText(row.worldErrorMm()),
               measuredPxText(row.worldErrorPx()), std::string(toString(row.state))});
  };
  for (const AssetRow& row : now) {
    const AssetRow* const old = rowOf(before, row.item);
    if (old) add(assetName(row), "before", *old, "");
    add(old ? "" : assetName(row), "now", row, old ? growthText(old->artifactBytes, row.artifactBytes) : "");
    if (row.state == AssetState::Failed) failures += fmt::format("✕ {}\n    {}\n", assetName(row), row.message);
  }
  return table.text(outputWidth()) + failures;
}

/// Cooks the source at once and shows what the change did.
int cookChanged(ProjectSession& session, CommandContext& context, const NamedAsset& asset,
                const std::vector<AssetRow>& before) {
  CookOptions options;
  options.only = {asset.path};
  const StoreOpener opener = [&]() -> Result<Store*> { return session.store.get(); };
  const auto done = cookProject(session.project, context.catalog(), *session.executor, opener, options);
  if (!done) return report(done.error());
  std::cout << comparisonText(before, done->rows) << std::flush;
  return done->totals.failed > 0 ? kAssetFailed : kFine;
}

int override(const OverrideArguments& arguments, CommandContext& context) {
  auto session = ProjectSession::start(context, arguments.asset);
  if (!session) return report(session.error());
  const auto asset = findAsset(**session, arguments.asset);
  if (!asset) return report(asset.error());
  if (arguments.list) return list(**session, *asset);
  if (arguments.settings.empty() && arguments.unset.empty())
    return report({ErrorCode::InvalidInput, "nothing to do: expected key=value, --unset KEY or --list", {}});
  const auto lock = ProjectLock::take((*session)->project.stateFolder());
  if (!lock) return report(lock.error());
  const auto rows = (*session)->open->state().sources();
  if (!rows) return report(rows.error());
  const auto known = rows->find(asset->path);
  const auto before = known == rows->end() ? std::vector<AssetRow>{} : StateDb::splitRows(known->second.rows);
  const auto text = changedText(**session, context.catalog(), *asset, arguments);
  if (!text) return report(text.error());
  if (const auto written = writeSidecar(**session, *asset, *text); !written) return report(written.error());
  return cookChanged(**session, context, *asset, before.value_or(std::vector<AssetRow>{}));
}

}  // namespace

void addOverrideCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  const auto arguments = std::make_shared<OverrideArguments>();
  CLI::App* command = app.add_subcommand("override", "Set values for one asset in its sidecar, and cook it at once");
  command->add_option("ASSET", arguments->asset, "A source, or one clip of it: npc/fox.glb:Run")->required();
  command->add_option("KEY=VALUE", arguments->settings,
                      "What to set: tolerance_mm=0.5, effort=max, joint.hand_*.tolerance_scale=0.5, tags=a,b");
  command->add_option("-u,--unset", arguments->unset, "A key to take out, so that the value is inherited again")
      ->expected(-1)
      ->allow_extra_args(false);
  command->add_flag("-l,--list", arguments->list, "Show what is overridden, and change nothing");
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  command->callback([arguments, &context, &exitCode] { exitCode = override(*arguments, context); });
}

}  // namespace simmer
