#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cooker/engine/asset_row.h"

namespace SQLite {
class Database;
}

namespace simmer {

/// A cook that changed something.
struct HistoryRun {
  std::int64_t id = 0;
  std::int64_t timeMs = 0;  ///< when it began, milliseconds since 1970 (UTC)
  Totals totals;            ///< of the whole project after it; shippedBytes counts the manifest too
  bool finished = false;    ///< false for one that was killed: then `totals` are empty
};

/// One asset after one cook.
struct HistoryEntry {
  std::int64_t run = 0;
  std::int64_t timeMs = 0;
  std::optional<AssetRow> row;  ///< no value: the asset was gone
};

/// What every cook appends to state.db: which assets came out otherwise than before, and which files were written or
/// removed. From it the project can be shown as it stood after any cook. Rows hold neither logs nor outputs, and of
/// measures only the world error.
class History {
 public:
  /// The database outlives it; its tables are kHistorySchema's.
  explicit History(SQLite::Database& database) : m_database(database) {}

  /// Begins a run. The functions that append throw as SQLiteCpp does: use them inside guarded() and a transaction.
  std::int64_t begin(std::int64_t timeMs);
  void append(std::int64_t run, const AssetRow& row);
  void appendRemoved(std::int64_t run, const std::string& source, const std::string& item);
  /// A published file; without bytes, one that was removed.
  void appendOutput(std::int64_t run, const std::string& path, std::optional<std::uint64_t> bytes);
  void finish(std::int64_t run, const Totals& totals);

  /// All runs, oldest first.
  Result<std::vector<HistoryRun>> runs();
  /// The assets as they stood after a run, in the order of their sources.
  Result<std::vector<AssetRow>> assetsAt(std::int64_t run);
  /// The published files as they stood after a run with their bytes, without the manifest.
  Result<std::map<std::string, std::uint64_t>> outputsAt(std::int64_t run);
  /// What became of one asset, oldest first.
  Result<std::vector<HistoryEntry>> of(const std::string& source, const std::string& item);

 private:
  SQLite::Database& m_database;
};

extern const char* const kHistorySchema;
extern const char* const kHistoryTagsSchema;  ///< what came to it later

/// Whether a person would see any difference between two results of the same asset.
bool sameResult(const AssetRow& one, const AssetRow& other);

}  // namespace simmer
