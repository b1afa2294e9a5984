#pragma once

#include <string>
#include <vector>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"

namespace simmer::animation {

/// A file of the demo project.
struct DemoFile {
  std::string path;  ///< below the project's folder, '/' between folders
  Bytes bytes;
  std::string note;  ///< what it shows, for a person
};

/// The sources of the demo project; always the same bytes.
Result<std::vector<DemoFile>> demoFiles();

}  // namespace simmer::animation
