#include "cache/database.h"

#include <array>
#include <cerrno>
#include <new>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cooker/base/file.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

constexpr int kBusyTimeoutMs = 10'000;
constexpr std::int64_t kApplicationId = 0x53696D6D;  // "Simm"

/// Held while a database is opened, made or mended, so that processes that start together do it one after the other.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : m_number(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    // A folder that can not be locked is used without: SQLite's own locks guard the data.
    while (m_number >= 0 && ::flock(m_number, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderLock() {
    if (m_number >= 0) ::close(m_number);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int m_number;
};

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Makes the folder and finds out early, and in plain words, when a database can not live there.
Result<void> checkPlace(const fs::path& file) {
  const fs::path folder = folderOf(file);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorCode::Io, "the database's folder can not be made: {}", error.message());
  struct statfs info {};
  if (::statfs(folder.c_str(), &info) == 0) SIMMER_CHECK(checkFileSystem(info.f_type));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return fail(ErrorCode::Io, "the database's folder can not be written: {}", systemErrorText(errno));
  const fs::file_status status = fs::status(file, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return fail(ErrorCode::Io, "the database is not a regular file");
  if (fs::exists(status) && ::access(file.c_str(), R_OK | W_OK) != 0)
    return fail(ErrorCode::Io, "the database can not be written: {}", systemErrorText(errno));
  return {};
}

/// Settings of the connection, and of the file while it is new (page size, vacuum: setting them writes).
Result<void> configure(SQLite::Database& database) {
  if (database.execAndGet("PRAGMA page_count").getInt64() == 0) {
    database.exec("PRAGMA page_size = 16384");
    database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  }
  const std::string mode = database.execAndGet("PRAGMA journal_mode = WAL").getString();
  if (mode != "wal")
    return fail(ErrorCode::Io, "the database's journal is '{}', expected 'wal': the file system can not share memory",
                mode);
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec("PRAGMA foreign_keys = ON");
  database.exec("PRAGMA journal_size_limit = 67108864");
  // The file may have been made by somebody else, or be damaged.
  database.exec("PRAGMA trusted_schema = OFF");
  database.exec("PRAGMA cell_size_check = ON");
  return {};
}

/// A database of another program that happens to have our version must never be emptied.
Result<void> checkOwner(SQLite::Database& database) {
  const std::int64_t found = database.execAndGet("PRAGMA application_id").getInt64();
  if (found == kApplicationId) return {};
  return fail(ErrorCode::Unsupported, "the database's application id is {}, Simmer's is {}: another program made it",
              found, kApplicationId);
}

/// Runs the schema in a new database, and checks whose it is in an old one.
Result<void> prepareSchema(SQLite::Database& database, const char* schema, int version,
                           std::span<const char* const> upgrades = {}) {
  const auto seen = [&] { return database.execAndGet("PRAGMA user_version").getInt(); };
  if (seen() == version) return checkOwner(database);
  DatabaseTransaction transaction(database);
  const int found = seen();  // another process may have made it by now
  if (found == version) return checkOwner(database);
  if (found > version)
    return fail(ErrorCode::Unsupported,
                "the database has version {}, this program reads version {}: a newer Simmer wrote it", found, version);
  if (found > 0 && static_cast<std::size_t>(version) <= upgrades.size() + 1) {
    SIMMER_CHECK(checkOwner(database));
    for (int step = found; step < version; ++step) database.exec(upgrades[static_cast<std::size_t>(step) - 1]);
    database.exec(fmt::format("PRAGMA user_version = {}", version));
    transaction.commit();
    return {};
  }
  if (found != 0 || database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() != 0)
    return fail(ErrorCode::Unsupported, "the database has version {}, this program reads version {}", found, version);
  database.exec(schema);
  database.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
  database.exec(fmt::format("PRAGMA user_version = {}", version));
  transaction.commit();
  return {};
}

Result<std::unique_ptr<SQLite::Database>> openLocked(const fs::path& file, const char* schema, int version,
                                                     std::span<const char* const> upgrades = {}) {
  return guarded([&]() -> Result<std::unique_ptr<SQLite::Database>> {
    auto database =
        std::make_unique<SQLite::Database>(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    SIMMER_CHECK(configure(*database));
    SIMMER_CHECK(prepareSchema(*database, schema, version, upgrades));
    return database;
  });
}

Result<void> moveDatabaseAside(const fs::path& file) {
  // The journal goes along: beside a new database it would be replayed into it.
  for (const char* suffix : {"-wal", "-shm", ""}) {
    const fs::path from = file.string() + suffix, to = file.string() + ".corrupt" + suffix;
    if (::rename(from.c_str(), to.c_str()) != 0 && errno != ENOENT)
      return fail(ErrorCode::Io, "the damaged database can not be moved aside: {}", systemErrorText(errno));
  }
  return {};
}

Error errorOf(const SQLite::Exception& exception) {
  switch (exception.getErrorCode()) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CONSTRAINT:  // ours are met unless the tables are damaged
    case SQLITE_MISMATCH:
    case SQLITE_ERROR:  // "no such table"
      return {ErrorCode::Corrupt, fmt::format("the database is damaged: {}", exception.what()), {}};
    case SQLITE_FULL:
      return {ErrorCode::Io, "the disk is full: the database can not grow", {}};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {
          ErrorCode::Io, fmt::format("another process kept the database locked for {} s", kBusyTimeoutMs / 1000), {}};
    case SQLITE_TOOBIG:
      return {ErrorCode::InvalidInput, "the value is too large for the database", {}};
    default:
      return {ErrorCode::Io, fmt::format("the database can not be used: {}", exception.what()), {}};
  }
}

/// The name of a file system whose locks do not hold between machines or whose memory can not be shared; by f_type of
/// statfs(2).
std::string_view networkName(std::int64_t type) {
  static constexpr std::array<std::pair<std::uint32_t, std::string_view>, 13> known{{{0x6969, "NFS"},
                                                                                     {0x517B, "SMB"},
                                                                                     {0xFF534D42, "CIFS"},
                                                                                     {0xFE534D42, "SMB"},
                                                                                     {0x564C, "NCP"},
                                                                                     {0x5346414F, "AFS"},
                                                                                     {0x6B414653, "AFS"},
                                                                                     {0x73757245, "Coda"},
                                                                                     {0x00C36400, "Ceph"},
                                                                                     {0x01021997, "9P"},
                                                                                     {0x0BD00BD0, "Lustre"},
                                                                                     {0x47504653, "GPFS"},
                                                                                     {0x786F4256, "vboxsf"}}};
  // f_type is signed on some machines: CIFS has its highest bit set.
  for (const auto& [number, name] : known)
    if (number == static_cast<std::uint32_t>(type)) return name;
  return {};
}

}  // namespace

Result<void> checkFileSystem(std::int64_t type) {
  const std::string_view name = networkName(type);
  if (name.empty()) return {};
  return fail(ErrorCode::Io,
              "the database's folder is on a network file system ({}), where locks do not hold: set [cache] path, or "
              "SIMMER_CACHE, to a local disk",
              name);
}

DatabaseTransaction::DatabaseTransaction(SQLite::Database& database) : m_database(database) {
  database.exec("BEGIN IMMEDIATE");
}

DatabaseTransaction::~DatabaseTransaction() {
  // Some errors have rolled back already; a second time does no harm.
  if (!m_done) m_database.tryExec("ROLLBACK");
}

void DatabaseTransaction::commit() {
  m_database.exec("COMMIT");
  m_done = true;
}

Error currentDatabaseError() {
  try {
    throw;
  } catch (const SQLite::Exception& exception) {
    return errorOf(exception);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::Io, "out of memory", {}};
  } catch (const std::exception& exception) {
    return {ErrorCode::Io, exception.what(), {}};
  }
}

