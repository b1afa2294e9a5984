#pragma once

#include "cooker/plugin/plugin_api.h"

namespace simmer::animation {

/// Cooks animation clips. README.md beside this file says what goes in and out.
class AnimationPlugin final : public AssetPlugin {
 public:
  Result<Description> describe(const Settings& import, SourceReader& source, Context& context) const override;
  Result<Artifact> cook(const Request& request, SourceReader& source, Context& context) const override;
  Result<Measures> measure(const Request& request, SourceReader& source, const Artifact& artifact,
                           Context& context) const override;
  Result<Bytes> inspect(const Request& request, SourceReader& source, const Artifact* artifact, Window window,
                        Context& context) const override;
  int run(std::string_view command, Arguments& arguments, Context& context) const override;
};

}  // namespace simmer::animation
