#include "cooker/report/project_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cooker/engine/output_name.h"
#include "cooker/engine/summary.h"
#include "cooker/report/comparison.h"
#include "tests/cooker/report/report_fixtures.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

using testing::ElementsAre;

/// A clip of a source that has several; they share a skeleton.
AssetRow clipOf(const std::string& source, const std::string& item, std::uint64_t bytes, const std::string& profile) {
  AssetRow row = assetRow(source, bytes, profile);
  row.item = item;
  row.named = true;
  row.outputs = {{outputPath(source, item, true, "clip"), {}, bytes}, {source + ".skeleton", {}, 1000}};
  return row;
}

std::vector<AssetRow> project() {
  AssetRow failed = failedRow("npc/bad.bvh", "line 3: nothing");
  failed.outputs = {{"npc/bad.bvh.clip", {}, 70}};
  return {assetRow("cam.bvh", 5, ""), clipOf("hero/fox.glb", "Run", 10, "hero"),
          clipOf("hero/fox.glb", "Walk", 20, "npc"), failed, assetRow("npc/crowd/a.bvh", 30)};
}

std::vector<std::string> texts(const std::vector<GroupSum>& sums) {
  std::vector<std::string> list;
  for (const GroupSum& sum : sums)
    list.push_back(fmt::format("{}: {} assets of {}, {} failed, cooked {}, shipped {}", sum.name, sum.totals.assets,
                               sum.totals.sources, sum.totals.failed, sum.totals.artifactBytes,
                               sum.totals.shippedBytes));
  return list;
}

TEST(Sums, ByFolderHoldAllThatLiesBelow) {
  EXPECT_THAT(texts(sumsByFolder(project())), ElementsAre(": 5 assets of 4, 1 failed, cooked 1065, shipped 1135",
                                                          "hero: 2 assets of 1, 0 failed, cooked 1030, shipped 1030",
                                                          "npc: 2 assets of 2, 1 failed, cooked 30, shipped 100",
                                                          "npc/crowd: 1 assets of 1, 0 failed, cooked 30, shipped 30"));
}

TEST(Sums, ByProfileCountASharedFileOnceInEach) {
  EXPECT_THAT(texts(sumsByProfile(project())), ElementsAre("hero: 1 assets of 1, 0 failed, cooked 1010, shipped 1010",
                                                           "npc: 2 assets of 2, 0 failed, cooked 1050, shipped 1050",
                                                           ": 2 assets of 2, 1 failed, cooked 5, shipped 75"));
}

TEST(Sums, AreWhatACookReports) {
  const std::vector<AssetRow> rows = project();
  std::vector<const AssetRow*> all;
  for (const AssetRow& row : rows) all.push_back(&row);
  EXPECT_EQ(totalsOfRows(all).artifactBytes, totalsOf(rows).artifactBytes);
  EXPECT_EQ(totalsOfRows(all).sourceBytes, totalsOf(rows).sourceBytes);
}

/// Rows as a history has them: without outputs.
std::vector<AssetRow> withoutOutputs(std::vector<AssetRow> rows) {
  for (AssetRow& row : rows) row.outputs.clear();
  return rows;
}

TEST(Outputs, FindTheirAssetsByName) {
  std::vector<AssetRow> rows = project();
  // A name that is cut, one that is escaped, one that looks like another source's.
  rows.push_back(clipOf("x/" + std::string(240, 'n') + ".glb", std::string(300, 'c'), 40, ""));
  rows.back().outputs[1].path = outputPath(rows.back().source, "", false, "skeleton");
  rows.push_back(clipOf("y.gltf", "b.gltf.c", 41, ""));
  rows.push_back(clipOf("y.gltf", "Wa/lk: 1", 42, ""));
  rows.push_back(clipOf("y.gltf.b.gltf", "d", 43, ""));
  std::sort(rows.begin(), rows.end(), [](const AssetRow& a, const AssetRow& b) { return a.source < b.source; });
  FileBytes files;
  for (const AssetRow& row : rows)
    for (const PublishedOutput& output : row.outputs) files[output.path] = output.bytes;
  std::vector<AssetRow> bare = withoutOutputs(rows);
  attachOutputs(bare, files);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(bare[i].outputs, rows[i].outputs) << rows[i].source;
}

TEST(Outputs, OfNobodyAreLeftAlone) {
  std::vector<AssetRow> rows = withoutOutputs({assetRow("a.bvh", 5)});
  attachOutputs(rows, {{"b.bvh.clip", 3}, {"a.bvh.clip", 5}, {"a.bvh.skeleton", 9}, {"", 1}, {".", 1}, {"a", 1}});
  ASSERT_EQ(rows[0].outputs.size(), 2U);
  EXPECT_EQ(rows[0].outputs[0].path, "a.bvh.clip") << "the artifact comes first";
}

