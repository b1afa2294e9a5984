#pragma once

#include <string>

#include "cooker/report/project_report.h"

namespace simmer {

/// The report as one HTML page that needs nothing else: totals, treemap, history, tables, what changed, failures,
/// budgets; in a light and a dark palette, and fit for paper. All names in it are escaped.
std::string reportHtml(const ProjectReport& report);

}  // namespace simmer
