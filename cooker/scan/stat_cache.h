#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cooker/base/bytes.h"
#include "cooker/base/digest.h"
#include "cooker/base/result.h"
#include "cooker/scan/walk.h"

namespace SQLite {
class Database;
}

namespace simmer {

/// Remembers the digest of each file by its stamp, so that an unchanged file is not read again. A file changed within
/// one timestamp tick of when it was hashed is "racy": its stamp may stay the same over a later change, so it is hashed
/// again (as git's index does). Kept in the table `stat_cache` of state.db.
class StatCache {
 public:
  /// The database outlives the cache.
  static Result<StatCache> open(SQLite::Database& database);

  /// The digest remembered for this path and stamp, or null when the file has to be read.
  const Digest* find(std::string_view path, const FileStamp& stamp) const;
  /// Remembers a digest of bytes that were read between two equal stamps; `hashedAtNs` is the wall time (file system
  /// clock) before reading.
  void remember(std::string_view path, const FileStamp& stamp, const Digest& digest, std::int64_t hashedAtNs);
  /// Forgets every path that is not in the tree.
  void keepOnly(const Tree& tree);
  /// Writes what changed, in one transaction.
  Result<void> flush();

 private:
  struct Entry {
    FileStamp stamp;
    Digest digest;
    std::int64_t hashedAtNs = 0;
  };
  /// So that a path is looked up without a copy of it.
  struct PathHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>()(path); }
  };
  template <class Value>
  using ByPath = std::unordered_map<std::string, Value, PathHash, std::equal_to<>>;

  ByPath<Entry> m_entries;
  ByPath<bool> m_changed;  // path → still there
  SQLite::Database* m_database = nullptr;
};

/// The stamp of one file now. NotFound, Io.
Result<FileStamp> stampOf(const std::filesystem::path& file);
/// Whether a file that has this stamp and was read at `hashedAtNs` may have changed since without its stamp showing it.
bool isRacy(const FileStamp& stamp, std::int64_t hashedAtNs);
/// The clock that file times come from (CLOCK_REALTIME_COARSE on Linux), nanoseconds.
std::int64_t fileClockNs();

/// The message for a source that is a Git LFS pointer instead of its content, or empty when it is none.
std::string lfsPointerMessage(ByteView head);

}  // namespace simmer
