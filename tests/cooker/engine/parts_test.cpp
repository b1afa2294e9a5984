#include <set>

#include <gtest/gtest.h>

#include "cooker/engine/cook_result.h"
#include "cooker/engine/output_name.h"
#include "cooker/engine/publisher.h"
#include "cooker/engine/summary.h"
#include "cooker/engine/tree_reader.h"
#include "cooker/engine/work_queue.h"
#include "tests/cooker/engine/engine_fixtures.h"

namespace simmer {
namespace {

using test::writeText;

TEST(OutputName, FollowsSourceItemAndSuffix) {
  EXPECT_EQ(outputPath("hero/fox.glb", "Run", true, "clip"), "hero/fox.glb.Run.clip");
  EXPECT_EQ(outputPath("walk.bvh", "clip", false, "clip"), "walk.bvh.clip");
  EXPECT_EQ(outputPath("a.glb", "x/y: 100%", true, "clip"), "a.glb.x%2Fy%3A 100%25.clip");
  EXPECT_EQ(outputPath("a.glb", "走る", true, "clip"), "a.glb.%E8%B5%B0%E3%82%8B.clip");
  EXPECT_EQ(outputPath("a.glb", "Run#2", true, "clip"), "a.glb.Run%232.clip");
}

TEST(OutputName, LongNamesStayDifferentAndFitAnyFileSystem) {
  std::set<std::string> names;
  for (const char end : {'a', 'b'})
    for (const std::size_t length : {100U, 240U, 255U})
      names.insert(outputPath(std::string(length, 'x') + end, std::string(400, 'y') + end, true, "clip"));
  EXPECT_EQ(names.size(), 6U);
  for (const std::string& name : names) EXPECT_LE(name.size(), 255U);
}

TEST(TreePaths, StayInside) {
  EXPECT_EQ(*joinInsideTree("a/b/", "../c.bin"), "a/c.bin");
  EXPECT_EQ(*joinInsideTree("", "./x//y.bin"), "x/y.bin");
  for (const char* path : {"", "/x", "../x", "a/../../x", ".."}) EXPECT_FALSE(joinInsideTree("", path)) << path;
  EXPECT_FALSE(joinInsideTree("a/", std::string_view("x\0y", 3)));
}

TEST(CookResultRecord, RoundTripsAndDistrustsWhatItReads) {
  CookResult result;
  result.outputs = {{"clip", false, {sha256("a"), 7}}, {"skeleton", true, {sha256("b"), 9}}};
  result.toleranceM = 0.1 + 0.2;
  result.codec = "article";
  result.measures = {{"world error", 1.0 / 3, 0.5, "mm"}, {"note", 2, {}, "bytes"}};
  result.log = {"warning: \xff not UTF-8"};
  const Record record = result.toRecord("key text");
  const auto read = CookResult::fromRecord(record);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->toleranceM, result.toleranceM);
  EXPECT_EQ(read->measures[0].value, result.measures[0].value);
  EXPECT_EQ(read->measures[1].bound, std::nullopt);
  EXPECT_EQ(read->outputs[1].suffix, "skeleton");
  EXPECT_TRUE(read->outputs[1].perSource);
  for (std::size_t cut = 0; cut < record.meta.size(); cut += 3) {
    Record damaged = record;
    damaged.meta.resize(cut);
    EXPECT_FALSE(CookResult::fromRecord(damaged));
  }
  Record fewer = record;
  fewer.blobs.pop_back();
  EXPECT_FALSE(CookResult::fromRecord(fewer));
}

TEST(WorkQueue, DoesEverythingThatTasksAdd) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    WorkQueue queue;
    std::atomic<int> done{0};
    for (int i = 0; i < 50; ++i)
      queue.push([&] {
        for (int k = 0; k < 10; ++k) queue.push([&] { ++done; }, WorkQueue::Place::Front);
      });
    queue.run(threads);
    EXPECT_EQ(done, 500);
  }
}

class Publishing : public testing::Test {
 protected:
  Publisher open() {
    auto tree = walkTree(m_folder.path(), {});
    return Publisher(m_folder.path(), *tree, m_known);
  }
  void remember(Publisher& publisher) {
    for (const auto& [path, state] : publisher.takeChanges()) {
      if (state) {
        m_known[path] = *state;
      } else {
        m_known.erase(path);
      }
    }
  }
  static PublishedOutput output(const std::string& path, std::string_view text) {
    return {path, sha256(text), text.size()};
  }
  static std::function<Result<Bytes>()> bytes(std::string_view text) {
    return [text]() -> Result<Bytes> { return Bytes(asBytes(text).begin(), asBytes(text).end()); };
  }
  std::string read(const char* name) { return std::string(asText(*readFile(m_folder.path() / name))); }

  test::TemporaryFolder m_folder;
  std::unordered_map<std::string, StateDb::OutputState> m_known;
};

