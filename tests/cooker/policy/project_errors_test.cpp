#include <cstdlib>

#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

struct Wrong {
  const char* toml;
  const char* text;
};

void expectErrors(const std::vector<Wrong>& cases) {
  for (const Wrong& wrong : cases) {
    const auto project = parseProject(wrong.toml);
    ASSERT_FALSE(project) << wrong.toml;
    EXPECT_EQ(project.error().code, ErrorCode::InvalidInput);
    EXPECT_EQ(project.error().text(), wrong.text) << wrong.toml;
  }
}

TEST(ProjectErrors, UnknownNamesGetTheNearestValidOne) {
  expectErrors({
      {"[profiles.hero]\n", "simmer.toml:1:2: unknown key 'profiles'; did you mean 'profile'?"},
      {"colour = 1\n",
       "simmer.toml:1:1: unknown key 'colour'; expected one of project, cache, screen, profile, rule, plugin, "
       "budget"},
      {"[project]\nsuorce = \"x\"\n", "simmer.toml:2:1: unknown key 'suorce' in [project]; did you mean 'source'?"},
      {"[cache]\nsize = 1\n", "simmer.toml:2:1: unknown key 'size' in [cache]; expected one of path, limit"},
      {"[profile.npc]\n\n  pixel_bugdet = 1\n",
       "simmer.toml:3:3: unknown key 'pixel_bugdet' in profile npc; did you mean 'pixel_budget'?"},
      {"[profile.npc]\ncodecs = \"spline\"\n",
       "simmer.toml:2:1: unknown key 'codecs' in profile npc; did you mean 'codec'?"},
      {"[[rule]]\nmatch = \"*\"\nprofil = \"npc\"\n",
       "simmer.toml:3:1: unknown key 'profil' in rule 1; did you mean 'profile'?"},
      {"[[rule]]\nmatch = \"*\"\nprofile = \"ncp\"\n[profile.npc]\n",
       "simmer.toml:3:11: there is no profile 'ncp'; did you mean 'npc'?"},
      {"[[rule]]\nmatch = \"*\"\nprofile = \"ncp\"\n", "simmer.toml:3:11: there is no profile 'ncp'"},
      {"[[rule]]\nmatch = \"*\"\nplugin = \"deflat\"\n",
       "simmer.toml:3:10: there is no plugin 'deflat'; did you mean 'deflate'?"},
      {"[[rule]]\nmatch = \"*\"\nplugin = \"zip\"\n",
       "simmer.toml:3:10: there is no plugin 'zip'; expected one of animation, deflate, none"},
      {"[[rule]]\nmatch = \"*\"\nplugin = \"deflate\"\ncodec = \"spline\"\n",
       "simmer.toml:4:1: unknown key 'codec' in rule 1; expected one of match, profile, plugin, tags, pixel_budget, "
       "screen_height_px, distance_m, fov_deg, viewport_px, object_height_m, tolerance_mm, level, effort"},
      {"[plugin.animaton]\n", "simmer.toml:1:9: there is no plugin 'animaton'; did you mean 'animation'?"},
      {"[plugin.deflate]\nlevels = 3\n",
       "simmer.toml:2:1: unknown key 'levels' in plugin deflate; did you mean 'level'?"},
  });
}

