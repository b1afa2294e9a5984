#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cooker/base/result.h"

namespace simmer {

/// One thing that decides an artifact, before and now; empty where it was or is not there.
struct KeyChange {
  std::string component;  ///< "source", "effort", "part codec.spline", "file textures.bin"
  std::string before;
  std::string now;
  bool operator==(const KeyChange&) const = default;
};

/// What is different in two key texts, component by component, in the order of the newer one. With an empty `before`
/// every component is new. Corrupt when a text is no key text.
Result<std::vector<KeyChange>> keyChanges(std::string_view before, std::string_view now);

}  // namespace simmer
