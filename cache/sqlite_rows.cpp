#include "cache/sqlite_rows.h"

#include <SQLiteCpp/Column.h>

namespace simmer {
namespace {

void bindBytes(SQLite::Statement& statement, int index, ByteView bytes) {
  statement.bindNoCopy(index, bytes.data(), static_cast<int>(bytes.size()));
}
void bindDigest(SQLite::Statement& statement, int index, const Digest& digest) {
  bindBytes(statement, index, digest.bytes);
}
std::int64_t columnNumber(SQLite::Statement& statement, int column) {
  return statement.getColumn(column).getInt64();
}
std::string columnText(SQLite::Statement& statement, int column) {
  return std::string(asText(columnBytes(statement, column)));
}
Bytes toBytes(ByteView view) {
  return {view.begin(), view.end()};
}
bool equal(ByteView left, ByteView right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

}  // namespace

ByteView columnBytes(SQLite::Statement& statement, int column) {
  const SQLite::Column value = statement.getColumn(column);
  const void* data = value.getBlob();  // before getBytes(), as SQLite asks
  return {static_cast<const std::uint8_t*>(data), static_cast<std::size_t>(value.getBytes())};
}

std::optional<Digest> columnDigest(SQLite::Statement& statement, int column) {
  const auto digest = Digest::fromBytes(columnBytes(statement, column));
  return digest ? std::optional(*digest) : std::nullopt;
}

Digest recordChecksum(const Key& key, const Record& record) {
  ByteWriter text;
  text.putBytes(key.bytes);
  text.put(static_cast<std::uint64_t>(record.blobs.size()));
  for (const BlobRef& ref : record.blobs) {
    text.putBytes(ref.digest.bytes);
    text.put(ref.bytes);
  }
  text.putBytes(asBytes(record.meta));
  return sha256(text.take());
}

Digest noteChecksum(std::string_view kind, const Digest& digest, std::string_view text) {
  ByteWriter all;
  all.putText(kind);
  all.putBytes(digest.bytes);
  all.putBytes(asBytes(text));
  return sha256(all.take());
}

bool RecordRow::sound(const Key& key) const {
  return linksSound && sha256(record.keyText) == key && equal(checksum, recordChecksum(key, record).bytes);
}

RowReader::RowReader(SQLite::Database& database)
    : m_record(database,
               "SELECT r.id, r.used, r.checksum, r.key_text, r.meta, l.record, b.digest, b.bytes FROM records AS r "
               "LEFT JOIN record_blobs AS l ON l.record = r.id LEFT JOIN blobs AS b ON b.id = l.blob "
               "WHERE r.key = ? ORDER BY l.position"),
      m_blob(database, "SELECT id, bytes, data FROM blobs WHERE digest = ?"),
      m_note(database, "SELECT id, used, checksum, text FROM notes WHERE kind = ? AND digest = ?") {}

std::optional<RecordRow> RowReader::record(const Key& key) {
  StatementUse use(m_record);
  bindDigest(m_record, 1, key);
  if (!use->executeStep()) return std::nullopt;
  RecordRow row;
  row.id = columnNumber(m_record, 0);
  row.used = columnNumber(m_record, 1);
  row.checksum = toBytes(columnBytes(m_record, 2));
  row.record.keyText = columnText(m_record, 3);
  row.record.meta = columnText(m_record, 4);
  if (m_record.isColumnNull(5)) return row;
  do {
    const auto digest = columnDigest(m_record, 6);
    if (!digest) row.linksSound = false;
    row.record.blobs.push_back({digest.value_or(Digest{}), static_cast<std::uint64_t>(columnNumber(m_record, 7))});
  } while (use->executeStep());
  return row;
}

std::optional<BlobRow> RowReader::blob(const Digest& digest) {
  StatementUse use(m_blob);
  bindDigest(m_blob, 1, digest);
  if (!use->executeStep()) return std::nullopt;
  BlobRow row{columnNumber(m_blob, 0), static_cast<std::uint64_t>(columnNumber(m_blob, 1)), std::nullopt};
  if (!m_blob.isColumnNull(2)) row.data = toBytes(columnBytes(m_blob, 2));
  return row;
}

std::optional<NoteRow> RowReader::note(std::string_view kind, const Digest& digest) {
  const std::string kindText(kind);
  StatementUse use(m_note);
  m_note.bindNoCopy(1, kindText);
  bindDigest(m_note, 2, digest);
  if (!use->executeStep()) return std::nullopt;
  return NoteRow{columnNumber(m_note, 0), columnNumber(m_note, 1), toBytes(columnBytes(m_note, 2)),
                 columnText(m_note, 3)};
}

RowWriter::RowWriter(SQLite::Database& database)
    : m_database(database),
      m_insertBlob(database, "INSERT INTO blobs (digest, bytes, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"),
      m_blobId(database, "SELECT id FROM blobs WHERE digest = ?"),
      m_putRecord(database,
                  "INSERT INTO records (key, used, checksum, key_text, meta) VALUES (?, ?, ?, ?, ?) "
                  "ON CONFLICT (key) DO UPDATE SET used = excluded.used, checksum = excluded.checksum, "
                  "key_text = excluded.key_text, meta = excluded.meta RETURNING id"),
      m_dropLinks(database, "DELETE FROM record_blobs WHERE record = ?"),
      m_putLink(database, "INSERT INTO record_blobs (record, position, blob) VALUES (?, ?, ?)"),
      m_putNote(database,
                "INSERT INTO notes (kind, digest, used, checksum, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, "
                "digest) DO UPDATE SET used = excluded.used, checksum = excluded.checksum, text = excluded.text"),
      m_touchRecord(database, "UPDATE records SET used = max(used, ?2) WHERE id = ?1"),
      m_touchNote(database, "UPDATE notes SET used = max(used, ?2) WHERE id = ?1"),
      m_dropRecord(database, "DELETE FROM records WHERE id = ? AND used <= ?"),
      m_dropNote(database, "DELETE FROM notes WHERE id = ?"),
      m_dropRecordsOf(database, "DELETE FROM records WHERE id IN (SELECT record FROM record_blobs WHERE blob = ?)"),
      m_dropBlob(database, "DELETE FROM blobs WHERE id = ?"),
      m_dropUnusedBlob(database,
                       "DELETE FROM blobs WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM record_blobs WHERE blob = ?1) "
                       "RETURNING digest, bytes, data IS NULL"),
      m_count(
          database,
          "INSERT INTO counters (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + ?2") {}

RowWriter::PutBlob RowWriter::putBlob(const BlobRef& ref, const Bytes* data) {
  {
    StatementUse use(m_insertBlob);
    bindDigest(m_insertBlob, 1, ref.digest);
    m_insertBlob.bind(2, static_cast<std::int64_t>(ref.bytes));
    // An empty blob is no NULL: that stands for a file.
    if (data == nullptr)
      m_insertBlob.bind(3);
    else
      m_insertBlob.bindNoCopy(3, data->empty() ? "" : static_cast<const void*>(data->data()),
                              static_cast<int>(data->size()));
    if (use->exec() == 1) return {m_database.getLastInsertRowid(), true};
  }
  StatementUse use(m_blobId);
  bindDigest(m_blobId, 1, ref.digest);
  if (!use->executeStep()) return {};
  return {columnNumber(m_blobId, 0), false};
}

void RowWriter::putRecord(const Key& key, const Record& record, const std::vector<std::int64_t>& blobs,
                          std::int64_t used) {
  std::int64_t id = 0;
  {
    const Digest checksum = recordChecksum(key, record);
    StatementUse use(m_putRecord);
    bindDigest(m_putRecord, 1, key);
    m_putRecord.bind(2, used);
    bindDigest(m_putRecord, 3, checksum);
    m_putRecord.bindNoCopy(4, record.keyText);
    m_putRecord.bindNoCopy(5, record.meta);
    use->executeStep();
    id = columnNumber(m_putRecord, 0);
  }
  StatementUse drop(m_dropLinks);
  drop->bind(1, id);
  drop->exec();
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    StatementUse use(m_putLink);
    use->bind(1, id);
    use->bind(2, static_cast<std::int64_t>(i));
    use->bind(3, blobs[i]);
    use->exec();
  }
}

void RowWriter::putNote(const std::string& kind, const Digest& digest, const std::string& text, std::int64_t used) {
  const Digest checksum = noteChecksum(kind, digest, text);
  StatementUse use(m_putNote);
  m_putNote.bindNoCopy(1, kind);
  bindDigest(m_putNote, 2, digest);
  m_putNote.bind(3, used);
  bindDigest(m_putNote, 4, checksum);
  m_putNote.bindNoCopy(5, text);
  use->exec();
}

void RowWriter::touchRecord(std::int64_t id, std::int64_t used) {
  StatementUse use(m_touchRecord);
  use->bind(1, id);
  use->bind(2, used);
  use->exec();
}

void RowWriter::touchNote(std::int64_t id, std::int64_t used) {
  StatementUse use(m_touchNote);
  use->bind(1, id);
  use->bind(2, used);
  use->exec();
}

bool RowWriter::dropRecord(std::int64_t id, std::int64_t used) {
  StatementUse use(m_dropRecord);
  use->bind(1, id);
  use->bind(2, used);
  return use->exec() > 0;
}

bool RowWriter::dropNote(std::int64_t id) {
  StatementUse use(m_dropNote);
  use->bind(1, id);
  return use->exec() > 0;
}

std::uint64_t RowWriter::dropBlobAndRecords(std::int64_t id) {
  StatementUse records(m_dropRecordsOf);
  records->bind(1, id);
  const int dropped = records->exec();
  StatementUse blob(m_dropBlob);
  blob->bind(1, id);
  blob->exec();
  return static_cast<std::uint64_t>(dropped);
}

std::optional<RowWriter::DroppedBlob> RowWriter::dropUnusedBlob(std::int64_t id) {
  StatementUse use(m_dropUnusedBlob);
  use->bind(1, id);
  if (!use->executeStep()) return std::nullopt;
  DroppedBlob dropped;
  dropped.digest = columnDigest(m_dropUnusedBlob, 0).value_or(Digest{});
  dropped.bytes = static_cast<std::uint64_t>(columnNumber(m_dropUnusedBlob, 1));
  dropped.inFile = columnNumber(m_dropUnusedBlob, 2) != 0;
  return dropped;
}

void RowWriter::count(const std::string& counter, std::int64_t more) {
  StatementUse use(m_count);
  m_count.bindNoCopy(1, counter);
  m_count.bind(2, more);
  use->exec();
}

}  // namespace simmer
