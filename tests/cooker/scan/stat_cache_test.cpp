#include "cooker/scan/stat_cache.h"

#include <limits>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cooker/base/file.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kThen = 1'700'000'000 * kSecond + 123'456'789;
constexpr std::int64_t kMuchLater = kThen + 60 * kSecond;

FileStamp stamp(std::int64_t mtime = kThen, std::int64_t ctime = kThen) {
  return {100, mtime, ctime, 7};
}

SQLite::Database memoryDatabase() {
  return SQLite::Database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
}

StatCache opened(SQLite::Database& database) {
  auto cache = StatCache::open(database);
  EXPECT_TRUE(cache) << cache.error().text();
  return std::move(*cache);
}

TEST(StatCache, RemembersADigestByPathAndStamp) {
  SQLite::Database database = memoryDatabase();
  StatCache cache = opened(database);
  EXPECT_EQ(cache.find("a", stamp()), nullptr);
  cache.remember("a", stamp(), sha256("one"), kMuchLater);
  ASSERT_NE(cache.find("a", stamp()), nullptr);
  EXPECT_EQ(*cache.find("a", stamp()), sha256("one"));
  EXPECT_EQ(cache.find("b", stamp()), nullptr);
  cache.remember("a", stamp(), sha256("two"), kMuchLater);
  EXPECT_EQ(*cache.find("a", stamp()), sha256("two"));
}

TEST(StatCache, AnyPartOfAnotherStampMeansReadItAgain) {
  SQLite::Database database = memoryDatabase();
  StatCache cache = opened(database);
  cache.remember("a", stamp(), sha256("one"), kMuchLater);
  EXPECT_EQ(cache.find("a", {101, kThen, kThen, 7}), nullptr);
  EXPECT_EQ(cache.find("a", {100, kThen - 1, kThen, 7}), nullptr);
  EXPECT_EQ(cache.find("a", {100, kThen, kThen - 1, 7}), nullptr);
  EXPECT_EQ(cache.find("a", {100, kThen, kThen, 8}), nullptr);
}

TEST(StatCache, IsKeptInTheDatabase) {
  SQLite::Database database = memoryDatabase();
  {
    StatCache cache = opened(database);
    cache.remember("a\nb", stamp(), sha256("one"), kMuchLater);
    cache.remember("größe", {std::numeric_limits<std::uint64_t>::max(), -5, kThen, ~std::uint64_t{0}}, sha256("two"),
                   kMuchLater);
    ASSERT_TRUE(cache.flush());
    cache.remember("not flushed", stamp(), sha256("three"), kMuchLater);
  }
  const StatCache again = opened(database);
  ASSERT_NE(again.find("a\nb", stamp()), nullptr);
  EXPECT_EQ(*again.find("a\nb", stamp()), sha256("one"));
  EXPECT_NE(again.find("größe", {std::numeric_limits<std::uint64_t>::max(), -5, kThen, ~std::uint64_t{0}}), nullptr);
  EXPECT_EQ(again.find("not flushed", stamp()), nullptr);
}

TEST(StatCache, ForgetsWhatIsNotInTheTree) {
  SQLite::Database database = memoryDatabase();
  StatCache cache = opened(database);
  for (const char* path : {"a", "b", "c"}) cache.remember(path, stamp(), sha256(path), kMuchLater);
  ASSERT_TRUE(cache.flush());
  Tree tree;
  tree.files = {{"a", stamp()}, {"b2", stamp()}, {"c", stamp()}};
  cache.keepOnly(tree);
  EXPECT_EQ(cache.find("b", stamp()), nullptr);
  ASSERT_TRUE(cache.flush());
  const StatCache again = opened(database);
  EXPECT_NE(again.find("a", stamp()), nullptr);
  EXPECT_EQ(again.find("b", stamp()), nullptr);
  EXPECT_NE(again.find("c", stamp()), nullptr);
}

TEST(StatCache, APathThatComesBackIsKept) {
  SQLite::Database database = memoryDatabase();
  StatCache cache = opened(database);
  cache.remember("a", stamp(), sha256("one"), kMuchLater);
  cache.keepOnly({});
  cache.remember("a", stamp(), sha256("two"), kMuchLater);
  ASSERT_TRUE(cache.flush());
  EXPECT_EQ(*opened(database).find("a", stamp()), sha256("two"));
}

TEST(StatCache, ARowThatMakesNoSenseIsAsIfItWereNotThere) {
  SQLite::Database database = memoryDatabase();
  {
    StatCache cache = opened(database);
    cache.remember("a", stamp(), sha256("one"), kMuchLater);
    cache.remember("b", stamp(), sha256("two"), kMuchLater);
    ASSERT_TRUE(cache.flush());
  }
  database.exec("UPDATE stat_cache SET digest = x'00ff' WHERE path = 'a'");
  database.exec("INSERT INTO stat_cache VALUES ('c', 'text', 'text', 1, 1, 'text', 1)");
  const StatCache cache = opened(database);
  EXPECT_EQ(cache.find("a", stamp()), nullptr);
  EXPECT_NE(cache.find("b", stamp()), nullptr);
}

TEST(StatCache, ATableOfAnotherShapeIsAnErrorNotACrash) {
  SQLite::Database database = memoryDatabase();
  database.exec("CREATE TABLE stat_cache (something TEXT)");
  EXPECT_FALSE(StatCache::open(database));
}

TEST(StatCache, WhatCouldNotBeWrittenIsWrittenNextTime) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "state.db").string();
  SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE), other(file, SQLite::OPEN_READWRITE);
  StatCache cache = opened(database);
  cache.remember("a", stamp(), sha256("one"), kMuchLater);
  other.exec("BEGIN IMMEDIATE");
  const auto refused = cache.flush();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Io);
  other.exec("COMMIT");
  ASSERT_TRUE(cache.flush());
  EXPECT_NE(opened(other).find("a", stamp()), nullptr);
}

