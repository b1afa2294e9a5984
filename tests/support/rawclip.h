#pragma once

#include <filesystem>

#include "plugins/animation/clip/clip.h"

namespace simmer::test {

/// A clip of the benchmark corpus (`bench/clips/*.rawclip` of the shared data): "RCLP", version, counts, the skeleton
/// with its rest pose, then 10 float32 for each frame and joint. Its id is the file's name without the ending.
/// InvalidInput when it is not such a file or not a valid clip.
Result<animation::Clip> readRawclip(const std::filesystem::path& path);

}  // namespace simmer::test
