#include "cache/sqlite_store_impl.h"

#include <chrono>

#include "cooker/base/file.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBatchBytes = std::uint64_t{16} << 20;
constexpr std::int64_t kBatchAge = 1'000'000;  // microseconds: a slow cook loses little in a crash

std::int64_t systemClock() {
  using namespace std::chrono;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

/// Moves what is not in `to` yet.
template <class Map>
void mergeOlder(const Map& from, Map& to) {
  for (const auto& [key, value] : from) to.try_emplace(key, value);
}

}  // namespace

SqliteStore::Impl::Impl(fs::path databaseFile, Options storeOptions)
    : file(std::move(databaseFile)), blobFolder(file.parent_path() / "blobs"), options(std::move(storeOptions)) {
  if (!options.clock) options.clock = systemClock;
  options.batch = std::max<std::size_t>(options.batch, 1);
}

Result<void> SqliteStore::Impl::open() {
  const std::lock_guard writeLock(writeMutex);
  auto connected = connect();
  if (connected || connected.error().code != ErrorCode::Corrupt) return connected;
  return heal(generation, false);
}

/// Replaces both connections. At the start and by heal() only.
Result<void> SqliteStore::Impl::connect() {
  const std::lock_guard readLock(readMutex);
  writerRows.reset();
  writer.reset();
  reader.reset();
  SIMMER_TRY(forWriting, openDatabase(file, kCacheSchema, kCacheVersion));
  SIMMER_TRY(forReading, openDatabase(file, kCacheSchema, kCacheVersion));
  return guarded([&]() -> Result<void> {
    for (SQLite::Database* database : {forWriting.get(), forReading.get()})
      database->exec("PRAGMA cache_size = -32768");
    // Connections are set together: a half-open store would be used.
    auto newWriter = std::make_unique<Connection>(std::move(forWriting));
    auto newRows = std::make_unique<RowWriter>(*newWriter->database);
    reader = std::make_unique<Connection>(std::move(forReading));
    writer = std::move(newWriter);
    writerRows = std::move(newRows);
    return {};
  });
}

Result<void> SqliteStore::Impl::heal(std::uint64_t seen, bool force) {
  if (seen != generation) return {};  // another thread did
  {
    const std::lock_guard readLock(readMutex);
    const std::lock_guard stateLock(stateMutex);
    writerRows.reset();
    writer.reset();
    reader.reset();
    touchedRecords = {};
    touchedNotes = {};
    ++generation;
  }
  SIMMER_TRY(emptied, healDatabase(file, kCacheSchema, kCacheVersion, force));
  auto connected = connect();
  if (!connected && connected.error().code == ErrorCode::Corrupt && !emptied) {
    // Sound pages, but not our tables.
    SIMMER_TRY(forced, healDatabase(file, kCacheSchema, kCacheVersion, true));
    emptied = forced;
    connected = connect();
  }
  if (!connected || !emptied) return connected;
  return guarded([&]() -> Result<void> {
    DatabaseTransaction transaction(*writer->database);
    writerRows->count("corrupt_dropped", 1);
    transaction.commit();
    return {};
  });
}

std::int64_t SqliteStore::Impl::now() {
  lastTime = std::max(lastTime + 1, options.clock());
  return lastTime;
}

bool SqliteStore::Impl::isFull() {
  const std::lock_guard lock(stateMutex);
  return pending.puts() >= options.batch || pending.bytes >= kBatchBytes ||
         (!pending.empty() && options.clock() - pending.since >= kBatchAge);
}

/// Before a put: makes room where earlier batches could not be written.
Result<void> SqliteStore::Impl::accept() {
  {
    const std::lock_guard lock(stateMutex);
    if (pending.puts() < 4 * options.batch && pending.bytes < 4 * kBatchBytes) return {};
  }
  const std::lock_guard lock(writeMutex);
  return writeBatch(false);
}

SqliteStore::Impl::Uses SqliteStore::Impl::takeUses(Touches& touches, bool withFresh) {
  Uses taken = std::exchange(touches.stale, {});
  if (withFresh) taken.merge(std::exchange(touches.fresh, {}));
  return taken;
}

void SqliteStore::Impl::touch(Touches& touches, std::int64_t id, std::int64_t lastUsed) {
  const std::lock_guard lock(stateMutex);
  const std::int64_t used = now();
  if (used - lastUsed >= kUsedGranularity) {
    touches.stale[id] = used;
    return;
  }
  // What is stale already is written anyway, with the latest time.
  const auto stale = touches.stale.find(id);
  (stale != touches.stale.end() ? stale->second : touches.fresh[id]) = used;
}

void SqliteStore::Impl::takeBack(const PutBatch& batch) {
  const std::lock_guard lock(stateMutex);
  mergeOlder(batch.records, pending.records);
  mergeOlder(batch.blobs, pending.blobs);
  mergeOlder(batch.notes, pending.notes);
  pending.bytes += batch.bytes;
  pending.since = std::min(pending.since, batch.since);
}

