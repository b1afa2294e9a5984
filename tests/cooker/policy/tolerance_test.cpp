#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

TEST(Tolerance, IsBuiltInWhereNothingIsSaid) {
  const Recipe recipe = recipeOf(goodProject(""), "walk.bvh");
  EXPECT_NEAR(toleranceMm(recipe), 1.6667, 1e-4);
  EXPECT_EQ(recipe.toleranceOrigins.at("pixel_budget").text(), "built-in");
  EXPECT_EQ(recipe.toleranceOrigins.at("screen_height_px").text(), "built-in");
  EXPECT_FALSE(recipe.toleranceOrigins.contains("object_height_m"));
  EXPECT_FALSE(recipe.toleranceOrigins.contains("tolerance_mm"));
}

constexpr const char* kNpc =
    "[profile.npc]\nscreen_height_px = 256\npixel_budget = 1\nobject_height_m = 1.8\n"
    "[[rule]]\nmatch = \"npc/**\"\nprofile = \"npc\"\n";

TEST(Tolerance, ComesFromTheProfile) {
  const Recipe recipe = recipeOf(goodProject(kNpc), "npc/walk.bvh");
  EXPECT_DOUBLE_EQ(toleranceMm(recipe), 7.03125);
  EXPECT_EQ(recipe.profile, "npc");
  EXPECT_EQ(recipe.profileOrigin.text(), "rule 1, simmer.toml:7");
  EXPECT_EQ(recipe.toleranceOrigins.at("screen_height_px").text(), "profile npc, simmer.toml:2");
  EXPECT_EQ(recipe.toleranceOrigins.at("object_height_m").text(), "profile npc, simmer.toml:4");
}

/// What a tolerance and pixels do to each other, by the levels on which they stand.
struct Case {
  const char* what;
  std::string toml;
  const char* sidecar;
  double mm;
};

TEST(Tolerance, OutrightAndPixels) {
  const std::string npc = kNpc;
  const std::string outright = "[profile.a]\ntolerance_mm = 5\n[[rule]]\nmatch = \"*\"\nprofile = \"a\"\n";
  const std::vector<Case> cases = {
      {"outright on the same level wins", "[[rule]]\nmatch = \"*\"\ntolerance_mm = 5\npixel_budget = 1\n", "", 5},
      {"outright above pixels wins", npc + "[[rule]]\nmatch = \"*\"\ntolerance_mm = 5\n", "", 5},
      {"pixels above outright end it", outright + "[[rule]]\nmatch = \"*\"\nscreen_height_px = 90\n", "", 10},
      {"a budget above outright ends it", outright + "[[rule]]\nmatch = \"*\"\npixel_budget = 0.9\n", "", 3.0},
      {"an object's height does not", outright + "[[rule]]\nmatch = \"*\"\nobject_height_m = 3\n", "", 5},
      {"the last rule holds", "[[rule]]\nmatch = \"*\"\ntolerance_mm = 5\n[[rule]]\nmatch = \"*\"\ntolerance_mm = 4\n",
       "", 4},
      {"a sidecar's pixels end a rule's outright", "[[rule]]\nmatch = \"*\"\ntolerance_mm = 5\n",
       "pixel_budget = 0.3\n", 1},
      {"a sidecar's outright wins over all", npc, "tolerance_mm = 0.25\n", 0.25},
  };
  for (const Case& c : cases) {
    const Sidecar sidecar = sidecarOf(c.sidecar);
    EXPECT_DOUBLE_EQ(toleranceMm(recipeOf(goodProject(c.toml), "npc/walk.bvh", &sidecar)), c.mm) << c.what;
  }
}

TEST(Tolerance, WhatWasEndedHasNoOriginAnyMore) {
  const Recipe recipe = recipeOf(
      goodProject("[plugin.animation]\ntolerance_mm = 5\n[[rule]]\nmatch = \"*\"\npixel_budget = 2\n"), "walk.bvh");
  EXPECT_FALSE(recipe.tolerance.toleranceM);
  EXPECT_FALSE(recipe.toleranceOrigins.contains("tolerance_mm"));
  EXPECT_EQ(recipe.toleranceOrigins.at("pixel_budget").text(), "rule 1, simmer.toml:5");
}

}  // namespace
}  // namespace simmer::test