TEST(Racy, AFileChangedInTheTickInWhichItWasReadMayChangeAgainUnseen) {
  EXPECT_TRUE(isRacy(stamp(), kThen)) << "read in the same tick";
  EXPECT_TRUE(isRacy(stamp(), kThen + 4'000'000)) << "one tick of a 250 Hz kernel later";
  EXPECT_TRUE(isRacy(stamp(), kThen - 1)) << "changed after it was read";
  EXPECT_FALSE(isRacy(stamp(), kThen + kSecond));
}

TEST(Racy, TheNewestOfBothTimesDecides) {
  EXPECT_TRUE(isRacy(stamp(kThen - 100 * kSecond, kThen), kThen)) << "moved here or given an old time just now";
  EXPECT_TRUE(isRacy(stamp(kThen, kThen - 100 * kSecond), kThen));
  EXPECT_TRUE(isRacy(stamp(kThen + 100 * kSecond, kThen), kMuchLater)) << "a time to come can not be trusted";
}

TEST(Racy, WholeSecondsMeanACoarseClock) {
  const std::int64_t whole = kThen - kThen % kSecond;
  EXPECT_TRUE(isRacy(stamp(whole, whole), whole + kSecond + kSecond / 2)) << "FAT keeps even seconds";
  EXPECT_FALSE(isRacy(stamp(whole, whole), whole + 2 * kSecond));
  EXPECT_FALSE(isRacy(stamp(whole, whole + 1), whole + kSecond)) << "only the modification time was set by hand";
}

TEST(Racy, AnyTimesAreCompared) {
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                         high = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(isRacy(stamp(low, low), high));
  EXPECT_TRUE(isRacy(stamp(high, high), low));
  EXPECT_TRUE(isRacy(stamp(high, high), high));
}

/// Changes a file's content, keeping its size, inode and times as far as the system lets us.
void rewriteKeepingTime(const fs::path& file, std::string_view text, std::int64_t mtimeNs) {
  const int descriptor = ::open(file.c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::pwrite(descriptor, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  const timespec time{mtimeNs / kSecond, mtimeNs % kSecond};
  const timespec times[2] = {time, time};
  ASSERT_EQ(::futimens(descriptor, times), 0);
  ::close(descriptor);
}

TEST(StatCache, ARacyFileIsReadAgainAndThenTrusted) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "walk.bvh";
  ASSERT_TRUE(writeFileAtomically(file, asBytes("one")));
  const std::int64_t now = fileClockNs();
  rewriteKeepingTime(file, "two", now);  // as if it were written in the very tick in which it is read
  const auto first = stampOf(file);
  ASSERT_TRUE(first);
  SQLite::Database database = memoryDatabase();
  {
    StatCache cache = opened(database);
    cache.remember("walk.bvh", *first, sha256("two"), now);
    EXPECT_EQ(cache.find("walk.bvh", *first), nullptr);
    ASSERT_TRUE(cache.flush());
  }
  StatCache cache = opened(database);
  EXPECT_EQ(cache.find("walk.bvh", *first), nullptr) << "also when it comes from the database";
  // Read again, long enough after its last change: now the stamp can be trusted.
  cache.remember("walk.bvh", *first, sha256("two"), std::max(first->mtimeNs, first->ctimeNs) + kSecond);
  ASSERT_NE(cache.find("walk.bvh", *first), nullptr);
  // A change that keeps size, inode and modification time still shows: the system sets the change time.
  rewriteKeepingTime(file, "six", now);
  FileStamp second = *stampOf(file);
  while (second.ctimeNs == first->ctimeNs) {  // the next tick of the system's clock
    rewriteKeepingTime(file, "six", now);
    second = *stampOf(file);
  }
  EXPECT_EQ(second.mtimeNs, first->mtimeNs);
  EXPECT_EQ(cache.find("walk.bvh", second), nullptr);
}

TEST(StampOf, SaysWhatIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_EQ(stampOf(folder.path() / "absent").error().code, ErrorCode::NotFound);
}

TEST(FileClock, IsTheClockOfFileTimes) {
  const TemporaryFolder folder;
  const std::int64_t before = fileClockNs();
  ASSERT_TRUE(writeFileAtomically(folder.path() / "x", asBytes("x")));
  const FileStamp written = *stampOf(folder.path() / "x");
  const std::int64_t after = fileClockNs();
  EXPECT_LE(before, written.mtimeNs);
  EXPECT_LE(written.mtimeNs, after + 10'000'000) << "at most one tick ahead";
}

TEST(LfsPointer, IsToldFromContent) {
  const std::string head = "version https://git-lfs.github.com/spec/v1";
  const std::string oid = "\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
  struct Case {
    std::string text;
    const char* message;
  };
  for (const Case& c :
       {Case{head + oid + "\nsize 12345\n",
             "a Git LFS pointer, not the content of 12345 bytes: `git lfs pull` fetches it"},
        Case{head + "\r\noid x\r\n", "a Git LFS pointer, not the content: `git lfs pull` fetches it"},
        Case{head, "a Git LFS pointer, not the content: `git lfs pull` fetches it"}, Case{head + "0\n", ""},
        Case{" " + head, ""}, Case{"HIERARCHY\n" + head, ""}, Case{"", ""}, Case{head.substr(0, 20), ""}})
    EXPECT_EQ(lfsPointerMessage(asBytes(c.text)), c.message) << c.text;
}

}  // namespace
}  // namespace simmer::test
