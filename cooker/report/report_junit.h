#pragma once

#include <string>

#include "cooker/report/project_report.h"

namespace simmer {

/// The report as JUnit XML: a suite for each profile with a case for each asset, and a suite "budgets" with a case for
/// each budget. An asset that failed (or exceeds its bound) and a budget that is exceeded are failures; a source with
/// nothing to cook and a budget that lacks a baseline are skipped.
std::string reportJunit(const ProjectReport& report);

}  // namespace simmer
