#include "cooker/engine/history.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "cache/database.h"
#include "cooker/engine/cook_result.h"
#include "cooker/engine/summary.h"

namespace simmer {

const char* const kHistorySchema = R"sql(
CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,     -- when it began, since 1970 (UTC)
  totals TEXT                   -- JSON: of the whole project after it; NULL when it was killed
);
CREATE TABLE asset_history(     -- assets that came out otherwise than before
  run INTEGER NOT NULL REFERENCES run(id),
  source TEXT NOT NULL, item TEXT NOT NULL, named INTEGER NOT NULL,
  state TEXT NOT NULL,          -- cooked, cached, unchanged, failed, ignored, or removed
  plugin TEXT NOT NULL, profile TEXT NOT NULL, codec TEXT NOT NULL,
  key TEXT NOT NULL,            -- hexadecimal; empty when there was none
  tolerance_mm REAL NOT NULL, metres_per_pixel REAL NOT NULL,
  error_mm REAL,                -- measured world error
  source_bytes INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, artifact_bytes INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL, seconds REAL NOT NULL,
  ran INTEGER NOT NULL,         -- 0: the answer came from the cache
  message TEXT NOT NULL,
  PRIMARY KEY (source, item, run)
) WITHOUT ROWID;
CREATE TABLE output_history(    -- published files that were written or removed
  run INTEGER NOT NULL REFERENCES run(id),
  path TEXT NOT NULL,           -- inside the output tree
  bytes INTEGER,                -- NULL: removed
  PRIMARY KEY (path, run)
) WITHOUT ROWID;
)sql";

const char* const kHistoryTagsSchema = R"sql(
ALTER TABLE asset_history ADD COLUMN tags TEXT;  -- JSON array; NULL: written before tags were kept
)sql";

