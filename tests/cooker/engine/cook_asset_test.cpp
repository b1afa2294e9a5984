#include "cooker/engine/cook_asset.h"

#include <cmath>
#include <limits>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/database.h"
#include "tests/cooker/engine/engine_fixtures.h"

namespace simmer {
namespace {

using test::ScriptPlugin;
using test::writeText;
using testing::HasSubstr;

class CookAsset : public testing::Test {
 protected:
  void SetUp() override {
    m_database = *openDatabase(m_folder.path() / "state.db", "", 1);
    m_statCache.emplace(*StatCache::open(*m_database));
    m_metadata = *PluginMetadata::parse(
        R"({"name": "script", "version": "1", "summary": "", "parts": [{"name": "codec", "version": 1}]})");
    m_recipe.plugin = "script";
  }
  std::filesystem::path tree() const { return m_folder.path() / "tree"; }

  /// A cooker over the tree as it is now.
  AssetCooker& cooker() {
    m_tree = *walkTree(tree(), {});
    m_digests = std::make_unique<TreeDigests>(tree(), m_tree, *m_statCache);
    m_cooker = std::make_unique<AssetCooker>(
        AssetCooker::Environment{tree(), m_executor, m_store, *m_digests, [] { return false; }, false, false});
    return *m_cooker;
  }
  Result<AssetCooker::Cooked> cook(const std::string& path = "a.script", const std::string& item = "one") {
    return cooker().cook(path, m_metadata, m_recipe, {item, true, 1.8, 1, {}});
  }

  test::TemporaryFolder m_folder;
  std::unique_ptr<SQLite::Database> m_database;
  std::optional<StatCache> m_statCache;
  PluginMetadata m_metadata;
  Recipe m_recipe;
  ScriptPlugin m_plugin;
  test::PluginExecutor m_executor{m_plugin};
  MemoryStore m_store;
  Tree m_tree;
  std::unique_ptr<TreeDigests> m_digests;
  std::unique_ptr<AssetCooker> m_cooker;
};

TEST_F(CookAsset, CooksOnceAndThenLooksUp) {
  writeText(tree() / "a.script", "item one\n");
  const auto first = cook();
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ(first->outcome, AssetCooker::Outcome::Ran);
  EXPECT_FALSE(first->result.error);
  ASSERT_EQ(first->result.outputs.size(), 2U);
  EXPECT_EQ(asText(**m_store.blob(first->result.outputs[0].blob.digest)), "one\n");
  const auto second = cook();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->outcome, AssetCooker::Outcome::Found);
  EXPECT_EQ(second->key, first->key);
  EXPECT_EQ(m_plugin.cooks, 1);
}

TEST_F(CookAsset, KeyDependsOnEverythingThatDecidesBytesAndOnNoPlace) {
  writeText(tree() / "a.script", "item one\n");
  writeText(tree() / "deep/b.script", "item one\n");
  writeText(tree() / "c.script", "item one\nitem two\n");
  const Key key = cook()->key;
  EXPECT_EQ(cook("deep/b.script")->key, key) << "the place of the source";
  EXPECT_NE(cook("c.script")->key, key) << "the source's bytes";
  EXPECT_NE(cook("a.script", "two")->key, key) << "the item";
  m_recipe.tolerance.pixelBudget = 3;
  EXPECT_NE(cook()->key, key) << "the tolerance rule";
  m_recipe.tolerance = {};
  m_recipe.settings["level"] = {std::int64_t{2}, {}};
  EXPECT_NE(cook()->key, key) << "a setting";
  m_recipe.settings.clear();
  m_recipe.profile = "hero";
  EXPECT_EQ(cook()->key, key) << "a profile's name says nothing about bytes";
  m_metadata.parts[0].version = 2;
  EXPECT_NE(cook()->key, key) << "the version of a part";
}

TEST_F(CookAsset, FilesBesideTheSourceAreDependenciesAlsoWhenAbsent) {
  writeText(tree() / "a.script", "item one\nneed sub/b.txt\n");
  const auto absent = cook();
  ASSERT_FALSE(absent) << "an absent file may come: that answer is not kept";
  EXPECT_EQ(absent.error().code, ErrorCode::NotFound);
  writeText(tree() / "sub/b.txt", "first");
  const auto first = cook();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->dependencies, std::vector<std::string>{"sub/b.txt"});
  writeText(tree() / "sub/b.txt", "second");
  const auto second = cook();
  EXPECT_NE(second->key, first->key);
  writeText(tree() / "sub/b.txt", "first");
  const auto again = cook();
  EXPECT_EQ(again->key, first->key);
  EXPECT_EQ(again->outcome, AssetCooker::Outcome::Found);
}

TEST_F(CookAsset, PathsThatLeaveTheTreeAreRefused) {
  writeText(m_folder.path() / "secret.txt", "secret");
  for (const char* path : {"../secret.txt", "sub/../../secret.txt", "/etc/passwd"}) {
    writeText(tree() / "a.script", fmt::format("item one\nneed {}\n", path));
    const auto cooked = cook();
    ASSERT_TRUE(cooked) << cooked.error().text();
    ASSERT_TRUE(cooked->result.error);
    EXPECT_EQ(cooked->result.error->code, ErrorCode::InvalidInput);
  }
  std::filesystem::create_symlink(m_folder.path() / "secret.txt", tree() / "link.txt");
  writeText(tree() / "a.script", "item one\nneed link.txt\n");
  ASSERT_TRUE(cook()->result.error);
  EXPECT_THAT(cook()->result.error->message, HasSubstr("leaves the source tree"));
}

