// What every store promises, tried on each of them; and the two against each other on random operations.
#include "cache/store.h"

#include "cache/memory_store.h"
#include "tests/cache/store_fixtures.h"

namespace simmer {
namespace {

using namespace test;
using ::testing::HasSubstr;

enum class Kind { Memory, Sqlite, SqliteUnbatched };

class AnyStore : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() == Kind::Memory) {
      m_store = std::make_unique<MemoryStore>();
    } else {
      SqliteStore::Options options;
      if (GetParam() == Kind::SqliteUnbatched) options.batch = 1;
      m_store = openStore(m_folder.path() / "cache.db", options);
    }
    ASSERT_NE(m_store, nullptr);
  }
  Store& store() { return *m_store; }

 private:
  TemporaryFolder m_folder;
  std::unique_ptr<Store> m_store;
};

INSTANTIATE_TEST_SUITE_P(Stores, AnyStore, ::testing::Values(Kind::Memory, Kind::Sqlite, Kind::SqliteUnbatched),
                         [](const auto& info) {
                           return info.param == Kind::Memory   ? "Memory"
                                  : info.param == Kind::Sqlite ? "Sqlite"
                                                               : "SqliteUnbatched";
                         });

TEST_P(AnyStore, WhatIsNotThereIsAbsentNotAnError) {
  const Digest digest = sha256("nothing");
  const auto found = store().find(digest);
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
  const auto blob = store().blob(digest);
  ASSERT_TRUE(blob);
  EXPECT_FALSE(*blob);
  const auto note = store().note("deps", digest);
  ASSERT_TRUE(note);
  EXPECT_FALSE(*note);
}

TEST_P(AnyStore, GivesBackARecordWithItsBlobsInOrder) {
  const Entry entry = makeEntry("walk", {randomBytes(100, 1), Bytes{}, randomBytes(3000, 2), randomBytes(100, 1)});
  putEntry(store(), entry);
  EXPECT_TRUE(holds(store(), entry));
  ASSERT_TRUE(store().flush());
  EXPECT_TRUE(holds(store(), entry));
}

TEST_P(AnyStore, KeepsANegativeAnswerWithoutBlobs) {
  const Entry entry = makeEntry("bad", {}, "{\"message\":\"frame count is 41, MOTION says 40\"}");
  putEntry(store(), entry);
  ASSERT_TRUE(store().flush());
  EXPECT_TRUE(holds(store(), entry));
}

TEST_P(AnyStore, KeepsBlobsOnBothSidesOfAMebibyte) {
  for (const std::size_t bytes : {std::size_t{1} << 20, (std::size_t{1} << 20) + 1, std::size_t{5'000'000}}) {
    const Entry entry = makeEntry(static_cast<unsigned>(bytes), bytes);
    putEntry(store(), entry);
    ASSERT_TRUE(store().flush());
    EXPECT_TRUE(holds(store(), entry)) << bytes;
  }
}

TEST_P(AnyStore, ReplacesARecordUnderTheSameKey) {
  const Entry first = makeEntry("walk", {randomBytes(10, 1), randomBytes(10, 2)}, "first");
  const Entry second = makeEntry("walk", {randomBytes(10, 3)}, "second");
  ASSERT_EQ(first.key, second.key);
  putEntry(store(), first);
  ASSERT_TRUE(store().flush());
  putEntry(store(), second);
  EXPECT_TRUE(holds(store(), second));
  ASSERT_TRUE(store().flush());
  EXPECT_TRUE(holds(store(), second));
}

TEST_P(AnyStore, KeepsTextsWithZerosAndBrokenUtf8) {
  const Entry entry = makeEntry(std::string_view("a\0b\xff\xc3", 5), {}, std::string("\0\xfe{}", 4));
  putEntry(store(), entry);
  ASSERT_TRUE(store().putNote("deps", entry.key, std::string_view("x\0\xff", 3)));
  ASSERT_TRUE(store().flush());
  EXPECT_TRUE(holds(store(), entry));
  const auto note = store().note("deps", entry.key);
  ASSERT_TRUE(note && *note);
  EXPECT_EQ(**note, std::string("x\0\xff", 3));
}

