#include "cooker/engine/history.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cooker/engine/state_db.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

AssetRow rowOf(const char* source, const char* item, std::uint64_t bytes, AssetState state = AssetState::Cooked) {
  AssetRow row;
  row.source = source;
  row.item = item;
  row.named = true;
  row.plugin = "animation";
  row.profile = "npc";
  row.tags = {"crowd", "night"};
  row.state = state;
  row.codec = "spline";
  row.key = sha256(std::to_string(bytes)).hex();
  row.toleranceM = 0.007;
  row.metresPerPixel = 0.007;
  row.measures = {{std::string(kWorldError), 6.5, {}, "mm"}};
  row.sourceBytes = 1000;
  row.rawBytes = 500;
  row.artifactBytes = bytes;
  row.memoryBytes = 2 * bytes;
  row.seconds = 0.25;
  row.message = "as expected";
  return row;
}

/// A project's state.db, opened anew for each run as the program does.
class HistoryOfRuns : public testing::Test {
 protected:
  void run(StateDb::Changes changes) {
    auto state = StateDb::open(m_folder.path());
    ASSERT_TRUE(state) << state.error().text();
    changes.totals = Totals{};
    changes.totals->artifactBytes = 42;
    const auto applied = state->apply(changes);
    ASSERT_TRUE(applied) << applied.error().text();
  }
  /// "source item bytes" of each asset after a run.
  std::vector<std::string> assetsAt(std::int64_t run) {
    auto state = StateDb::open(m_folder.path());
    const auto rows = state->history().assetsAt(run);
    EXPECT_TRUE(rows) << rows.error().text();
    std::vector<std::string> texts;
    for (const AssetRow& row : *rows) texts.push_back(fmt::format("{} {} {}", row.source, row.item, row.artifactBytes));
    return texts;
  }

  TemporaryFolder m_folder;
};

using testing::ElementsAre;

TEST_F(HistoryOfRuns, ShowsTheProjectAfterAnyRun) {
  run({.rows = {rowOf("a.glb", "Run", 10), rowOf("a.glb", "Walk", 20), rowOf("b.bvh", "clip", 30)}});
  run({.rows = {rowOf("a.glb", "Walk", 15)}, .removed = {{"b.bvh", "clip"}}});
  run({.rows = {rowOf("b.bvh", "clip", 31)}});
  EXPECT_THAT(assetsAt(0), ElementsAre());
  EXPECT_THAT(assetsAt(1), ElementsAre("a.glb Run 10", "a.glb Walk 20", "b.bvh clip 30"));
  EXPECT_THAT(assetsAt(2), ElementsAre("a.glb Run 10", "a.glb Walk 15"));
  EXPECT_THAT(assetsAt(3), ElementsAre("a.glb Run 10", "a.glb Walk 15", "b.bvh clip 31"));
}

TEST_F(HistoryOfRuns, KeepsWhatItSaysOfAnAsset) {
  const AssetRow row = rowOf("ä/x y.glb", "Run \"2\"", 10);
  run({.rows = {row}});
  run({.removed = {{row.source, row.item}}});
  auto state = StateDb::open(m_folder.path());
  const auto entries = state->history().of(row.source, row.item);
  ASSERT_TRUE(entries) << entries.error().text();
  ASSERT_EQ(entries->size(), 2u);
  const HistoryEntry& first = entries->front();
  ASSERT_TRUE(first.row);
  EXPECT_TRUE(sameResult(*first.row, row));
  EXPECT_EQ(first.row->state, AssetState::Cooked);
  EXPECT_EQ(first.row->codec, row.codec);
  EXPECT_EQ(first.row->seconds, row.seconds);
  EXPECT_TRUE(first.row->named);
  EXPECT_GT(first.timeMs, std::int64_t{1'700'000'000'000});
  EXPECT_FALSE(entries->back().row);
}

/// A database of before tags were kept.
TEST_F(HistoryOfRuns, TakesAnOlderOne) {
  run({.rows = {rowOf("a.glb", "Run", 10)}});
  {
    SQLite::Database database((m_folder.path() / "state.db").string(), SQLite::OPEN_READWRITE);
    database.exec("ALTER TABLE asset_history DROP COLUMN tags");
    database.exec("PRAGMA user_version = 2");
  }
  run({.rows = {rowOf("b.glb", "Run", 20)}});
  auto state = StateDb::open(m_folder.path());
  const auto rows = state->history().assetsAt(2);
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_THAT(rows->front().tags, ElementsAre());
  EXPECT_THAT(rows->back().tags, ElementsAre("crowd", "night"));
}

TEST_F(HistoryOfRuns, HasTheTotalsOfEveryRun) {
  run({.rows = {rowOf("a.glb", "Run", 10)}});
  run({});
  auto state = StateDb::open(m_folder.path());
  auto runs = state->history().runs();
  ASSERT_TRUE(runs) << runs.error().text();
  ASSERT_EQ(runs->size(), 1u) << "a run that changes nothing leaves no entry";
  EXPECT_TRUE(runs->front().finished);
  EXPECT_EQ(runs->front().totals.artifactBytes, 42u);
}

TEST_F(HistoryOfRuns, KnowsTheFilesOfARunThatWasKilled) {
  const auto output = [](std::uint64_t size) { return StateDb::OutputState{"a", sha256("x"), {size, 1, 1, 1}, -1}; };
  {
    auto state = StateDb::open(m_folder.path());
    StateDb::Changes first, second;
    first.outputs["a.clip"] = output(7);
    second.outputs["b.clip"] = output(8);
    ASSERT_TRUE(state->apply(first));
    ASSERT_TRUE(state->apply(second));
  }
  StateDb::Changes next;
  next.outputs["a.clip"] = std::nullopt;
  run(next);
  auto state = StateDb::open(m_folder.path());
  const auto runs = state->history().runs();
  ASSERT_EQ(runs->size(), 2u) << "both batches belong to one run";
  EXPECT_FALSE(runs->front().finished);
  using Files = std::map<std::string, std::uint64_t>;
  EXPECT_EQ(*state->history().outputsAt(1), (Files{{"a.clip", 7}, {"b.clip", 8}}));
  EXPECT_EQ(*state->history().outputsAt(2), (Files{{"b.clip", 8}}));
}

}  // namespace
}  // namespace simmer::test
