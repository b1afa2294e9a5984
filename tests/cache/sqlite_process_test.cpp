// Several threads, several processes, and processes that die.
#include <atomic>
#include <csignal>
#include <thread>

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/sqlite_store.h"
#include "tests/cache/store_fixtures.h"

namespace simmer {
namespace {

using namespace test;
namespace fs = std::filesystem;

TEST(SqliteThreads, PutFindAndCollectAtOnce) {
  TemporaryFolder folder;
  SqliteStore::Options options;
  options.batch = 7;
  auto store = openStore(folder.path() / "cache.db", options);
  constexpr unsigned threadCount = 4, each = 120;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < threadCount; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < each; ++i) {
        const Entry mine = makeEntry(t * each + i), shared = makeEntry(100'000 + i);
        for (const Entry* entry : {&mine, &shared}) {
          const auto put = store->put(entry->key, entry->record, entry->blobs);
          if (!put || !store->find(entry->key).value() || !store->blob(entry->record.blobs[0].digest).value())
            ++failures;
        }
        if (!store->putNote("deps", mine.key, "note") || store->note("deps", mine.key).value() != "note") ++failures;
        if (i % 40 == 0 && (!store->gc({}, 1'000'000'000) || !store->stats())) ++failures;
        if (i % 50 == 0 && !store->verify()->ok()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  for (unsigned i = 0; i < threadCount * each; ++i) EXPECT_TRUE(holds(*store, makeEntry(i)));
  EXPECT_EQ(statsOf(*store).records, std::uint64_t{(threadCount + 1) * each});
  EXPECT_EQ(statsOf(*store).corruptDropped, 0u);
}

TEST(SqliteThreads, OneOfManyHealsACorruptBlob) {
  TemporaryFolder folder;
  const fs::path file = folder.path() / "cache.db";
  const Entry entry = makeEntry(1, 1'500'000);
  auto store = openStore(file);
  putEntry(*store, entry);
  ASSERT_TRUE(store->flush());
  fs::resize_file(blobFile(file, entry.record.blobs[0].digest), 10);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto blob = store->blob(entry.record.blobs[0].digest);
      if (blob ? blob->has_value() : blob.error().code != ErrorCode::Corrupt) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(statsOf(*store).corruptDropped, 1u);
}

/// Runs `work` in another process; a pipe tells the parent of its progress.
class Child {
 public:
  explicit Child(const std::function<int(int pipe)>& work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    m_process = ::fork();
    if (m_process == 0) {
      ::close(ends[0]);
      ::_exit(work(ends[1]));
    }
    ::close(ends[1]);
    m_pipe = ends[0];
  }
  ~Child() {
    if (m_process > 0) kill();
    ::close(m_pipe);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits until the child has written `count` bytes.
  void await(int count) const {
    char byte = 0;
    while (count-- > 0) ASSERT_EQ(::read(m_pipe, &byte, 1), 1);
  }
  void kill() {
    ::kill(m_process, SIGKILL);
    join();
  }
  int join() {
    int status = 0;
    ::waitpid(m_process, &status, 0);
    m_process = 0;
    return status;
  }

 private:
  pid_t m_process = 0;
  int m_pipe = -1;
};

TEST(SqliteProcesses, ShareOneDatabase) {
  TemporaryFolder folder;
  const fs::path file = folder.path() / "cache.db";
  constexpr unsigned processes = 3, each = 150;
  SqliteStore::Options options;
  options.batch = 5;
  {
    // All start at once, also making the database.
    std::vector<std::unique_ptr<Child>> children;
    for (unsigned p = 0; p < processes; ++p) {
      children.push_back(std::make_unique<Child>([&, p](int) {
        auto store = SqliteStore::open(file, options);
        if (!store) return 1;
        for (unsigned i = 0; i < each; ++i) {
          const Entry mine = makeEntry(p * each + i, i % 50 == 0 ? 1'100'000 : 500), shared = makeEntry(100'000 + i);
          for (const Entry* entry : {&mine, &shared}) {
            if (!(*store)->put(entry->key, entry->record, entry->blobs)) return 2;
            if (!(*store)->find(entry->key).value_or(std::nullopt)) return 3;
          }
          if (i % 60 == 0 && !(*store)->gc({}, 1'000'000'000)) return 4;
        }
        return (*store)->flush() ? 0 : 5;
      }));
    }
    for (auto& child : children) EXPECT_EQ(child->join(), 0);
  }
  auto store = openStore(file);
  for (unsigned p = 0; p < processes; ++p)
    for (unsigned i = 0; i < each; ++i)
      EXPECT_TRUE(holds(*store, makeEntry(p * each + i, i % 50 == 0 ? 1'100'000 : 500)));
  EXPECT_EQ(statsOf(*store).records, std::uint64_t{(processes + 1) * each});
  EXPECT_TRUE(store->verify()->ok());
}

TEST(SqliteProcesses, AKilledWriterLosesAtMostItsLastBatch) {
  for (const int bytesBeforeKill : {1, 3, 9, 20}) {
    SCOPED_TRACE(bytesBeforeKill);
    TemporaryFolder folder;
    const fs::path file = folder.path() / "cache.db";
    constexpr unsigned batch = 10;
    Child child([&](int pipe) {
      SqliteStore::Options options;
      options.batch = batch;
      options.clock = [] { return std::int64_t{1}; };
      auto store = SqliteStore::open(file, options);
      if (!store) return 1;
      for (unsigned i = 0;; ++i) {
        const Entry entry = makeEntry(i, i % 25 == 24 ? 1'200'000 : 3000);
        if (!(*store)->put(entry.key, entry.record, entry.blobs)) return 2;
        // One byte for each batch that put() has written.
        if (i % batch == batch - 1 && ::write(pipe, "x", 1) != 1) return 3;
      }
    });
    child.await(bytesBeforeKill);
    child.kill();
    auto store = openStore(file);
    ASSERT_NE(store, nullptr);
    // Whole batches are there, in order, and of the last one all or nothing.
    unsigned count = 0;
    while (holds(*store, makeEntry(count, count % 25 == 24 ? 1'200'000 : 3000))) ++count;
    EXPECT_GE(count, static_cast<unsigned>(bytesBeforeKill) * batch);
    EXPECT_EQ(count % batch, 0u);
    EXPECT_EQ(statsOf(*store).records, count);
    EXPECT_EQ(statsOf(*store).corruptDropped, 0u);
    const auto verified = store->verify();
    ASSERT_TRUE(verified);
    EXPECT_TRUE(verified->ok());
    // Files that the killed process made for a batch that was not kept are removed.
    ASSERT_TRUE(store->gc({}, 1'000'000'000));
    unsigned files = 0;
    if (fs::exists(folder.path() / "blobs"))
      for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "blobs"))
        files += entry.is_regular_file();
    EXPECT_EQ(files, count / 25);
  }
}

TEST(SqliteProcesses, HealingWhileAnotherProcessWorks) {
  TemporaryFolder folder;
  const fs::path file = folder.path() / "cache.db";
  auto first = openStore(file), second = openStore(file);
  for (unsigned i = 0; i < 50; ++i) putEntry(*first, makeEntry(i));
  ASSERT_TRUE(first->flush());
  EXPECT_TRUE(holds(*second, makeEntry(7)));
  {
    SQLite::Database vandal(file.string(), SQLite::OPEN_READWRITE);
    vandal.exec("DROP TABLE record_blobs");
  }
  EXPECT_FALSE(holds(*first, makeEntry(7)));
  EXPECT_FALSE(holds(*second, makeEntry(7)));
  for (unsigned i = 0; i < 50; ++i) putEntry(i % 2 ? *first : *second, makeEntry(i));
  ASSERT_TRUE(first->flush());
  ASSERT_TRUE(second->flush());
  for (unsigned i = 0; i < 50; ++i) {
    EXPECT_TRUE(holds(*first, makeEntry(i)));
    EXPECT_TRUE(holds(*second, makeEntry(i)));
  }
  EXPECT_EQ(statsOf(*second).corruptDropped, 1u);
}

}  // namespace
}  // namespace simmer
