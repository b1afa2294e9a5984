#pragma once

#include <string>

#include "cooker/engine/json.h"
#include "cooker/report/project_report.h"

namespace simmer {

inline constexpr int kReportSchema = 1;

/// The report as report.schema.json of this folder describes it. Bytes that are not UTF-8 become U+FFFD.
std::string reportJson(const ProjectReport& report);
/// What `simmer budget --json` prints: "schema", "verdict", "baseline" and "budgets" of the report.
std::string budgetJson(const ProjectReport& report);

}  // namespace simmer
