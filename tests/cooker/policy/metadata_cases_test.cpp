#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

/// What a person may write about an asset, and the tolerance it means for something of 1.8 m. The values are worked out
/// by hand: budget × height ÷ pixels.
struct Case {
  const char* what;
  const char* profile;  ///< lines of [profile.p], which every asset has
  const char* rule;     ///< lines of a later rule for the asset
  Settings embedded;    ///< in the asset itself
  const char* sidecar;
  double mm;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      // Height on the screen.
      {"nothing said: half a pixel at 540", "", "", {}, "", 0.5 * 1800 / 540},
      {"hero", "screen_height_px = 900\npixel_budget = 0.5", "", {}, "", 1.0},
      {"npc", "screen_height_px = 256\npixel_budget = 1", "", {}, "", 7.03125},
      {"background", "screen_height_px = 64\npixel_budget = 1", "", {}, "", 28.125},
      {"pixels on the screen alone", "screen_height_px = 900", "", {}, "", 1.0},
      {"a budget alone", "pixel_budget = 2", "", {}, "", 2 * 1800.0 / 540},
      {"slow close-up: half of a half", "screen_height_px = 1080\npixel_budget = 0.25", "", {}, "", 1800 * 0.25 / 1080},
      {"fast action: two pixels", "screen_height_px = 256", "pixel_budget = 2", {}, "", 14.0625},
      // Height in the world.
      {"a giant", "screen_height_px = 256\npixel_budget = 1\nobject_height_m = 18", "", {}, "", 70.3125},
      {"a mouse", "screen_height_px = 256\npixel_budget = 1\nobject_height_m = 0.09", "", {}, "", 0.3515625},
      {"the height from a rule", "screen_height_px = 256\npixel_budget = 1", "object_height_m = 3.6", {}, "", 14.0625},
      {"the height from the asset",
       "screen_height_px = 256\npixel_budget = 1",
       "",
       {{"object_height_m", 0.9}},
       "",
       3.515625},
      {"the height from the sidecar",
       "screen_height_px = 256\npixel_budget = 1\nobject_height_m = 9",
       "",
       {},
       "object_height_m = 1.8",
       7.03125},
      // A length outright.
      {"outright", "tolerance_mm = 0.1", "", {}, "", 0.1},
      {"outright against the level's pixels", "tolerance_mm = 0.1\nscreen_height_px = 64", "", {}, "", 0.1},
      {"outright above pixels", "screen_height_px = 64\npixel_budget = 1", "tolerance_mm = 2", {}, "", 2},
      {"pixels above outright", "tolerance_mm = 2", "screen_height_px = 450\npixel_budget = 1", {}, "", 4},
      {"the asset's outright", "screen_height_px = 64", "pixel_budget = 3", {{"tolerance_mm", std::int64_t{5}}}, "", 5},
      {"the sidecar's pixels over the asset's outright",
       "screen_height_px = 100",
       "",
       {{"tolerance_mm", 5.0}},
       "pixel_budget = 0.5",
       9},
      // A camera: metres to a pixel = 2 × distance × tan(fov ÷ 2) ÷ viewport.
      {"90° from 5.4 m at 1080", "distance_m = 5.4\nfov_deg = 90\npixel_budget = 1", "", {}, "", 10},
      {"the viewport's height", "distance_m = 5.4\nfov_deg = 90\nviewport_px = 2160\npixel_budget = 1", "", {}, "", 5},
      {"twice as far away", "distance_m = 10.8\nfov_deg = 90\npixel_budget = 1", "", {}, "", 20},
      {"half a pixel of it", "distance_m = 5.4\nfov_deg = 90", "", {}, "", 5},
      {"the object's height does not matter", "distance_m = 5.4\nfov_deg = 90\nobject_height_m = 7", "", {}, "", 5},
      {"60° where nothing is said", "distance_m = 10.8", "", {}, "", 10 / 1.7320508075688772},
      {"a camera above pixels", "screen_height_px = 64", "distance_m = 5.4\nfov_deg = 90", {}, "", 5},
      {"pixels above a camera", "distance_m = 5.4\nfov_deg = 90", "screen_height_px = 450", {}, "", 2},
      {"a camera above outright", "tolerance_mm = 3", "distance_m = 5.4\nfov_deg = 90", {}, "", 5},
      {"a field of view from above", "distance_m = 5.4\nfov_deg = 20", "fov_deg = 90", {}, "", 5},
      {"a field of view ends nothing", "tolerance_mm = 3", "fov_deg = 90", {}, "", 3},
      {"the sidecar's camera over all",
       "tolerance_mm = 3",
       "screen_height_px = 9",
       {{"pixel_budget", 1.0}},
       "distance_m = 5.4\nfov_deg = 90",
       10},
      {"outright in the sidecar over all",
       "distance_m = 5.4",
       "screen_height_px = 9",
       {{"distance_m", 9.0}},
       "tolerance_mm = 0.25",
       0.25},
  };
  return kCases;
}

