#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cooker/cli/project_session.h"

namespace simmer {

/// One change of a sidecar.
struct SidecarChange {
  std::vector<std::string> path;  ///< as setInToml() takes it
  std::string value;              ///< TOML; empty: take it out
};

/// What "effort=max" or "joint.hand_*.tolerance_scale=0.5" sets for an asset (for the clip alone where it names one).
/// InvalidInput with the nearest name when there is no such setting, or the value is none that it takes.
Result<SidecarChange> parseSetting(const NamedAsset& asset, const Catalog& catalog, std::string_view given);

/// What "effort" or "joint.hand_*.tolerance_scale" takes out.
SidecarChange parseUnset(const NamedAsset& asset, std::string_view name);

}  // namespace simmer