TEST_F(CookAsset, DeterministicFailureIsKeptAndOthersAreNot) {
  writeText(tree() / "a.script", "item one\nfail too rough\n");
  EXPECT_EQ(cook()->result.error->message, "too rough");
  EXPECT_EQ(cook()->result.error->message, "too rough");
  EXPECT_EQ(m_plugin.cooks, 1);
  writeText(tree() / "a.script", "item one\nio disk full\n");
  EXPECT_EQ(cook().error().code, ErrorCode::Io);
  EXPECT_EQ(cook().error().code, ErrorCode::Io);
  EXPECT_EQ(m_plugin.cooks, 3);
}

TEST_F(CookAsset, ExceptionOfAPluginIsAnError) {
  writeText(tree() / "a.script", "item one\nthrow out of cheese\n");
  const auto cooked = cook();
  ASSERT_FALSE(cooked);
  EXPECT_EQ(cooked.error().code, ErrorCode::PluginCrashed);
  EXPECT_THAT(cooked.error().message, HasSubstr("out of cheese"));
}

TEST_F(CookAsset, FileEditedWhileItIsCookedIsNeverFiledUnderTheWrongKey) {
  writeText(tree() / "a.script", "item one\n");
  const Key original = cook()->key;
  int edits = 0;
  m_plugin.afterRead = [&] {
    if (++edits == 1) writeText(tree() / "b.script", "item changed\n");
  };
  writeText(tree() / "b.script", "item one\nitem two\n");
  const auto cooked = cook("b.script");
  ASSERT_TRUE(cooked) << cooked.error().text();
  EXPECT_EQ(m_plugin.cooks, 3) << "the measure saw other bytes than the cook, so it was done again";
  EXPECT_NE(cooked->key, original);
  const Record record = **m_store.find(cooked->key);
  EXPECT_THAT(record.keyText, HasSubstr(sha256("item changed\n").hex()));
}

struct BadMeasure {
  const char* name;
  Measures measures;
  const char* message;
};

TEST_F(CookAsset, NothingWithoutAProofIsKept) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double tolerance = ToleranceRule{}.resolve(1.8) * 1000;
  const std::string world(kWorldError);
  const BadMeasure cases[] = {
      {"missing", {}, "measured nothing that has a bound"},
      {"without a bound", {{world, 1, {}, "mm"}}, "measured nothing that has a bound"},
      {"negative", {{world, -1, tolerance, "mm"}}, "is -1, expected a finite value from 0"},
      {"not a number", {{world, nan, tolerance, "mm"}}, "expected a finite value from 0"},
      {"over the bound", {{world, tolerance * 1.001, tolerance, "mm"}}, "at most"},
      {"against a bound of its own", {{world, 5, 10, "mm"}}, "measured against 10 mm, the recipe says"},
      {"one of two over",
       {{world, 0, tolerance, "mm"}, {"scalar error", 0.2, 0.1, "relative"}},
       "the scalar error is 0.2"},
  };
  for (const BadMeasure& bad : cases) {
    writeText(tree() / "a.script", fmt::format("item one\n{}\n", bad.name));
    m_plugin.measured = bad.measures;
    const auto cooked = cook();
    ASSERT_TRUE(cooked) << bad.name;
    ASSERT_TRUE(cooked->result.error) << bad.name;
    EXPECT_EQ(cooked->result.error->code, ErrorCode::ToleranceUnmet) << bad.name;
    EXPECT_THAT(cooked->result.error->message, HasSubstr(bad.message)) << bad.name;
    EXPECT_TRUE(cooked->result.outputs.empty()) << bad.name;
  }
}

TEST_F(CookAsset, DescriptionIsKeptBySourceDigest) {
  writeText(tree() / "a.script", "item one\nitem two\n");
  const auto first = cooker().describe("a.script", m_metadata, m_recipe);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->result.description->items.size(), 2U);
  EXPECT_EQ(m_cooker->runs().describe, 1U);
  std::filesystem::rename(tree() / "a.script", tree() / "b.script");
  const auto second = cooker().describe("b.script", m_metadata, m_recipe);
  EXPECT_EQ(second->result.description->items[1].id, "two");
  EXPECT_EQ(m_cooker->runs().describe, 0U);
  writeText(tree() / "b.script", "refuse not this one\n");
  EXPECT_EQ(cooker().describe("b.script", m_metadata, m_recipe)->result.description.error().message, "not this one");
  EXPECT_EQ(cooker().describe("b.script", m_metadata, m_recipe)->result.description.error().message, "not this one");
  EXPECT_EQ(m_cooker->runs().describe, 0U) << "an answer that can not change is kept, too";
}

}  // namespace
}  // namespace simmer
