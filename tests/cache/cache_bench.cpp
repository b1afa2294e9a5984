// What the store can take and give, beside bare SQLite with the same rows.
#include <algorithm>
#include <chrono>
#include <random>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "cache/database.h"
#include "cache/key.h"
#include "cache/sqlite_store.h"
#include "tests/bench/bench_report.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer {
namespace {

constexpr unsigned kRows = 40'000;
constexpr std::size_t kRowBytes = 2048;

struct Item {
  Key key;
  Record record;
  std::vector<Bytes> blobs;
};

std::vector<Item> makeItems() {
  std::mt19937_64 random(1);
  std::vector<Item> items(kRows);
  for (unsigned i = 0; i < kRows; ++i) {
    Bytes blob(kRowBytes);
    for (auto& byte : blob) byte = static_cast<std::uint8_t>(random());
    KeyText text;
    text.add("item", fmt::format("clip {}", i));
    text.add("source", sha256(blob));
    text.add("settings", std::string(200, 'x'));
    items[i] = {text.key(), {text.text(), R"({"error_mm":1.5})", {{sha256(blob), blob.size()}}}, {std::move(blob)}};
  }
  return items;
}

/// How often a second `work(i)` was done for i = 0 … kRows-1 in a random order.
template <class Work>
double perSecond(Work work, bool shuffled = true) {
  std::vector<unsigned> order(kRows);
  for (unsigned i = 0; i < kRows; ++i) order[i] = i;
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(2));
  const auto start = std::chrono::steady_clock::now();
  for (const unsigned i : order)
    if (!work(i)) {
      fmt::print(stderr, "the store failed at row {}\n", i);
      std::exit(1);
    }
  return kRows / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Bare {
  double puts = 0;
  double gets = 0;
};

/// The least that SQLite itself needs: one table, no checks, the same page size, batch and order.
Bare measureBare(const std::filesystem::path& file, const std::vector<Item>& items) {
  const auto database = openDatabase(file, "CREATE TABLE t (id INTEGER PRIMARY KEY, k BLOB UNIQUE, v BLOB)", 1);
  if (!database) return {};
  (*database)->exec("PRAGMA cache_size = -16384");
  SQLite::Statement put(**database, "INSERT INTO t (k, v) VALUES (?, ?)");
  SQLite::Statement get(**database, "SELECT v FROM t WHERE k = ?");
  Bare bare;
  bare.puts = perSecond(
      [&](unsigned i) {
        if (i % 100 == 0) (*database)->exec("BEGIN IMMEDIATE");
        put.bindNoCopy(1, items[i].key.bytes.data(), 32);
        put.bindNoCopy(2, items[i].blobs[0].data(), kRowBytes);
        put.exec();
        put.reset();
        if (i % 100 == 99) (*database)->exec("COMMIT");
        return true;
      },
      false);
  bare.gets = perSecond([&](unsigned i) {
    get.bindNoCopy(1, items[i].key.bytes.data(), 32);
    const bool found = get.executeStep();
    const auto* data = static_cast<const std::uint8_t*>(get.getColumn(0).getBlob());
    const Bytes copy(data, data + kRowBytes);
    get.reset();
    return found && copy == items[i].blobs[0];
  });
  return bare;
}

int run(int argc, char** argv) {
  bench::BenchReport report("cache", argc, argv);
  const test::TemporaryFolder folder;
  const auto items = makeItems();
  const Bare bare = measureBare(folder.path() / "bare.db", items);
  const auto opened = SqliteStore::open(folder.path() / "cache.db");
  if (!opened) {
    fmt::print(stderr, "{}\n", opened.error().text());
    return 1;
  }
  SqliteStore& store = **opened;
  const auto put = [&](unsigned i) { return store.put(items[i].key, items[i].record, items[i].blobs).has_value(); };
  report.add("puts of 2 KB, batch 100", perSecond(put, false), "rows/s", 18'000, bare.puts);
  const auto find = [&](unsigned i) { return store.find(items[i].key).value_or(std::nullopt).has_value(); };
  const auto blob = [&](unsigned i) { return store.blob(items[i].record.blobs[0].digest).value_or(std::nullopt); };
  report.add("gets of 2 KB blobs, checked", perSecond([&](unsigned i) { return blob(i).has_value(); }), "gets/s",
             93'000, bare.gets);
  report.add("finds of a record", perSecond(find), "gets/s", {}, bare.gets);
  report.add("finds with their blob", perSecond([&](unsigned i) { return find(i) && blob(i); }), "gets/s");
  const auto putNote = [&](unsigned i) {
    return store.putNote("deps", items[i].key, items[i].record.keyText).has_value();
  };
  report.add("puts of notes of 300 bytes", perSecond(putNote, false), "rows/s");
  report.add("gets of notes",
             perSecond([&](unsigned i) { return store.note("deps", items[i].key).value_or(std::nullopt).has_value(); }),
             "gets/s", 93'000);
  return report.finish();
}

}  // namespace
}  // namespace simmer

int main(int argc, char** argv) {
  return simmer::run(argc, argv);
}
