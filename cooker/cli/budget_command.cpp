#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/cli/app.h"
#include "cooker/cli/progress.h"
#include "cooker/report/report_json.h"
#include "cooker/report/report_text.h"

namespace simmer {
namespace {

struct BudgetArguments {
  ReportRequest request;
  bool json = false;
};

int check(const BudgetArguments& arguments, CommandContext& context) {
  int exitCode = kFine;
  const auto project = context.project(std::filesystem::current_path(), exitCode);
  if (!project) return exitCode;
  const auto made = makeReport(*project, arguments.request);
  if (!made) return report(made.error());
  std::cout << (arguments.json ? budgetJson(*made) : budgetText(*made, outputWidth())) << std::flush;
  if (!std::cout) return report({ErrorCode::Io, "can not write the table", "standard output"});
  return made->verdict() == Verdict::Exceeded ? kBudgetExceeded : kFine;
}

std::int64_t nowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

void addBudgetCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  const auto arguments = std::make_shared<BudgetArguments>();
  arguments->request.nowMs = nowMs();
  CLI::App* command = app.add_subcommand("budget",
                                         "Hold the budgets of simmer.toml against what the last cook left "
                                         "(exit code 4 when one is exceeded)");
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  command->add_option("-b,--baseline", arguments->request.baseline,
                      "What growth is measured against: a file written with report --json, or a point in history: "
                      "#12 (a run), 2026-11-30, yesterday, last-week, 7d, 3h, first");
  command->add_option("--top", arguments->request.top, "How many assets are named for a budget (10)")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", arguments->json, "Print the result as JSON");
  command->callback([arguments, &context, &exitCode] { exitCode = check(*arguments, context); });
}

}  // namespace simmer
