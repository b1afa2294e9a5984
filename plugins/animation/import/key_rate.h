#pragma once

#include <optional>
#include <vector>

namespace simmer::animation {

/// The lowest rate up to 480 Hz on whose frames all keys fall, counted from the first key, or nothing. `keysS` are
/// seconds, ascending. Keys may miss their frame by 20 µs (they are sums of float32 seconds); where 8 or more keys are
/// rounded to milliseconds, by 0.6 ms for the usual rates. A rate as good as a whole or television one is that.
std::optional<double> commonRate(const std::vector<double>& keysS);

/// Whether all keys fall on frames of this rate, within 20 µs.
bool fallOnFrames(const std::vector<double>& keysS, double rateHz);

}  // namespace simmer::animation
