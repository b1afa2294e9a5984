#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cooker/engine/cook_asset.h"
#include "cooker/policy/project.h"

namespace simmer {

/// What decides the recipes of a source's items.
struct SourceContents {
  const PluginMetadata* plugin = nullptr;  ///< null: no plugin takes the file
  std::optional<Sidecar> sidecar;
  Description description;
  std::vector<std::string> dependencies;  ///< of the description, inside the source tree, without the source

  const Sidecar* sidecarOrNull() const { return sidecar ? &*sidecar : nullptr; }
};

/// Reads the sidecar, finds the plugin and lets it describe the source (from the cache when it is known there). After
/// an error `contents` holds what was found before it.
Result<void> readSource(const Project& project, const Catalog& catalog, TreeDigests& digests, AssetCooker& cooker,
                        const std::string& path, SourceContents& contents);

}  // namespace simmer
