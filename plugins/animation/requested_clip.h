#pragma once

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/edit/edit.h"
#include "plugins/animation/import/importer.h"

namespace simmer::animation {

/// The metadata's table of joints.
inline constexpr std::string_view kJointTable = "joint";

/// What the import settings say.
ImportOptions importOptions(const Settings& settings);

/// The clip that a request asks for, freshly imported and edited, with its resolved tolerance and what tables ask of
/// its joints.
struct RequestedClip {
  Clip clip;
  double toleranceM = 0;
  double objectHeightM = 0;  ///< that the tolerance was resolved with
  Displacements displacements;
};
/// `displaced` asks for the displacements, which take time.
Result<RequestedClip> readRequested(const Request& request, SourceReader& source, Context& context,
                                    bool displaced = false);

}  // namespace simmer::animation
