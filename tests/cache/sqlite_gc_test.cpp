#include "cache/sqlite_store.h"
#include "cooker/base/file.h"
#include "tests/cache/store_fixtures.h"

namespace simmer {
namespace {

using namespace test;
namespace fs = std::filesystem;

class SqliteGc : public ::testing::Test {
 protected:
  SqliteGc() { reopen(); }
  void reopen() {
    store.reset();
    store = openStore(file(), options);
  }
  SqliteStore::GcResult gc(std::uint64_t limit, const std::set<Key>& inUse = {}) {
    const auto result = store->gc(inUse, limit);
    EXPECT_TRUE(result) << result.error().text();
    return result.value_or(SqliteStore::GcResult{});
  }
  /// The numbers below `count` whose entries are there.
  std::vector<unsigned> kept(unsigned count, std::size_t bytes = 500) {
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < count; ++i)
      if (store->find(makeEntry(i, bytes).key).value()) numbers.push_back(i);
    return numbers;
  }
  fs::path file() const { return m_folder.path() / "cache.db"; }

 private:
  TemporaryFolder m_folder;

 protected:
  SqliteStore::Options options;
  std::unique_ptr<SqliteStore> store;
};

using Numbers = std::vector<unsigned>;

TEST_F(SqliteGc, BelowTheLimitDropsNothing) {
  for (unsigned i = 0; i < 4; ++i) putEntry(*store, makeEntry(i));
  const auto result = gc(2000);
  EXPECT_EQ(result.recordsDropped, 0u);
  EXPECT_EQ(result.blobsDropped, 0u);
  EXPECT_EQ(result.bytesKept, 2000u);
  EXPECT_EQ(kept(4), (Numbers{0, 1, 2, 3}));
}

TEST_F(SqliteGc, DropsWhatWasUsedLongestAgo) {
  for (unsigned i = 0; i < 6; ++i) putEntry(*store, makeEntry(i));
  ASSERT_TRUE(store->flush());
  EXPECT_TRUE(holds(*store, makeEntry(0)));
  EXPECT_TRUE(holds(*store, makeEntry(3)));
  const auto result = gc(1500);
  EXPECT_EQ(result.recordsDropped, 3u);
  EXPECT_EQ(result.blobsDropped, 3u);
  EXPECT_EQ(result.bytesFreed, 1500u);
  EXPECT_EQ(result.bytesKept, 1500u);
  EXPECT_EQ(kept(6), (Numbers{0, 3, 5}));
}

TEST_F(SqliteGc, RemembersUsesOfEarlierRunsToTheHour) {
  std::int64_t time = 1'000'000'000;
  options.clock = [&] { return time; };
  reopen();
  for (unsigned i = 0; i < 4; ++i) putEntry(*store, makeEntry(i));
  time += 3'700'000'000;
  reopen();
  EXPECT_TRUE(holds(*store, makeEntry(1)));
  reopen();
  gc(500);
  EXPECT_EQ(kept(4), (Numbers{1}));
}

TEST_F(SqliteGc, PuttingAgainCountsAsUse) {
  for (unsigned i = 0; i < 3; ++i) putEntry(*store, makeEntry(i));
  ASSERT_TRUE(store->flush());
  putEntry(*store, makeEntry(0));
  gc(1000);
  EXPECT_EQ(kept(3), (Numbers{0, 2}));
}

TEST_F(SqliteGc, NeverDropsKeysInUse) {
  for (unsigned i = 0; i < 6; ++i) putEntry(*store, makeEntry(i));
  const auto result = gc(0, {makeEntry(0).key, makeEntry(4).key, sha256("not there")});
  EXPECT_EQ(result.bytesKept, 1000u);
  EXPECT_EQ(kept(6), (Numbers{0, 4}));
  EXPECT_TRUE(holds(*store, makeEntry(0)));
  EXPECT_TRUE(holds(*store, makeEntry(4)));
}

TEST_F(SqliteGc, ASharedBlobCountsOnceAndStaysWhileOneNeedsIt) {
  const Bytes shared = randomBytes(1000, 1);
  const Entry first = makeEntry("first", {shared}), second = makeEntry("second", {shared, randomBytes(10, 2)});
  const Entry third = makeEntry("third", {shared, shared});
  for (const Entry* entry : {&first, &second, &third}) putEntry(*store, *entry);
  EXPECT_EQ(gc(1010).recordsDropped, 0u);
  const auto result = gc(1009);
  EXPECT_EQ(result.recordsDropped, 2u);
  EXPECT_EQ(result.blobsDropped, 1u);
  EXPECT_EQ(result.bytesKept, 1000u);
  EXPECT_TRUE(holds(*store, third));
  EXPECT_EQ(gc(999).bytesKept, 0u);
  EXPECT_FALSE(store->blob(sha256(shared)).value());
}

TEST_F(SqliteGc, DropsBlobsThatReplacedRecordsLeft) {
  putEntry(*store, makeEntry("a", {randomBytes(700, 1)}));
  ASSERT_TRUE(store->flush());
  const Entry now = makeEntry("a", {randomBytes(800, 2)});
  putEntry(*store, now);
  const auto result = gc(1'000'000);
  EXPECT_EQ(result.recordsDropped, 0u);
  EXPECT_EQ(result.blobsDropped, 1u);
  EXPECT_EQ(result.bytesFreed, 700u);
  EXPECT_TRUE(holds(*store, now));
}

TEST_F(SqliteGc, RemovesFilesOfDroppedBlobsAndOrphans) {
  const Entry old = makeEntry(1, 1'500'000), recent = makeEntry(2, 1'500'000);
  putEntry(*store, old);
  putEntry(*store, recent);
  ASSERT_TRUE(store->flush());
  // What a crash may leave: a blob without a record, a temporary file. And a file that is not ours.
  const fs::path orphan = blobFile(file(), sha256("orphan"));
  const fs::path temporary = orphan.parent_path() / ".simmer-tmp-1-2";
  const fs::path foreign = file().parent_path() / "blobs" / "README";
  for (const fs::path& path : {orphan, temporary, foreign}) ASSERT_TRUE(writeFileAtomically(path, asBytes("12345")));
  ASSERT_TRUE(isTemporaryName(temporary.filename().string()));
  const auto result = gc(2'000'000);
  EXPECT_EQ(result.recordsDropped, 1u);
  EXPECT_EQ(result.bytesFreed, 1'500'010u);
  EXPECT_FALSE(fs::exists(blobFile(file(), old.record.blobs[0].digest)));
  EXPECT_FALSE(fs::exists(orphan));
  EXPECT_FALSE(fs::exists(temporary));
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_TRUE(holds(*store, recent));
}

TEST_F(SqliteGc, GivesTheSpaceBack) {
  for (unsigned i = 0; i < 1000; ++i) putEntry(*store, makeEntry(i, 10'000));
  ASSERT_TRUE(store->flush());
  EXPECT_GT(statsOf(*store).fileBytes, 10'000'000u);
  gc(100'000);
  EXPECT_LT(statsOf(*store).fileBytes, 1'000'000u);
  EXPECT_EQ(statsOf(*store).records, 10u);
}

TEST_F(SqliteGc, NegativeAnswersGoInOrderToo) {
  putEntry(*store, makeEntry("negative", {}));
  putEntry(*store, makeEntry(0));
  putEntry(*store, makeEntry(1));
  EXPECT_EQ(gc(500).recordsDropped, 2u);
  EXPECT_FALSE(store->find(makeEntry("negative", {}).key).value());
  EXPECT_EQ(kept(2), (Numbers{1}));
}

TEST_F(SqliteGc, KeepsTheNotesUsedLast) {
  options.limitNotes = 3;
  reopen();
  const auto digest = [](unsigned number) { return sha256(std::to_string(number)); };
  for (unsigned i = 0; i < 6; ++i) ASSERT_TRUE(store->putNote("deps", digest(i), "x"));
  ASSERT_TRUE(store->flush());
  EXPECT_TRUE(store->wantsGc().value());
  EXPECT_EQ(store->note("deps", digest(1)).value(), "x");
  EXPECT_EQ(gc(0).notesDropped, 3u);
  Numbers left;
  for (unsigned i = 0; i < 6; ++i)
    if (store->note("deps", digest(i)).value()) left.push_back(i);
  EXPECT_EQ(left, (Numbers{1, 4, 5}));
  EXPECT_FALSE(store->wantsGc().value());
}

TEST_F(SqliteGc, IsWantedAboveTheLimitOnly) {
  options.limitBytes = 1000;
  reopen();
  putEntry(*store, makeEntry(0));
  putEntry(*store, makeEntry(1));
  ASSERT_TRUE(store->flush());
  EXPECT_FALSE(store->wantsGc().value());
  putEntry(*store, makeEntry(2));
  ASSERT_TRUE(store->flush());
  EXPECT_TRUE(store->wantsGc().value());
  ASSERT_TRUE(store->gc({}));
  EXPECT_FALSE(store->wantsGc().value());
  EXPECT_EQ(kept(3), (Numbers{1, 2}));
}

/// Against a plain model: a list of records in the order of their use.
TEST_F(SqliteGc, DropsWhatAModelDrops) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    TemporaryFolder folder;
    auto tried = openStore(folder.path() / "cache.db");
    std::mt19937 random(seed);
    std::vector<Entry> order;  // least recently used first
    const auto use = [&](const Entry& entry) {
      std::erase_if(order, [&](const Entry& other) { return other.key == entry.key; });
      order.push_back(entry);
    };
    for (int i = 0; i < 60; ++i) {
      if (random() % 3 > 0 || order.empty()) {
        std::vector<Bytes> blobs(random() % 3);
        for (Bytes& blob : blobs) blob = randomBytes(100 + random() % 5, random() % 12);
        use(makeEntry("item " + std::to_string(random() % 20), blobs));
        putEntry(*tried, order.back());
      } else {
        use(Entry(order[random() % order.size()]));
        ASSERT_TRUE(holds(*tried, order.back()));
      }
      const bool flushNow = random() % 4 == 0;
      ASSERT_TRUE(!flushNow || tried->flush());
    }
    std::set<Key> inUse;
    for (const Entry& entry : order)
      if (random() % 5 == 0) inUse.insert(entry.key);
    const std::uint64_t limit = random() % 3000;
    const auto bytesOf = [](const std::vector<Entry>& entries) {
      std::map<Digest, std::uint64_t> blobs;
      for (const Entry& entry : entries)
        for (const BlobRef& ref : entry.record.blobs) blobs[ref.digest] = ref.bytes;
      std::uint64_t sum = 0;
      for (const auto& [digest, bytes] : blobs) sum += bytes;
      return sum;
    };
    const std::vector<Entry> all = order;
    for (std::size_t i = 0; i < order.size() && bytesOf(order) > limit;)
      if (inUse.contains(order[i].key))
        ++i;
      else
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(i));
    const auto result = tried->gc(inUse, limit);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->bytesKept, bytesOf(order));
    EXPECT_EQ(result->recordsDropped, all.size() - order.size());
    for (const Entry& entry : all) {
      const bool stays = std::any_of(order.begin(), order.end(), [&](const Entry& e) { return e.key == entry.key; });
      EXPECT_EQ(holds(*tried, entry), stays);
    }
  }
}

}  // namespace
}  // namespace simmer
