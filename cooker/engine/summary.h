#pragma once

#include <string>
#include <vector>

#include "cooker/engine/cook_project.h"
#include "cooker/engine/json.h"

namespace simmer {

inline constexpr const char* kSummarySchema = "2";

/// What is kept of a run for a later one in which nothing changed.
struct Summary {
  Totals totals;                 ///< as a run that changes nothing reports them
  std::vector<AssetRow> failed;  ///< rows a person has to see again
  std::vector<Error> warnings;

  static Summary of(const CookReport& report);
  std::string toJsonText() const;
  static Result<Summary> fromJson(std::string_view text);
};

Json totalsToJson(const Totals& totals);
/// Throws nlohmann::json::exception: only inside parseJson().
Totals totalsFromJson(const Json& json);

/// The sums over rows that stand in the order of their sources.
Totals totalsOf(const std::vector<AssetRow>& rows);

}  // namespace simmer
