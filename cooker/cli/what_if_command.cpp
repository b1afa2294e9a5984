#include <csignal>
#include <iostream>
#include <thread>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "cooker/base/file.h"
#include "cooker/cli/app.h"
#include "cooker/cli/interrupt.h"
#include "cooker/cli/progress.h"
#include "cooker/cli/project_session.h"
#include "cooker/engine/what_if.h"
#include "cooker/policy/sidecar_edit.h"
#include "cooker/report/what_if_text.h"

namespace simmer {
namespace {

constexpr std::uint64_t kProjectFileLimit = std::uint64_t{1} << 20;

struct WhatIfArguments {
  std::vector<std::string> changes;
  bool exact = false;
  bool json = false;
  std::size_t top = 10;
  unsigned jobs = 0;
};

/// The project with the changes made to the text of its file.
Result<Project> changedProject(const Project& project, const Catalog& catalog,
                               const std::vector<std::string>& changes) {
  SIMMER_TRY(bytes, readFile(project.root() / kProjectFileName, kProjectFileLimit));
  std::string text(asText(bytes));
  for (const std::string& change : changes) {
    auto changed = setInToml(text, kProjectFileName, change);
    if (!changed) return tl::unexpected(changed.error());
    text = std::move(*changed);
  }
  auto then = Project::parse(text, project.root(), catalog);
  if (!then) then.error().message += fmt::format(" (with {})", fmt::join(changes, ", "));
  return then;
}

void showProgress(std::size_t done, std::size_t total) {
  static const bool terminal = ::isatty(STDERR_FILENO) == 1;
  if (terminal) fmt::print(stderr, "\r\x1b[K{}", done < total ? fmt::format("{} of {} assets", done, total) : "");
}

int askWhatIf(const WhatIfArguments& arguments, CommandContext& context) {
  const auto session = ProjectSession::start(context, {});
  if (!session) return report(session.error());
  const auto then = changedProject((*session)->project, context.catalog(), arguments.changes);
  if (!then) return report(then.error());
  WhatIfOptions options;
  options.exact = arguments.exact;
  options.jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  options.progress = showProgress;
  options.cancelled = interrupted;
  stopOnInterrupt();
  const auto answer = whatIf(*(*session)->open, *then, context.catalog(), options);
  if (!answer) return report(answer.error());
  const std::string title = fmt::format("{}", fmt::join(arguments.changes, ", "));
  std::cout << (arguments.json ? whatIfJson(*answer) : whatIfText(*answer, title, arguments.top, outputWidth()))
            << std::flush;
  if (const auto flushed = (*session)->store->flush(); !flushed) return report(flushed.error());
  return answer->cancelled ? 128 + SIGINT : kFine;
}

}  // namespace

void addWhatIfCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  const auto arguments = std::make_shared<WhatIfArguments>();
  CLI::App* command =
      app.add_subcommand("what-if", "What other settings would save, without changing a file of the project");
  command->add_option("CHANGE", arguments->changes, "As in simmer.toml: profile.background.pixel_budget=2")->required();
  command->add_flag("--exact", arguments->exact,
                    "Cook into the cache instead of estimating; a later cook finds it there");
  command->add_option("--top", arguments->top, "How many of the assets that change most are shown");
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  command->add_option("-j,--jobs", arguments->jobs, "How many assets at a time; as many as cores when not given")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", arguments->json, "Print it as JSON");
  command->callback([arguments, &context, &exitCode] { exitCode = askWhatIf(*arguments, context); });
}

}  // namespace simmer