TEST_P(AnyStore, NotesOfDifferentKindsAreApart) {
  const Digest digest = sha256("source");
  ASSERT_TRUE(store().putNote("deps", digest, "a"));
  ASSERT_TRUE(store().putNote("describe", digest, "b"));
  ASSERT_TRUE(store().putNote("deps", digest, "c"));
  ASSERT_TRUE(store().flush());
  EXPECT_EQ(store().note("deps", digest).value(), "c");
  EXPECT_EQ(store().note("describe", digest).value(), "b");
  EXPECT_EQ(store().note("", digest).value(), std::nullopt);
}

TEST_P(AnyStore, RefusesWhatDoesNotMatchItsDigests) {
  const Entry good = makeEntry("walk", {randomBytes(10, 1)});
  const auto message = [&](const Key& key, const Record& record, const std::vector<Bytes>& blobs) {
    const auto put = store().put(key, record, blobs);
    EXPECT_FALSE(put);
    if (put) return std::string();
    EXPECT_EQ(put.error().code, ErrorCode::InvalidInput);
    return put.error().message;
  };
  EXPECT_THAT(message(sha256("other"), good.record, good.blobs), HasSubstr("the key text's SHA-256 is"));
  EXPECT_EQ(message(good.key, good.record, {}), "0 blobs were given, the record names 1");
  EXPECT_EQ(message(good.key, good.record, {randomBytes(11, 1)}), "blob 0 has 11 bytes, the record says 10");
  EXPECT_THAT(message(good.key, good.record, {randomBytes(10, 2)}), HasSubstr("blob 0 has the digest"));
  EXPECT_FALSE(holds(store(), good));
}

/// The same random operations on both stores give the same answers, also across reopening.
TEST(Stores, SqliteBehavesAsMemoryDoesOnRandomOperations) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    TemporaryFolder folder;
    SqliteStore::Options options;
    options.batch = 1 + seed * 3;
    auto sqlite = openStore(folder.path() / "cache.db", options);
    MemoryStore memory;
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    for (int i = 0; i < 250; ++i) {
      const Entry entry = makeEntry(below(25));
      const std::string kind = below(2) ? "deps" : "describe";
      switch (below(7)) {
        case 0:
        case 1: {
          std::vector<Bytes> blobs(below(4));
          for (Bytes& blob : blobs) blob = randomBytes(below(20) == 0 ? 1'100'000 : below(3000), below(40));
          const Entry put = makeEntry("item " + std::to_string(below(25)), blobs, std::to_string(i));
          putEntry(*sqlite, put);
          putEntry(memory, put);
          break;
        }
        case 2:
          ASSERT_TRUE(sqlite->putNote(kind, entry.key, std::to_string(i)));
          ASSERT_TRUE(memory.putNote(kind, entry.key, std::to_string(i)));
          break;
        case 3:
        case 4: {
          const auto found = memory.find(entry.key);
          ASSERT_EQ(sqlite->find(entry.key), found);
          for (const BlobRef& ref : *found ? (*found)->blobs : std::vector<BlobRef>())
            ASSERT_EQ(sqlite->blob(ref.digest), memory.blob(ref.digest));
          break;
        }
        case 5:
          ASSERT_EQ(sqlite->note(kind, entry.key), memory.note(kind, entry.key));
          break;
        case 6:
          if (below(4) == 0) {
            sqlite.reset();
            sqlite = openStore(folder.path() / "cache.db", options);
          } else {
            ASSERT_TRUE(sqlite->flush());
          }
          break;
      }
    }
    EXPECT_TRUE(sqlite->verify()->ok());
  }
}

}  // namespace
}  // namespace simmer