TEST_F(Publishing, WritesOnceAndThenFindsItStanding) {
  Publisher first = open();
  EXPECT_TRUE(*first.publish("s", output("d/a.clip", "one"), 1.5, bytes("one")));
  ASSERT_TRUE(first.writeManifest());
  remember(first);
  EXPECT_EQ(read("d/a.clip"), "one");
  EXPECT_EQ(read("manifest.tsv"),
            "output\tsource\tsha256\tbytes\terror_mm\nd/a.clip\ts\t" + sha256("one").hex() + "\t3\t1.5\n");
  Publisher second = open();
  EXPECT_TRUE(second.stands(output("d/a.clip", "one")));
  EXPECT_FALSE(*second.publish("s", output("d/a.clip", "one"), 1.5, [] {
    ADD_FAILURE() << "it stands already";
    return Result<Bytes>(Bytes{});
  }));
  writeText(m_folder.path() / "d/a.clip", "scribble");
  Publisher third = open();
  EXPECT_FALSE(third.stands(output("d/a.clip", "one")));
  EXPECT_TRUE(*third.publish("s", output("d/a.clip", "one"), 1.5, bytes("one")));
  EXPECT_EQ(read("d/a.clip"), "one");
}

TEST_F(Publishing, CanBeTriedAgainAfterItsBytesCouldNotBeHad) {
  Publisher publisher = open();
  const auto lost = []() -> Result<Bytes> { return fail(ErrorCode::Corrupt, "damaged"); };
  EXPECT_EQ(publisher.publish("s", output("a.clip", "one"), -1, lost).error().code, ErrorCode::Corrupt);
  EXPECT_TRUE(*publisher.publish("s", output("a.clip", "one"), -1, bytes("one")));
  EXPECT_EQ(read("a.clip"), "one");
}

TEST_F(Publishing, TwoSourcesCanNotHaveOneOutput) {
  Publisher publisher = open();
  ASSERT_TRUE(publisher.publish("a", output("x.clip", "one"), -1, bytes("one")));
  const auto other = publisher.publish("b", output("x.clip", "one"), -1, bytes("one"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "its output x.clip is also the output of a: rename one of them");
  EXPECT_FALSE(*publisher.publish("a", output("x.clip", "one"), -1, bytes("one"))) << "the same source may share it";
  EXPECT_FALSE(publisher.publish("a", output("x.clip", "two"), -1, bytes("two")));
  EXPECT_FALSE(publisher.publish("a", output("manifest.tsv", "two"), -1, bytes("two")));
}

TEST_F(Publishing, RemovesOnlyItsOwnAndOnlyWhatIsGone) {
  Publisher first = open();
  ASSERT_TRUE(first.publish("gone", output("a/b/gone.clip", "1"), -1, bytes("1")));
  ASSERT_TRUE(first.publish("stays", output("a/stays.clip", "2"), -1, bytes("2")));
  ASSERT_TRUE(first.publish("failed", output("failed.clip", "3"), -1, bytes("3")));
  remember(first);
  writeText(m_folder.path() / "a/b/mine.txt", "mine");
  Publisher second = open();
  second.keep("failed.clip");
  EXPECT_EQ(second.removeGone([](const std::string& source) { return source != "stays"; }), 1U);
  remember(second);
  EXPECT_FALSE(std::filesystem::exists(m_folder.path() / "a/b/gone.clip"));
  EXPECT_EQ(read("a/b/mine.txt"), "mine");
  EXPECT_EQ(read("a/stays.clip"), "2");
  EXPECT_EQ(read("failed.clip"), "3");
  EXPECT_EQ(m_known.size(), 2U);
}

AssetRow row(const char* source, AssetState state, double errorMm, std::vector<PublishedOutput> outputs) {
  AssetRow row;
  row.source = source;
  row.state = state;
  row.toleranceM = 0.004;
  row.sourceBytes = 100;
  row.rawBytes = 50;
  row.artifactBytes = 10;
  row.measures = {{std::string(kWorldError), errorMm, 4, "mm"}};
  row.outputs = std::move(outputs);
  return row;
}

TEST(Totals, CountSourcesAndSharedOutputsOnce) {
  const PublishedOutput shared{"a.skeleton", sha256("s"), 5};
  const std::vector<AssetRow> rows = {row("a", AssetState::Cooked, 1, {{"a.1", {}, 10}, shared}),
                                      row("a", AssetState::Cached, 3, {{"a.2", {}, 10}, shared}),
                                      row("b", AssetState::Unchanged, 2, {{"b.1", {}, 10}})};
  const Totals totals = totalsOf(rows);
  EXPECT_EQ(totals.sources, 2U);
  EXPECT_EQ(totals.assets, 3U);
  EXPECT_EQ(totals.sourceBytes, 200U);
  EXPECT_EQ(totals.rawBytes, 150U);
  EXPECT_EQ(totals.artifactBytes, 35U);
  EXPECT_DOUBLE_EQ(totals.worstErrorMm, 3);
  EXPECT_DOUBLE_EQ(totals.worstUsed, 0.75);
  EXPECT_EQ(totals.overBound, 0U);
}

TEST(AssetRows, RoundTripThroughJson) {
  const AssetRow before = row("ä/x\ty.glb", AssetState::Failed, 0.1, {{"o", sha256("o"), 3}});
  const auto rows = StateDb::splitRows(StateDb::joinRows({before, before}));
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[1].source, before.source);
  EXPECT_EQ((*rows)[1].outputs, before.outputs);
  EXPECT_EQ((*rows)[1].worldErrorMm(), 0.1);
  EXPECT_FALSE(StateDb::splitRows("{\"source\":3}\n"));
}

}  // namespace
}  // namespace simmer
