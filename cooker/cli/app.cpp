#include "cooker/cli/app.h"

#include <cstdio>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>

namespace simmer {

namespace fs = std::filesystem;

const Catalog& CommandContext::catalog() {
  if (!m_catalog) m_catalog = Catalog::open();
  return *m_catalog;
}

std::optional<Project> CommandContext::project(const fs::path& start, int& exitCode) {
  const auto load = [&]() -> Result<Project> {
    SIMMER_TRY(root, Project::findRoot(projectOption.empty() ? start : fs::path(projectOption)));
    return Project::load(root, catalog());
  };
  auto project = load();
  if (project) return std::move(*project);
  exitCode = report(project.error());
  return std::nullopt;
}

int report(const Error& error) {
  std::cerr << "simmer: error: " << error.text() << "\n";
  return exitCodeFor(error);
}

namespace {

int parseAndRun(CLI::App& app, int argc, char** argv, int& exitCode) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version is no mistake.
    return app.exit(error) == 0 ? kFine : kWrongUsage;
  }
  return exitCode;
}

}  // namespace

int runSimmer(int argc, char** argv) {
  try {
    CLI::App app("Simmer cooks game assets: each animation clip gets the error a player can not see.", "simmer");
    app.set_version_flag("--version", SIMMER_VERSION);
    app.require_subcommand(1);
    app.fallthrough(false);
    app.get_formatter()->column_width(34);
    app.footer(
        "Exit codes: 0 fine, 1 some asset failed, 2 wrong usage or configuration, 3 environment (disk, database),\n"
        "4 budget exceeded, 5 verification mismatch.");
    CommandContext context;
    int exitCode = kFine;
    addInitCommand(app, context, exitCode);
    addCookCommand(app, context, exitCode);
    addConfigCommand(app, context, exitCode);
    addOverrideCommand(app, context, exitCode);
    addWhatIfCommand(app, context, exitCode);
    addExplainCommand(app, context, exitCode);
    addCacheCommand(app, context, exitCode);
    addReportCommand(app, context, exitCode);
    addBudgetCommand(app, context, exitCode);
    addPluginsCommand(app, context, exitCode);
    addPluginCommands(app, context, exitCode);
    return parseAndRun(app, argc, argv, exitCode);
  } catch (const std::bad_alloc&) {
    std::fputs("simmer: error: out of memory\n", stderr);
    return kEnvironment;
  }
}

}  // namespace simmer
