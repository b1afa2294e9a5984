#pragma once

// The one header that ties an AssetPlugin to Qt's plugin loader. Only a plugin's plugin.cpp includes it.

#include <QtPlugin>

#include "cooker/plugin/plugin_api.h"

/// Named in the metadata; the catalog refuses a plugin with another one without loading it.
#define SIMMER_PLUGIN_IID "org.simmer.AssetPlugin/1"

namespace simmer {

/// What a plugin's library exports.
class QtPlugin {
 public:
  virtual ~QtPlugin() = default;
  /// Lives as long as the library stays loaded, which is for the rest of the process.
  virtual const AssetPlugin& plugin() const = 0;
};

}  // namespace simmer

Q_DECLARE_INTERFACE(simmer::QtPlugin, SIMMER_PLUGIN_IID)
