#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include "cache/store.h"

namespace simmer {

/// What a record's checksum is made of: key, blobs and meta (the key text is checked against the key itself).
Digest recordChecksum(const Key& key, const Record& record);
Digest noteChecksum(std::string_view kind, const Digest& digest, std::string_view text);

struct RecordRow {
  std::int64_t id = 0;
  std::int64_t used = 0;
  Record record;
  bool linksSound = true;  ///< every link leads to a blob
  Bytes checksum;

  bool sound(const Key& key) const;
};

struct BlobRow {
  std::int64_t id = 0;
  std::uint64_t bytes = 0;
  std::optional<Bytes> data;  ///< empty when they stand in a file
};

struct NoteRow {
  std::int64_t id = 0;
  std::int64_t used = 0;
  Bytes checksum;
  std::string text;
};

/// The look-ups of one connection, prepared once. Not for several threads at a time. All of it throws as SQLiteCpp
/// does.
class RowReader {
 public:
  explicit RowReader(SQLite::Database& database);
  std::optional<RecordRow> record(const Key& key);
  std::optional<BlobRow> blob(const Digest& digest);
  std::optional<NoteRow> note(std::string_view kind, const Digest& digest);

 private:
  SQLite::Statement m_record, m_blob, m_note;
};

/// The changes, for use inside a transaction.
class RowWriter {
 public:
  struct PutBlob {
    std::int64_t id = 0;
    bool isNew = false;
  };
  struct DroppedBlob {
    Digest digest;
    std::uint64_t bytes = 0;
    bool inFile = false;
  };

  explicit RowWriter(SQLite::Database& database);
  /// `data` is null for a blob that stands in a file. A blob that is there stays as it is.
  PutBlob putBlob(const BlobRef& ref, const Bytes* data);
  void putRecord(const Key& key, const Record& record, const std::vector<std::int64_t>& blobs, std::int64_t used);
  void putNote(const std::string& kind, const Digest& digest, const std::string& text, std::int64_t used);
  void touchRecord(std::int64_t id, std::int64_t used);
  void touchNote(std::int64_t id, std::int64_t used);
  /// Drops the record unless it was used after `used`; true when it did.
  bool dropRecord(std::int64_t id, std::int64_t used = INT64_MAX);
  bool dropNote(std::int64_t id);
  /// Drops the blob with every record that needs it; gives how many those were.
  std::uint64_t dropBlobAndRecords(std::int64_t id);
  /// Drops the blob if no record needs it.
  std::optional<DroppedBlob> dropUnusedBlob(std::int64_t id);
  void count(const std::string& counter, std::int64_t more);

 private:
  SQLite::Database& m_database;
  SQLite::Statement m_insertBlob, m_blobId, m_putRecord, m_dropLinks, m_putLink, m_putNote, m_touchRecord, m_touchNote;
  SQLite::Statement m_dropRecord, m_dropNote, m_dropRecordsOf, m_dropBlob, m_dropUnusedBlob, m_count;
};

/// Ends a statement's read when it goes out of scope, so that it does not hold back a checkpoint.
class StatementUse {
 public:
  explicit StatementUse(SQLite::Statement& statement) : m_statement(statement) {}
  ~StatementUse() { m_statement.tryReset(); }
  StatementUse(const StatementUse&) = delete;
  StatementUse& operator=(const StatementUse&) = delete;
  SQLite::Statement* operator->() { return &m_statement; }

 private:
  SQLite::Statement& m_statement;
};

/// A column's bytes, whatever its type: a text may hold zeros.
ByteView columnBytes(SQLite::Statement& statement, int column);
/// A column of 32 bytes, or nothing.
std::optional<Digest> columnDigest(SQLite::Statement& statement, int column);

}  // namespace simmer
