#pragma once

#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "cache/database.h"
#include "cache/schema_sql.h"
#include "cache/sqlite_rows.h"
#include "cache/sqlite_store.h"

namespace simmer {

inline constexpr int kCacheVersion = 1;
inline constexpr std::uint64_t kBlobInDatabase = std::uint64_t{1} << 20;  ///< larger ones are files
inline constexpr std::int64_t kUsedGranularity = 3'600'000'000;           ///< microseconds

/// What was put and is not written yet.
struct PutBatch {
  struct PutRecord {
    Record record;
    std::int64_t used = 0;
  };
  struct PutNote {
    std::string text;
    std::int64_t used = 0;
  };
  std::unordered_map<Key, PutRecord> records;
  std::unordered_map<Digest, Bytes> blobs;
  std::map<std::pair<std::string, Digest>, PutNote> notes;
  std::uint64_t bytes = 0;         ///< about what it takes in memory
  std::int64_t since = INT64_MAX;  ///< when the first of it was put

  bool empty() const { return records.empty() && notes.empty(); }
  std::size_t puts() const { return records.size() + notes.size(); }
};

/// Two connections: one writes, one reads, so that a reader never waits for a transaction. Mutexes are locked in the
/// order write, read, state; digests are computed outside of the last two.
struct SqliteStore::Impl {
  struct Connection {
    explicit Connection(std::unique_ptr<SQLite::Database> opened) : database(std::move(opened)), rows(*database) {}
    std::unique_ptr<SQLite::Database> database;
    RowReader rows;
  };
  /// Rows by id, and when they were used.
  using Uses = std::unordered_map<std::int64_t, std::int64_t>;
  struct Touches {
    Uses stale;  ///< the database's value is more than the granularity ago
    Uses fresh;  ///< only gc() needs to know
  };

  Impl(std::filesystem::path databaseFile, Options storeOptions);

  // Opening and healing.
  Result<void> open();
  Result<void> connect();
  /// Write mutex held. Empties the database when it is damaged; `seen` is the generation in which the caller failed.
  Result<void> heal(std::uint64_t seen, bool force);
  /// Runs `work(RowReader&)` on the reading connection; heals the database and tries again where that gives Corrupt.
  template <class Work>
  auto read(Work work) -> Result<std::invoke_result_t<Work, RowReader&>>;
  /// Write mutex held. Runs `work(RowWriter&)`, which gives a Result, in a transaction; heals as read() does.
  template <class Work>
  auto write(Work work) -> std::invoke_result_t<Work, RowWriter&>;

  // Batches.
  std::int64_t now();  ///< state mutex held; later than any before
  Result<void> accept();
  bool isFull();
  /// Write mutex held. Writes what was put; with `allTouches` also uses newer than the granularity.
  Result<void> writeBatch(bool allTouches);
  Result<void> writeRows(RowWriter& rows, const PutBatch& batch);
  Result<void> writeBlobs(RowWriter& rows, const PutBatch& batch, std::unordered_map<Digest, std::int64_t>& ids);
  void takeBack(const PutBatch& batch);
  static Uses takeUses(Touches& touches, bool withFresh);
  void touch(Touches& touches, std::int64_t id, std::int64_t lastUsed);

  // Reading and what is wrong with it.
  enum class Health { Sound, Absent, Damaged };
  struct CheckedBlob {
    Health health = Health::Absent;
    std::int64_t id = 0;
    Bytes bytes;
  };
  struct DroppedBlob {
    Health was = Health::Absent;
    std::uint64_t records = 0;
    Bytes bytes;  ///< when it was sound after all
  };
  std::filesystem::path blobFile(const Digest& digest) const;
  Result<CheckedBlob> checkBlob(const Digest& digest, std::optional<BlobRow> row);
  Result<CheckedBlob> readBlob(const Digest& digest);
  /// Drops a blob that was seen damaged or gone, if it still is, with its records.
  Result<DroppedBlob> dropBlob(const Digest& digest);
  Result<bool> dropRecord(const Key& key);
  Result<bool> dropNote(std::string_view kind, const Digest& digest);

  // gc() and verify().
  struct RowKey {
    std::int64_t id = 0;
    std::optional<Digest> digest;  ///< empty when the column is damaged
    std::string kind;              ///< notes only
  };
  Result<void> dropNotesAbove(std::size_t limit, GcResult& result);  ///< write mutex held
  Result<void> forEachRow(const char* query, const std::function<Result<void>(RowKey)>& each);
  Result<bool> checkStructure();
  Result<void> dropUnnamed(const char* table, std::int64_t id);
  Result<void> verifyBlob(const RowKey& key, VerifyResult& result);
  Result<void> verifyRecord(const RowKey& key, VerifyResult& result);
  Result<void> verifyNote(const RowKey& key, VerifyResult& result);

  std::filesystem::path file;
  std::filesystem::path blobFolder;
  Options options;

  std::mutex writeMutex;
  std::unique_ptr<Connection> writer;
  std::unique_ptr<RowWriter> writerRows;

  std::mutex readMutex;
  std::unique_ptr<Connection> reader;
  std::uint64_t generation = 0;  ///< how often the database was healed; changed with both mutexes held

  std::mutex stateMutex;
  PutBatch pending;
  std::shared_ptr<const PutBatch> flushing;  ///< being written; still answers
  Touches touchedRecords, touchedNotes;
  std::int64_t lastTime = 0;
};

template <class Work>
auto SqliteStore::Impl::read(Work work) -> Result<std::invoke_result_t<Work, RowReader&>> {
  using Value = std::invoke_result_t<Work, RowReader&>;
  for (int attempt = 0;; ++attempt) {
    std::uint64_t seen = 0;
    Result<Value> result = [&] {
      const std::lock_guard lock(readMutex);
      seen = generation;
      if (!reader) return Result<Value>(fail(ErrorCode::Io, "the database could not be opened again"));
      return guarded([&] { return Result<Value>(work(reader->rows)); });
    }();
    if (result || result.error().code != ErrorCode::Corrupt || attempt == 2) return result;
    const std::lock_guard lock(writeMutex);
    SIMMER_CHECK(heal(seen, attempt > 0));
  }
}

template <class Work>
auto SqliteStore::Impl::write(Work work) -> std::invoke_result_t<Work, RowWriter&> {
  using Outcome = std::invoke_result_t<Work, RowWriter&>;
  for (int attempt = 0;; ++attempt) {
    if (!writer) return fail(ErrorCode::Io, "the database could not be opened again");
    Outcome result = guarded([&]() -> Outcome {
      DatabaseTransaction transaction(*writer->database);
      Outcome outcome = work(*writerRows);
      if (outcome) transaction.commit();
      return outcome;
    });
    if (result || result.error().code != ErrorCode::Corrupt || attempt == 2) return result;
    SIMMER_CHECK(heal(generation, attempt > 0));
  }
}

}  // namespace simmer
