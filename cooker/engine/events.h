#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <variant>

#include "cooker/engine/asset_row.h"

namespace simmer {

/// The trees were looked at; this many sources have to be gone through.
struct CookStarted {
  std::size_t sources = 0;
};
/// One asset has its result.
struct AssetDone {
  AssetRow row;
};
/// All assets of a source have theirs.
struct SourceDone {
  std::string source;
  std::size_t done = 0;  ///< sources so far
  std::size_t total = 0;
};
/// The run is over.
struct CookEnded {
  Totals totals;
  bool cancelled = false;
};

/// What a cook tells whoever listens. The command line, tests and later the protocol hear the same stream.
using CookEvent = std::variant<CookStarted, AssetDone, SourceDone, CookEnded>;

/// Called from one thread at a time.
using EventSink = std::function<void(const CookEvent&)>;

}  // namespace simmer
