#pragma once

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/import/importer.h"

namespace simmer::animation {

/// What the import settings say.
ImportOptions importOptions(const Settings& settings);

/// The clip that a request asks for, freshly imported, with its resolved tolerance.
struct RequestedClip {
  Clip clip;
  double toleranceM = 0;
  double objectHeightM = 0;  ///< that the tolerance was resolved with
};
Result<RequestedClip> readRequested(const Request& request, SourceReader& source, Context& context);

}  // namespace simmer::animation
