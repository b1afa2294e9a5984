#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cooker/base/file.h"
#include "cooker/cli/app.h"
#include "cooker/cli/progress.h"
#include "cooker/report/report_html.h"
#include "cooker/report/report_json.h"
#include "cooker/report/report_junit.h"
#include "cooker/report/report_sarif.h"
#include "cooker/report/report_text.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  ReportRequest request;
  std::string output;
  bool json = false, junit = false, sarif = false, html = false;
};

std::string textOf(const ProjectReport& report, const ReportArguments& arguments) {
  if (arguments.json) return reportJson(report);
  if (arguments.junit) return reportJunit(report);
  if (arguments.sarif) return reportSarif(report, SIMMER_VERSION);
  if (arguments.html) return reportHtml(report);
  return reportText(report, outputWidth());
}

int show(const ReportArguments& arguments, CommandContext& context) {
  int exitCode = kFine;
  const auto project = context.project(fs::current_path(), exitCode);
  if (!project) return exitCode;
  const auto made = makeReport(*project, arguments.request);
  if (!made) return report(made.error());
  const std::string text = textOf(*made, arguments);
  if (!arguments.output.empty()) {
    const auto written = writeFileAtomically(arguments.output, asBytes(text));
    return written ? kFine : report({written.error().code, written.error().message, arguments.output});
  }
  std::cout << text << std::flush;
  return std::cout ? kFine : report({ErrorCode::Io, "can not write the report", "standard output"});
}

std::int64_t nowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context, int& exitCode) {
  const auto arguments = std::make_shared<ReportArguments>();
  arguments->request.nowMs = nowMs();
  CLI::App* command = app.add_subcommand("report", "Show what the last cook left: sizes, savings, failures, budgets");
  command->add_option("-p,--project", context.projectOption, "The project's folder");
  CLI::Option_group* form = command->add_option_group("Form", "Text when none is given");
  form->add_flag("--json", arguments->json, "All of it, as cooker/report/report.schema.json describes");
  form->add_flag("--junit", arguments->junit, "A test case for each asset and budget, for build servers");
  form->add_flag("--sarif", arguments->sarif,
                 "Failures, exceeded budgets and warnings with their places (SARIF 2.1.0)");
  form->add_flag("--html", arguments->html, "One page that needs nothing else");
  form->require_option(0, 1);
  command->add_option("-o,--output", arguments->output, "Write it to this file");
  command->add_option("--at", arguments->request.at,
                      "Report this instead of what the last cook left: a file or a point in history, as --baseline");
  command->add_option("-b,--baseline", arguments->request.baseline,
                      "What to compare with: a file written with --json, or a point in history: #12 (a run), "
                      "2026-11-30, 2026-11-30T12:00, yesterday, last-week, 7d, 3h, first. A day means its end");
  command->add_option("--since", arguments->request.since,
                      "Show what each cook since this point in history left. A day means its start");
  command->add_option("--top", arguments->request.top, "How many assets a list names (10)")
      ->check(CLI::Range(1, 1000000));
  command->callback([arguments, &context, &exitCode] { exitCode = show(*arguments, context); });
}

}  // namespace simmer
