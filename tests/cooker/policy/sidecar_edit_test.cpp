#include "cooker/policy/sidecar_edit.h"

#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

using Path = std::vector<std::string>;

std::string set(std::string_view text, const Path& path, std::string_view value) {
  const auto changed = setInToml(text, "f", path, value);
  return changed ? *changed : "error: " + changed.error().text();
}
std::string unset(std::string_view text, const Path& path) {
  const auto changed = unsetInToml(text, "f", path);
  return changed ? *changed : "error: " + changed.error().text();
}

TEST(SidecarEdit, ReplacesAValueWhereItStands) {
  EXPECT_EQ(set("# mine\n  effort  =  \"draft\"   # why: slow\ncodec = 'spline'\n", {"effort"}, "\"max\""),
            "# mine\n  effort  =  \"max\"   # why: slow\ncodec = 'spline'\n");
  EXPECT_EQ(set("tolerance_mm = 0.125", {"tolerance_mm"}, "2"), "tolerance_mm = 2");
  EXPECT_EQ(set("range = [ 1,\n 2 ] # s\na = true\n", {"range"}, "\"0..1\""), "range = \"0..1\" # s\na = true\n");
  EXPECT_EQ(set("clip = {'ü' = {t = 'ää€'}, b = {a = 1}} # ü\n", {"clip", "b", "a"}, "3"),
            "clip = {'ü' = {t = 'ää€'}, b = {a = 3}} # ü\n");
  EXPECT_EQ(set("['clip'.'Run #2']\na = false # x\n", {"clip", "Run #2", "a"}, "true"),
            "['clip'.'Run #2']\na = true # x\n");
  EXPECT_EQ(set("clip.Run.a = 1\n", {"clip", "Run", "a"}, "2"), "clip.Run.a = 2\n");
  EXPECT_EQ(set("clip = {Run = {a = 1, b = 2}}\n", {"clip", "Run", "a"}, "22"), "clip = {Run = {a = 22, b = 2}}\n");
}

TEST(SidecarEdit, AddsAValueBehindTheLastOneOfItsTable) {
  EXPECT_EQ(set("", {"effort"}, "\"max\""), "effort = \"max\"\n");
  EXPECT_EQ(set("# only words\n", {"effort"}, "1"), "# only words\neffort = 1\n");
  EXPECT_EQ(set("a = 1", {"b"}, "2"), "a = 1\nb = 2\n");
  EXPECT_EQ(set("a = 1 # x\n\n# of the clip\n[clip.Run]\nc = 1\n", {"b"}, "2"),
            "a = 1 # x\nb = 2\n\n# of the clip\n[clip.Run]\nc = 1\n");
  EXPECT_EQ(set("# head\n\n# of the clip\n[clip.Run]\nc = 1\n", {"b"}, "2"),
            "# head\n\nb = 2\n\n# of the clip\n[clip.Run]\nc = 1\n");
  EXPECT_EQ(set("[clip.Run]\n  c = 1\n\n[clip.Walk]\n", {"clip", "Run", "b"}, "2"),
            "[clip.Run]\n  c = 1\n  b = 2\n\n[clip.Walk]\n");
  EXPECT_EQ(set("[clip.Run]\n[clip.Walk]\na = 1\n", {"clip", "Run", "b"}, "2"),
            "[clip.Run]\nb = 2\n[clip.Walk]\na = 1\n");
  EXPECT_EQ(set("a = 1\r\n", {"b"}, "2"), "a = 1\r\nb = 2\r\n") << "line ends stay what they are";
}

TEST(SidecarEdit, AddsTablesAtTheEnd) {
  EXPECT_EQ(set("a = 1\n", {"clip", "Run #2", "b"}, "2"), "a = 1\n\n[clip.\"Run #2\"]\nb = 2\n");
  EXPECT_EQ(set("", {"joint", "hand_*", "tolerance_scale"}, "0.5"), "[joint.\"hand_*\"]\ntolerance_scale = 0.5\n");
  EXPECT_EQ(set("[clip.Run]\na = 1", {"clip", "Run", "joint", "x", "b"}, "2"),
            "[clip.Run]\na = 1\n\n[clip.Run.joint.x]\nb = 2\n");
}

