#pragma once

#include "cooker/plugin/plugin_api.h"

namespace simmer::animation {

/// `simmer analyze FILE [--json] [--clip NAME]…`: how much of the animation in a file can be thrown away. Prints what
/// the article "How much of an animation can you throw away?" prints for its own clips. Gives the exit code: 0 fine,
/// 1 the file or a clip of it cannot be analysed (one line on `err` for each), 2 wrong usage.
int analyze(Arguments& arguments, Context& context);

}  // namespace simmer::animation
