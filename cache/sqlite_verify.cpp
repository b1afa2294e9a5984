#include "cache/sqlite_store_impl.h"

namespace simmer {
namespace {

// Which tables are gone through, and how to step from row to row.
constexpr char kNextBlob[] = "SELECT id, digest FROM blobs WHERE id > ? ORDER BY id LIMIT 1";
constexpr char kNextRecord[] = "SELECT id, key FROM records WHERE id > ? ORDER BY id LIMIT 1";
constexpr char kNextNote[] = "SELECT id, digest, kind FROM notes WHERE id > ? ORDER BY id LIMIT 1";

class Progress {
 public:
  Progress(const std::function<void(double)>& report, std::uint64_t total) : m_report(report), m_total(total) {}
  void oneMore() {
    ++m_done;
    if (m_report) m_report(m_total == 0 ? 1.0 : std::min(1.0, double(m_done) / double(m_total)));
  }

 private:
  const std::function<void(double)>& m_report;
  std::uint64_t m_total;
  std::uint64_t m_done = 0;
};

}  // namespace

/// Calls `each` for every row of a table, with no lock held: others go on working.
Result<void> SqliteStore::Impl::forEachRow(const char* query, const std::function<Result<void>(RowKey)>& each) {
  for (std::int64_t after = INT64_MIN;;) {
    SIMMER_TRY(row, read([&](RowReader&) -> std::optional<RowKey> {
                 SQLite::Statement next(*reader->database, query);
                 next.bind(1, after);
                 if (!next.executeStep()) return std::nullopt;
                 RowKey key{next.getColumn(0).getInt64(), columnDigest(next, 1), {}};
                 if (next.getColumnCount() > 2) key.kind = asText(columnBytes(next, 2));
                 return key;
               }));
    if (!row) return {};
    after = row->id;
    SIMMER_CHECK(each(*row));
  }
}

/// Checks the database's own structure: mends indexes, or empties it. True when it was emptied.
Result<bool> SqliteStore::Impl::checkStructure() {
  const std::lock_guard lock(writeMutex);
  const auto sound = [&] {
    return guarded([&]() -> Result<bool> {
      return writer->database->execAndGet("PRAGMA integrity_check(1)").getString() == "ok";
    });
  };
  if (!writer) return fail(ErrorCode::Io, "the database could not be opened again");
  auto answer = sound();
  if (answer && *answer) return false;
  if (!answer && answer.error().code != ErrorCode::Corrupt) return answer;
  writer->database->tryExec("REINDEX");
  answer = sound();
  if (answer && *answer) return false;
  SIMMER_CHECK(heal(generation, true));
  return true;
}

/// Drops a row whose own name is damaged, so that it can not be asked for.
Result<void> SqliteStore::Impl::dropUnnamed(const char* table, std::int64_t id) {
  const std::lock_guard lock(writeMutex);
  return write([&](RowWriter& rows) -> Result<void> {
    if (table == std::string_view("blobs")) {
      rows.dropBlobAndRecords(id);
    } else {
      SQLite::Statement drop(*writer->database, fmt::format("DELETE FROM {} WHERE id = ?", table));
      drop.bind(1, id);
      drop.exec();
    }
    rows.count("corrupt_dropped", 1);
    return {};
  });
}

Result<void> SqliteStore::Impl::verifyBlob(const RowKey& key, VerifyResult& result) {
  ++result.checked;
  if (!key.digest) {
    result.corrupt.push_back(Digest{});
    return dropUnnamed("blobs", key.id);
  }
  SIMMER_TRY(checked, readBlob(*key.digest));
  if (checked.health == Health::Sound || checked.id == 0) return {};
  SIMMER_TRY(dropped, dropBlob(*key.digest));
  if (dropped.was == Health::Damaged) result.corrupt.push_back(*key.digest);
  if (dropped.was == Health::Absent) result.missing += dropped.records;
  return {};
}

Result<void> SqliteStore::Impl::verifyRecord(const RowKey& key, VerifyResult& result) {
  if (!key.digest) {
    ++result.corruptRecords;
    return dropUnnamed("records", key.id);
  }
  SIMMER_TRY(row, read([&](RowReader& rows) { return rows.record(*key.digest); }));
  if (!row || row->sound(*key.digest)) return {};
  SIMMER_TRY(dropped, dropRecord(*key.digest));
  if (!dropped) return {};
  // The text may be sound and only a link lead to nothing.
  ++(row->linksSound ? result.corruptRecords : result.missing);
  return {};
}

Result<void> SqliteStore::Impl::verifyNote(const RowKey& key, VerifyResult& result) {
  if (!key.digest) {
    ++result.corruptNotes;
    return dropUnnamed("notes", key.id);
  }
  SIMMER_TRY(dropped, dropNote(key.kind, *key.digest));
  result.corruptNotes += dropped ? 1 : 0;
  return {};
}

Result<SqliteStore::VerifyResult> SqliteStore::verify(const std::function<void(double)>& progress) {
  Impl& impl = *m_impl;
  VerifyResult result;
  SIMMER_CHECK(flush());
  SIMMER_TRY(rebuilt, impl.checkStructure());
  result.rebuilt = rebuilt;
  SIMMER_TRY(counts, stats());
  Progress report(progress, counts.blobs + counts.records + counts.notes);
  using RowKey = Impl::RowKey;
  const auto each = [&](auto check) {
    return [&, check](const RowKey& key) -> Result<void> {
      SIMMER_CHECK((impl.*check)(key, result));
      report.oneMore();
      return {};
    };
  };
  SIMMER_CHECK(impl.forEachRow(kNextBlob, each(&Impl::verifyBlob)));
  SIMMER_CHECK(impl.forEachRow(kNextRecord, each(&Impl::verifyRecord)));
  SIMMER_CHECK(impl.forEachRow(kNextNote, each(&Impl::verifyNote)));
  if (progress) progress(1.0);
  return result;
}

}  // namespace simmer
