#pragma once

#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// Packs any file as it is into a gzip file. Lossless: the measure inflates the artifact and counts wrong bytes.
class DeflatePlugin final : public AssetPlugin {
 public:
  /// The one item of every source.
  static constexpr std::string_view kItem = "file";

  Result<Description> describe(const Settings& import, SourceReader& source, Context& context) const override;
  Result<Artifact> cook(const Request& request, SourceReader& source, Context& context) const override;
  Result<Measures> measure(const Request& request, SourceReader& source, const Artifact& artifact,
                           Context& context) const override;
};

}  // namespace simmer
