#include <algorithm>

#include "cache/sqlite_store_impl.h"
#include "cooker/base/file.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDropsPerTransaction = 500;  // so that another process does not wait long
constexpr int kPagesPerVacuum = 2'000;

struct BlobUse {
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
};

struct RecordUse {
  std::int64_t id = 0;
  std::int64_t used = 0;
};

/// What the database holds, small: read from indexes only.
struct Contents {
  std::vector<RecordUse> records;                            // least recently used first
  std::vector<std::pair<std::int64_t, std::int64_t>> links;  // record, blob; sorted
  std::unordered_map<std::int64_t, BlobUse> blobs;
  std::unordered_set<std::int64_t> inUse;  // records
  std::uint64_t bytes = 0;                 // of all blobs
};

struct Plan {
  std::vector<RecordUse> records;
  std::vector<std::int64_t> blobs;
};

Contents readContents(SQLite::Database& database, const std::set<Key>& inUse) {
  Contents contents;
  SQLite::Statement records(database, "SELECT id, used FROM records ORDER BY used, id");
  while (records.executeStep())
    contents.records.push_back({records.getColumn(0).getInt64(), records.getColumn(1).getInt64()});
  SQLite::Statement blobs(database, "SELECT id, bytes FROM blobs");
  while (blobs.executeStep()) {
    const auto bytes = static_cast<std::uint64_t>(blobs.getColumn(1).getInt64());
    contents.blobs[blobs.getColumn(0).getInt64()].bytes = bytes;
    contents.bytes += bytes;
  }
  SQLite::Statement links(database, "SELECT record, blob FROM record_blobs");
  while (links.executeStep()) contents.links.emplace_back(links.getColumn(0).getInt64(), links.getColumn(1).getInt64());
  std::sort(contents.links.begin(), contents.links.end());
  contents.links.erase(std::unique(contents.links.begin(), contents.links.end()), contents.links.end());
  for (const auto& [record, blob] : contents.links) ++contents.blobs[blob].records;
  SQLite::Statement key(database, "SELECT id FROM records WHERE key = ?");
  for (const Key& used : inUse) {
    StatementUse use(key);
    key.bindNoCopy(1, used.bytes.data(), static_cast<int>(used.bytes.size()));
    if (key.executeStep()) contents.inUse.insert(key.getColumn(0).getInt64());
  }
  return contents;
}

/// Strict: the record used longest ago goes first, whatever that frees. A blob counts once, and until the last record
/// that needs it is dropped.
Plan planDrops(Contents contents, std::uint64_t limit) {
  Plan plan;
  const auto drop = [&](std::int64_t id, const BlobUse& blob) {
    plan.blobs.push_back(id);
    contents.bytes -= blob.bytes;
  };
  for (const auto& [id, blob] : contents.blobs)
    if (blob.records == 0) drop(id, blob);
  for (const RecordUse& record : contents.records) {
    if (contents.bytes <= limit) break;
    if (contents.inUse.contains(record.id)) continue;
    plan.records.push_back(record);
    auto link = std::lower_bound(contents.links.begin(), contents.links.end(), std::pair(record.id, INT64_MIN));
    for (; link != contents.links.end() && link->first == record.id; ++link)
      if (BlobUse& blob = contents.blobs[link->second]; --blob.records == 0) drop(link->second, blob);
  }
  return plan;
}

/// Calls `each(rows, item)` for all items, some hundred to a transaction. `write` is SqliteStore::Impl::write().
template <class Item, class Write, class Each>
Result<void> inTransactions(const std::vector<Item>& items, Write write, Each each) {
  for (std::size_t from = 0; from < items.size(); from += kDropsPerTransaction) {
    SIMMER_CHECK(write([&](RowWriter& rows) -> Result<void> {
      for (std::size_t i = from; i < std::min(items.size(), from + kDropsPerTransaction); ++i) each(rows, items[i]);
      return {};
    }));
  }
  return {};
}

/// The digest that a file in the blob folder is named by.
std::optional<Digest> digestOf(const fs::path& file) {
  const auto digest = Digest::fromHex(file.parent_path().filename().string() + file.filename().string());
  return digest ? std::optional(*digest) : std::nullopt;
}

