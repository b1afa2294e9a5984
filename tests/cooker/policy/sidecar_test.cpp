#include "cooker/policy/sidecar.h"

#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

TEST(Sidecar, HoldsValuesWithTheirPlaces) {
  const Sidecar sidecar =
      sidecarOf("# by hand\ncodec = \"article\"\n\n[clip.\"Run #2\"]\n  tolerance_mm = 1\n[clip.Idle]\n");
  EXPECT_EQ(sidecar.file, "npc/walk.glb.simmer.toml");
  EXPECT_EQ(sidecar.values.at("codec").value, SettingValue("article"));
  EXPECT_EQ(sidecar.values.at("codec").line, 2);
  EXPECT_EQ(sidecar.values.at("codec").column, 9);
  const WrittenValue& tolerance = sidecar.clips.at("Run #2").at("tolerance_mm");
  EXPECT_EQ(tolerance.value, SettingValue(std::int64_t{1}));
  EXPECT_EQ(tolerance.line, 5);
  EXPECT_TRUE(sidecar.clips.at("Idle").empty());
  EXPECT_EQ(sidecar.clipLines.at("Idle"), 6);
}

TEST(Sidecar, SaysWhatIsWrong) {
  struct Wrong {
    const char* toml;
    const char* text;
  };
  const std::vector<Wrong> cases = {
      {"codec = [1]\n", "f:1:9: 'codec' is a list, expected a single value"},
      {"clip = 3\n", "f:1:8: 'clip' is a whole number, expected tables [clip.\"NAME\"]"},
      {"[clip]\nRun = 3\n", "f:2:1: 'Run' in [clip] is a whole number, expected a table [clip.\"NAME\"] for each clip"},
      {"[clip.Run]\ncodec = {a = 1}\n", "f:2:9: 'codec' is a table, expected a single value"},
      {"[clips]\nRun = 3\n", "f:2:1: 'Run' in [clips] is a whole number, expected a table [clips.\"NAME\"]"},
  };
  for (const Wrong& wrong : cases) {
    const auto sidecar = Sidecar::parse(wrong.toml, "f");
    ASSERT_FALSE(sidecar) << wrong.toml;
    EXPECT_EQ(sidecar.error().text(), wrong.text);
  }
  EXPECT_THAT(Sidecar::parse("codec = \n", "f").error().where, testing::MatchesRegex("f:[0-9]+:[0-9]+"));
}

TEST(Sidecar, AClipThatTheSourceDoesNotHaveIsAMistake) {
  Description description;
  description.items = {itemNamed("Run"), itemNamed("Walk")};
  EXPECT_TRUE(sidecarOf("[clip.Run]\ntolerance_mm = 1\n").checkNames(description));
  const auto checked = sidecarOf("codec = \"spline\"\n\n[clip.Wlak]\ntolerance_mm = 1\n").checkNames(description);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().text(),
            "npc/walk.glb.simmer.toml:3:1: the source has no clip 'Wlak'; did you mean 'Walk'?");
}

}  // namespace
}  // namespace simmer::test
