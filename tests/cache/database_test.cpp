#include "cache/database.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cache/store_fixtures.h"

namespace simmer {
namespace {

using namespace test;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr char kSchema[] = "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (7);";

class DatabaseFile : public ::testing::Test {
 protected:
  fs::path file() const { return m_folder.path() / "deep" / "er" / "test.db"; }

 private:
  TemporaryFolder m_folder;
};

TEST_F(DatabaseFile, IsMadeWithItsFolderAndSettings) {
  const auto database = openDatabase(file(), kSchema, 3);
  ASSERT_TRUE(database) << database.error().text();
  const auto pragma = [&](const std::string& name) { return (*database)->execAndGet("PRAGMA " + name).getString(); };
  EXPECT_EQ(pragma("journal_mode"), "wal");
  EXPECT_EQ(pragma("page_size"), "16384");
  EXPECT_EQ(pragma("synchronous"), "1");
  EXPECT_EQ(pragma("foreign_keys"), "1");
  EXPECT_EQ(pragma("auto_vacuum"), "2");
  EXPECT_EQ(pragma("busy_timeout"), "10000");
  EXPECT_EQ(pragma("user_version"), "3");
  EXPECT_EQ((*database)->execAndGet("SELECT a FROM t").getInt(), 7);
}

TEST_F(DatabaseFile, KeepsItsContentWhenOpenedAgain) {
  { ASSERT_TRUE(openDatabase(file(), kSchema, 3)); }
  const auto database = openDatabase(file(), kSchema, 3);
  ASSERT_TRUE(database) << database.error().text();
  EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM t").getInt(), 1);
}

TEST_F(DatabaseFile, OfAnOlderVersionIsBroughtUpToDateStepByStep) {
  constexpr const char* kUpgrades[] = {"SELECT nothing FROM nowhere", "ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 1",
                                       "UPDATE t SET b = b + 10"};
  { ASSERT_TRUE(openDatabase(file(), kSchema, 2)); }
  EXPECT_EQ(openDatabase(file(), kSchema, 4).error().code, ErrorCode::Unsupported) << "without the steps";
  for (int round = 0; round < 2; ++round) {
    const auto database = openDatabase(file(), kSchema, 4, kUpgrades);
    ASSERT_TRUE(database) << database.error().text();
    EXPECT_EQ((*database)->execAndGet("SELECT a * 100 + b FROM t").getInt(), 711);
    EXPECT_EQ((*database)->execAndGet("PRAGMA user_version").getInt(), 4);
  }
}

TEST_F(DatabaseFile, WhoseUpgradeFailsStaysAsItWas) {
  constexpr const char* kUpgrades[] = {"", "ALTER TABLE t ADD COLUMN b INTEGER; SELECT nothing FROM nowhere"};
  { ASSERT_TRUE(openDatabase(file(), kSchema, 2)); }
  EXPECT_FALSE(openDatabase(file(), kSchema, 3, kUpgrades));
  const auto database = openDatabase(file(), kSchema, 2);
  ASSERT_TRUE(database) << database.error().text();
  EXPECT_FALSE((*database)->execAndGet("SELECT count(*) FROM pragma_table_info('t') WHERE name = 'b'").getInt());
}

TEST_F(DatabaseFile, OfANewerVersionIsUnsupportedAndUntouched) {
  { ASSERT_TRUE(openDatabase(file(), kSchema, 4)); }
  const auto database = openDatabase(file(), kSchema, 3);
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(database.error().message,
            "the database has version 4, this program reads version 3: a newer Simmer wrote it");
  EXPECT_TRUE(openDatabase(file(), kSchema, 4));
}

TEST_F(DatabaseFile, OfAnotherProgramIsRefusedAndUntouched) {
  fs::create_directories(file().parent_path());
  for (const int version : {0, 3}) {
    {
      SQLite::Database other(file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      other.exec("CREATE TABLE IF NOT EXISTS theirs (x)");
      other.exec("PRAGMA user_version = " + std::to_string(version));
    }
    const auto database = openDatabase(file(), kSchema, 3);
    ASSERT_FALSE(database);
    EXPECT_EQ(database.error().code, ErrorCode::Unsupported) << database.error().text();
    SQLite::Database other(file().string());
    EXPECT_TRUE(other.tableExists("theirs"));
    EXPECT_FALSE(other.tableExists("t"));
  }
}

TEST_F(DatabaseFile, ThatIsNoneIsCorrupt) {
  for (const std::size_t bytes : {5u, 100u, 600u, 100'000u}) {
    ASSERT_TRUE(writeFileAtomically(file(), randomBytes(bytes, 1)));
    const auto database = openDatabase(file(), kSchema, 3);
    ASSERT_FALSE(database) << bytes;
    EXPECT_EQ(database.error().code, ErrorCode::Corrupt) << bytes << ' ' << database.error().text();
  }
}

TEST_F(DatabaseFile, ThatIsAFolderOrAFifoIsRefused) {
  fs::create_directories(file());
  EXPECT_EQ(openDatabase(file(), kSchema, 3).error(), (Error{ErrorCode::Io, "the database is not a regular file", {}}));
  fs::remove(file());
  ASSERT_EQ(::mkfifo(file().c_str(), 0666), 0);
  EXPECT_EQ(openDatabase(file(), kSchema, 3).error(), (Error{ErrorCode::Io, "the database is not a regular file", {}}));
}

/// Runs `work` in a process without rights, also when the tests run as root, and gives what it printed.
std::string asNobody(const std::function<std::string()>& work) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
    const std::string text = work();
    ::_exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

TEST(Database, SaysThatAReadOnlyFolderCanNotBeWritten) {
  TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0555));
  const std::string text = asNobody([&] {
    const auto database = openDatabase(folder.path() / "test.db", kSchema, 3);
    return database ? "opened" : std::string(toString(database.error().code)) + ": " + database.error().text();
  });
  EXPECT_EQ(text, "io: the database's folder can not be written: Permission denied");
  const std::string deeper = asNobody([&] {
    const auto database = openDatabase(folder.path() / "new" / "test.db", kSchema, 3);
    return database ? "opened" : std::string(toString(database.error().code)) + ": " + database.error().text();
  });
  EXPECT_EQ(deeper, "io: the database's folder can not be made: Permission denied");
  fs::permissions(folder.path(), fs::perms(0755));
}

TEST(Database, SaysThatAReadOnlyFileCanNotBeWritten) {
  TemporaryFolder folder;
  const fs::path file = folder.path() / "test.db";
  { ASSERT_TRUE(openDatabase(file, kSchema, 3)); }
  fs::permissions(folder.path(), fs::perms(0777));
  fs::permissions(file, fs::perms(0444));
  const std::string text = asNobody([&] {
    const auto database = openDatabase(file, kSchema, 3);
    return database ? "opened" : std::string(toString(database.error().code)) + ": " + database.error().text();
  });
  EXPECT_EQ(text, "io: the database can not be written: Permission denied");
}

TEST(Database, RefusesNetworkFileSystemsWithAdvice) {
  // As statfs(2) names them: NFS, SMB, CIFS, SMB2, Ceph, 9P.
  for (const std::int64_t type : {0x6969LL, 0x517BLL, 0xFF534D42LL, 0xFE534D42LL, 0x00C36400LL, 0x01021997LL}) {
    const auto checked = checkFileSystem(type);
    ASSERT_FALSE(checked) << std::hex << type;
    EXPECT_EQ(checked.error().code, ErrorCode::Io);
    EXPECT_THAT(checked.error().message, HasSubstr("set [cache] path, or SIMMER_CACHE, to a local disk"));
  }
  // CIFS where f_type is a signed 32-bit number.
  EXPECT_FALSE(checkFileSystem(static_cast<std::int32_t>(0xFF534D42)));
  // ext4, XFS, Btrfs, tmpfs, overlayfs, ZFS.
  for (const std::int64_t type : {0xEF53LL, 0x58465342LL, 0x9123683ELL, 0x01021994LL, 0x794C7630LL, 0x2FC12FC1LL})
    EXPECT_TRUE(checkFileSystem(type)) << std::hex << type;
}

TEST_F(DatabaseFile, ExceptionsBecomeErrors) {
  const auto database = openDatabase(file(), kSchema, 3);
  const auto code = [&](const std::string& sql) {
    const auto result = guarded([&]() -> Result<int> { return (*database)->exec(sql); });
    return result ? std::string("fine") : std::string(toString(result.error().code));
  };
  EXPECT_EQ(code("INSERT INTO t VALUES (1)"), "fine");
  EXPECT_EQ(code("INSERT INTO missing VALUES (1)"), "corrupt");
  EXPECT_EQ(code("INSERT INTO t VALUES (zeroblob(2000000000))"), "invalid-input");
  const auto memory = guarded([]() -> Result<void> { throw std::bad_alloc(); });
  EXPECT_EQ(memory.error(), (Error{ErrorCode::Io, "out of memory", {}}));
}

TEST_F(DatabaseFile, ATransactionThatIsNotCommittedLeavesNothing) {
  const auto database = openDatabase(file(), kSchema, 3);
  {
    DatabaseTransaction transaction(**database);
    (*database)->exec("DELETE FROM t");
  }
  EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM t").getInt(), 1);
  {
    DatabaseTransaction transaction(**database);
    (*database)->exec("DELETE FROM t");
    transaction.commit();
  }
  EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM t").getInt(), 0);
}

TEST_F(DatabaseFile, HealLeavesASoundOneAlone) {
  { ASSERT_TRUE(openDatabase(file(), kSchema, 3)); }
  EXPECT_EQ(healDatabase(file(), kSchema, 3, false), false);
  const auto database = openDatabase(file(), kSchema, 3);
  EXPECT_EQ((*database)->execAndGet("SELECT count(*) FROM t").getInt(), 1);
}

TEST_F(DatabaseFile, HealEmptiesOneThatOthersHaveOpen) {
  const auto other = openDatabase(file(), kSchema, 3);
  ASSERT_TRUE(other);
  (*other)->exec("INSERT INTO t VALUES (8)");
  EXPECT_EQ(healDatabase(file(), kSchema, 3, true), true);
  EXPECT_EQ((*other)->execAndGet("SELECT count(*) FROM t").getInt(), 1);
  (*other)->exec("INSERT INTO t VALUES (9)");
  EXPECT_EQ((*other)->execAndGet("SELECT count(*) FROM t").getInt(), 2);
  EXPECT_EQ((*other)->execAndGet("PRAGMA user_version").getInt(), 3);
  EXPECT_EQ((*other)->execAndGet("PRAGMA integrity_check").getString(), "ok");
}

}  // namespace
}  // namespace simmer
