#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "cache/store.h"

namespace simmer {

/// A store in a SQLite database (schema.sql beside this file). Blobs up to 1 MiB stand in the database, larger ones as
/// files named by their digest in a folder beside it. Several processes may use one database at once.
///
/// Puts are collected and written in batches; they are visible to this store at once, to others when they are written.
/// A crash loses the last batch and never leaves a half. Damage to the database's own structure empties it.
class SqliteStore : public Store {
 public:
  struct Options {
    std::uint64_t limitBytes = std::uint64_t{10} << 30;  ///< gc() keeps the blobs below this
    std::size_t batch = 100;                             ///< puts to one transaction
    std::size_t limitNotes = 1'000'000;                  ///< gc() keeps the notes used last
    std::function<std::int64_t()> clock;                 ///< microseconds since 1970; the system's clock when empty
  };
  struct VerifyResult {
    std::uint64_t checked = 0;         ///< blobs that were read
    std::vector<Digest> corrupt;       ///< blobs that were dropped
    std::uint64_t missing = 0;         ///< records dropped because a blob of theirs was not there
    std::uint64_t corruptRecords = 0;  ///< records dropped because their own text was damaged
    std::uint64_t corruptNotes = 0;
    bool rebuilt = false;  ///< the database's own structure was damaged, and it was emptied
    bool ok() const { return corrupt.empty() && missing == 0 && corruptRecords == 0 && corruptNotes == 0 && !rebuilt; }
  };
  struct GcResult {
    std::uint64_t recordsDropped = 0;
    std::uint64_t blobsDropped = 0;
    std::uint64_t notesDropped = 0;
    std::uint64_t bytesFreed = 0;
    std::uint64_t bytesKept = 0;
  };

  /// Opens or makes the database. Io when the folder can not be written or lies on a network file system (the message
  /// says what to do); Unsupported when a newer Simmer wrote it; a file that is no database is moved aside (".corrupt")
  /// and made anew, since a cache may be deleted at any time.
  static Result<std::unique_ptr<SqliteStore>> open(const std::filesystem::path& file, const Options& options);
  static Result<std::unique_ptr<SqliteStore>> open(const std::filesystem::path& file) { return open(file, Options{}); }
  ~SqliteStore() override;

  Result<std::optional<Record>> find(const Key& key) override;
  Result<std::optional<Bytes>> blob(const Digest& digest) override;
  Result<void> put(const Key& key, const Record& record, const std::vector<Bytes>& blobs) override;
  Result<std::optional<std::string>> note(std::string_view kind, const Digest& digest) override;
  Result<void> putNote(std::string_view kind, const Digest& digest, std::string_view text) override;
  Result<void> flush() override;

  Result<StoreStats> stats();
  /// Reads every blob, record and note and checks its digest; drops what is damaged. `progress` is called with a
  /// fraction of 0 to 1.
  Result<VerifyResult> verify(const std::function<void(double)>& progress = {});
  /// Drops the least recently used records until the blobs fit the limit, then blobs and files that nothing needs, and
  /// gives the space back. Never drops a key of `inUse`.
  Result<GcResult> gc(const std::set<Key>& inUse);
  Result<GcResult> gc(const std::set<Key>& inUse, std::uint64_t limitBytes);
  /// Whether the blobs or notes are above their limits, so that gc() is worth its time. Cheap.
  Result<bool> wantsGc();

 private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace simmer
