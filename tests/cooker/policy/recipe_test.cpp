#include "cooker/policy/recipe.h"

#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

TEST(Origin, SaysWhereAValueComesFrom) {
  EXPECT_EQ((Origin{"built-in", "", 0}).text(), "built-in");
  EXPECT_EQ((Origin{"profile npc", "simmer.toml", 14}).text(), "profile npc, simmer.toml:14");
  EXPECT_EQ((Origin{"asset", "npc/fox.glb", 0}).text(), "asset, npc/fox.glb");
}

TEST(Recipe, CanonicalTextHoldsWhatDecidesBytes) {
  const Project project = goodProject("[[rule]]\nmatch = \"*\"\nscreen_height_px = 256\npixel_budget = 1\n");
  EXPECT_EQ(recipeOf(project, "walk.bvh").canonicalText(),
            "plugin \"animation\"\n"
            "setting codec \"spline\"\n"
            "setting effort 5\n"
            "setting metres_per_unit 0.01\n"
            "setting note \"\"\n"
            "setting sample_rate 0\n"
            "setting self_contained false\n"
            "setting span \"\"\n"
            "pixel_budget 1\n"
            "screen_height_px 256\n"
            "object_height_m measured\n");
}

TEST(Recipe, TheSameEffectiveValuesGiveTheSameText) {
  const Project one =
      goodProject("[profile.a]\nobject_height_m = 2\ncodec = \"article\"\n[[rule]]\nmatch = \"*\"\nprofile = \"a\"\n");
  const Project other = goodProject(
      "[plugin.animation]\ncodec = \"article\"\n[[rule]]\nmatch = \"*\"\nobject_height_m = 2.0\nsample_rate = 0\n");
  EXPECT_EQ(recipeOf(one, "walk.bvh").canonicalText(), recipeOf(other, "walk.bvh").canonicalText());
  EXPECT_THAT(recipeOf(one, "walk.bvh").canonicalText(), testing::HasSubstr("object_height_m 2\n"));
}

TEST(Recipe, ATextCanNotLookLikeAnotherValue) {
  const Project project = goodProject("[plugin.animation]\nnote = \"x\\\"\\nsetting effort 9\"\n");
  EXPECT_THAT(recipeOf(project, "walk.bvh").canonicalText(),
              testing::HasSubstr("\nsetting note \"x\\\"\\nsetting effort 9\"\n"));
}

TEST(Recipe, ALengthOutrightStandsAlone) {
  const Project project = goodProject("[[rule]]\nmatch = \"*\"\ntolerance_mm = 2\nscreen_height_px = 64\n");
  const std::string text = recipeOf(project, "walk.bvh").canonicalText();
  EXPECT_THAT(text, testing::HasSubstr("tolerance_m 0.002\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("px")));
}

TEST(Recipe, ImportValuesAreThoseThatDecideHowTheFileIsRead) {
  const Recipe recipe = recipeOf(goodProject("[plugin.animation]\nsample_rate = 60\n"), "walk.bvh");
  const Settings import = recipe.importValues(*fixtureCatalog().find("animation"));
  EXPECT_EQ(import, (Settings{{"metres_per_unit", 0.01}, {"sample_rate", 60.0}}));
  EXPECT_EQ(recipe.values().size(), 7u);
  EXPECT_EQ(recipe.values().at("sample_rate"), SettingValue(60.0)) << "a number, although written as 60";
}

}  // namespace
}  // namespace simmer::test
