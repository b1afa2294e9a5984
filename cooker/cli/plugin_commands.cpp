#include <iostream>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cooker/cli/app.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

class ConsoleContext : public Context {
 public:
  void progress(double) override {}
  bool cancelled() const override { return false; }
  void log(Level level, std::string_view text) override {
    std::cerr << "simmer: " << (level == Level::Warning ? "warning: " : "") << text << "\n";
  }
};

bool hasCommand(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands(std::function<bool(const CLI::App*)>());
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == name; });
}

/// A command may start a project: then its first word is the folder, which gets a project file first.
Result<void> prepareProject(const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with("-")) return {};  // the plugin says what is missing
  std::error_code error;
  fs::create_directories(words.front(), error);
  if (error) return failAt(ErrorCode::Io, words.front(), "can not make the folder: {}", error.message());
  return writeProjectFile(words.front(), "assets", "cooked");
}

int runCommand(const Catalog& catalog, const PluginMetadata& plugin, const CommandSpec& command,
               const std::vector<std::string>& words) {
  const auto loaded = catalog.load(plugin.name);
  if (!loaded) return report(loaded.error());
  if (command.createsProject)
    if (const auto prepared = prepareProject(words); !prepared) return report(prepared.error());
  Arguments arguments{words, std::cout, std::cerr, ::isatty(STDOUT_FILENO) == 1};
  ConsoleContext context;
  return (*loaded)->run(command.name, arguments, context);
}

}  // namespace

void addPluginCommands(CLI::App& app, CommandContext& context, int& exitCode) {
  for (const PluginMetadata* plugin : context.catalog().plugins()) {
    for (const CommandSpec& spec : plugin->commands) {
      if (hasCommand(app, spec.name)) continue;  // a built-in command of this name comes first
      CLI::App* command = app.add_subcommand(spec.name, spec.help);
      // The plugin reads the words itself, its own --help among them.
      command->set_help_flag();
      command->prefix_command();
      command->callback([&context, &exitCode, plugin, &spec, command] {
        exitCode = runCommand(context.catalog(), *plugin, spec, command->remaining());
      });
    }
  }
}

}  // namespace simmer
