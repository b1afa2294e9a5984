#include <algorithm>

#include <gtest/gtest.h>

#include "cooker/plugin/catalog.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

class ExamplePlugin : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(m_catalog.find("example"), nullptr);
    const auto plugin = m_catalog.load("example");
    ASSERT_TRUE(plugin.has_value()) << plugin.error().text();
    m_plugin = *plugin;
  }

  Request request(const std::string& ending) const {
    Settings settings = m_catalog.find("example")->defaults();
    settings["line_ending"] = ending;
    return {"text", settings, {}, {}};
  }
  Result<Artifact> cook(std::string_view source, const std::string& ending = "lf") {
    test::MemoryReader reader("notes.txt", source);
    return m_plugin->cook(request(ending), reader, m_context);
  }
  std::string cookedText(std::string_view source, const std::string& ending = "lf") {
    const auto artifact = cook(source, ending);
    EXPECT_TRUE(artifact.has_value()) << artifact.error().text();
    return artifact ? std::string(asText(artifact->outputs.at(0).bytes)) : "";
  }
  double changedText(std::string_view source, std::string_view output) {
    test::MemoryReader reader("notes.txt", source);
    Artifact artifact;
    artifact.outputs.push_back({"text", false, Bytes(asBytes(output).begin(), asBytes(output).end())});
    const auto measures = m_plugin->measure(request("lf"), reader, artifact, m_context);
    EXPECT_TRUE(measures.has_value()) << measures.error().text();
    return measures ? measures->at(0).value : -1;
  }

  Catalog m_catalog = Catalog::open({SIMMER_PLUGIN_FOLDER});
  const AssetPlugin* m_plugin = nullptr;
  test::RecordingContext m_context;
};

TEST_F(ExamplePlugin, EveryLineGetsTheEndingThatIsSet) {
  EXPECT_EQ(cookedText("one\r\ntwo\n\nfour"), "one\ntwo\n\nfour\n");
  EXPECT_EQ(cookedText("one\r\ntwo\n\nfour", "crlf"), "one\r\ntwo\r\n\r\nfour\r\n");
  EXPECT_EQ(cookedText(""), "");
}

TEST_F(ExamplePlugin, RefusesWhatIsNoText) {
  for (const std::string_view source : {std::string_view("one\ntw\ro\n"), std::string_view("one\nt\0wo\n", 9)}) {
    const auto artifact = cook(source);
    ASSERT_FALSE(artifact.has_value());
    EXPECT_EQ(artifact.error(), (Error{ErrorCode::InvalidInput, "a lone CR or a zero byte in the text", "line 2"}));
  }
}

TEST_F(ExamplePlugin, MeasureSeesEveryChangeButLineEndings) {
  EXPECT_EQ(changedText("one\r\ntwo", "one\ntwo\n"), 0);
  EXPECT_EQ(changedText("one\ntwo\n", "one\r\ntwo\r\n"), 0);
  EXPECT_EQ(changedText("one\ntwo\n", "one\nTwo\n"), 1);
  EXPECT_EQ(changedText("one\ntwo\n", "one\n"), 1);
  EXPECT_EQ(changedText("one\ntwo\n", "one two\n"), 1);
}

TEST_F(ExamplePlugin, MeasureRefusesAnArtifactWithoutOutput) {
  test::MemoryReader reader("notes.txt", "one\n");
  const auto measures = m_plugin->measure(request("lf"), reader, Artifact{}, m_context);
  ASSERT_FALSE(measures.has_value());
  EXPECT_EQ(measures.error().code, ErrorCode::Corrupt);
}

std::string textOf(const fs::path& file) {
  const auto bytes = readFile(file);
  EXPECT_TRUE(bytes.has_value()) << file;
  return bytes ? std::string(asText(*bytes)) : "";
}

TEST(PluginsDocument, QuotesTheExampleVerbatim) {
  const fs::path root = SIMMER_SOURCE_DIR;
  const std::string document = textOf(root / "cooker/plugin/PLUGINS.md");
  const std::string code = textOf(root / "plugins/example/plugin.cpp");
  EXPECT_NE(document.find("```cpp\n" + code + "```\n"), std::string::npos) << "plugin.cpp differs from its quote";
  EXPECT_NE(document.find("```json\n" + textOf(root / "plugins/example/example.json") + "```\n"), std::string::npos)
      << "example.json differs from its quote";
  EXPECT_NE(document.find("```cmake\n" + textOf(root / "plugins/example/CMakeLists.txt") + "```\n"), std::string::npos)
      << "CMakeLists.txt differs from its quote";
  EXPECT_LE(std::count(code.begin(), code.end(), '\n'), 60);
}

}  // namespace
}  // namespace simmer
