#pragma once

#include <filesystem>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/key.h"
#include "cache/sqlite_store.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {

/// A record with its blobs and its key.
struct Entry {
  Key key;
  Record record;
  std::vector<Bytes> blobs;
};

inline Bytes randomBytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

inline Entry makeEntry(std::string_view name, std::vector<Bytes> blobs, std::string meta = "{\"error_mm\":1.5}") {
  KeyText text;
  text.add("schema", "1");
  text.add("item", name);
  Entry entry{text.key(), {text.text(), std::move(meta), {}}, std::move(blobs)};
  for (const Bytes& blob : entry.blobs) entry.record.blobs.push_back({sha256(blob), blob.size()});
  return entry;
}

/// The entry number `number`, with one blob of its own.
inline Entry makeEntry(unsigned number, std::size_t bytes = 500) {
  return makeEntry("item " + std::to_string(number), {randomBytes(bytes, number)});
}

inline void putEntry(Store& store, const Entry& entry) {
  const auto put = store.put(entry.key, entry.record, entry.blobs);
  ASSERT_TRUE(put) << put.error().text();
}

/// Whether the store gives all of the entry as it was put. What it gives must be right even where it is not all.
inline bool holds(Store& store, const Entry& entry) {
  const auto found = store.find(entry.key);
  EXPECT_TRUE(found) << found.error().text();
  if (!found || !*found) return false;
  EXPECT_EQ(**found, entry.record);
  for (std::size_t i = 0; i < entry.blobs.size(); ++i) {
    const auto blob = store.blob(entry.record.blobs[i].digest);
    if (!blob || !*blob) return false;
    EXPECT_TRUE(**blob == entry.blobs[i]);
  }
  return true;
}

inline std::unique_ptr<SqliteStore> openStore(const std::filesystem::path& file, SqliteStore::Options options = {}) {
  auto store = SqliteStore::open(file, options);
  EXPECT_TRUE(store) << store.error().text();
  return store ? std::move(*store) : nullptr;
}

inline StoreStats statsOf(SqliteStore& store) {
  const auto stats = store.stats();
  EXPECT_TRUE(stats) << stats.error().text();
  return stats.value_or(StoreStats{});
}

/// Where a blob above 1 MiB stands.
inline std::filesystem::path blobFile(const std::filesystem::path& database, const Digest& digest) {
  const std::string hex = digest.hex();
  return database.parent_path() / "blobs" / hex.substr(0, 2) / hex.substr(2);
}

}  // namespace simmer::test