/// Removes blob files that the database does not know, and temporary ones that a crash left. The database's write lock
/// is held, so nobody is making any.
void removeOrphanFiles(const fs::path& folder, RowReader& rows, SqliteStore::GcResult& result) {
  std::vector<std::pair<fs::path, std::uint64_t>> orphans;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    const auto digest = digestOf(at->path());
    // What Simmer did not put there it leaves alone.
    if (!digest && !isTemporaryName(at->path().filename().string())) continue;
    const auto row = digest ? rows.blob(*digest) : std::nullopt;
    if (row && !row->data) continue;
    orphans.emplace_back(at->path(), at->file_size(ignored));
  }
  for (const auto& [path, bytes] : orphans) {
    if (!fs::remove(path, error)) continue;
    ++result.blobsDropped;
    result.bytesFreed += bytes;
  }
}

/// Gives free pages back to the file system, some at a time.
void vacuum(SQLite::Database& database) {
  const auto freePages = [&] { return database.execAndGet("PRAGMA freelist_count").getInt64(); };
  for (std::int64_t before = freePages(); before > 0;) {
    SQLite::Statement step(database, fmt::format("PRAGMA incremental_vacuum({})", kPagesPerVacuum));
    while (step.executeStep()) {
    }
    const std::int64_t after = freePages();
    if (after >= before) break;
    before = after;
  }
  // A reader may be in the way; then a later checkpoint does it.
  database.tryExec("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace

Result<void> SqliteStore::Impl::dropNotesAbove(std::size_t limit, GcResult& result) {
  return write([&](RowWriter& rows) -> Result<void> {
    std::vector<std::int64_t> ids;
    SQLite::Statement oldest(*writer->database,
                             "SELECT id FROM notes ORDER BY used, id LIMIT max(0, (SELECT count(*) FROM notes) - ?)");
    oldest.bind(1, static_cast<std::int64_t>(limit));
    while (oldest.executeStep()) ids.push_back(oldest.getColumn(0).getInt64());
    for (const std::int64_t id : ids) result.notesDropped += rows.dropNote(id) ? 1 : 0;
    return {};
  });
}

Result<SqliteStore::GcResult> SqliteStore::gc(const std::set<Key>& inUse, std::uint64_t limitBytes) {
  Impl& impl = *m_impl;
  const std::lock_guard lock(impl.writeMutex);
  SIMMER_CHECK(impl.writeBatch(true));
  const auto write = [&](auto work) { return impl.write(work); };
  SIMMER_TRY(plan, write([&](RowWriter&) -> Result<Plan> {
               return planDrops(readContents(*impl.writer->database, inUse), limitBytes);
             }));
  GcResult result;
  SIMMER_CHECK(inTransactions(plan.records, write, [&](RowWriter& rows, const RecordUse& record) {
    result.recordsDropped += rows.dropRecord(record.id, record.used) ? 1 : 0;
  }));
  SIMMER_CHECK(inTransactions(plan.blobs, write, [&](RowWriter& rows, std::int64_t id) {
    const auto dropped = rows.dropUnusedBlob(id);
    if (!dropped) return;
    ++result.blobsDropped;
    result.bytesFreed += dropped->bytes;
    std::error_code ignored;
    if (dropped->inFile) std::filesystem::remove(impl.blobFile(dropped->digest), ignored);
  }));
  SIMMER_CHECK(impl.dropNotesAbove(impl.options.limitNotes, result));
  SIMMER_CHECK(write([&](RowWriter&) -> Result<void> {
    removeOrphanFiles(impl.blobFolder, impl.writer->rows, result);
    SQLite::Database& database = *impl.writer->database;
    const std::int64_t kept = database.execAndGet("SELECT coalesce(sum(bytes), 0) FROM blobs").getInt64();
    result.bytesKept = static_cast<std::uint64_t>(kept);
    return {};
  }));
  SIMMER_CHECK(guarded([&]() -> Result<void> {
    vacuum(*impl.writer->database);
    return {};
  }));
  return result;
}

}  // namespace simmer
