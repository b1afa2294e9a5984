#include "cooker/report/budget_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cooker/report/report_text.h"
#include "tests/cooker/report/report_fixtures.h"

namespace simmer::test {
namespace {

using Scope = Budget::Scope;
using testing::ElementsAre;
using testing::HasSubstr;

Budget budget(Scope scope, const std::string& of = {}) {
  Budget made;
  made.scope = scope;
  made.of = of;
  made.name = std::string(toString(scope)) + (of.empty() ? "" : " " + of);
  made.line = 12;
  made.column = 1;
  return made;
}

BudgetVerdict check(const Budget& made, const ProjectState& now, const ProjectState* baseline = nullptr) {
  return checkBudgets({made}, now, baseline, 10).front();
}

ProjectState state(std::uint64_t heroBytes = 100) {
  AssetRow hero = assetRow("hero/a.glb", heroBytes, "hero");
  hero.tags = {"cutscene"};
  hero.outputs.push_back({"hero/a.glb.skeleton", {}, 50});
  AssetRow second = hero;
  second.item = "second";
  second.outputs[0] = {"hero/a.glb.second.clip", {}, heroBytes};
  return stateOf({hero, second, assetRow("heroine/b.bvh", 7), assetRow("npc/c.bvh", 30)});
}

TEST(BudgetCheck, CountsWhatEachScopePublishes) {
  const auto used = [](const Budget& made) { return check(made, state()).used; };
  EXPECT_EQ(used(budget(Scope::Total)), 287U) << "the shared skeleton once, the manifest never";
  EXPECT_EQ(used(budget(Scope::Folder, "hero")), 250U) << "not heroine";
  EXPECT_EQ(used(budget(Scope::Folder, ".")), 287U);
  EXPECT_EQ(used(budget(Scope::Profile, "npc")), 37U);
  EXPECT_EQ(used(budget(Scope::Tag, "cutscene")), 250U);
  EXPECT_EQ(used(budget(Scope::Asset, "*.bvh")), 37U);
  EXPECT_EQ(used(budget(Scope::Folder, "nobody")), 0U);
  Budget memory = budget(Scope::Folder, "hero");
  memory.size = Budget::Size::Memory;
  EXPECT_EQ(used(memory), 400U) << "two assets of twice a hundred bytes";
}

TEST(BudgetCheck, ALimitHoldsUpToItsLastByte) {
  Budget made = budget(Scope::Folder, "hero");
  made.maxBytes = 250;
  EXPECT_EQ(check(made, state()).verdict, Verdict::Fine);
  made.maxBytes = 249;
  const BudgetVerdict over = check(made, state());
  EXPECT_EQ(over.verdict, Verdict::Exceeded);
  ASSERT_FALSE(over.culprits.empty());
  EXPECT_EQ(over.culprits[0].name, "hero/a.glb");
  EXPECT_EQ(over.culprits[0].before, std::nullopt) << "nothing to compare with: the largest are named";
  EXPECT_EQ(limitText(over.limits[0]), "250 B, at most 249 B (1 B over)");
}

TEST(BudgetCheck, GrowthNeedsABaseline) {
  Budget made = budget(Scope::Profile, "hero");
  made.maxGrowthPercent = 10;
  const BudgetVerdict blind = check(made, state());
  EXPECT_EQ(blind.verdict, Verdict::NoBaseline);
  EXPECT_EQ(blind.limits[0].used, std::nullopt);
  const ProjectState before = state(100), same = state(100), grown = state(113);
  EXPECT_EQ(check(made, same, &before).verdict, Verdict::Fine);
  const BudgetVerdict over = check(made, grown, &before);
  EXPECT_EQ(over.verdict, Verdict::Exceeded);
  EXPECT_NEAR(*over.limits[0].used, 10.4, 1e-9);
  ASSERT_EQ(over.culprits.size(), 2U);
  EXPECT_EQ(over.culprits[0].before, 100U);
  EXPECT_EQ(over.culprits[0].after, 113U);
  EXPECT_EQ(culpritText(over.culprits[0]), "hero/a.glb  100 → 113 B (+13.0 %)");
  made.maxGrowthPercent = 10.4;
  EXPECT_EQ(check(made, grown, &before).verdict, Verdict::Fine) << "as much as is allowed";
  EXPECT_EQ(check(made, before, &grown).verdict, Verdict::Fine) << "it shrank";
}

TEST(BudgetCheck, WhatWasEmptyHasNoGrowth) {
  Budget made = budget(Scope::Folder, "npc");
  made.maxGrowthPercent = 10;
  const ProjectState before = stateOf({assetRow("hero/a.glb", 5)});
  const BudgetVerdict verdict = check(made, state(), &before);
  EXPECT_EQ(verdict.verdict, Verdict::NoBaseline);
  EXPECT_EQ(verdict.before, 0U);
}

TEST(BudgetCheck, ErrorsAreOfEachAsset) {
  Budget made = budget(Scope::Total);
  made.maxErrorMm = 6.5;
  EXPECT_EQ(check(made, state()).verdict, Verdict::Fine);
  made.maxErrorMm = 6.4;
  EXPECT_EQ(check(made, state()).verdict, Verdict::Exceeded);
  made.maxErrorMm.reset();
  made.maxErrorPx = 0.9;
  const BudgetVerdict over = check(made, state());
  EXPECT_EQ(over.verdict, Verdict::Exceeded);
  ASSERT_EQ(over.culprits.size(), 4U);
  EXPECT_EQ(culpritText(over.culprits[0]), "hero/a.glb  6.50 mm, 0.93 px");
  AssetRow unknown = assetRow("a.txt", 5);
  unknown.measures.clear();
  EXPECT_EQ(check(made, stateOf({unknown})).verdict, Verdict::Fine) << "a lossless asset has no error";
}

TEST(BudgetCheck, LastGoodOutputsCountBecauseTheyShip) {
  AssetRow failed = failedRow("npc/a.bvh", "no");
  failed.outputs = {{"npc/a.bvh.clip", {}, 500}};
  Budget made = budget(Scope::Folder, "npc");
  made.maxBytes = 499;
  EXPECT_EQ(check(made, stateOf({failed})).verdict, Verdict::Exceeded);
}

TEST(BudgetText, SaysWhatIsUsedAndWhoGrew) {
  Budget total = budget(Scope::Total), growth = budget(Scope::Profile, "hero"), empty = budget(Scope::Folder, "x");
  total.maxBytes = 280;
  growth.maxGrowthPercent = 5;
  empty.maxBytes = 10;
  const auto rows = state().rows;
  const std::string text = budgetText(reportOf(rows, {total, growth, empty}), 100);
  EXPECT_THAT(text, HasSubstr("total           280 B  287 B  −7 B  ✕ exceeded\n"));
  EXPECT_THAT(text, HasSubstr("profile hero     +5 %      –     –  ? no baseline (--baseline)\n"));
  EXPECT_THAT(text, HasSubstr("folder x         10 B    0 B  10 B  fine: no asset\n"));
  EXPECT_THAT(text, HasSubstr("✕ total (simmer.toml:12): 287 B, at most 280 B (7 B over)\n"));
  const ProjectState before = state(90);
  EXPECT_THAT(budgetText(reportOf(rows, {growth}, &before), 100), HasSubstr("▲ hero/a.glb  90 → 100 B (+11.1 %)"));
  EXPECT_THAT(budgetText(reportOf(rows), 100), HasSubstr("No budgets: the project sets none"));
}

}  // namespace
}  // namespace simmer::test