Result<void> SqliteStore::Impl::writeBatch(bool allTouches) {
  std::shared_ptr<const PutBatch> batch;
  Uses records, notes;
  {
    const std::lock_guard lock(stateMutex);
    records = takeUses(touchedRecords, allTouches);
    notes = takeUses(touchedNotes, allTouches);
    if (pending.empty() && records.empty() && notes.empty()) return {};
    batch = flushing = std::make_shared<const PutBatch>(std::exchange(pending, PutBatch{}));
  }
  const auto written = write([&](RowWriter& rows) -> Result<void> {
    for (const auto& [id, used] : records) rows.touchRecord(id, used);
    for (const auto& [id, used] : notes) rows.touchNote(id, used);
    return writeRows(rows, *batch);
  });
  // Uses are dropped where that failed: they only decide what is forgotten first. Puts are tried again.
  if (!written) takeBack(*batch);
  const std::lock_guard lock(stateMutex);
  flushing.reset();
  return written;
}

Result<void> SqliteStore::Impl::writeBlobs(RowWriter& rows, const PutBatch& batch,
                                           std::unordered_map<Digest, std::int64_t>& ids) {
  for (const auto& [digest, bytes] : batch.blobs) {
    const bool inFile = bytes.size() > kBlobInDatabase;
    const auto put = rows.putBlob({digest, bytes.size()}, inFile ? nullptr : &bytes);
    if (put.id == 0) return fail(ErrorCode::Corrupt, "the database is damaged: a blob can not be found again");
    ids.emplace(digest, put.id);
    if (!inFile) continue;
    // Files are made and removed only while the database's write lock is held, so that no other process removes one
    // that a record is about to need.
    std::error_code error;
    const fs::path path = blobFile(digest);
    if (!put.isNew && fs::file_size(path, error) == bytes.size() && !error) continue;
    if (auto done = writeFileAtomically(path, bytes); !done)
      return fail(ErrorCode::Io, "a blob of {} bytes can not be kept: {}", bytes.size(), done.error().message);
  }
  return {};
}

Result<void> SqliteStore::Impl::writeRows(RowWriter& rows, const PutBatch& batch) {
  std::unordered_map<Digest, std::int64_t> ids;
  SIMMER_CHECK(writeBlobs(rows, batch, ids));
  std::vector<std::int64_t> blobs;
  for (const auto& [key, put] : batch.records) {
    blobs.clear();
    for (const BlobRef& ref : put.record.blobs) blobs.push_back(ids.at(ref.digest));
    rows.putRecord(key, put.record, blobs, put.used);
  }
  for (const auto& [key, put] : batch.notes) rows.putNote(key.first, key.second, put.text, put.used);
  return {};
}

fs::path SqliteStore::Impl::blobFile(const Digest& digest) const {
  const std::string hex = digest.hex();
  return blobFolder / hex.substr(0, 2) / hex.substr(2);
}

Result<SqliteStore::Impl::CheckedBlob> SqliteStore::Impl::checkBlob(const Digest& digest, std::optional<BlobRow> row) {
  if (!row) return CheckedBlob{};
  CheckedBlob checked{Health::Damaged, row->id, {}};
  if (row->data) {
    checked.bytes = std::move(*row->data);
  } else {
    auto bytes = readFile(blobFile(digest), row->bytes);
    if (!bytes && bytes.error().code == ErrorCode::Io) return tl::unexpected(std::move(bytes).error());
    if (!bytes && bytes.error().code == ErrorCode::NotFound) checked.health = Health::Absent;
    if (!bytes) return checked;
    checked.bytes = std::move(*bytes);
  }
  if (checked.bytes.size() == row->bytes && sha256(checked.bytes) == digest) checked.health = Health::Sound;
  return checked;
}

Result<SqliteStore::Impl::CheckedBlob> SqliteStore::Impl::readBlob(const Digest& digest) {
  SIMMER_TRY(row, read([&](RowReader& rows) { return rows.blob(digest); }));
  return checkBlob(digest, std::move(row));
}

Result<SqliteStore::Impl::DroppedBlob> SqliteStore::Impl::dropBlob(const Digest& digest) {
  const std::lock_guard lock(writeMutex);
  return write([&](RowWriter& rows) -> Result<DroppedBlob> {
    // Another thread or process may have put it again since it was seen.
    SIMMER_TRY(checked, checkBlob(digest, writer->rows.blob(digest)));
    DroppedBlob dropped{checked.health, 0, {}};
    if (checked.health == Health::Sound) {
      dropped.bytes = std::move(checked.bytes);
      return dropped;
    }
    if (checked.id == 0) return dropped;
    dropped.records = rows.dropBlobAndRecords(checked.id);
    rows.count("corrupt_dropped", 1);
    std::error_code ignored;  // a file that stays is an orphan, which gc() removes
    fs::remove(blobFile(digest), ignored);
    return dropped;
  });
}

Result<bool> SqliteStore::Impl::dropRecord(const Key& key) {
  const std::lock_guard lock(writeMutex);
  return write([&](RowWriter& rows) -> Result<bool> {
    const auto row = writer->rows.record(key);
    if (!row || row->sound(key)) return false;
    rows.dropRecord(row->id);
    rows.count("corrupt_dropped", 1);
    return true;
  });
}

Result<bool> SqliteStore::Impl::dropNote(std::string_view kind, const Digest& digest) {
  const std::lock_guard lock(writeMutex);
  return write([&](RowWriter& rows) -> Result<bool> {
    const auto row = writer->rows.note(kind, digest);
    const Digest expected = noteChecksum(kind, digest, row ? row->text : std::string());
    if (!row || row->checksum == Bytes(expected.bytes.begin(), expected.bytes.end())) return false;
    rows.dropNote(row->id);
    rows.count("corrupt_dropped", 1);
    return true;
  });
}

}  // namespace simmer
