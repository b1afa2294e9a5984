#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "cooker/base/result.h"

namespace SQLite {
class Database;
}

namespace simmer {

/// Opens or makes a SQLite database as all of ours are: WAL, synchronous=NORMAL, a busy timeout of 10 s, 16 KiB pages,
/// foreign keys on, incremental vacuum. `schema` (SQL text) is run when the database is new; its version stands in
/// user_version. Io when the folder can not be written or is on a network file system, where SQLite's locks do not hold
/// (the message says what to do); Corrupt when the file is no database; Unsupported when its version is above
/// `version`. An older one is brought up to date by `upgrades` (SQL texts, the first one from version 1 to 2) where
/// there is one for each step, and is Unsupported else.
Result<std::unique_ptr<SQLite::Database>> openDatabase(const std::filesystem::path& file, const char* schema,
                                                       int version, std::span<const char* const> upgrades = {});

/// Finds out whether a database whose use gave Corrupt is damaged, and empties it then; with `force` in any case. One
/// that can not be opened is moved aside (".corrupt") and made anew. True when nothing of the old content is left.
/// Other processes may go on using the database meanwhile. No connection of the caller may be in a transaction.
Result<bool> healDatabase(const std::filesystem::path& file, const char* schema, int version, bool force);

/// Io, with advice, when SQLite's locks do not hold on file systems of this type (f_type of statfs(2)).
Result<void> checkFileSystem(std::int64_t type);

/// A write transaction: begun with its lock at once, rolled back unless commit() was reached. Throws as SQLiteCpp does:
/// use it inside guarded().
class DatabaseTransaction {
 public:
  explicit DatabaseTransaction(SQLite::Database& database);
  ~DatabaseTransaction();
  DatabaseTransaction(const DatabaseTransaction&) = delete;
  DatabaseTransaction& operator=(const DatabaseTransaction&) = delete;
  void commit();

 private:
  SQLite::Database& m_database;
  bool m_done = false;
};

/// Runs `work` (any callable giving a Result) and turns SQLite's exceptions into Io or Corrupt errors.
template <class Work>
auto guarded(Work work) -> decltype(work());

/// The error that the exception now being handled stands for. Only inside a catch block.
Error currentDatabaseError();

template <class Work>
auto guarded(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    return tl::unexpected(currentDatabaseError());
  }
}

}  // namespace simmer