TEST(Compare, FindsEveryKindOfChange) {
  AssetRow grown = assetRow("grown.bvh", 100), shrunk = assetRow("shrunk.bvh", 100);
  const ProjectState before = stateOf({assetRow("gone.bvh", 60), grown, assetRow("same.bvh", 7), shrunk});
  grown = assetRow("grown.bvh", 150);
  grown.toleranceM = 0.0035;
  shrunk = assetRow("shrunk.bvh", 90);
  shrunk.profile = "background";
  shrunk.rawBytes = 2000;
  const ProjectState after = stateOf({grown, assetRow("new.bvh", 40), assetRow("same.bvh", 7), shrunk});
  const Comparison comparison = compare(before, after);
  std::vector<std::string> changes;
  std::int64_t sum = 0;
  for (const FileChange& c : comparison.changes) {
    changes.push_back(fmt::format("{} {} {} {} {}", toString(c.kind), c.name, c.before, c.after, c.cause));
    sum += static_cast<std::int64_t>(c.after) - static_cast<std::int64_t>(c.before);
  }
  EXPECT_THAT(changes,
              ElementsAre("gone gone.bvh 60 0 ", "grew grown.bvh 100 150 tolerance 7.00 → 3.50 mm", "new new.bvh 0 40 ",
                          "shrank shrunk.bvh 100 90 profile npc → background, shorter (−50.0 % raw)"));
  EXPECT_EQ(
      static_cast<std::int64_t>(after.totals.shippedBytes) - static_cast<std::int64_t>(before.totals.shippedBytes),
      sum);
}

TEST(Compare, AFailedAssetThatStillShipsIsNoChange) {
  const ProjectState before = stateOf({clipOf("fox.glb", "Run", 10, "hero"), clipOf("fox.glb", "Walk", 20, "hero")});
  AssetRow failed = failedRow("fox.glb", "the file is empty");
  failed.outputs = {{"fox.glb.Run.clip", {}, 10}, {"fox.glb.Walk.clip", {}, 20}, {"fox.glb.skeleton", {}, 1000}};
  EXPECT_TRUE(compare(before, stateOf({failed})).changes.empty());
}

/// A project's state.db through several runs.
class States : public testing::Test {
 protected:
  void run(const std::vector<AssetRow>& rows, std::vector<std::pair<std::string, std::string>> removed,
           const std::map<std::string, std::optional<std::uint64_t>>& files, std::uint64_t shipped) {
    auto database = StateDb::open(m_folder.path());
    ASSERT_TRUE(database) << database.error().text();
    StateDb::Changes changes;
    std::map<std::string, std::vector<AssetRow>> sources;
    for (const AssetRow& row : rows) sources[row.source].push_back(row);
    for (const auto& [source, of] : sources)
      changes.sources[source] = StateDb::SourceState{sha256("x"), {}, StateDb::joinRows(of)};
    for (const auto& [source, item] : removed) changes.sources[source] = std::nullopt;
    for (const auto& [path, bytes] : files)
      changes.outputs[path] =
          bytes ? std::optional(StateDb::OutputState{"", sha256("x"), {*bytes, 1, 1, 1}, -1}) : std::nullopt;
    changes.rows = rows;
    changes.removed = std::move(removed);
    changes.totals = Totals{};
    changes.totals->shippedBytes = shipped;
    ASSERT_TRUE(database->apply(changes));
  }

  TemporaryFolder m_folder;
};

TEST_F(States, OfThePastAreAsTheyWere) {
  const AssetRow run = clipOf("fox.glb", "Run", 10, "hero"), walk = clipOf("fox.glb", "Walk", 20, "hero");
  this->run({run, walk, assetRow("a.bvh", 7)}, {},
            {{"fox.glb.Run.clip", 10}, {"fox.glb.Walk.clip", 20}, {"fox.glb.skeleton", 1000}, {"a.bvh.clip", 7}}, 1100);
  const auto database1 = StateDb::open(m_folder.path());
  const ProjectState then = *currentState(const_cast<StateDb&>(*database1), 63);
  this->run({assetRow("b.bvh", 7), clipOf("fox.glb", "Run", 11, "hero")}, {{"a.bvh", "clip"}},
            {{"fox.glb.Run.clip", 11}, {"a.bvh.clip", std::nullopt}, {"b.bvh.clip", 7}}, 1101);
  auto database = StateDb::open(m_folder.path());
  const auto runs = database->history().runs();
  ASSERT_EQ(runs->size(), 2U);
  const auto past = stateAfter(database->history(), runs->front());
  ASSERT_TRUE(past) << past.error().text();
  EXPECT_EQ(past->files, then.files);
  EXPECT_EQ(past->totals.shippedBytes, 1100U);
  EXPECT_EQ(past->totals.shippedBytes, then.totals.shippedBytes);
  EXPECT_EQ(past->totals.artifactBytes, then.totals.artifactBytes);
  EXPECT_EQ(past->totals.sourceBytes, then.totals.sourceBytes);
  EXPECT_EQ(past->totals.rawBytes, then.totals.rawBytes);
  EXPECT_EQ(texts(sumsByProfile(past->rows)), texts(sumsByProfile(then.rows)));
  EXPECT_EQ(texts(sumsByFolder(past->rows)), texts(sumsByFolder(then.rows)));
}

}  // namespace
}  // namespace simmer::test