TEST(SidecarEdit, TakesOutWhatItIsToldAndEmptyTables) {
  EXPECT_EQ(unset("# mine\na = 1 # x\nb = 2\n", {"a"}), "# mine\nb = 2\n");
  EXPECT_EQ(unset("a = [1,\n2]\nb = 2\n", {"a"}), "b = 2\n");
  EXPECT_EQ(unset("a = 1\n\n[clip.Run]\nb = 2\n\n[clip.Walk]\nc = 3\n", {"clip", "Run", "b"}),
            "a = 1\n\n[clip.Walk]\nc = 3\n");
  EXPECT_EQ(unset("[clip.Run]\nb = 2\n# why\n", {"clip", "Run", "b"}), "[clip.Run]\n# why\n")
      << "a comment keeps its table";
  EXPECT_EQ(unset("effort = 1\n", {"effort"}), "");
  EXPECT_EQ(unset("a = 1\n", {"b"}), "error: f: 'b' is not set in it");
  EXPECT_EQ(unset("[clip.Run]\na = 1\n", {"clip"}), "error: f: 'clip' is not set in it");
}

TEST(SidecarEdit, RefusesWhatItCanNotDoCleanly) {
  const std::string hand = "can not be changed without touching what stands around it: edit the file by hand";
  EXPECT_EQ(unset("clip = {Run = {a = 1, b = 2}}\n", {"clip", "Run", "a"}), "error: f: 'a' " + hand);
  EXPECT_EQ(set("clip = 3\n", {"clip", "Run", "a"}, "1"), "error: f: 'a' " + hand);
  EXPECT_THAT(set("a = \n", {"a"}, "1"), testing::StartsWith("error: f:"));
  EXPECT_EQ(set("a = 1\n", {"a"}, "1\nb = 2"), "error: f: 'a' " + hand) << "a value is one value";
}

TEST(SidecarEdit, ReadsAssignments) {
  const auto assign = [](std::string_view text, std::string_view assignment) {
    const auto changed = setInToml(text, "f", assignment);
    return changed ? *changed : "error: " + changed.error().text();
  };
  EXPECT_EQ(assign("[profile.npc]\npixel_budget = 1 # px\n", "profile.npc.pixel_budget=2"),
            "[profile.npc]\npixel_budget = 2 # px\n");
  EXPECT_EQ(assign("", "plugin.animation.effort=max"), "[plugin.animation]\neffort = \"max\"\n");
  EXPECT_EQ(assign("", "profile.\"a=b\".tolerance_mm = 2"), "[profile.\"a=b\"]\ntolerance_mm =  2\n");
  EXPECT_EQ(assign("", "nothing"), "error: 'nothing': expected key=value, such as profile.npc.pixel_budget=2");
  EXPECT_EQ(assign("", "=3"), "error: '=3': expected key=value, such as profile.npc.pixel_budget=2");
}

TEST(SidecarEdit, SpellsValuesAsToml) {
  EXPECT_EQ(tomlText(SettingValue(0.5)), "0.5");
  EXPECT_EQ(tomlText(SettingValue(2.0)), "2.0");
  EXPECT_EQ(tomlText(SettingValue(std::int64_t{2})), "2");
  EXPECT_EQ(tomlText(SettingValue(true)), "true");
  EXPECT_EQ(tomlText(SettingValue("a \"b\"\n")), "\"a \\\"b\\\"\\u000A\"");
  EXPECT_EQ(tomlText(Path{"a", "b"}), "[\"a\", \"b\"]");
}

}  // namespace
}  // namespace simmer::test
