#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace simmer {

/// A limit that a project sets itself: a [[budget]] of simmer.toml.
struct Budget {
  enum class Scope { Total, Folder, Profile, Tag, Asset };
  enum class Size { Artifact, Memory };

  std::string name;  ///< "folder npc" where the file gives none
  Scope scope = Scope::Total;
  std::string of;                          ///< the folder, profile, tag, or glob of assets; empty for Total
  Size size = Size::Artifact;              ///< what is counted: bytes that ship, or bytes once loaded
  std::optional<std::uint64_t> maxBytes;   ///< of all its assets together
  std::optional<double> maxGrowthPercent;  ///< against a baseline, of all its assets together
  std::optional<double> maxErrorMm;        ///< measured world error of each asset
  std::optional<double> maxErrorPx;        ///< the same in pixels at the asset's size on the screen
  int line = 0;
  int column = 0;
};

std::string_view toString(Budget::Scope scope);

}  // namespace simmer
