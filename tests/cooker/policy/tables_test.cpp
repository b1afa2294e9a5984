#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

std::string errorOf(std::string_view toml, const char* item = nullptr) {
  auto sidecar = Sidecar::parse(toml, "f");
  if (!sidecar) return sidecar.error().text();
  const ItemDescription named = itemNamed(item ? item : "");
  const auto recipe = goodProject("").resolve("walk.glb", &*sidecar, item ? &named : nullptr);
  return recipe ? "none" : recipe.error().text();
}

/// "joint hand_* tolerance_scale 0.5" for each value that the recipe's tables set.
std::vector<std::string> tablesOf(std::string_view toml, const char* item = "Walk") {
  const Sidecar sidecar = sidecarOf(toml);
  const ItemDescription named = itemNamed(item);
  std::vector<std::string> texts;
  for (const TableSettings& table : recipeOf(goodProject(""), "walk.glb", &sidecar, &named).tables)
    for (const auto& [name, value] : table.settings)
      texts.push_back(fmt::format("{} {} {} {}", table.table, table.pattern, name, canonicalText(value)));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Tables, StandInTheOrderOfTheFile) {
  EXPECT_EQ(
      tablesOf("[joint.\"z*\"]\ntolerance_scale = 0.5\n[joint.\"a*\"]\ntolerance_scale = 2\nskin_radius_m = 0.1\n"),
      (Texts{"joint z* tolerance_scale 0.5", "joint a* skin_radius_m 0.1", "joint a* tolerance_scale 2"}));
}

TEST(Tables, OfAClipStandBehindThoseOfTheFile) {
  const char* const toml =
      "[clip.Run.joint.\"hand_*\"]\ntolerance_scale = 0.25\n[joint.hand_l]\ntolerance_scale = 0.5\n";
  EXPECT_EQ(tablesOf(toml, "Run"), (Texts{"joint hand_l tolerance_scale 0.5", "joint hand_* tolerance_scale 0.25"}));
  EXPECT_EQ(tablesOf(toml, "Walk"), Texts{"joint hand_l tolerance_scale 0.5"});
}

TEST(Tables, SayNothingWhereTheySayWhatHoldsAnyway) {
  EXPECT_EQ(tablesOf("[joint.a]\ntolerance_scale = 1\n"), Texts{});
  EXPECT_EQ(tablesOf("[joint.\"*\"]\ntolerance_scale = 2\n[joint.a]\ntolerance_scale = 1\n"),
            (Texts{"joint * tolerance_scale 2", "joint a tolerance_scale 1"}))
      << "it takes back what stands above";
}

TEST(Tables, StandInTheCanonicalTextAndHaveOrigins) {
  const Sidecar sidecar = sidecarOf("[joint.\"hand_*\"]\ntolerance_scale = 0.5\n");
  const Recipe recipe = recipeOf(goodProject(""), "npc/walk.glb", &sidecar);
  EXPECT_THAT(recipe.canonicalText(), testing::HasSubstr("\njoint \"hand_*\" tolerance_scale 0.5\n"));
  ASSERT_EQ(recipe.tableOrigins.size(), 1u);
  EXPECT_EQ(recipe.tableOrigins[0].text(), "sidecar joint hand_*, npc/walk.glb.simmer.toml:1");
}

TEST(Tables, SayWhatIsWrong) {
  EXPECT_EQ(errorOf("[joins.\"hand_*\"]\ntolerance_scale = 0.5\n"),
            "f:1:8: unknown table [joins.hand_*]; did you mean 'joint'?");
  EXPECT_EQ(errorOf("[joint.a]\n\ntolerance_scala = 0.5\n"),
            "f:3:19: unknown key 'tolerance_scala' in a joint table; did you mean 'tolerance_scale'?");
  EXPECT_EQ(errorOf("[joint.a]\ntolerance_scale = 0\n"), "f:2:19: tolerance_scale is 0, expected 0.01 to 100");
  EXPECT_EQ(errorOf("[joint]\ntolerance_scale = 0.5\n"),
            "f:2:1: 'tolerance_scale' in [joint] is a number, expected a table [joint.\"NAME\"]");
  EXPECT_EQ(errorOf("[joint.\"a[\"]\n"), "f:1:8: character 2: '[' is not closed");
  EXPECT_EQ(errorOf("[clip.Run.joint.a]\ntolerance_scale = \"x\"\n"),
            "f:2:19: tolerance_scale is \"x\", expected a number")
      << "also where that clip is not asked for";
}

TEST(Tables, APatternThatMatchesNothingIsAMistake) {
  Description description;
  description.items = {itemNamed("Run")};
  description.names["joint"] = {"hips", "hand_l", "hand_r"};
  EXPECT_TRUE(sidecarOf("[joint.\"hand_*\"]\ntolerance_scale = 2\n").checkNames(description));
  const auto checked = sidecarOf("\n[joint.hand_1]\ntolerance_scale = 2\n").checkNames(description);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().text(),
            "npc/walk.glb.simmer.toml:2:8: no joint of the source matches 'hand_1'; did you mean 'hand_l'?");
}

TEST(Ranges, AreTwoNumbersInAListOrAText) {
  const auto span = [](const char* text) {
    const Sidecar sidecar = sidecarOf(std::string("span = ") + text);
    return settingText(recipeOf(goodProject(""), "walk.bvh", &sidecar), "span");
  };
  EXPECT_EQ(span("[0.5, 2]"), "\"0.5..2\" (sidecar, npc/walk.glb.simmer.toml:1)");
  EXPECT_EQ(span("\"0.50..2.0\""), "\"0.5..2\" (sidecar, npc/walk.glb.simmer.toml:1)");
  EXPECT_EQ(span("\"\""), "\"\" (sidecar, npc/walk.glb.simmer.toml:1)");
  EXPECT_EQ(errorOf("span = [2, 1]\n"),
            "f:1:8: span is \"2..1\", expected two numbers, the larger one last, such as \"0.5..2\"");
  EXPECT_EQ(errorOf("span = \"1\"\n"),
            "f:1:8: span is \"1\", expected two numbers, the larger one last, such as \"0.5..2\"");
  EXPECT_EQ(errorOf("span = [0, 101]\n"), "f:1:8: span is 101, expected 0 to 100");
  EXPECT_EQ(errorOf("span = [1, 2, 3]\n"), "f:1:8: 'span' is a list, expected a single value");
}

TEST(Tags, AddUp) {
  const Project project = goodProject("[[rule]]\nmatch='*'\ntags='a'\n[[rule]]\nmatch='*.bvh'\ntags=['b','a']\n");
  EXPECT_EQ(recipeOf(project, "x.glb").tags, (std::set<std::string, std::less<>>{"a"}));
  const Sidecar sidecar = sidecarOf("tags = ['c']\n[clip.Run]\ntags = 'd'\n");
  const ItemDescription run = itemNamed("Run"), walk = itemNamed("Walk");
  EXPECT_EQ(recipeOf(project, "x.bvh", &sidecar, &run).tags, (std::set<std::string, std::less<>>{"a", "b", "c", "d"}));
  EXPECT_EQ(recipeOf(project, "x.bvh", &sidecar, &walk).tags, (std::set<std::string, std::less<>>{"a", "b", "c"}));
  EXPECT_EQ(recipeOf(project, "x.bvh", &sidecar, &run).canonicalText(), recipeOf(project, "x.bvh").canonicalText())
      << "a tag decides no bytes";
  EXPECT_EQ(errorOf("tags = 3\n"), "f:1:8: 'tags' is a whole number, expected a text or a list of texts");
}

}  // namespace
}  // namespace simmer::test
