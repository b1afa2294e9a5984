#pragma once

#include "plugins/animation/runtime/spline_memory.h"

namespace simmer::runtime {

/// Build a clip in a buffer that is large enough. False when the file contradicts itself.
bool loadKeyed(const Header& header, const Layout& layout, void* buffer);
/// `rest` is the skeleton whose rest pose the defaults are; null without kFlagRest.
bool loadSpline(const Header& header, const simmer_skeleton* rest, void* buffer);

}  // namespace simmer::runtime
