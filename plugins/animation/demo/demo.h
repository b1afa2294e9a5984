#pragma once

#include "cooker/plugin/plugin_api.h"

namespace simmer::animation {

/// `simmer demo DIR`: writes the sources of a small project under DIR/assets and says what was written. The project
/// file is the caller's to write. Nothing is overwritten: where one of the files is there already, none is written.
/// Gives the exit code: 0 · 2 for wrong usage or files that are there · 3 when the disk refused.
int demo(Arguments& arguments, Context& context);

}  // namespace simmer::animation
