#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cooker/cli/exit_code.h"
#include "cooker/plugin/catalog.h"
#include "cooker/policy/project.h"

namespace CLI {
class App;
}

namespace simmer {

/// `simmer` with these arguments (argv[0] is the program). Gives the process's exit code.
int runSimmer(int argc, char** argv);

/// What every command has: the plugins, and the project it is about.
class CommandContext {
 public:
  /// The plugins of this installation; read when first asked for.
  const Catalog& catalog();
  /// `--project`; empty when it was not given.
  std::string projectOption;

  /// The project of `--project`, else the nearest above `start`. Prints the error and gives none when there is none.
  std::optional<Project> project(const std::filesystem::path& start, int& exitCode);

 private:
  std::optional<Catalog> m_catalog;
};

/// Prints "simmer: error: …" and gives the exit code for it.
int report(const Error& error);

// Each adds a subcommand; `exitCode` receives what it ends with.
void addInitCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addCookCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addConfigCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addExplainCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addOverrideCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addWhatIfCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addCacheCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addPluginsCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addReportCommand(CLI::App& app, CommandContext& context, int& exitCode);
void addBudgetCommand(CLI::App& app, CommandContext& context, int& exitCode);
/// The commands that plugins add.
void addPluginCommands(CLI::App& app, CommandContext& context, int& exitCode);

/// Writes the commented project file into a folder that has none. InvalidInput when there is one already; Io.
Result<void> writeProjectFile(const std::filesystem::path& folder, std::string_view source, std::string_view output);

}  // namespace simmer
