#include "cache/sqlite_store.h"

#include "cache/sqlite_store_impl.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxText = std::size_t{256} << 20;

/// Bytes of all files below a folder; 0 when it is not there.
std::uint64_t folderBytes(const fs::path& folder) {
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) sum += at->file_size(ignored);
  }
  return sum;
}

std::uint64_t number(SQLite::Database& database, const char* query) {
  return static_cast<std::uint64_t>(database.execAndGet(query).getInt64());
}

}  // namespace

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

SqliteStore::~SqliteStore() {
  // Nobody is left to hear of a failure; what could not be kept is cooked again.
  [[maybe_unused]] const auto flushed = flush();
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const fs::path& file, const Options& options) {
  auto impl = std::make_unique<Impl>(file, options);
  SIMMER_CHECK(impl->open());
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(impl)));
}

Result<void> SqliteStore::flush() {
  const std::lock_guard lock(m_impl->writeMutex);
  return m_impl->writeBatch(false);
}

Result<void> SqliteStore::put(const Key& key, const Record& record, const std::vector<Bytes>& blobs) {
  SIMMER_CHECK(checkPut(key, record, blobs));
  if (record.keyText.size() + record.meta.size() > kMaxText)
    return fail(ErrorCode::InvalidInput, "the record has {} bytes of text, at most {} are kept",
                record.keyText.size() + record.meta.size(), kMaxText);
  SIMMER_CHECK(m_impl->accept());
  {
    const std::lock_guard lock(m_impl->stateMutex);
    PutBatch& batch = m_impl->pending;
    const std::int64_t used = m_impl->now();
    for (std::size_t i = 0; i < blobs.size(); ++i)
      if (batch.blobs.try_emplace(record.blobs[i].digest, blobs[i]).second) batch.bytes += blobs[i].size();
    batch.bytes += record.keyText.size() + record.meta.size();
    batch.records.insert_or_assign(key, PutBatch::PutRecord{record, used});
    batch.since = std::min(batch.since, used);
  }
  return m_impl->isFull() ? flush() : Result<void>();
}

Result<void> SqliteStore::putNote(std::string_view kind, const Digest& digest, std::string_view text) {
  if (text.size() > kMaxText)
    return fail(ErrorCode::InvalidInput, "the note has {} bytes, at most {} are kept", text.size(), kMaxText);
  SIMMER_CHECK(m_impl->accept());
  {
    const std::lock_guard lock(m_impl->stateMutex);
    PutBatch& batch = m_impl->pending;
    const std::int64_t used = m_impl->now();
    batch.bytes += text.size();
    batch.notes.insert_or_assign({std::string(kind), digest}, PutBatch::PutNote{std::string(text), used});
    batch.since = std::min(batch.since, used);
  }
  return m_impl->isFull() ? flush() : Result<void>();
}

Result<std::optional<Record>> SqliteStore::find(const Key& key) {
  {
    const std::lock_guard lock(m_impl->stateMutex);
    if (const auto found = m_impl->pending.records.find(key); found != m_impl->pending.records.end()) {
      found->second.used = m_impl->now();
      return found->second.record;
    }
    if (m_impl->flushing)
      if (const auto found = m_impl->flushing->records.find(key); found != m_impl->flushing->records.end())
        return found->second.record;
  }
  SIMMER_TRY(row, m_impl->read([&](RowReader& rows) { return rows.record(key); }));
  if (!row) return std::nullopt;
  if (!row->sound(key)) {
    SIMMER_CHECK(m_impl->dropRecord(key));
    return std::nullopt;
  }
  m_impl->touch(m_impl->touchedRecords, row->id, row->used);
  return std::move(row->record);
}

Result<std::optional<Bytes>> SqliteStore::blob(const Digest& digest) {
  {
    const std::lock_guard lock(m_impl->stateMutex);
    if (const auto found = m_impl->pending.blobs.find(digest); found != m_impl->pending.blobs.end())
      return found->second;
    if (m_impl->flushing)
      if (const auto found = m_impl->flushing->blobs.find(digest); found != m_impl->flushing->blobs.end())
        return found->second;
  }
  SIMMER_TRY(checked, m_impl->readBlob(digest));
  if (checked.health == Impl::Health::Sound) return std::move(checked.bytes);
  if (checked.id == 0) return std::nullopt;
  SIMMER_TRY(dropped, m_impl->dropBlob(digest));
  if (dropped.was == Impl::Health::Sound) return std::move(dropped.bytes);
  if (checked.health == Impl::Health::Absent) return std::nullopt;
  return fail(ErrorCode::Corrupt, "the stored bytes do not match their digest {}; they were dropped", digest.hex());
}

Result<std::optional<std::string>> SqliteStore::note(std::string_view kind, const Digest& digest) {
  {
    const std::lock_guard lock(m_impl->stateMutex);
    const std::pair<std::string, Digest> key(kind, digest);
    if (const auto found = m_impl->pending.notes.find(key); found != m_impl->pending.notes.end()) {
      found->second.used = m_impl->now();
      return found->second.text;
    }
    if (m_impl->flushing)
      if (const auto found = m_impl->flushing->notes.find(key); found != m_impl->flushing->notes.end())
        return found->second.text;
  }
  SIMMER_TRY(row, m_impl->read([&](RowReader& rows) { return rows.note(kind, digest); }));
  if (!row) return std::nullopt;
  const Digest expected = noteChecksum(kind, digest, row->text);
  if (!std::equal(row->checksum.begin(), row->checksum.end(), expected.bytes.begin(), expected.bytes.end())) {
    SIMMER_CHECK(m_impl->dropNote(kind, digest));
    return std::nullopt;
  }
  m_impl->touch(m_impl->touchedNotes, row->id, row->used);
  return std::move(row->text);
}

Result<StoreStats> SqliteStore::stats() {
  SIMMER_CHECK(flush());
  SIMMER_TRY(stats, m_impl->read([&](RowReader&) {
    SQLite::Database& database = *m_impl->reader->database;
    StoreStats counted;
    counted.records = number(database, "SELECT count(*) FROM records");
    counted.notes = number(database, "SELECT count(*) FROM notes");
    counted.blobs = number(database, "SELECT count(*) FROM blobs");
    counted.blobBytes = number(database, "SELECT coalesce(sum(bytes), 0) FROM blobs");
    counted.corruptDropped =
        number(database, "SELECT coalesce(sum(value), 0) FROM counters WHERE name = 'corrupt_dropped'");
    return counted;
  }));
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(m_impl->file.string() + suffix, error);
    if (!error) stats.fileBytes += bytes;
  }
  stats.fileBytes += folderBytes(m_impl->blobFolder);
  return stats;
}

Result<bool> SqliteStore::wantsGc() {
  return m_impl->read([&](RowReader&) {
    SQLite::Database& database = *m_impl->reader->database;
    return number(database, "SELECT coalesce(sum(bytes), 0) FROM blobs") > m_impl->options.limitBytes ||
           number(database, "SELECT count(*) FROM notes") > m_impl->options.limitNotes;
  });
}

Result<SqliteStore::GcResult> SqliteStore::gc(const std::set<Key>& inUse) {
  return gc(inUse, m_impl->options.limitBytes);
}

}  // namespace simmer
