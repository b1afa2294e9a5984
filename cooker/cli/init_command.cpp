#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/base/file.h"
#include "cooker/cli/app.h"

namespace simmer {

namespace fs = std::filesystem;

Result<void> writeProjectFile(const fs::path& folder, std::string_view source, std::string_view output) {
  const fs::path file = folder / kProjectFileName;
  std::error_code error;
  if (fs::exists(file, error))
    return failAt(ErrorCode::InvalidInput, file.string(), "there is a project file already; it is left as it is");
  auto written = writeFileAtomically(file, asBytes(projectTemplate(source, output)));
  if (!written) written.error().where = file.string();
  return written;
}

void addInitCommand(CLI::App& app, CommandContext&, int& exitCode) {
  struct Options {
    std::string folder = ".";
    std::string source = ".";
    std::string output = "cooked";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("init", "Write a commented simmer.toml into a folder");
  command->add_option("DIR", options->folder, "The folder; this one when it is not given");
  command->add_option("--source", options->source, "Where the sources are, inside the folder")->capture_default_str();
  command->add_option("--output", options->output, "Where the outputs go, inside the folder")->capture_default_str();
  command->callback([options, &exitCode] {
    std::error_code error;
    if (!fs::is_directory(options->folder, error)) {
      exitCode = report({ErrorCode::InvalidInput, "there is no such folder", options->folder});
      return;
    }
    if (const auto done = writeProjectFile(options->folder, options->source, options->output); !done) {
      exitCode = report(done.error());
      return;
    }
    std::cout << "wrote " << (fs::path(options->folder) / kProjectFileName).lexically_normal().string()
              << "\nNext: look at its rules, then run `simmer cook`.\n";
  });
}

}  // namespace simmer
