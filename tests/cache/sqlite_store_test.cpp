#include "cache/sqlite_store.h"

#include <csignal>

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include "cooker/base/file.h"
#include "tests/cache/store_fixtures.h"

namespace simmer {
namespace {

using namespace test;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class SqliteStoreTest : public ::testing::Test {
 protected:
  fs::path file() const { return m_folder.path() / "cache.db"; }
  fs::path folder() const { return m_folder.path(); }
  std::string query(const std::string& sql) const {
    SQLite::Database database(file().string(), SQLite::OPEN_READWRITE);
    return database.execAndGet(sql).getString();
  }

 private:
  TemporaryFolder m_folder;
};

TEST_F(SqliteStoreTest, KeepsEverythingAcrossOpening) {
  const Entry small = makeEntry(1), large = makeEntry(2, 2'000'000);
  {
    auto store = openStore(file());
    putEntry(*store, small);
    putEntry(*store, large);
    ASSERT_TRUE(store->putNote("deps", small.key, "text"));
  }
  auto store = openStore(file());
  EXPECT_TRUE(holds(*store, small));
  EXPECT_TRUE(holds(*store, large));
  EXPECT_EQ(store->note("deps", small.key).value(), "text");
}

TEST_F(SqliteStoreTest, PutsAreVisibleToOthersAfterABatchOrAFlush) {
  SqliteStore::Options options;
  options.batch = 3;
  options.clock = [] { return std::int64_t{1}; };  // time alone must not write the batch
  auto writer = openStore(file(), options), other = openStore(file());
  putEntry(*writer, makeEntry(1));
  putEntry(*writer, makeEntry(2));
  EXPECT_FALSE(holds(*other, makeEntry(1)));
  EXPECT_TRUE(holds(*writer, makeEntry(1)));
  putEntry(*writer, makeEntry(3));
  for (const unsigned number : {1u, 2u, 3u}) EXPECT_TRUE(holds(*other, makeEntry(number)));
  putEntry(*writer, makeEntry(4));
  EXPECT_FALSE(holds(*other, makeEntry(4)));
  ASSERT_TRUE(writer->flush());
  EXPECT_TRUE(holds(*other, makeEntry(4)));
}

TEST_F(SqliteStoreTest, ASlowCookDoesNotWaitForAFullBatch) {
  std::int64_t time = 1;
  SqliteStore::Options options;
  options.clock = [&] { return time; };
  auto writer = openStore(file(), options), other = openStore(file());
  putEntry(*writer, makeEntry(1));
  EXPECT_FALSE(holds(*other, makeEntry(1)));
  time += 1'000'001;
  putEntry(*writer, makeEntry(2));
  EXPECT_TRUE(holds(*other, makeEntry(1)));
}

TEST_F(SqliteStoreTest, ABatchHoldsNoLockWhileItWaits) {
  auto first = openStore(file()), second = openStore(file());
  putEntry(*first, makeEntry(1));
  putEntry(*second, makeEntry(2));
  ASSERT_TRUE(second->flush());
  ASSERT_TRUE(first->flush());
  EXPECT_TRUE(holds(*first, makeEntry(2)));
  EXPECT_TRUE(holds(*second, makeEntry(1)));
}

TEST_F(SqliteStoreTest, ABlobIsKeptOnce) {
  auto store = openStore(file());
  const Bytes shared = randomBytes(1000, 7), large = randomBytes(1'500'000, 8);
  for (int i = 0; i < 5; ++i) putEntry(*store, makeEntry("item " + std::to_string(i), {shared, large, shared}));
  const StoreStats stats = statsOf(*store);
  EXPECT_EQ(stats.records, 5u);
  EXPECT_EQ(stats.blobs, 2u);
  EXPECT_EQ(stats.blobBytes, 1'501'000u);
  EXPECT_GT(stats.fileBytes, stats.blobBytes);
  EXPECT_LT(stats.fileBytes, 2 * stats.blobBytes);
}

TEST_F(SqliteStoreTest, LargeBlobsAreFilesNamedByTheirDigest) {
  auto store = openStore(file());
  const Entry large = makeEntry(1, (1u << 20) + 1), small = makeEntry(2, 1u << 20);
  putEntry(*store, large);
  putEntry(*store, small);
  ASSERT_TRUE(store->flush());
  const auto bytes = readFile(blobFile(file(), large.record.blobs[0].digest));
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(*bytes == large.blobs[0]);
  EXPECT_FALSE(fs::exists(blobFile(file(), small.record.blobs[0].digest)));
}

TEST_F(SqliteStoreTest, APersonCanReadItWithSqlite) {
  const Entry entry = makeEntry("walk", {randomBytes(10, 1), randomBytes(1'200'000, 2)});
  {
    auto store = openStore(file());
    putEntry(*store, entry);
    ASSERT_TRUE(store->putNote("deps", entry.key, "a.bin"));
  }
  EXPECT_EQ(query("SELECT key FROM artifacts"), entry.key.hex());
  EXPECT_EQ(query("SELECT key_text FROM artifacts"), "schema 1:1\nitem 4:walk\n");
  EXPECT_EQ(query("SELECT blobs || ' ' || bytes FROM artifacts"), "2 1200010");
  EXPECT_THAT(query("SELECT last_used FROM artifacts"), ::testing::MatchesRegex("20..-..-.. ..:..:.."));
  const std::string hex = entry.record.blobs[1].digest.hex();
  EXPECT_EQ(query("SELECT place FROM blob_list WHERE bytes > 1000"), "blobs/" + hex.substr(0, 2) + "/" + hex.substr(2));
  EXPECT_EQ(query("SELECT place FROM blob_list WHERE bytes < 1000"), "database");
  EXPECT_EQ(query("SELECT kind || ' ' || digest || ' ' || text FROM note_list"), "deps " + entry.key.hex() + " a.bin");
}

TEST_F(SqliteStoreTest, ARunThatFindsEverythingWritesNothing) {
  std::int64_t time = 1'000'000'000;
  SqliteStore::Options options;
  options.clock = [&] { return time; };
  const auto changes = [&] { return query("SELECT group_concat(used) FROM records"); };
  {
    auto store = openStore(file(), options);
    for (unsigned i = 0; i < 10; ++i) putEntry(*store, makeEntry(i));
    ASSERT_TRUE(store->putNote("deps", sha256("a"), "b"));
  }
  const auto before = readFile(file());
  const std::string used = changes();
  time += 3'599'000'000;  // less than an hour
  {
    auto store = openStore(file(), options);
    for (unsigned i = 0; i < 10; ++i) EXPECT_TRUE(holds(*store, makeEntry(i)));
    EXPECT_EQ(store->note("deps", sha256("a")).value(), "b");
  }
  EXPECT_EQ(changes(), used);
  EXPECT_TRUE(*readFile(file()) == *before);
  time += 2'000'000;
  {
    auto store = openStore(file(), options);
    EXPECT_TRUE(holds(*store, makeEntry(0)));
  }
  EXPECT_NE(changes(), used);
}

TEST_F(SqliteStoreTest, AGarbageFileIsMovedAsideAndMadeAnew) {
  const Bytes garbage = randomBytes(50'000, 1);
  ASSERT_TRUE(writeFileAtomically(file(), garbage));
  ASSERT_TRUE(writeFileAtomically(file().string() + "-wal", garbage));
  auto store = openStore(file());
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(*readFile(file().string() + ".corrupt") == garbage);
  EXPECT_EQ(statsOf(*store).corruptDropped, 1u);
  putEntry(*store, makeEntry(1));
  ASSERT_TRUE(store->flush());
  EXPECT_TRUE(holds(*store, makeEntry(1)));
}

TEST_F(SqliteStoreTest, ATruncatedDatabaseIsUsableAgain) {
  {
    auto store = openStore(file());
    for (unsigned i = 0; i < 300; ++i) putEntry(*store, makeEntry(i, 2000));
  }
  const auto size = fs::file_size(file());
  for (const auto kept : {size / 2, size / 7, std::uintmax_t{16384}, std::uintmax_t{100}, std::uintmax_t{0}}) {
    fs::resize_file(file(), kept);
    auto store = openStore(file());
    ASSERT_NE(store, nullptr) << kept;
    for (unsigned i = 0; i < 300; ++i) holds(*store, makeEntry(i, 2000));  // right or absent, never wrong
    for (unsigned i = 0; i < 300; ++i) putEntry(*store, makeEntry(i, 2000));
    ASSERT_TRUE(store->flush()) << kept;
    for (unsigned i = 0; i < 300; ++i) EXPECT_TRUE(holds(*store, makeEntry(i, 2000))) << kept;
  }
}

TEST_F(SqliteStoreTest, ANewerDatabaseIsUnsupportedAndLeftAlone) {
  { openStore(file()); }
  { SQLite::Database(file().string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99"); }
  const auto store = SqliteStore::open(file());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(store.error().message, HasSubstr("version 99"));
  EXPECT_EQ(query("PRAGMA user_version"), "99");
}

/// Limits how large a file may become, as a full disk does; restored at the end.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    m_handler = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit limit{bytes, m_before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  rlimit m_before{};
  void (*m_handler)(int) = nullptr;
};

TEST_F(SqliteStoreTest, AFullDiskIsAnErrorAndNothingBreaks) {
  auto store = openStore(file());
  for (unsigned i = 0; i < 100; ++i) putEntry(*store, makeEntry(i, 2000));
  unsigned accepted = 100;
  {
    const FullDisk full(1'000'000);
    Result<void> put;
    for (; put && accepted < 5000; ++accepted) {
      const Entry entry = makeEntry(accepted, 2000);
      put = store->put(entry.key, entry.record, entry.blobs);
    }
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code, ErrorCode::Io);
    // A store whose disk stays full refuses in the end, and does not fill the memory.
    bool refused = false;
    for (unsigned i = 10'000; i < 11'000 && !refused; ++i) {
      const Entry entry = makeEntry(i, 2000);
      refused = !store->put(entry.key, entry.record, entry.blobs) && !holds(*store, entry);
    }
    EXPECT_TRUE(refused);
    for (unsigned i = 0; i < 100; ++i) EXPECT_TRUE(holds(*store, makeEntry(i, 2000)));
  }
  ASSERT_TRUE(store->flush());
  for (unsigned i = 0; i < accepted; ++i) EXPECT_TRUE(holds(*store, makeEntry(i, 2000)));
  EXPECT_TRUE(store->verify()->ok());
}

TEST_F(SqliteStoreTest, ABlobFileThatCanNotBeWrittenKeepsTheRecordOut) {
  auto store = openStore(file());
  ASSERT_TRUE(writeFileAtomically(folder() / "blobs", asBytes("in the way")));
  const Entry large = makeEntry(1, 1'500'000);
  putEntry(*store, large);
  const auto flushed = store->flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().code, ErrorCode::Io);
  EXPECT_THAT(flushed.error().message, HasSubstr("a blob of 1500000 bytes can not be kept"));
  EXPECT_EQ(query("SELECT count(*) FROM records"), "0");
  fs::remove(folder() / "blobs");
  ASSERT_TRUE(store->flush());
  store = openStore(file());
  EXPECT_TRUE(holds(*store, large));
}

}  // namespace
}  // namespace simmer
