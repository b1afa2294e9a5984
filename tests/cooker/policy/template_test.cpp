#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

TEST(ProjectTemplate, IsAProject) {
  const Project project = goodProject(projectTemplate());
  EXPECT_EQ(project.source(), "/project/assets");
  EXPECT_EQ(project.output(), "/project/cooked");
}

TEST(ProjectTemplate, ItsProfilesAllowWhatItsCommentsSay) {
  const Project project = goodProject(projectTemplate());
  const std::string text = projectTemplate();
  struct Case {
    const char* path;
    const char* profile;
    double mm;
    const char* comment;
  };
  for (const Case& c :
       {Case{"hero/walk.bvh", "hero", 0.83, "0.83 mm"}, Case{"npc/a/walk.glb", "npc", 7.03, "7.03 mm"},
        Case{"background/walk.gltf", "background", 28.13, "28.13 mm"}, Case{"other/walk.bvh", "", 1.67, "1.67 mm"}}) {
    const Recipe recipe = recipeOf(project, c.path);
    EXPECT_EQ(recipe.plugin, "animation");
    EXPECT_EQ(recipe.profile, c.profile);
    EXPECT_NEAR(toleranceMm(recipe), c.mm, 0.0051) << c.path;
    EXPECT_THAT(text, testing::HasSubstr(c.comment));
  }
}

TEST(ProjectTemplate, PacksFilesThatAreNoClips) {
  const Project project = goodProject(projectTemplate());
  for (const char* path : {"readme.txt", "npc/notes.md", "a/b.json", "icon.png", "x.ppm", "y.csv"})
    EXPECT_EQ(recipeOf(project, path).plugin, "deflate") << path;
  EXPECT_FALSE(*project.resolve("a/tool.exe", nullptr, nullptr));
  EXPECT_TRUE(project.ignored(".vscode/settings.json"));
}

TEST(ProjectTemplate, TakesAnyFolderNames) {
  EXPECT_EQ(goodProject(projectTemplate(".", "out")).source(), "/project");
  const Project odd = goodProject(projectTemplate("a \"b\" @OUTPUT@", "c\\d#"));
  EXPECT_EQ(odd.source(), "/project/a \"b\" @OUTPUT@");
  EXPECT_EQ(odd.output(), "/project/c\\d#");
}

TEST(ProjectTemplate, WhatIsCommentedOutIsRightToo) {
  std::string text = projectTemplate();
  for (const std::string_view line :
       {"# [cache]", "# path = ", "# limit = ", "# [[rule]]", "# match = ", "# tolerance_mm"}) {
    const std::size_t at = text.find(line);
    ASSERT_NE(at, std::string::npos) << line;
    text.erase(at, 2);
  }
  const Project project = goodProject(text);
  EXPECT_DOUBLE_EQ(toleranceMm(recipeOf(project, "hero/cutscene/a.bvh")), 0.2);
}

}  // namespace
}  // namespace simmer::test
