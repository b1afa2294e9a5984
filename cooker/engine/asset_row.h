#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cooker/base/digest.h"
#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// How an asset stands after a cook.
enum class AssetState {
  Cooked,     ///< a plugin ran
  Cached,     ///< from the cache, published now
  Unchanged,  ///< the output stands already
  Failed,
  Ignored,  ///< its source holds nothing to cook
  Stale,    ///< would be cooked (only of a dry run)
};

std::string_view toString(AssetState state);
Result<AssetState> assetStateFrom(std::string_view text);

/// One published file of an asset.
struct PublishedOutput {
  std::string path;  ///< inside the output tree
  Digest digest;
  std::uint64_t bytes = 0;
  bool operator==(const PublishedOutput&) const = default;
};

/// What a table shows of one asset: an item of a source, or a source of which no item could be told.
struct AssetRow {
  std::string source;  ///< path inside the source tree
  std::string item;    ///< empty when the source could not be described or holds nothing
  bool named = false;  ///< whether the item has a name in the source
  std::string plugin;
  std::string profile;
  std::vector<std::string> tags;  ///< sorted
  AssetState state = AssetState::Failed;
  std::string codec;
  std::string key;  ///< hexadecimal; empty when there was none
  double toleranceM = 0;
  double metresPerPixel = 0;  ///< at the size the asset has on the screen; 0 when it has none
  Measures measures;
  std::uint64_t sourceBytes = 0;
  std::uint64_t rawBytes = 0;
  std::uint64_t artifactBytes = 0;
  std::uint64_t memoryBytes = 0;
  bool ran = false;     ///< a plugin cooked it in this run; else the answer came from the cache
  double seconds = 0;   ///< of cooking and measuring; what it took when it was cooked
  std::string message;  ///< why it failed, or what a person should know
  std::vector<std::string> log;
  std::vector<PublishedOutput> outputs;

  /// What a published row is when a later run finds it as it was.
  void settle() {
    if (state == AssetState::Cooked || state == AssetState::Cached) state = AssetState::Unchanged;
    ran = false;
  }
  /// The measured world error in mm, or below 0 when there is none.
  double worldErrorMm() const;
  /// The value of this quantity, or `fallback`.
  double measured(std::string_view quantity, double fallback) const;
  /// World error in pixels of the screen; below 0 when there is none.
  double worldErrorPx() const;
  /// Whether a measure exceeds its bound. Nothing that does is ever published.
  bool overBound() const;
};

/// A row as JSON text, as state.db keeps it; Corrupt when the text is none.
std::string toJsonText(const AssetRow& row);
Result<AssetRow> assetRowFromJson(std::string_view text);

/// Sums over rows. A source with several items counts once in sourceBytes and sources.
struct Totals {
  std::uint64_t sources = 0, assets = 0;
  std::uint64_t cooked = 0, cached = 0, unchanged = 0, failed = 0, ignored = 0, stale = 0;
  std::uint64_t sourceBytes = 0, rawBytes = 0, artifactBytes = 0, memoryBytes = 0, shippedBytes = 0;
  std::uint64_t overBound = 0;
  double worstErrorMm = 0;  ///< largest world error
  double worstUsed = 0;     ///< largest part of its tolerance that an asset uses, 0 to 1

  void add(const AssetRow& row, bool firstOfSource);
};

}  // namespace simmer
