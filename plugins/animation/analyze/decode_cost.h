#pragma once

#include "plugins/animation/analyze/analysis.h"

namespace simmer::animation {

/// Times how long one pose takes, now and on this machine: medians of nine rounds each.
DecodeCost measureDecodeCost(const Clip& clip, const article::Plan& linear, const article::Plan& cubic,
                             const article::Plan& quantised);

}  // namespace simmer::animation
