#pragma once

#include <string>

#include "cooker/engine/cook_project.h"

namespace simmer {

struct TextOptions {
  std::size_t width = 100;    ///< columns of the screen
  std::size_t maxRows = 200;  ///< of the table; failed assets are always shown
};

/// What `simmer cook` prints at its end: the savings table, failures with their reasons, and the totals.
std::string cookText(const CookReport& report, const TextOptions& options);

/// One asset's name for a person: the source, and the item where the source has named ones.
std::string assetName(const AssetRow& row);

}  // namespace simmer
