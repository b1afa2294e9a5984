#pragma once

#include <filesystem>
#include <memory>

#include "cooker/base/result.h"

namespace SQLite {
class Database;
}

namespace simmer {

/// Opens or makes a SQLite database as all of ours are: WAL, synchronous=NORMAL, a busy timeout of 10 s, 16 KiB pages,
/// foreign keys on. `schema` (SQL text) is run when the database is new; its version stands in user_version. Io when
/// the folder can not be written or is on a network file system, where SQLite's locks do not hold (the message says
/// what to do); Corrupt when the file is no database; Unsupported when its version is above `version`.
Result<std::unique_ptr<SQLite::Database>> openDatabase(const std::filesystem::path& file, const char* schema,
                                                       int version);

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