TEST(MetadataCases, GiveExactTolerances) {
  EXPECT_GE(cases().size(), 30u);
  for (const Case& c : cases()) {
    const Project project = goodProject(fmt::format(
        "[profile.p]\n{}\n[[rule]]\nmatch = '*'\nprofile = 'p'\n[[rule]]\nmatch = '*'\n{}\n", c.profile, c.rule));
    const Sidecar sidecar = sidecarOf(c.sidecar);
    const ItemDescription item = itemNamed("Walk", c.embedded);
    const Recipe recipe = recipeOf(project, "npc/walk.glb", &sidecar, &item);
    EXPECT_DOUBLE_EQ(toleranceMm(recipe), c.mm) << c.what;
  }
}

TEST(MetadataCases, TheScreenIsBelowEverythingButTheBuiltIn) {
  const char* const screen = "[screen]\nscreen_height_px = 900\npixel_budget = 1\n";
  const Recipe plain = recipeOf(goodProject(screen), "a.bvh");
  EXPECT_DOUBLE_EQ(toleranceMm(plain), 2);
  EXPECT_EQ(plain.toleranceOrigins.at("pixel_budget").text(), "screen, simmer.toml:3");
  const std::string plugin = std::string(screen) + "[plugin.animation]\npixel_budget = 2\n";
  EXPECT_DOUBLE_EQ(toleranceMm(recipeOf(goodProject(plugin), "a.bvh")), 4);
  const std::string camera = "[screen]\nviewport_px = 2160\nfov_deg = 90\n[[rule]]\nmatch = '*'\ndistance_m = 5.4\n";
  EXPECT_DOUBLE_EQ(toleranceMm(recipeOf(goodProject(camera), "a.bvh")), 2.5);
}

TEST(MetadataCases, HeightOnTheScreenInBothForms) {
  ToleranceRule rule;
  EXPECT_DOUBLE_EQ(rule.onScreenPx(1.8), 540);
  rule.distanceM = 5.4;
  rule.fovDeg = 90;
  EXPECT_DOUBLE_EQ(rule.onScreenPx(1.8), 180);
  EXPECT_DOUBLE_EQ(rule.onScreenPx(0), 180) << "what has no height counts as a person";
}

TEST(MetadataCases, WhatOneLevelSaysTwiceIsRefused) {
  const char* const text = "screen_height_px and distance_m both say how tall it stands on the screen: keep one";
  for (const char* head : {"[profile.p]\n", "[screen]\n", "[[rule]]\nmatch='*'\n", "[plugin.animation]\n"}) {
    const auto project = parseProject(std::string(head) + "distance_m = 3\nscreen_height_px = 3\n");
    ASSERT_FALSE(project) << head;
    EXPECT_THAT(project.error().text(), testing::EndsWith(text));
  }
  const Sidecar sidecar = sidecarOf("screen_height_px = 3\ndistance_m = 3\n");
  const auto recipe = goodProject("").resolve("a.bvh", &sidecar, nullptr);
  ASSERT_FALSE(recipe);
  EXPECT_EQ(recipe.error().text(), std::string("npc/walk.glb.simmer.toml:2:14: ") + text);
}

TEST(MetadataCases, EqualCamerasGiveEqualTexts) {
  const auto text = [](const char* toml) { return recipeOf(goodProject(toml), "a.bvh").canonicalText(); };
  const std::string one = text("[[rule]]\nmatch='*'\ndistance_m = 3\n");
  EXPECT_EQ(one, text("[profile.p]\ndistance_m = 3\nobject_height_m = 4\n[[rule]]\nmatch='*'\nprofile='p'\n"))
      << "an object's height does not decide what a camera shows";
  EXPECT_NE(one, text("[[rule]]\nmatch='*'\ndistance_m = 3.5\n"));
  EXPECT_EQ(text(""), text("[screen]\nfov_deg = 30\nviewport_px = 99\n")) << "without a distance there is no camera";
}

}  // namespace
}  // namespace simmer::test
