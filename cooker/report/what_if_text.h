#pragma once

#include <string>

#include "cooker/engine/what_if.h"

namespace simmer {

/// Bytes now and then: in total, by profile, by folder, and the assets that change most (`top` of them).
std::string whatIfText(const WhatIf& answer, std::string_view title, std::size_t top, std::size_t width);

/// {"total": {now_bytes, then_bytes}, "profiles": [...], "folders": [...], "assets": [...]}.
std::string whatIfJson(const WhatIf& answer);

}  // namespace simmer
