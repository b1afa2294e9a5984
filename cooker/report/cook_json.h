#pragma once

#include <string>

#include "cooker/engine/cook_project.h"
#include "cooker/engine/json.h"

namespace simmer {

/// The report as JSON: {"assets": [...], "totals": {...}, "problems": [...]}. README.md of this folder lists the
/// members.
std::string cookJson(const CookReport& report);
/// One asset as it stands there.
Json assetJson(const AssetRow& row);

}  // namespace simmer
