#include "cooker/report/report_junit.h"

#include <map>

#include "cooker/report/cook_text.h"
#include "cooker/report/escape.h"
#include "cooker/report/moment.h"
#include "cooker/report/report_text.h"

namespace simmer {
namespace {

struct Suite {
  std::string cases;
  std::size_t tests = 0, failures = 0, skipped = 0;

  void add(const std::string& suite, const std::string& name, const std::string& inside) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", markupText(suite), markupText(cleanLine(name)));
    cases += inside.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", inside);
  }
  std::string failure(const char* type, const std::string& message, const std::string& text) {
    ++failures;
    return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", type, markupText(cleanLine(message)),
                       markupText(text));
  }
  std::string skip(const std::string& message) {
    ++skipped;
    return fmt::format("      <skipped message=\"{}\"/>\n", markupText(cleanLine(message)));
  }
};

std::string suiteText(const std::string& name, const Suite& suite, const std::string& time) {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" timestamp=\"{}\">\n"
      "{}  </testsuite>\n",
      markupText(name), suite.tests, suite.failures, suite.skipped, time, suite.cases);
}

void addAsset(Suite& suite, const std::string& name, const AssetRow& row) {
  std::string inside;
  if (row.state == AssetState::Failed) {
    std::string text = row.message;
    if (!row.outputs.empty()) text += "\nIts last good output ships.";
    inside = suite.failure("asset-failed", row.message, text);
  } else if (row.overBound()) {
    inside = suite.failure("over-bound", "the measured error exceeds the tolerance", "");
  } else if (row.state == AssetState::Ignored) {
    inside = suite.skip(row.message);
  }
  suite.add(name, assetName(row), inside);
}

void addBudget(Suite& suite, const std::string& name, const BudgetVerdict& verdict) {
  std::string message;
  for (const LimitCheck& check : verdict.limits)
    if (check.verdict == verdict.verdict) message += (message.empty() ? "" : "; ") + limitText(check);
  std::string inside;
  if (verdict.verdict == Verdict::Exceeded) {
    std::string text = message + fmt::format("\nsimmer.toml:{}:{}", verdict.budget.line, verdict.budget.column);
    for (const Culprit& culprit : verdict.culprits) text += "\n" + culpritText(culprit);
    inside = suite.failure("budget-exceeded", message, text);
  } else if (verdict.verdict == Verdict::NoBaseline) {
    inside = suite.skip("no baseline: " + message);
  }
  suite.add(name, verdict.budget.name, inside);
}

}  // namespace

std::string reportJunit(const ProjectReport& report) {
  std::map<std::string, Suite> suites;
  const auto nameOf = [](const AssetRow& row) {
    return row.profile.empty() ? std::string("(no profile)") : cleanLine(row.profile);
  };
  for (const AssetRow& row : report.now.rows) addAsset(suites[nameOf(row)], nameOf(row), row);
  // A profile may be called budgets too: that suite stands alone.
  Suite budgets;
  for (const BudgetVerdict& verdict : report.budgets) addBudget(budgets, "budgets", verdict);
  std::size_t tests = budgets.tests, failures = budgets.failures;
  const std::string time = isoTime(report.now.timeMs > 0 ? report.now.timeMs : report.timeMs);
  std::string text;
  for (const auto& [name, suite] : suites) {
    tests += suite.tests;
    failures += suite.failures;
    text += suiteText(name, suite, time);
  }
  if (budgets.tests > 0) text += suiteText("budgets", budgets, time);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}</testsuites>\n",
      markupText(cleanLine(report.name)), tests, failures, text);
}

}  // namespace simmer
