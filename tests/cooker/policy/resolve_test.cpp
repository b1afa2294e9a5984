#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

std::string pluginOf(const Project& project, std::string_view path, const Sidecar* sidecar = nullptr) {
  const auto recipe = project.resolve(path, sidecar, nullptr);
  EXPECT_TRUE(recipe) << recipe.error().text();
  return recipe && *recipe ? (*recipe)->plugin + " (" + (*recipe)->pluginOrigin.text() + ")" : "nothing";
}

TEST(Resolve, ThePluginIsNamedByPatternRuleOrSidecar) {
  const Project project = goodProject(
      "[[rule]]\nmatch = \"*.{txt,bvh}\"\nplugin = \"deflate\"\n\n"
      "[[rule]]\nmatch = \"raw/**\"\nplugin = \"none\"\n");
  EXPECT_EQ(pluginOf(project, "fox.glb"), "animation (plugin pattern)");
  EXPECT_EQ(pluginOf(project, "a.txt"), "deflate (rule 1, simmer.toml:3)");
  EXPECT_EQ(pluginOf(project, "walk.bvh"), "deflate (rule 1, simmer.toml:3)") << "a rule stands above a pattern";
  EXPECT_EQ(pluginOf(project, "raw/walk.bvh"), "nothing") << "the last rule holds";
  EXPECT_EQ(pluginOf(project, "a.exe"), "nothing");
  const Sidecar sidecar = sidecarOf("plugin = \"animation\"\n"), none = sidecarOf("plugin = \"none\"\n");
  EXPECT_EQ(pluginOf(project, "raw/walk.bvh", &sidecar), "animation (sidecar, npc/walk.glb.simmer.toml:1)");
  EXPECT_EQ(pluginOf(project, "fox.glb", &none), "nothing");
}

TEST(Resolve, ProjectFilesAndSidecarsAreNoSources) {
  const Project project = goodProject("[[rule]]\nmatch = \"*\"\nplugin = \"deflate\"\n");
  EXPECT_EQ(pluginOf(project, "simmer.toml"), "nothing");
  EXPECT_EQ(pluginOf(project, "sub/simmer.toml"), "nothing");
  EXPECT_EQ(pluginOf(project, "npc/walk.bvh.simmer.toml"), "nothing");
  EXPECT_EQ(pluginOf(project, "other.toml"), "deflate (rule 1, simmer.toml:3)");
}

constexpr const char* kLevels =
    "[plugin.animation]\neffort = 1\ncodec = \"article\"\nself_contained = true\nnote = \"plugin\"\n"
    "[profile.hero]\neffort = 2\ncodec = \"spline\"\nself_contained = false\n"
    "[[rule]]\nmatch = \"*\"\neffort = 3\ncodec = \"article\"\n"
    "[[rule]]\nmatch = \"npc/**\"\nprofile = \"hero\"\neffort = 4\n"
    "[[rule]]\nmatch = \"other/**\"\neffort = 9\n";

TEST(Resolve, EachLevelStandsAboveTheOneBefore) {
  const Project project = goodProject(kLevels);
  EXPECT_EQ(settingText(recipeOf(goodProject(""), "walk.bvh"), "effort"), "5 (plugin default)");
  const Recipe recipe = recipeOf(project, "npc/walk.glb");
  EXPECT_EQ(settingText(recipe, "note"), "\"plugin\" (plugin animation, simmer.toml:5)");
  EXPECT_EQ(settingText(recipe, "self_contained"), "false (profile hero, simmer.toml:9)");
  EXPECT_EQ(settingText(recipe, "codec"), "\"article\" (rule 1, simmer.toml:13)")
      << "a profile stands below all rules' own values, whichever rule names it";
  EXPECT_EQ(settingText(recipe, "effort"), "4 (rule 2, simmer.toml:17)");
  EXPECT_EQ(settingText(recipeOf(project, "other/walk.glb"), "effort"), "9 (rule 3, simmer.toml:20)");
}

TEST(Resolve, AssetSidecarAndClipStandAboveTheRules) {
  const Project project = goodProject(kLevels);
  const ItemDescription run =
      itemNamed("Run", {{"effort", std::int64_t{6}}, {"codec", std::string("spline")}, {"note", std::string("asset")}});
  EXPECT_EQ(settingText(recipeOf(project, "npc/walk.glb", nullptr, &run), "effort"), "6 (asset, npc/walk.glb)");
  const Sidecar sidecar = sidecarOf("effort = 7\ncodec = \"article\"\n[clip.Run]\neffort = 8\n");
  const Recipe recipe = recipeOf(project, "npc/walk.glb", &sidecar, &run);
  EXPECT_EQ(settingText(recipe, "note"), "\"asset\" (asset, npc/walk.glb)");
  EXPECT_EQ(settingText(recipe, "codec"), "\"article\" (sidecar, npc/walk.glb.simmer.toml:2)");
  EXPECT_EQ(settingText(recipe, "effort"), "8 (sidecar clip Run, npc/walk.glb.simmer.toml:4)");
  const ItemDescription walk = itemNamed("Walk");
  EXPECT_EQ(settingText(recipeOf(project, "npc/walk.glb", &sidecar, &walk), "effort"),
            "7 (sidecar, npc/walk.glb.simmer.toml:1)");
  EXPECT_EQ(settingText(recipeOf(project, "npc/walk.glb", &sidecar), "effort"),
            "7 (sidecar, npc/walk.glb.simmer.toml:1)")
      << "no clip is meant";
}

