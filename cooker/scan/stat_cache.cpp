#include "cooker/scan/stat_cache.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>

#include "cache/database.h"
#include "cooker/base/file.h"
#include "cooker/scan/names.h"

namespace simmer {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
// The coarse clock ticks every 10 ms or faster (CONFIG_HZ of 100 and above).
constexpr std::int64_t kClockTickNs = 10'000'000;
// File systems without fractions of a second keep whole seconds, FAT and exFAT even ones only.
constexpr std::int64_t kCoarseTickNs = 2 * kSecondNs;

// Times are nanoseconds since 1970; `digest` is the SHA-256 of the file's bytes.
constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS stat_cache (path TEXT PRIMARY KEY NOT NULL, size INTEGER NOT NULL, "
    "mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, digest BLOB NOT NULL, "
    "hashed_at_ns INTEGER NOT NULL)";

constexpr std::string_view kLfsHead = "version https://git-lfs.github.com/spec/v1";

/// The decimal number behind "\nsize " in the pointer; empty when there is none.
std::string_view lfsSize(std::string_view pointer) {
  constexpr std::string_view kLabel = "\nsize ";
  const std::size_t at = pointer.find(kLabel);
  if (at == std::string_view::npos) return {};
  pointer.remove_prefix(at + kLabel.size());
  const std::size_t end = std::min(pointer.find_first_not_of("0123456789"), pointer.size());
  return pointer.substr(0, std::min<std::size_t>(end, 20));
}

}  // namespace

Result<StatCache> StatCache::open(SQLite::Database& database) {
  return guarded([&]() -> Result<StatCache> {
    StatCache cache;
    cache.m_database = &database;
    if (!database.tableExists("stat_cache")) database.exec(kSchema);
    SQLite::Statement rows(database,
                           "SELECT path, size, mtime_ns, ctime_ns, inode, digest, hashed_at_ns FROM stat_cache");
    while (rows.executeStep()) {
      const SQLite::Column path = rows.getColumn(0), bytes = rows.getColumn(5);
      const auto* blob = static_cast<const std::uint8_t*>(bytes.getBlob());
      const auto digest = Digest::fromBytes({blob, static_cast<std::size_t>(bytes.getBytes())});
      if (!digest) continue;  // as if it were not there: the file is read again
      Entry entry;
      entry.stamp = {static_cast<std::uint64_t>(rows.getColumn(1).getInt64()), rows.getColumn(2).getInt64(),
                     rows.getColumn(3).getInt64(), static_cast<std::uint64_t>(rows.getColumn(4).getInt64())};
      entry.digest = *digest;
      entry.hashedAtNs = rows.getColumn(6).getInt64();
      cache.m_entries.emplace(std::string(path.getText(), static_cast<std::size_t>(path.getBytes())), entry);
    }
    return cache;
  });
}

const Digest* StatCache::find(std::string_view path, const FileStamp& stamp) const {
  const auto found = m_entries.find(path);
  if (found == m_entries.end()) return nullptr;
  const Entry& entry = found->second;
  return entry.stamp == stamp && !isRacy(entry.stamp, entry.hashedAtNs) ? &entry.digest : nullptr;
}

void StatCache::remember(std::string_view path, const FileStamp& stamp, const Digest& digest, std::int64_t hashedAtNs) {
  m_entries.insert_or_assign(std::string(path), Entry{stamp, digest, hashedAtNs});
  m_changed.insert_or_assign(std::string(path), true);
}

void StatCache::keepOnly(const Tree& tree) {
  std::size_t here = 0;
  for (const TreeFile& file : tree.files) here += m_entries.contains(std::string_view(file.path)) ? 1 : 0;
  if (here == m_entries.size()) return;
  std::erase_if(m_entries, [&](const auto& entry) {
    const auto at = std::lower_bound(tree.files.begin(), tree.files.end(), entry.first,
                                     [](const TreeFile& file, const std::string& path) { return file.path < path; });
    const bool gone = at == tree.files.end() || at->path != entry.first;
    if (gone) m_changed.insert_or_assign(entry.first, false);
    return gone;
  });
}

Result<void> StatCache::flush() {
  if (m_changed.empty()) return {};
  auto written = guarded([&]() -> Result<void> {
    SQLite::Transaction transaction(*m_database);
    SQLite::Statement put(*m_database, "INSERT OR REPLACE INTO stat_cache VALUES (?, ?, ?, ?, ?, ?, ?)");
    SQLite::Statement drop(*m_database, "DELETE FROM stat_cache WHERE path = ?");
    for (const auto& [path, there] : m_changed) {
      SQLite::Statement& statement = there ? put : drop;
      statement.bindNoCopy(1, path);
      if (there) {
        const Entry& entry = m_entries.find(path)->second;
        statement.bind(2, static_cast<std::int64_t>(entry.stamp.size));
        statement.bind(3, entry.stamp.mtimeNs);
        statement.bind(4, entry.stamp.ctimeNs);
        statement.bind(5, static_cast<std::int64_t>(entry.stamp.inode));
        statement.bindNoCopy(6, entry.digest.bytes.data(), static_cast<int>(entry.digest.bytes.size()));
        statement.bind(7, entry.hashedAtNs);
      }
      statement.exec();
      statement.reset();
    }
    transaction.commit();
    return {};
  });
  if (written) m_changed.clear();
  return written;
}

Result<FileStamp> stampOf(const std::filesystem::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) == 0) return stampFrom(info);
  const bool absent = errno == ENOENT || errno == ENOTDIR;
  return fail(absent ? ErrorCode::NotFound : ErrorCode::Io, "can not be looked at: {}", systemErrorText(errno));
}

bool isRacy(const FileStamp& stamp, std::int64_t hashedAtNs) {
  const std::int64_t newest = std::max(stamp.mtimeNs, stamp.ctimeNs);
  const bool wholeSeconds = stamp.mtimeNs % kSecondNs == 0 && stamp.ctimeNs % kSecondNs == 0;
  // Compared without adding to times that somebody else wrote: they may be at the end of their range.
  const std::int64_t tick = wholeSeconds ? kCoarseTickNs : kClockTickNs;
  return newest > hashedAtNs ||
         static_cast<std::uint64_t>(hashedAtNs) - static_cast<std::uint64_t>(newest) < static_cast<std::uint64_t>(tick);
}

std::int64_t fileClockNs() {
  timespec now{};
#ifdef CLOCK_REALTIME_COARSE
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
#else
  ::clock_gettime(CLOCK_REALTIME, &now);
#endif
  return static_cast<std::int64_t>(now.tv_sec) * kSecondNs + now.tv_nsec;
}

std::string lfsPointerMessage(ByteView head) {
  const std::string_view text = asText(head.first(std::min<std::size_t>(head.size(), 1024)));
  if (!text.starts_with(kLfsHead)) return {};
  const std::string_view rest = text.substr(kLfsHead.size());
  if (!rest.empty() && rest[0] != '\n' && rest[0] != '\r') return {};
  const std::string_view size = lfsSize(text);
  return fmt::format("a Git LFS pointer, not the content{}: `git lfs pull` fetches it",
                     size.empty() ? std::string() : fmt::format(" of {} bytes", size));
}

}  // namespace simmer
