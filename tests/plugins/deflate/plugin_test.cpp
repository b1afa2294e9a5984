#include <gtest/gtest.h>

#include "cooker/plugin/catalog.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer {
namespace {

TEST(DeflatePlugin, LoadsThroughTheCatalogAndCooks) {
  const Catalog catalog = Catalog::open({SIMMER_PLUGIN_FOLDER});
  const PluginMetadata* metadata = catalog.find("deflate");
  ASSERT_NE(metadata, nullptr);
  EXPECT_FALSE(metadata->takes("textures/wall.png"));  // only a rule names it
  const auto plugin = catalog.load("deflate");
  ASSERT_TRUE(plugin.has_value()) << plugin.error().text();

  test::RecordingContext context;
  test::MemoryReader reader("notes.md", "a line, a line, a line, a line, a line, a line\n");
  const auto description = (*plugin)->describe({}, reader, context);
  ASSERT_TRUE(description.has_value());
  const Request request{description->items.at(0).id, metadata->defaults(), {}, {}};
  const auto artifact = (*plugin)->cook(request, reader, context);
  ASSERT_TRUE(artifact.has_value()) << artifact.error().text();
  EXPECT_EQ(artifact->codec, "gzip level 6");
  const auto measures = (*plugin)->measure(request, reader, *artifact, context);
  ASSERT_TRUE(measures.has_value()) << measures.error().text();
  EXPECT_EQ(measures->front().value, 0);
}

TEST(DeflatePlugin, LevelIsOneToNine) {
  const Catalog catalog = Catalog::open({SIMMER_PLUGIN_FOLDER});
  ASSERT_NE(catalog.find("deflate"), nullptr);
  const SettingSpec* level = catalog.find("deflate")->setting("level");
  ASSERT_NE(level, nullptr);
  EXPECT_TRUE(level->check(std::int64_t{9}).has_value());
  const auto refused = level->check(std::int64_t{10});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "level is 10, expected 1 to 9");
}

}  // namespace
}  // namespace simmer
