#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

using Texts = std::vector<std::string>;

Texts warningsOf(std::string_view toml, std::vector<std::string_view> paths) {
  std::sort(paths.begin(), paths.end());
  Texts texts;
  for (const Error& warning : goodProject(toml).warnings(paths)) texts.push_back(warning.text());
  return texts;
}

TEST(Warnings, NoneWhereEverythingHasItsFile) {
  EXPECT_EQ(warningsOf("[project]\nignore = ['old/', '*.tmp']\n[[rule]]\nmatch = ['hero/**', '*.glb']\n",
                       {"hero/a.bvh", "hero/a.bvh.simmer.toml", "b.glb", "old/c/d.bvh", "x/e.tmp"}),
            Texts{});
}

TEST(Warnings, ARuleThatMatchesNothingNamesTheNearestFolderOrEnding) {
  const std::vector<std::string_view> paths = {"hero/idle/a.bvh", "hero/b.glb", "npc/c.bvh"};
  EXPECT_EQ(warningsOf("[[rule]]\nmatch = 'heros/**'\n", paths),
            Texts{"simmer.toml:2:9: no source matches 'heros/**' of rule 1; did you mean 'hero/**'?"});
  EXPECT_EQ(warningsOf("[[rule]]\nmatch = 'hero/idel/*.bvh'\n", paths),
            Texts{"simmer.toml:2:9: no source matches 'hero/idel/*.bvh' of rule 1; did you mean 'hero/idle/*.bvh'?"});
  EXPECT_EQ(warningsOf("[[rule]]\nmatch = ['*.glb', '*.bhv']\n", paths),
            Texts{"simmer.toml:2:19: no source matches '*.bhv' of rule 1; did you mean '*.bvh'?"});
  EXPECT_EQ(warningsOf("[[rule]]\nmatch = 'npc/d.bvh'\n", paths),
            Texts{"simmer.toml:2:9: no source matches 'npc/d.bvh' of rule 1; did you mean 'npc/c.bvh'?"});
  EXPECT_EQ(warningsOf("[[rule]]\nmatch = 'vehicles/**'\n", paths),
            Texts{"simmer.toml:2:9: no source matches 'vehicles/**' of rule 1"});
}

TEST(Warnings, WhatIsIgnoredMatchesNoRule) {
  EXPECT_EQ(warningsOf("[project]\nignore = 'old/'\n[[rule]]\nmatch = 'old/**'\n", {"old/a.bvh"}),
            Texts{"simmer.toml:4:9: no source matches 'old/**' of rule 1"});
}

TEST(Warnings, AnIgnoreGlobThatMatchesNothing) {
  EXPECT_EQ(warningsOf("[project]\nignore = ['odl/**']\n", {"old/a.bvh"}),
            Texts{"simmer.toml:2:11: 'ignore' names 'odl/**', which matches no file; did you mean 'old/**'?"});
  EXPECT_EQ(warningsOf("[project]\nignore = ['*.tmp', '*~']\n", {"old/a.bvh"}), Texts{}) << "may come and go";
}

TEST(Warnings, ASidecarWithoutASource) {
  EXPECT_EQ(warningsOf("", {"npc/walk.bhv.simmer.toml", "npc/walk.bvh"}),
            Texts{"npc/walk.bhv.simmer.toml: a sidecar without a source: 'walk.bhv' is not there; did you mean "
                  "'walk.bvh'?"});
  EXPECT_EQ(warningsOf("", {"a.bvh.simmer.toml"}),
            Texts{"a.bvh.simmer.toml: a sidecar without a source: 'a.bvh' is not there"});
}

}  // namespace
}  // namespace simmer::test
