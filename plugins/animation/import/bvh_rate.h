#pragma once

#include <string_view>

namespace simmer::animation::bvh {

/// The frame rate in Hz that a Frame Time means. Exporters write few digits: 0.0083333 stands for 120 Hz, 0.041667 for
/// 24 Hz, 0.033367 for 30000/1001 Hz. So the nearest whole rate, or one of 23.976, 29.97 and 59.94 Hz
/// (NTSC), is taken when its frame time, rounded or cut to as many digits, is what stands there, and when that moves
/// the rate by less than 1.5 %. Otherwise 1 / seconds. `text` spells `seconds`, which are above zero.
double frameRate(std::string_view text, double seconds);

}  // namespace simmer::animation::bvh