TEST(Resolve, TheProfileIsTheLastOneNamed) {
  const Project project = goodProject(
      "[profile.a]\neffort = 1\n[profile.b]\neffort = 2\n[profile.c]\neffort = 3\n"
      "[[rule]]\nmatch = \"*\"\nprofile = \"a\"\n[[rule]]\nmatch = \"npc/**\"\nprofile = \"b\"\n");
  EXPECT_EQ(recipeOf(project, "x.glb").profile, "a");
  EXPECT_EQ(recipeOf(project, "npc/x.glb").profile, "b");
  const ItemDescription embedded = itemNamed("Run", {{"profile", std::string("c")}}), plain = itemNamed("Run");
  EXPECT_EQ(recipeOf(project, "npc/x.glb", nullptr, &embedded).profile, "c");
  EXPECT_EQ(recipeOf(project, "npc/x.glb", nullptr, &embedded).profileOrigin.text(), "asset, npc/x.glb");
  const Sidecar sidecar = sidecarOf("profile = \"a\"\n[clip.Run]\nprofile = \"b\"\n");
  const Recipe whole = recipeOf(project, "npc/x.glb", &sidecar),
               clip = recipeOf(project, "npc/x.glb", &sidecar, &plain);
  EXPECT_EQ(whole.profile, "a");
  EXPECT_EQ(settingText(whole, "effort"), "1 (profile a, simmer.toml:2)");
  EXPECT_EQ(clip.profile, "b");
  EXPECT_EQ(clip.profileOrigin.text(), "sidecar clip Run, npc/walk.glb.simmer.toml:3");
  EXPECT_EQ(settingText(clip, "effort"), "2 (profile b, simmer.toml:4)");
  const Sidecar fileOnly = sidecarOf("profile = \"a\"\n");
  EXPECT_EQ(recipeOf(project, "npc/x.glb", &fileOnly, &embedded).profile, "a") << "above what the asset says";
}

TEST(Resolve, AClipWithItsOwnProfileIsReadAsTheWholeFileIs) {
  const Project project = goodProject(
      "[profile.a]\nsample_rate = 30\neffort = 1\n[profile.b]\neffort = 2\n"
      "[[rule]]\nmatch = \"*\"\nprofile = \"a\"\n");
  const Sidecar sidecar = sidecarOf("[clip.Run]\nprofile = \"b\"\n");
  const ItemDescription run = itemNamed("Run");
  const Recipe recipe = recipeOf(project, "x.glb", &sidecar, &run);
  EXPECT_EQ(settingText(recipe, "effort"), "2 (profile b, simmer.toml:5)");
  EXPECT_EQ(settingText(recipe, "sample_rate"), "30 (profile a, simmer.toml:2)");
  const auto& plugin = *fixtureCatalog().find("animation");
  EXPECT_EQ(recipe.importValues(plugin), recipeOf(project, "x.glb", &sidecar).importValues(plugin));
}

TEST(Resolve, ARulesSettingOfAnotherPluginIsNotMeant) {
  const Project project = goodProject(
      "[[rule]]\nmatch = \"*\"\ncodec = \"article\"\nlevel = 9\n[[rule]]\nmatch = \"*.txt\"\nplugin = \"deflate\"\n");
  const Recipe text = recipeOf(project, "a.txt"), clip = recipeOf(project, "a.bvh");
  EXPECT_EQ(settingText(text, "level"), "9 (rule 1, simmer.toml:4)");
  EXPECT_EQ(settingText(text, "codec"), "absent");
  EXPECT_EQ(settingText(clip, "codec"), "\"article\" (rule 1, simmer.toml:3)");
  EXPECT_EQ(settingText(clip, "level"), "absent");
}

TEST(Resolve, AValueThatFitsOnlyTheOtherPluginIsRefusedWhereItStands) {
  // Both plugins have an effort, from 0 to 9 and from 0 to 1.
  const Project project =
      goodProject("[[rule]]\nmatch = \"*\"\neffort = 7\n[[rule]]\nmatch = \"*.txt\"\nplugin = \"deflate\"\n");
  EXPECT_EQ(settingText(recipeOf(project, "a.bvh"), "effort"), "7 (rule 1, simmer.toml:3)");
  const auto refused = project.resolve("a.txt", nullptr, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "simmer.toml:3:10: effort is 7, expected 0 to 1");
}

