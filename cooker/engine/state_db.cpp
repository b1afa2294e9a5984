#include "cooker/engine/state_db.h"

#include <chrono>

#include <SQLiteCpp/SQLiteCpp.h>

#include "cache/database.h"
#include "cooker/engine/cook_result.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr int kSchemaVersion = 3;
constexpr const char* kSchema = R"sql(
CREATE TABLE source_state(
  path TEXT PRIMARY KEY,        -- inside the source tree
  fingerprint BLOB NOT NULL,    -- SHA-256 of everything that decided the rows
  dependencies TEXT NOT NULL,   -- JSON array of paths inside the source tree
  rows TEXT NOT NULL            -- one JSON object a line: the assets of the source
);
CREATE TABLE output(
  path TEXT PRIMARY KEY,        -- inside the output tree
  source TEXT NOT NULL,
  digest BLOB NOT NULL,         -- SHA-256 of the file
  size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
  error_mm REAL NOT NULL        -- measured world error; below 0: none
);
CREATE TABLE snapshot(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  fingerprint BLOB NOT NULL,    -- of both trees, the project file and the plugins
  summary TEXT NOT NULL         -- JSON
);
)sql";

Digest digestFrom(const SQLite::Column& column) {
  const auto* bytes = static_cast<const std::uint8_t*>(column.getBlob());
  const auto digest = Digest::fromBytes({bytes, static_cast<std::size_t>(column.getBytes())});
  return digest.value_or(Digest{});  // one that matches nothing
}

void bindDigest(SQLite::Statement& statement, int index, const Digest& digest) {
  statement.bind(index, digest.bytes.data(), static_cast<int>(digest.bytes.size()));
}

FileStamp stampFrom(SQLite::Statement& row, int first) {
  return {static_cast<std::uint64_t>(row.getColumn(first).getInt64()), row.getColumn(first + 1).getInt64(),
          row.getColumn(first + 2).getInt64(), static_cast<std::uint64_t>(row.getColumn(first + 3).getInt64())};
}

Result<std::unique_ptr<SQLite::Database>> openFresh(const fs::path& file) {
  static const std::string schema = std::string(kSchema) + kHistorySchema + kHistoryTagsSchema;
  static const char* const upgrades[] = {kHistorySchema,  // version 1 had no history
                                         kHistoryTagsSchema};
  auto database = openDatabase(file, schema.c_str(), kSchemaVersion, upgrades);
  if (database || database.error().code != ErrorCode::Corrupt) return database;
  std::error_code error;
  fs::rename(file, fs::path(file).concat(".corrupt"), error);
  for (const char* end : {"-wal", "-shm"}) fs::remove(fs::path(file).concat(end), error);
  return openDatabase(file, schema.c_str(), kSchemaVersion);
}

}  // namespace

struct StateDb::Impl {
  std::unique_ptr<SQLite::Database> database;
  std::optional<StatCache> statCache;  // read when first asked for
  std::int64_t openedAtMs = 0;
  std::optional<std::int64_t> run;  // of the history, once there is something to say of it

  void appendHistory(const Changes& changes);
};

