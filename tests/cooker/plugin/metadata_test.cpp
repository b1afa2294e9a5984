#include "cooker/plugin/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

using testing::ElementsAre;

constexpr const char* kGood = R"({
  "name": "animation", "version": "1.2", "summary": "Clips",
  "patterns": ["*.bvh", "anim/**/*.{glb,gltf}"],
  "settings": [
    {"name": "codec", "type": "choice", "choices": ["article", "spline"], "default": "spline", "help": "The codec."},
    {"name": "scale", "type": "number", "min": 0.5, "max": 2, "default": 1, "import": true, "help": "The unit."},
    {"name": "loop", "type": "boolean", "default": false, "help": "Whether it loops."}],
  "parts": [
    {"name": "importer.bvh", "version": 3, "suffixes": [".bvh"]},
    {"name": "importer.gltf", "version": 1, "suffixes": [".glb", ".gltf"]},
    {"name": "codec.article", "version": 2, "setting": "codec", "equals": "article"},
    {"name": "codec.spline", "version": 7, "setting": "codec", "equals": "spline"},
    {"name": "container", "version": 4}],
  "commands": [{"name": "demo", "usage": "DIR", "help": "Writes a project.", "creates_project": true}]})";

PluginMetadata good() {
  return PluginMetadata::parse(kGood).value();
}