TEST(ProjectErrors, WrongTypesAndRanges) {
  expectErrors({
      {"[profile.npc]\npixel_budget = \"1\"\n", "simmer.toml:2:16: pixel_budget is \"1\", expected a number"},
      {"[profile.npc]\npixel_budget = 0\n", "simmer.toml:2:16: pixel_budget is 0, expected 0.001 to 1000"},
      {"[profile.npc]\nscreen_height_px = -5\n", "simmer.toml:2:20: screen_height_px is -5, expected 1 to 100000"},
      {"[profile.npc]\nobject_height_m = nan\n", "simmer.toml:2:19: object_height_m is nan, expected a number"},
      {"[profile.npc]\ntolerance_mm = [1]\n", "simmer.toml:2:16: 'tolerance_mm' is a list, expected a single value"},
      {"[profile.npc]\ntolerance_mm = 2024-01-01\n",
       "simmer.toml:2:16: 'tolerance_mm' is a date or time, expected a single value"},
      {"[profile.npc]\ncodec = \"splin\"\n", "simmer.toml:2:9: codec is \"splin\", expected one of article, spline"},
      {"[plugin.animation]\neffort = 10\n", "simmer.toml:2:10: effort is 10, expected 0 to 9"},
      {"[[rule]]\nmatch = \"*\"\neffort = 10\n", "simmer.toml:3:10: effort is 10, expected 0 to 9"},
      {"[[rule]]\nmatch = \"*\"\nplugin = \"deflate\"\neffort = 7\n", "simmer.toml:4:10: effort is 7, expected 0 to 1"},
      {"profile = 3\n", "simmer.toml:1:1: 'profile' is a whole number, expected a table [profile.NAME]"},
      {"[profile]\nnpc = 3\n", "simmer.toml:2:1: 'npc' is a whole number, expected a table [profile.NAME]"},
      {"[[project]]\n", "simmer.toml:1:3: 'project' is a list, expected a table [project]"},
      {"[rule]\nmatch = \"*\"\n", "simmer.toml:1:1: 'rule' is a table, expected [[rule]] for each rule"},
      {"rule = [1]\n", "simmer.toml:1:9: a rule is a whole number, expected [[rule]]"},
      {"[[rule]]\nprofile = \"x\"\n", "simmer.toml:1:1: rule 1 has no 'match': which files is it for?"},
      {"[[rule]]\nmatch = 3\n", "simmer.toml:2:9: 'match' is a whole number, expected a text or a list of texts"},
      {"[[rule]]\nmatch = []\n", "simmer.toml:2:9: 'match' has no pattern: which files is it for?"},
      {"[[rule]]\nmatch = [\"a\", \"\"]\n", "simmer.toml:2:15: 'match' is empty"},
      {"[[rule]]\nmatch = [\"a\", \"b[\"]\n", "simmer.toml:2:15: character 2: '[' is not closed"},
      {"[project]\nignore = [3]\n", "simmer.toml:2:11: 'ignore' is a whole number, expected a text"},
      {"[project]\nsource = 3\n", "simmer.toml:2:10: 'source' is a whole number, expected a text"},
      {"[project]\nsource = \"\"\n", "simmer.toml:2:10: 'source' is empty"},
      {"[project]\nsource = \"a\\u0000b\"\n", "simmer.toml:2:10: 'source' holds a control character"},
      {"[cache]\nlimit = \"10 XB\"\n",
       "simmer.toml:2:9: \"10 XB\" is no size: expected a number of bytes or a text such as \"10 GB\", at least 1 MB"},
      {"[cache]\nlimit = 10\n",
       "simmer.toml:2:9: 10 is no size: expected a number of bytes or a text such as \"10 GB\", at least 1 MB"},
      {"[cache]\nlimit = \"1e30 GB\"\n",
       "simmer.toml:2:9: \"1e30 GB\" is no size: expected a number of bytes or a text such as \"10 GB\", at least 1 "
       "MB"},
  });
}

