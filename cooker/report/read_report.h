#pragma once

#include <string_view>

#include "cooker/report/project_state.h"

namespace simmer {

/// The state that a report written by reportJson() tells of. The text may be anybody's: InvalidInput when it is no such
/// report, Unsupported when a newer program wrote it.
Result<ProjectState> readReport(std::string_view json);

}  // namespace simmer
