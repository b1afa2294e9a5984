// What happens when stored bytes change: nothing wrong is ever given back, and the store works again afterwards.
#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include "cache/sqlite_store.h"
#include "cooker/base/file.h"
#include "tests/cache/store_fixtures.h"

namespace simmer {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

class SqliteDamage : public ::testing::Test {
 protected:
  fs::path file() const { return m_folder.path() / "cache.db"; }

  /// Makes a store of `entries` and closes it.
  void make(const std::vector<Entry>& entries) {
    auto store = openStore(file());
    for (const Entry& entry : entries) putEntry(*store, entry);
    ASSERT_TRUE(store->putNote("deps", sha256("source"), "needle-note"));
  }

  /// Flips one bit of the first place in the database file where `text` stands. It must be there.
  void flipIn(std::string_view text, std::size_t offset = 0, int bit = 0) const {
    Bytes bytes = readFile(file()).value();
    const std::size_t at = asText(bytes).find(text);
    ASSERT_NE(at, std::string_view::npos);
    bytes[at + offset] ^= static_cast<std::uint8_t>(1 << bit);
    ASSERT_TRUE(writeFileAtomically(file(), bytes));
  }

 private:
  TemporaryFolder m_folder;
};

void expectCorrupt(Store& store, const Digest& digest) {
  const auto blob = store.blob(digest);
  ASSERT_FALSE(blob);
  EXPECT_EQ(blob.error().code, ErrorCode::Corrupt);
  EXPECT_THAT(blob.error().message, HasSubstr(digest.hex()));
}

TEST_F(SqliteDamage, AFlippedBitInABlobIsFoundCountedAndHealed) {
  const Entry entry = makeEntry("damaged", {randomBytes(50, 1), randomBytes(2000, 2)});
  const Entry sharing = makeEntry("sharing", {entry.blobs[1]}), sound = makeEntry(3);
  make({entry, sharing, sound});
  flipIn(asText(entry.blobs[1]).substr(0, 64), 40, 3);
  {
    auto store = openStore(file());
    ASSERT_TRUE(store->find(entry.key).value());
    expectCorrupt(*store, entry.record.blobs[1].digest);
    // Dropped with all that need it, so that they are cooked again; the rest stays.
    EXPECT_FALSE(store->find(entry.key).value());
    EXPECT_FALSE(store->find(sharing.key).value());
    EXPECT_FALSE(store->blob(entry.record.blobs[1].digest).value());
    EXPECT_TRUE(holds(*store, sound));
    EXPECT_EQ(statsOf(*store).corruptDropped, 1u);
  }
  auto store = openStore(file());
  EXPECT_EQ(statsOf(*store).corruptDropped, 1u);
  putEntry(*store, entry);
  ASSERT_TRUE(store->flush());
  EXPECT_TRUE(holds(*store, entry));
}

TEST_F(SqliteDamage, EveryBitOfABlobCounts) {
  const Entry entry = makeEntry("damaged", {randomBytes(40, 1)});
  make({entry});
  const Bytes before = readFile(file()).value();
  for (std::size_t bit = 0; bit < 8 * 40; bit += 7) {
    flipIn(asText(entry.blobs[0]), bit / 8, static_cast<int>(bit % 8));
    {
      auto store = openStore(file());
      expectCorrupt(*store, entry.record.blobs[0].digest);
      EXPECT_FALSE(store->find(entry.key).value());
    }
    fs::remove(file().string() + "-wal");
    ASSERT_TRUE(writeFileAtomically(file(), before));
  }
}

TEST_F(SqliteDamage, AFlippedBitInABlobFileIsFoundAndHealed) {
  const Entry entry = makeEntry(1, 1'500'000);
  make({entry});
  const fs::path path = blobFile(file(), entry.record.blobs[0].digest);
  Bytes bytes = entry.blobs[0];
  bytes[777'777] ^= 0x10;
  ASSERT_TRUE(writeFileAtomically(path, bytes));
  auto store = openStore(file());
  expectCorrupt(*store, entry.record.blobs[0].digest);
  EXPECT_FALSE(store->find(entry.key).value());
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(statsOf(*store).corruptDropped, 1u);
  putEntry(*store, entry);
  ASSERT_TRUE(store->flush());
  EXPECT_TRUE(holds(*store, entry));
}

TEST_F(SqliteDamage, ABlobFileOfAnotherLengthIsCorrupt) {
  const Entry entry = makeEntry(1, 1'500'000);
  const fs::path path = blobFile(file(), entry.record.blobs[0].digest);
  for (const std::size_t bytes : {0u, 1'499'999u, 1'500'001u}) {
    make({entry});
    fs::resize_file(path, bytes);
    auto store = openStore(file());
    expectCorrupt(*store, entry.record.blobs[0].digest);
    EXPECT_FALSE(store->find(entry.key).value());
  }
}

TEST_F(SqliteDamage, AMissingBlobFileIsAbsentAndTakesItsRecordsAlong) {
  const Entry entry = makeEntry(1, 1'500'000);
  make({entry});
  fs::remove(blobFile(file(), entry.record.blobs[0].digest));
  auto store = openStore(file());
  ASSERT_TRUE(store->find(entry.key).value());
  const auto blob = store->blob(entry.record.blobs[0].digest);
  ASSERT_TRUE(blob);
  EXPECT_FALSE(*blob);
  EXPECT_FALSE(store->find(entry.key).value());
}

TEST_F(SqliteDamage, AFlippedBitInKeyTextMetaOrNoteIsFoundAndHealed) {
  const Entry entry = makeEntry("needle-key", {randomBytes(50, 1)}, "needle-meta");
  for (const std::string_view needle : {"needle-key", "needle-meta", "needle-note"}) {
    SCOPED_TRACE(needle);
    make({entry});
    flipIn(needle, 3, 1);
    auto store = openStore(file());
    const auto before = statsOf(*store).corruptDropped;
    const bool note = needle == "needle-note";
    EXPECT_EQ(store->find(entry.key).value().has_value(), note);
    EXPECT_EQ(store->note("deps", sha256("source")).value().has_value(), !note);
    EXPECT_EQ(statsOf(*store).corruptDropped, before + 1);
    EXPECT_EQ(statsOf(*store).records, note ? 1u : 0u);
    EXPECT_EQ(statsOf(*store).notes, note ? 0u : 1u);
  }
}

TEST_F(SqliteDamage, VerifyFindsAllOfItAndSaysSo) {
  std::vector<Entry> entries;
  for (unsigned i = 0; i < 20; ++i) entries.push_back(makeEntry(i, 300));
  entries.push_back(makeEntry(20, 1'500'000));
  entries.push_back(makeEntry(21, 1'600'000));
  entries.push_back(makeEntry("needle-key", {}));
  make(entries);
  flipIn(asText(entries[4].blobs[0]));
  flipIn("needle-key");
  flipIn("needle-note");
  Bytes bytes = entries[20].blobs[0];
  bytes[0] ^= 1;
  ASSERT_TRUE(writeFileAtomically(blobFile(file(), entries[20].record.blobs[0].digest), bytes));
  fs::remove(blobFile(file(), entries[21].record.blobs[0].digest));
  auto store = openStore(file());
  std::vector<double> progress;
  const auto result = store->verify([&](double fraction) { progress.push_back(fraction); });
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_FALSE(result->ok());
  EXPECT_EQ(result->checked, 22u);
  EXPECT_THAT(result->corrupt,
              UnorderedElementsAre(entries[4].record.blobs[0].digest, entries[20].record.blobs[0].digest));
  EXPECT_EQ(result->missing, 1u);
  EXPECT_EQ(result->corruptRecords, 1u);
  EXPECT_EQ(result->corruptNotes, 1u);
  EXPECT_FALSE(result->rebuilt);
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  EXPECT_EQ(progress.back(), 1.0);
  EXPECT_EQ(statsOf(*store).corruptDropped, 5u);
  EXPECT_TRUE(store->verify()->ok());
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(holds(*store, entries[i]), i != 4 && i < 20) << i;
}

TEST_F(SqliteDamage, ADamagedDigestInTheDatabaseIsFound) {
  const Entry entry = makeEntry(1), sound = makeEntry(2);
  make({entry, sound});
  const Digest digest = entry.record.blobs[0].digest;
  // It stands in the row and in the index; each is damaged in turn.
  for (const bool last : {false, true}) {
    Bytes bytes = readFile(file()).value();
    const std::string_view text = asText(bytes), needle = asText(digest.bytes);
    const std::size_t at = last ? text.rfind(needle) : text.find(needle);
    ASSERT_NE(at, std::string_view::npos);
    bytes[at + 5] ^= 4;
    ASSERT_TRUE(writeFileAtomically(file(), bytes));
    auto store = openStore(file());
    const auto result = store->verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_TRUE(store->verify()->ok());
    EXPECT_TRUE(last || holds(*store, sound));
    holds(*store, entry);
    putEntry(*store, entry);
    ASSERT_TRUE(store->flush());
    EXPECT_TRUE(holds(*store, entry));
  }
}

/// One bit anywhere in the file, also in the database's own structure: what is given back is right, and the store
/// takes everything again.
TEST_F(SqliteDamage, AFlippedBitAnywhereNeverGivesWrongBytes) {
  std::vector<Entry> entries;
  for (unsigned i = 0; i < 60; ++i) entries.push_back(makeEntry(i, 900));
  make(entries);
  const Bytes before = readFile(file()).value();
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    // Half of the flips go where structure is dense: the header, the schema and the heads of pages.
    std::size_t at = random() % before.size();
    if (round % 2 == 0) at = at / 16384 * 16384 + random() % 200;
    const int bit = static_cast<int>(random() % 8);
    SCOPED_TRACE(fmt::format("byte {} bit {}", at, bit));
    Bytes bytes = before;
    bytes[at] ^= static_cast<std::uint8_t>(1 << bit);
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(file().string() + suffix);
    ASSERT_TRUE(writeFileAtomically(file(), bytes));
    auto opened = SqliteStore::open(file());
    if (!opened) {
      // The version and the owner's number can not be told from a newer or another program's.
      EXPECT_EQ(opened.error().code, ErrorCode::Unsupported) << opened.error().text();
      EXPECT_TRUE((at >= 60 && at < 64) || (at >= 68 && at < 72));
      continue;
    }
    SqliteStore& store = **opened;
    for (const Entry& entry : entries) holds(store, entry);
    for (const Entry& entry : entries) {
      const auto put = store.put(entry.key, entry.record, entry.blobs);
      EXPECT_TRUE(put) << put.error().text();
    }
    const auto flushed = store.flush();
    EXPECT_TRUE(flushed) << flushed.error().text();
    if (round % 3 == 0) {
      const auto verified = store.verify();
      EXPECT_TRUE(verified) << verified.error().text();
      for (const Entry& entry : entries) {
        if (holds(store, entry)) continue;
        EXPECT_FALSE(verified->ok());
        putEntry(store, entry);
      }
      const auto collected = store.gc({}, 10'000);
      EXPECT_TRUE(collected) << collected.error().text();
    } else {
      for (const Entry& entry : entries) {
        if (!holds(store, entry)) putEntry(store, entry);
        EXPECT_TRUE(holds(store, entry));
      }
    }
  }
}

}  // namespace
}  // namespace simmer
