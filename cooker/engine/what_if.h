#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cooker/engine/open_project.h"

namespace simmer {

struct WhatIfOptions {
  bool exact = false;  ///< cook into the cache instead of estimating
  unsigned jobs = 1;
  std::function<void(std::size_t done, std::size_t total)> progress;  ///< may be empty; from one thread at a time
  std::function<bool()> cancelled;                                    ///< may be empty
};

/// What a change of settings would do to one asset.
struct WhatIfAsset {
  AssetRow now;             ///< as the last cook left it
  std::string profile;      ///< then
  double toleranceM = 0;    ///< then
  std::uint64_t bytes = 0;  ///< of its artifact then
  bool changes = false;     ///< whether its recipe differs
  bool estimated = false;   ///< `bytes` is an estimate
  std::string failure;      ///< why it could not be told; then `bytes` is what it is now
};

struct WhatIf {
  std::vector<WhatIfAsset> assets;  ///< of all cooked assets, in the order of their sources
  std::size_t notCooked = 0;        ///< assets without a result now: nothing is said of them
  bool cancelled = false;
};

/// What would become of every asset with the settings of `then`, without touching a file of the project.
///
/// Where only settings that a plugin calls draft-able decide, an estimate costs a few quick cooks for each clip: the
/// artifact's size now × draft size then ÷ draft size now. Draft sizes are cooked at tolerances a factor of two apart
/// and interpolated between them (logarithms of both: sizes follow a power of the tolerance nearby), and they stay in
/// the cache, so that further questions about the same clips are answered at once. Results that the cache has already
/// are taken as they are.
Result<WhatIf> whatIf(OpenProject& now, const Project& then, const Catalog& catalog, const WhatIfOptions& options);

}  // namespace simmer