StateDb::StateDb(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
StateDb::~StateDb() = default;
StateDb::StateDb(StateDb&&) noexcept = default;
StateDb& StateDb::operator=(StateDb&&) noexcept = default;

Result<StateDb> StateDb::open(const fs::path& folder) {
  SIMMER_TRY(database, openFresh(folder / "state.db"));
  auto impl = std::make_unique<Impl>();
  impl->database = std::move(database);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  impl->openedAtMs = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return StateDb(std::move(impl));
}

Result<StatCache*> StateDb::statCache() {
  if (!m_impl->statCache) {
    SIMMER_TRY(cache, StatCache::open(*m_impl->database));
    m_impl->statCache = std::move(cache);
  }
  return &*m_impl->statCache;
}

Result<std::optional<StateDb::Snapshot>> StateDb::snapshot() {
  return guarded([&]() -> Result<std::optional<Snapshot>> {
    SQLite::Statement query(*m_impl->database, "SELECT fingerprint, summary FROM snapshot");
    if (!query.executeStep()) return std::nullopt;
    return Snapshot{digestFrom(query.getColumn(0)), query.getColumn(1).getString()};
  });
}

Result<void> StateDb::setSnapshot(const std::optional<Snapshot>& snapshot) {
  return guarded([&]() -> Result<void> {
    if (!snapshot) {
      m_impl->database->exec("DELETE FROM snapshot");
      return {};
    }
    SQLite::Statement insert(*m_impl->database, "INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?)");
    bindDigest(insert, 1, snapshot->fingerprint);
    insert.bind(2, snapshot->summary);
    insert.exec();
    return {};
  });
}

Result<std::unordered_map<std::string, StateDb::SourceState>> StateDb::sources() {
  return guarded([&]() -> Result<std::unordered_map<std::string, SourceState>> {
    std::unordered_map<std::string, SourceState> all;
    SQLite::Statement query(*m_impl->database, "SELECT path, fingerprint, dependencies, rows FROM source_state");
    while (query.executeStep()) {
      SourceState state{digestFrom(query.getColumn(1)), {}, query.getColumn(3).getString()};
      auto names = namesFromJson(query.getColumn(2).getString());
      if (!names) continue;  // damaged: the source counts as never cooked
      state.dependencies = std::move(*names);
      all.emplace(query.getColumn(0).getString(), std::move(state));
    }
    return all;
  });
}

Result<std::unordered_map<std::string, StateDb::OutputState>> StateDb::outputs() {
  return guarded([&]() -> Result<std::unordered_map<std::string, OutputState>> {
    std::unordered_map<std::string, OutputState> all;
    SQLite::Statement query(*m_impl->database,
                            "SELECT path, source, digest, size, mtime_ns, ctime_ns, inode, error_mm FROM output");
    while (query.executeStep())
      all.emplace(query.getColumn(0).getString(),
                  OutputState{query.getColumn(1).getString(), digestFrom(query.getColumn(2)), stampFrom(query, 3),
                              query.getColumn(7).getDouble()});
    return all;
  });
}

Result<std::vector<AssetRow>> StateDb::rows() {
  return guarded([&]() -> Result<std::vector<AssetRow>> {
    std::vector<AssetRow> all;
    SQLite::Statement query(*m_impl->database, "SELECT rows FROM source_state ORDER BY path");
    while (query.executeStep()) {
      SIMMER_TRY(rows, splitRows(query.getColumn(0).getString()));
      std::move(rows.begin(), rows.end(), std::back_inserter(all));
    }
    return all;
  });
}

History StateDb::history() {
  return History(*m_impl->database);
}

/// Within a transaction.
void StateDb::Impl::appendHistory(const Changes& changes) {
  if (!run && changes.rows.empty() && changes.removed.empty() && changes.outputs.empty()) return;
  History history(*database);
  if (!run) run = history.begin(openedAtMs);
  for (const AssetRow& row : changes.rows) history.append(*run, row);
  for (const auto& [source, item] : changes.removed) history.appendRemoved(*run, source, item);
  for (const auto& [path, state] : changes.outputs)
    history.appendOutput(*run, path, state ? std::optional(state->stamp.size) : std::nullopt);
  if (changes.totals) history.finish(*run, *changes.totals);
}

Result<void> StateDb::apply(const Changes& changes) {
  return guarded([&]() -> Result<void> {
    SQLite::Database& database = *m_impl->database;
    SQLite::Transaction transaction(database);
    SQLite::Statement putSource(database, "INSERT OR REPLACE INTO source_state VALUES (?, ?, ?, ?)");
    SQLite::Statement dropSource(database, "DELETE FROM source_state WHERE path = ?");
    for (const auto& [path, state] : changes.sources) {
      SQLite::Statement& statement = state ? putSource : dropSource;
      statement.bind(1, path);
      if (state) {
        bindDigest(statement, 2, state->fingerprint);
        statement.bind(3, namesToJson(state->dependencies));
        statement.bind(4, state->rows);
      }
      statement.exec();
      statement.reset();
    }
    SQLite::Statement putOutput(database, "INSERT OR REPLACE INTO output VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::Statement dropOutput(database, "DELETE FROM output WHERE path = ?");
    for (const auto& [path, state] : changes.outputs) {
      SQLite::Statement& statement = state ? putOutput : dropOutput;
      statement.bind(1, path);
      if (state) {
        statement.bind(2, state->source);
        bindDigest(statement, 3, state->digest);
        statement.bind(4, static_cast<std::int64_t>(state->stamp.size));
        statement.bind(5, state->stamp.mtimeNs);
        statement.bind(6, state->stamp.ctimeNs);
        statement.bind(7, static_cast<std::int64_t>(state->stamp.inode));
        statement.bind(8, state->errorMm);
      }
      statement.exec();
      statement.reset();
    }
    m_impl->appendHistory(changes);
    transaction.commit();
    return {};
  });
}

std::string StateDb::joinRows(const std::vector<AssetRow>& rows) {
  std::string text;
  for (const AssetRow& row : rows) text += toJsonText(row) + "\n";
  return text;
}

Result<std::vector<AssetRow>> StateDb::splitRows(std::string_view text) {
  std::vector<AssetRow> rows;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    SIMMER_TRY(row, assetRowFromJson(text.substr(0, end)));
    rows.push_back(std::move(row));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rows;
}

}  // namespace simmer