TEST(ProjectErrors, FoldersThatWouldMixSourcesAndOutputs) {
  expectErrors({
      {"[project]\noutput = \".\"\n",
       "simmer.toml:2:10: the output folder is the source folder: outputs would be taken for sources"},
      {"[project]\nsource = \"a\"\noutput = \"b/../a/\"\n",
       "simmer.toml:3:10: the output folder is the source folder: outputs would be taken for sources"},
      {"[project]\nsource = \"a/b\"\noutput = \"a\"\n",
       "simmer.toml:3:10: the output folder holds the source folder: sources could be taken for old outputs"},
      {"[project]\noutput = \"..\"\n",
       "simmer.toml:2:10: the output folder holds the source folder: sources could be taken for old outputs"},
      {"[project]\noutput = \".simmer/out\"\n",
       "simmer.toml:2:10: the output folder and .simmer, which is Simmer's own, lie in each other"},
      {"[project]\nsource = \".simmer\"\n",
       "simmer.toml:2:10: the source folder lies in .simmer, which is Simmer's own"},
      {"[project]\nsource = \"cooked\"\n",
       "simmer.toml: the output folder is the source folder: outputs would be taken for sources"},
      {"[cache]\npath = \"cooked/cache\"\n",
       "simmer.toml:2:8: the cache lies among the outputs: [cache] path has to lead to .simmer or out of both folders"},
      {"[project]\nsource = \"assets\"\n[cache]\npath = \"assets/c.db\"\n",
       "simmer.toml:4:8: the cache lies among the sources: [cache] path has to lead to .simmer or out of both folders"},
  });
}

TEST(ProjectErrors, TheSharedCacheIsCheckedToo) {
  ::setenv("SIMMER_CACHE", "/project/assets/cache", 1);
  const auto project = parseProject("[project]\nsource = \"assets\"\n");
  ::unsetenv("SIMMER_CACHE");
  ASSERT_FALSE(project);
  EXPECT_EQ(
      project.error().text(),
      "simmer.toml: the cache lies among the sources: SIMMER_CACHE has to lead to .simmer or out of both folders");
}

TEST(ProjectErrors, WhatIsNoToml) {
  for (const char* toml : {"[project\n", "source = \n", "a = 1\na = 2\n", "x = \"\xff\"\n", "= 3", "[a]\n[a]\n"}) {
    const auto project = parseProject(toml);
    ASSERT_FALSE(project) << toml;
    EXPECT_THAT(project.error().where, testing::MatchesRegex("simmer\\.toml:[0-9]+:[0-9]+")) << toml;
    EXPECT_FALSE(project.error().message.empty());
  }
}

TEST(ProjectErrors, HostileTextEndsInAnError) {
  std::string deepKey = "a", deepTable = "[a", deepList = "x = ", deepQuoted = "'a'";
  for (int i = 0; i < 200'000; ++i) {
    deepKey += ".a";
    deepTable += ".a";
    deepQuoted += ".'a'";
  }
  deepList += std::string(200'000, '[');
  EXPECT_EQ(parseProject(deepKey + " = 1").error().text(), "simmer.toml:1:1: a key of more than 16 parts");
  EXPECT_EQ(parseProject("\n" + deepTable + "]").error().text(), "simmer.toml:2:1: a key of more than 16 parts");
  EXPECT_EQ(parseProject(deepQuoted + " = 1").error().text(), "simmer.toml:1:1: a key of more than 16 parts");
  EXPECT_EQ(parseProject("x = {" + deepKey + " = 1}").error().text(), "simmer.toml:1:1: a key of more than 16 parts");
  EXPECT_FALSE(parseProject(deepList));
  EXPECT_EQ(parseProject(std::string((1 << 20) + 1, '#')).error().text(),
            "simmer.toml: 1048577 bytes, at most 1048576 are read");
  const std::string longKey(100'000, 'k');
  EXPECT_LT(parseProject(longKey + " = 1").error().message.size(), 200u);
}

TEST(ProjectErrors, DotsInTextsAndCommentsAreNoKeys) {
  goodProject(
      "# a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\n[project]\nignore = [\"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.b\"]");
  goodProject(
      "[[rule]]\nmatch = \"\"\"a\\\"\"\".a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\"\"\"\nprofile = 'x'\n[profile.x]\n");
  std::string many = "[project]\nignore = [";
  for (int i = 0; i < 500; ++i) many += "'*.tmp', ";
  EXPECT_TRUE(goodProject(many + "]").ignored("a.tmp"));
}

}  // namespace
}  // namespace simmer::test