TEST(Resolve, SaysWhatIsWrongInASidecar) {
  const Project project = goodProject(
      "[profile.npc]\n[profile.film]\nsample_rate = 24\n[[rule]]\nmatch = \"*.txt\"\nplugin = \"deflate\"\n");
  struct Wrong {
    const char* sidecar;
    const char* text;
  };
  const std::vector<Wrong> cases = {
      {"codecs = \"spline\"\n", ":1:10: plugin 'animation' has no setting 'codecs'; did you mean 'codec'?"},
      {"\ncodec = \"splin\"\n", ":2:9: codec is \"splin\", expected one of article, spline"},
      {"level = 3\n",
       ":1:9: plugin 'animation' has no setting 'level'; expected one of profile, plugin, pixel_budget, "
       "screen_height_px, distance_m, fov_deg, viewport_px, object_height_m, tolerance_mm, codec, effort, "
       "self_contained, note, metres_per_unit, sample_rate, span"},
      {"tolerance_mm = 0\n", ":1:16: tolerance_mm is 0, expected 1e-06 to 1000000"},
      {"profile = \"ncp\"\n", ":1:11: there is no profile 'ncp'; did you mean 'npc'?"},
      {"profile = 3\n", ":1:11: there is no profile 3"},
      {"plugin = \"animatoin\"\n", ":1:10: there is no plugin 'animatoin'; did you mean 'animation'?"},
      {"[clip.Run]\nmetres_per_unit = 1\n",
       ":2:19: 'metres_per_unit' decides how the whole file is read: it stands above the first [clip], not in it"},
      {"[clip.Run]\nplugin = \"deflate\"\n",
       ":2:10: 'plugin' holds for the whole file: it stands above the first [clip]"},
      {"[clip.Run]\nprofile = \"film\"\n",
       ":2:11: profile 'film' sets 'sample_rate', which decides how the whole file is read: name the profile for the "
       "whole file"},
      {"[clip.Run]\neffort = 10\n", ":2:10: effort is 10, expected 0 to 9"},
  };
  const ItemDescription run = itemNamed("Run");
  for (const Wrong& wrong : cases) {
    const Sidecar sidecar = sidecarOf(wrong.sidecar);
    // Found for the clip, and already when only the file is looked at.
    for (const ItemDescription* item : {&run, static_cast<const ItemDescription*>(nullptr)}) {
      const auto recipe = project.resolve("npc/walk.glb", &sidecar, item);
      ASSERT_FALSE(recipe) << wrong.sidecar;
      EXPECT_EQ(recipe.error().code, ErrorCode::InvalidInput);
      EXPECT_EQ(recipe.error().text(), std::string("npc/walk.glb.simmer.toml") + wrong.text);
    }
  }
  const Sidecar whole = sidecarOf("metres_per_unit = 1\nprofile = \"film\"\n");
  EXPECT_EQ(settingText(recipeOf(project, "npc/walk.glb", &whole, &run), "sample_rate"),
            "24 (profile film, simmer.toml:3)");
}

TEST(Resolve, AMistakeInOneClipLeavesTheOthersAlone) {
  const Project project = goodProject("");
  const Sidecar sidecar = sidecarOf("[clip.Run]\neffort = 10\n[clip.Walk]\neffort = 9\n");
  const ItemDescription walk = itemNamed("Walk");
  EXPECT_EQ(settingText(recipeOf(project, "walk.glb", &sidecar, &walk), "effort"),
            "9 (sidecar clip Walk, npc/walk.glb.simmer.toml:4)");
}

TEST(Resolve, SaysWhatIsWrongInTheAsset) {
  const Project project = goodProject("[profile.npc]\n[profile.film]\nsample_rate = 24\n");
  struct Wrong {
    Settings embedded;
    const char* text;
  };
  const std::vector<Wrong> cases = {
      {{{"codecs", true}}, "plugin 'animation' has no setting 'codecs'; did you mean 'codec'?"},
      {{{"effort", 1.5}}, "effort is 1.5, expected a whole number"},
      {{{"sample_rate", 30.0}},
       "'sample_rate' decides how the file is read, so it can not stand in it: set it in simmer.toml or in the "
       "sidecar"},
      {{{"profile", std::string("ncp")}}, "there is no profile 'ncp'; did you mean 'npc'?"},
      {{{"profile", std::string("film")}},
       "profile 'film' sets 'sample_rate', which decides how the whole file is read: name the profile for the whole "
       "file"},
      {{{"plugin", std::string("deflate")}},
       "plugin 'animation' has no setting 'plugin'; expected one of profile, pixel_budget, screen_height_px, "
       "distance_m, fov_deg, viewport_px, object_height_m, tolerance_mm, codec, effort, self_contained, note, "
       "metres_per_unit, sample_rate, span"},
  };
  for (const Wrong& wrong : cases) {
    const ItemDescription item = itemNamed("Run", wrong.embedded);
    const auto recipe = project.resolve("npc/walk.glb", nullptr, &item);
    ASSERT_FALSE(recipe) << wrong.text;
    EXPECT_EQ(recipe.error().text(), std::string("settings in the asset, item 'Run': ") + wrong.text);
  }
}

}  // namespace
}  // namespace simmer::test
