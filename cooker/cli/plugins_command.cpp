#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/cli/app.h"
#include "cooker/engine/json.h"
#include "cooker/report/table.h"

namespace simmer {
namespace {

std::string patternsText(const PluginMetadata& plugin) {
  std::vector<std::string> patterns;
  for (const Glob& glob : plugin.patterns) patterns.push_back(glob.pattern());
  return patterns.empty() ? "(where a rule names it)" : fmt::format("{}", fmt::join(patterns, " "));
}

std::string rangeText(const SettingSpec& spec) {
  if (spec.type == SettingSpec::Type::Choice) return fmt::format("{}", fmt::join(spec.choices, " | "));
  if (spec.minimum && spec.maximum) return fmt::format("{} … {}", *spec.minimum, *spec.maximum);
  if (spec.minimum) return fmt::format("from {}", *spec.minimum);
  return std::string(toString(spec.type));
}

std::string pluginsText(const Catalog& catalog) {
  std::string text;
  for (const PluginMetadata* plugin : catalog.plugins()) {
    text += fmt::format("{} {}   {}\n    takes {}\n", plugin->name, plugin->version, plugin->summary,
                        patternsText(*plugin));
    TextTable table({{"    setting"}, {"default"}, {"values"}, {"what it does"}});
    for (const SettingSpec& spec : plugin->settings)
      table.add({"    " + spec.name, canonicalText(spec.defaultValue), rangeText(spec), spec.help});
    if (!table.empty()) text += table.text(400);
    text += "\n";
  }
  for (const Catalog::Refused& refused : catalog.refused())
    text += fmt::format("✕ {}\n    {}\n", refused.file.string(), refused.reason);
  return text.empty() ? "no plugins found\n" : text;
}

std::string pluginsJson(const Catalog& catalog) {
  Json plugins = Json::array(), refused = Json::array();
  for (const PluginMetadata* plugin : catalog.plugins()) {
    Json settings = Json::array(), patterns = Json::array(), parts = Json::object();
    for (const SettingSpec& spec : plugin->settings)
      settings.push_back({{"name", spec.name},
                          {"default", canonicalText(spec.defaultValue)},
                          {"values", rangeText(spec)},
                          {"import", spec.import},
                          {"help", spec.help}});
    for (const Glob& glob : plugin->patterns) patterns.push_back(glob.pattern());
    for (const PartSpec& part : plugin->parts) parts[part.name] = part.version;
    plugins.push_back({{"name", plugin->name},
                       {"version", plugin->version},
                       {"summary", plugin->summary},
                       {"patterns", patterns},
                       {"parts", parts},
                       {"settings", settings}});
  }
  for (const Catalog::Refused& entry : catalog.refused())
    refused.push_back({{"file", entry.file.string()}, {"reason", entry.reason}});
  return dump({{"plugins", plugins}, {"refused", refused}}, 1) + "\n";
}

}  // namespace

void addPluginsCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  CLI::App* command = app.add_subcommand("plugins", "List the plugins, their settings, and those that were refused");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print the list as JSON");
  command->callback([&context, &exitCode, json] {
    std::cout << (*json ? pluginsJson(context.catalog()) : pluginsText(context.catalog()));
    exitCode = context.catalog().refused().empty() ? kFine : kWrongUsage;
  });
}

}  // namespace simmer