TEST(PluginMetadata, HoldsWhatTheJsonSays) {
  const PluginMetadata metadata = good();
  EXPECT_EQ(metadata.name, "animation");
  EXPECT_EQ(metadata.version, "1.2");
  EXPECT_EQ(metadata.settings.size(), 3u);
  const SettingSpec* scale = metadata.setting("scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(scale->type, SettingSpec::Type::Number);
  EXPECT_EQ(scale->minimum, 0.5);
  EXPECT_EQ(scale->maximum, 2.0);
  EXPECT_TRUE(scale->import);
  EXPECT_FALSE(metadata.setting("loop")->import);
  EXPECT_EQ(metadata.setting("speed"), nullptr);
  ASSERT_EQ(metadata.commands.size(), 1u);
  EXPECT_TRUE(metadata.commands[0].createsProject);
}

TEST(PluginMetadata, DefaultsHaveTheTypeOfTheirSetting) {
  const Settings defaults = good().defaults();
  EXPECT_EQ(defaults.at("codec"), SettingValue("spline"));
  EXPECT_EQ(defaults.at("scale"), SettingValue(1.0)) << "written as 1, wanted as a number";
  EXPECT_EQ(defaults.at("loop"), SettingValue(false));
}

TEST(PluginMetadata, TakesSourcesByPattern) {
  const PluginMetadata metadata = good();
  EXPECT_TRUE(metadata.takes("x/Walk.BVH"));
  EXPECT_TRUE(metadata.takes("anim/a/b/fox.gltf"));
  EXPECT_FALSE(metadata.takes("other/fox.gltf"));
}

TEST(PluginMetadata, UsedPartsAreThoseThatDecideTheBytes) {
  const PluginMetadata metadata = good();
  Settings settings = metadata.defaults();
  EXPECT_THAT(metadata.usedParts("Walk.BVH", settings), ElementsAre("importer.bvh 3", "codec.spline 7", "container 4"));
  settings["codec"] = std::string("article");
  EXPECT_THAT(metadata.usedParts("fox.glb", settings),
              ElementsAre("importer.gltf 1", "codec.article 2", "container 4"));
  EXPECT_THAT(metadata.usedParts("readme.txt", Settings()), ElementsAre("container 4"));
}

TEST(PluginMetadata, VersionTextChangesWithAnyPart) {
  EXPECT_EQ(good().versionText(),
            "animation importer.bvh=3 importer.gltf=1 codec.article=2 codec.spline=7 container=4");
}

struct Wrong {
  const char* json;
  const char* text;
};

TEST(PluginMetadata, SaysWhatIsWrong) {
  const std::vector<Wrong> cases = {
      {"", "the metadata is not a JSON object"},
      {"[1]", "the metadata is not a JSON object"},
      {R"({"name": "a")", "the metadata is not a JSON object"},
      {R"({})", "'name' is missing"},
      {R"({"name": 1})", "'name' is a number"},
      {R"({"name": "", "version": "1", "summary": "s", "parts": [{"name": "p", "version": 1}]})", "'name' is empty"},
      {R"({"name": "none", "version": "1", "summary": "s", "parts": [{"name": "p", "version": 1}]})",
       "'name' is \"none\", which rules use for no plugin"},
      {R"({"name": "a"})", "'version' is missing"},
      {R"({"name": "a", "version": "1", "summary": "s"})", "'parts' is empty: no version would stand in a key"},
      {R"({"name": "a", "version": "1", "summary": "s", "parts": {}})", "'parts' is an object"},
      {R"({"name": "a", "version": "1", "summary": "s", "parts": [3]})", "parts[0]: expected an object"},
      {R"({"name": "a", "version": "1", "summary": "s", "parts": [{"name": "p"}]})", "parts[0]: 'version' is missing"},
      {R"({"name": "a", "version": "1", "summary": "s", "parts": [{"name": "p", "version": 1.5}]})",
       "parts[0]: 'version' is a number"},
      {R"({"name": "a", "version": "1", "summary": "s", "patterns": [3]})", "'patterns' holds a number"},
      {R"({"name": "a", "version": "1", "summary": "s", "patterns": ["{a"], "parts": [{"name": "p", "version": 1}]})",
       "character 1: '{' is not closed"},
      {R"({"name": "a", "version": "1", "summary": "s", "commands": [{"name": "c"}]})",
       "commands[0]: 'help' is missing"},
  };
  for (const Wrong& wrong : cases) {
    const auto parsed = PluginMetadata::parse(wrong.json);
    ASSERT_FALSE(parsed) << wrong.json;
    EXPECT_EQ(parsed.error().code, ErrorCode::InvalidInput);
    EXPECT_EQ(parsed.error().text(), wrong.text) << wrong.json;
  }
}

TEST(PluginMetadata, SaysWhatIsWrongWithASetting) {
  const std::vector<Wrong> cases = {
      {R"({"type": "text", "default": "", "help": "h"})", "settings[0]: 'name' is missing"},
      {R"({"name": "s", "type": "colour", "default": "", "help": "h"})",
       "settings[0]: type is \"colour\", expected boolean, integer, number, text, choice or range"},
      {R"({"name": "s", "type": "text", "help": "h"})", "settings[0]: 'default' is missing"},
      {R"({"name": "s", "type": "text", "default": ""})", "settings[0]: 'help' is missing"},
      {R"({"name": "s", "type": "text", "default": [], "help": "h"})", "settings[0]: 'default' is an array"},
      {R"({"name": "s", "type": "number", "default": "1", "help": "h"})", "settings[0]: s is \"1\", expected a number"},
      {R"({"name": "s", "type": "number", "min": 2, "default": 1, "help": "h"})",
       "settings[0]: s is 1, expected at least 2"},
      {R"({"name": "s", "type": "number", "min": "2", "default": 1, "help": "h"})", "settings[0]: 'min' is a string"},
      {R"({"name": "s", "type": "choice", "choices": ["a"], "default": "b", "help": "h"})",
       "settings[0]: s is \"b\", expected one of a"},
      {R"({"name": "s", "type": "text", "default": "", "help": "h", "import": 1})",
       "settings[0]: 'import' is a number"},
      {R"({"name": "s", "type": "text", "default": "", "help": "h"}, {"name": "s", "type": "text", "default": "", "help": "h"})",
       "settings[1]: the name 's' is taken"},
  };
  for (const Wrong& wrong : cases) {
    const std::string json = fmt::format(
        R"({{"name": "a", "version": "1", "summary": "s", "parts": [{{"name": "p", "version": 1}}], "settings": [{}]}})",
        wrong.json);
    const auto parsed = PluginMetadata::parse(json);
    ASSERT_FALSE(parsed) << json;
    EXPECT_EQ(parsed.error().text(), wrong.text);
  }
}

TEST(PluginMetadata, TablesHaveSettingsOfTheirOwn) {
  const auto parse = [](std::string_view tables) {
    return PluginMetadata::parse(fmt::format(
        R"({{"name": "a", "version": "1", "summary": "s", "parts": [{{"name": "p", "version": 1}}], "tables": [{}]}})",
        tables));
  };
  const auto metadata = parse(R"({"name": "joint", "help": "h", "settings": [
      {"name": "scale", "type": "number", "default": 1, "help": "h"}]})");
  ASSERT_TRUE(metadata) << metadata.error().text();
  ASSERT_NE(metadata->table("joint"), nullptr);
  EXPECT_EQ(metadata->table("joints"), nullptr);
  EXPECT_EQ(metadata->table("joint")->setting("scale")->defaultValue, SettingValue(1.0));
  EXPECT_EQ(metadata->table("joint")->setting("x"), nullptr);
  const auto error = [&](std::string_view tables) { return parse(tables).error().text(); };
  EXPECT_EQ(error(R"({"name": "clip", "help": "h"})"),
            "tables[0]: 'name' is \"clip\", which sidecars use for something else");
  EXPECT_EQ(error(R"({"name": "j", "help": "h"}, {"name": "j", "help": "h"})"), "tables[1]: the name 'j' is taken");
  EXPECT_EQ(error(R"({"name": "j", "help": "h", "settings": [{"name": "s"}]})"),
            "tables[0].settings[0]: 'type' is missing");
}

TEST(PluginMetadata, DraftSettingsHaveToBeSettings) {
  const auto parse = [](std::string_view draft) {
    return PluginMetadata::parse(fmt::format(
        R"({{"name": "a", "version": "1", "summary": "s", "parts": [{{"name": "p", "version": 1}}], "draft": {},
            "settings": [{{"name": "effort", "type": "integer", "max": 9, "default": 5, "help": "h"}}]}})",
        draft));
  };
  EXPECT_EQ(parse(R"({"effort": 1})")->draft, (Settings{{"effort", std::int64_t{1}}}));
  EXPECT_EQ(parse(R"({"speed": 1})").error().text(), "draft: there is no setting 'speed'");
  EXPECT_EQ(parse(R"({"effort": 10})").error().text(), "draft: effort is 10, expected at most 9");
  EXPECT_EQ(parse("1").error().text(), "'draft' is a number");
}

TEST(PluginMetadata, DeepJsonIsRefusedNotFollowed) {
  EXPECT_FALSE(PluginMetadata::parse(std::string(1'000'000, '[')));
}

}  // namespace
}  // namespace simmer::test
