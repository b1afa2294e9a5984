#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/cli/app.h"
#include "cooker/cli/progress.h"
#include "cooker/cli/project_session.h"
#include "cooker/report/recipe_text.h"

namespace simmer {
namespace {

struct WhyArguments {
  std::string asset;
  std::string setting;
  bool json = false;
};

struct ResolvedItem {
  ItemDescription item;
  Recipe recipe;
};

Result<std::vector<ResolvedItem>> resolveItems(const ProjectSession& session, const NamedAsset& asset) {
  std::vector<ResolvedItem> resolved;
  for (const ItemDescription& item : asset.items) {
    SIMMER_TRY(recipe, session.project.resolve(asset.path, asset.contents.sidecarOrNull(), &item));
    if (recipe) resolved.push_back({item, std::move(*recipe)});
  }
  return resolved;
}

Result<std::string> whyText(const NamedAsset& asset, const std::vector<ResolvedItem>& resolved,
                            const std::string& setting) {
  std::string text;
  for (const auto& [item, recipe] : resolved) {
    if (setting.empty()) {
      text += (text.empty() ? "" : "\n") + recipeText(asset.title(item), recipe, item, outputWidth());
      continue;
    }
    SIMMER_TRY(line, settingText(setting, recipe, item, *asset.contents.plugin));
    text += resolved.size() > 1 ? fmt::format("{}\n  {}", asset.title(item), line) : line;
  }
  if (resolved.empty()) text = fmt::format("{}\nnothing to cook in it\n", asset.path);
  for (const std::string& warning : asset.contents.description.warnings) text += fmt::format("! {}\n", warning);
  return text;
}

std::string whyJson(const NamedAsset& asset, const std::vector<ResolvedItem>& resolved) {
  Json items = Json::array();
  for (const auto& [item, recipe] : resolved) {
    Json json = {{"source", asset.path}, {"clip", item.id}};
    json.update(recipeJson(recipe, item));
    items.push_back(std::move(json));
  }
  return dump({{"assets", items}}, 1) + "\n";
}

int why(const WhyArguments& arguments, CommandContext& context) {
  const auto print = [&]() -> Result<void> {
    SIMMER_TRY(session, ProjectSession::start(context, arguments.asset));
    SIMMER_TRY(asset, findAsset(*session, arguments.asset));
    SIMMER_TRY(resolved, resolveItems(*session, asset));
    SIMMER_TRY(text, whyText(asset, resolved, arguments.setting));
    std::cout << (arguments.json ? whyJson(asset, resolved) : text) << std::flush;
    return {};
  };
  const auto printed = print();
  return printed ? kFine : report(printed.error());
}

}  // namespace

void addConfigCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  CLI::App* config = app.add_subcommand("config", "Look at the settings that decide an asset");
  config->require_subcommand(1);
  const auto arguments = std::make_shared<WhyArguments>();
  CLI::App* command = config->add_subcommand("why", "Every effective setting of an asset, and where it comes from");
  command->add_option("ASSET", arguments->asset, "A source, or one clip of it: npc/fox.glb:Run")->required();
  command->add_option("SETTING", arguments->setting, "Only this one; 'tolerance' for how the tolerance comes about");
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  command->add_flag("--json", arguments->json, "Print it as JSON");
  command->callback([arguments, &context, &exitCode] { exitCode = why(*arguments, context); });
}

}  // namespace simmer