namespace {

constexpr const char* kRemoved = "removed";
constexpr const char* kColumns =
    "source, item, named, state, plugin, profile, codec, key, tolerance_mm, metres_per_pixel, error_mm, source_bytes, "
    "raw_bytes, artifact_bytes, memory_bytes, seconds, ran, message, tags";

std::uint64_t bytesOf(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

/// The asset that kColumns from `first` on spell; no value when it was gone. Corrupt when they are not ours.
Result<std::optional<AssetRow>> rowFrom(SQLite::Statement& query, int first) {
  const auto column = [&](int index) { return query.getColumn(first + index); };
  const std::string state = column(3).getString();
  if (state == kRemoved) return std::nullopt;
  AssetRow row;
  SIMMER_TRY(known, assetStateFrom(state));
  row.state = known;
  row.source = column(0).getString();
  row.item = column(1).getString();
  row.named = column(2).getInt() != 0;
  row.plugin = column(4).getString();
  row.profile = column(5).getString();
  row.codec = column(6).getString();
  row.key = column(7).getString();
  row.toleranceM = column(8).getDouble() / 1000;
  row.metresPerPixel = column(9).getDouble();
  if (!column(10).isNull()) row.measures.push_back({std::string(kWorldError), column(10).getDouble(), {}, "mm"});
  row.sourceBytes = bytesOf(column(11));
  row.rawBytes = bytesOf(column(12));
  row.artifactBytes = bytesOf(column(13));
  row.memoryBytes = bytesOf(column(14));
  row.seconds = column(15).getDouble();
  row.ran = column(16).getInt() != 0;
  row.message = column(17).getString();
  if (!column(18).isNull()) {
    SIMMER_TRY(tags, namesFromJson(column(18).getString()));
    row.tags = std::move(tags);
  }
  return std::optional(std::move(row));
}

}  // namespace

std::int64_t History::begin(std::int64_t timeMs) {
  SQLite::Statement insert(m_database, "INSERT INTO run (time_ms) VALUES (?)");
  insert.bind(1, timeMs);
  insert.exec();
  return m_database.getLastInsertRowid();
}

void History::append(std::int64_t run, const AssetRow& row) {
  SQLite::Statement insert(m_database, fmt::format("INSERT OR REPLACE INTO asset_history (run, {}) VALUES "
                                                   "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                                   kColumns));
  int index = 0;
  const auto bind = [&](const auto& value) { insert.bind(++index, value); };
  const auto number = [](std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); };
  bind(run);
  bind(row.source);
  bind(row.item);
  bind(row.named ? 1 : 0);
  bind(std::string(toString(row.state)));
  bind(row.plugin);
  bind(row.profile);
  bind(row.codec);
  bind(row.key);
  bind(row.toleranceM * 1000);
  bind(row.metresPerPixel);
  if (const double error = row.worldErrorMm(); error >= 0)
    bind(error);
  else
    insert.bind(++index);
  for (const std::uint64_t bytes : {row.sourceBytes, row.rawBytes, row.artifactBytes, row.memoryBytes})
    bind(number(bytes));
  bind(row.seconds);
  bind(row.ran ? 1 : 0);
  bind(row.message);
  bind(namesToJson(row.tags));
  insert.exec();
}

void History::appendRemoved(std::int64_t run, const std::string& source, const std::string& item) {
  SQLite::Statement insert(m_database,
                           fmt::format("INSERT OR REPLACE INTO asset_history (run, {}) VALUES "
                                       "(?, ?, ?, 0, '{}', '', '', '', '', 0, 0, NULL, 0, 0, 0, 0, 0, 0, '', '[]')",
                                       kColumns, kRemoved));
  insert.bind(1, run);
  insert.bind(2, source);
  insert.bind(3, item);
  insert.exec();
}

void History::appendOutput(std::int64_t run, const std::string& path, std::optional<std::uint64_t> bytes) {
  SQLite::Statement insert(m_database, "INSERT OR REPLACE INTO output_history (run, path, bytes) VALUES (?, ?, ?)");
  insert.bind(1, run);
  insert.bind(2, path);
  if (bytes) insert.bind(3, static_cast<std::int64_t>(*bytes));
  insert.exec();
}

void History::finish(std::int64_t run, const Totals& totals) {
  SQLite::Statement update(m_database, "UPDATE run SET totals = ? WHERE id = ?");
  update.bind(1, dump(totalsToJson(totals)));
  update.bind(2, run);
  update.exec();
}

Result<std::vector<HistoryRun>> History::runs() {
  return guarded([&]() -> Result<std::vector<HistoryRun>> {
    std::vector<HistoryRun> all;
    SQLite::Statement query(m_database, "SELECT id, time_ms, totals FROM run ORDER BY id");
    while (query.executeStep()) {
      HistoryRun run{query.getColumn(0).getInt64(), query.getColumn(1).getInt64(), {}, !query.getColumn(2).isNull()};
      if (run.finished) {
        SIMMER_TRY(totals, parseJson<Totals>(query.getColumn(2).getString(),
                                             [](const Json& json) -> Result<Totals> { return totalsFromJson(json); }));
        run.totals = totals;
      }
      all.push_back(run);
    }
    return all;
  });
}

Result<std::vector<AssetRow>> History::assetsAt(std::int64_t run) {
  return guarded([&]() -> Result<std::vector<AssetRow>> {
    std::vector<AssetRow> rows;
    // Of each asset the last entry up to the run: with max(), SQLite takes the other columns from that entry.
    SQLite::Statement query(m_database, fmt::format("SELECT max(run), {} FROM asset_history WHERE run <= ? "
                                                    "GROUP BY source, item ORDER BY source, item",
                                                    kColumns));
    query.bind(1, run);
    while (query.executeStep()) {
      SIMMER_TRY(row, rowFrom(query, 1));
      if (row) rows.push_back(std::move(*row));
    }
    return rows;
  });
}

Result<std::map<std::string, std::uint64_t>> History::outputsAt(std::int64_t run) {
  return guarded([&]() -> Result<std::map<std::string, std::uint64_t>> {
    std::map<std::string, std::uint64_t> files;
    SQLite::Statement query(m_database,
                            "SELECT max(run), path, bytes FROM output_history WHERE run <= ? GROUP BY path");
    query.bind(1, run);
    while (query.executeStep())
      if (!query.getColumn(2).isNull()) files.emplace(query.getColumn(1).getString(), bytesOf(query.getColumn(2)));
    return files;
  });
}

Result<std::vector<HistoryEntry>> History::of(const std::string& source, const std::string& item) {
  return guarded([&]() -> Result<std::vector<HistoryEntry>> {
    std::vector<HistoryEntry> entries;
    SQLite::Statement query(
        m_database,
        fmt::format("SELECT asset_history.run, time_ms, {} FROM asset_history JOIN run ON run.id = asset_history.run "
                    "WHERE source = ? AND item = ? ORDER BY asset_history.run",
                    kColumns));
    query.bind(1, source);
    query.bind(2, item);
    while (query.executeStep()) {
      SIMMER_TRY(row, rowFrom(query, 2));
      entries.push_back({query.getColumn(0).getInt64(), query.getColumn(1).getInt64(), std::move(row)});
    }
    return entries;
  });
}

bool sameResult(const AssetRow& a, const AssetRow& b) {
  const auto failed = [](const AssetRow& row) { return row.state == AssetState::Failed; };
  return failed(a) == failed(b) && a.key == b.key && a.plugin == b.plugin && a.profile == b.profile &&
         a.tags == b.tags && a.toleranceM == b.toleranceM && a.metresPerPixel == b.metresPerPixel &&
         a.measures == b.measures && a.sourceBytes == b.sourceBytes && a.rawBytes == b.rawBytes &&
         a.artifactBytes == b.artifactBytes && a.memoryBytes == b.memoryBytes && a.message == b.message;
}

}  // namespace simmer
