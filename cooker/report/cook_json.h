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
/// The members of totals that every report has.
Json totalsJson(const Totals& totals);
/// A figure, or null when there is none (below 0).
Json figure(double value);

}  // namespace simmer