Result<std::unique_ptr<SQLite::Database>> openDatabase(const fs::path& file, const char* schema, int version,
                                                       std::span<const char* const> upgrades) {
  SIMMER_CHECK(checkPlace(file));
  const FolderLock lock(folderOf(file));
  return openLocked(file, schema, version, upgrades);
}

Result<bool> healDatabase(const fs::path& file, const char* schema, int version, bool force) {
  const FolderLock lock(folderOf(file));
  auto opened = openLocked(file, schema, version);
  if (!opened && opened.error().code != ErrorCode::Corrupt) return tl::unexpected(std::move(opened).error());
  if (!opened) {
    SIMMER_CHECK(moveDatabaseAside(file));
    opened = openLocked(file, schema, version);
    if (!opened) return tl::unexpected(std::move(opened).error());
    return true;
  }
  SQLite::Database& database = **opened;
  return guarded([&]() -> Result<bool> {
    // Another process may have healed it while this one waited.
    const auto sound =
        guarded([&]() -> Result<bool> { return database.execAndGet("PRAGMA integrity_check(1)").getString() == "ok"; });
    if (!force && sound && *sound) return false;
    // SQLite's own way to empty a database of any state while other processes have it open.
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_RESET_DATABASE, 1, 0);
    database.tryExec("PRAGMA auto_vacuum = INCREMENTAL");
    const int vacuumed = database.tryExec("VACUUM");
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_RESET_DATABASE, 0, 0);
    database.check(vacuumed);
    SIMMER_CHECK(prepareSchema(database, schema, version));
    return true;
  });
}

}  // namespace simmer
