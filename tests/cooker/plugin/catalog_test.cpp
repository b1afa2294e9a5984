#include "cooker/plugin/catalog.h"

#include <cstdlib>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kGood = SIMMER_GOOD_PLUGINS;
const fs::path kRefused = SIMMER_REFUSED_PLUGINS;

/// Sets a variable of the environment for the time of a test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : m_name(name) { ::setenv(name, value.c_str(), 1); }
  ~ScopedVariable() { ::unsetenv(m_name); }

 private:
  const char* m_name;
};

std::string reasonFor(const Catalog& catalog, const std::string& fileName) {
  for (const Catalog::Refused& refused : catalog.refused())
    if (refused.file.filename() == fileName) return refused.reason;
  return "not refused";
}

std::vector<std::string> names(const Catalog& catalog) {
  std::vector<std::string> all;
  for (const PluginMetadata* metadata : catalog.plugins()) all.push_back(metadata->name);
  return all;
}

TEST(Catalog, ReadsMetadataInTheOrderOfNames) {
  const Catalog catalog = Catalog::open({kGood});
  EXPECT_THAT(names(catalog), ElementsAre("animation", "deflate"));
  EXPECT_TRUE(catalog.refused().empty());
  ASSERT_NE(catalog.find("animation"), nullptr);
  EXPECT_EQ(catalog.find("animation")->version, "2.0");
  EXPECT_EQ(catalog.find("anim"), nullptr);
}

TEST(Catalog, APatternTakesASourceWhateverItsCase) {
  const Catalog catalog = Catalog::open({kGood});
  EXPECT_EQ(catalog.pluginFor("npc/Walk.BVH"), catalog.find("animation"));
  EXPECT_EQ(catalog.pluginFor("a/b/fox.glb"), catalog.find("animation"));
  EXPECT_EQ(catalog.pluginFor("a/b/readme.txt"), nullptr);
  EXPECT_EQ(catalog.pluginFor(""), nullptr);
}

TEST(Catalog, LoadsAPluginOnceAndKeepsIt) {
  const Catalog catalog = Catalog::open({kGood});
  const auto first = catalog.load("animation"), second = catalog.load("animation");
  ASSERT_TRUE(first && second) << first.error().text();
  EXPECT_EQ(*first, *second);
  MemoryReader reader("walk.bvh", "HIERARCHY");
  RecordingContext context;
  const auto artifact = (*first)->cook({}, reader, context);
  ASSERT_TRUE(artifact);
  EXPECT_EQ(asText(artifact->outputs.at(0).bytes), "HIERARCHY");
  EXPECT_EQ(catalog.load("anim").error().code, ErrorCode::NotFound);
}

TEST(Catalog, APluginThatWentAwayCanNotBeLoaded) {
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / "gone.so";
  fs::copy_file(kGood / "fixture_clip_plugin.so", copy);
  const Catalog catalog = Catalog::open({folder.path()});
  fs::remove(copy);
  const auto loaded = catalog.load("animation");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(loaded.error().message, HasSubstr("'animation' can not be loaded"));
}

TEST(Catalog, RefusesWhatIsNoPluginOfOursWithoutRunningIt) {
  const TemporaryFolder folder;
  const fs::path mark = folder.path() / "ran";
  const ScopedVariable variable("SIMMER_TEST_MARK", mark.string());
  const Catalog catalog = Catalog::open({kRefused});
  EXPECT_TRUE(catalog.plugins().empty());
  EXPECT_EQ(reasonFor(catalog, "fixture_old_interface.so"),
            "its interface is \"org.simmer.AssetPlugin/0\", expected \"org.simmer.AssetPlugin/1\"");
  EXPECT_EQ(reasonFor(catalog, "fixture_no_metadata.so"), "no plugin metadata in it");
  EXPECT_EQ(reasonFor(catalog, "fixture_wrong_metadata.so"), "'parts' is empty: no version would stand in a key");
  EXPECT_FALSE(fs::exists(mark)) << "a refused library ran code";
}

TEST(Catalog, TheRefusedLibrariesWouldRunCodeIfTheyWereLoaded) {
  // Without this the test above could not fail.
  for (const char* name : {"fixture_old_interface.so", "fixture_no_metadata.so", "fixture_wrong_metadata.so"}) {
    const TemporaryFolder folder;
    const fs::path mark = folder.path() / "ran";
    const ScopedVariable variable("SIMMER_TEST_MARK", mark.string());
    void* const library = ::dlopen((kRefused / name).c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << ::dlerror();
    EXPECT_TRUE(fs::exists(mark)) << name;
    ::dlclose(library);
  }
}

TEST(Catalog, OpeningDoesNotRunAGoodPluginEither) {
  const TemporaryFolder folder;
  // A copy: the same file may already be loaded by another test of this process.
  fs::copy_file(kGood / "fixture_pack_plugin.so", folder.path() / "copy.so");
  const fs::path mark = folder.path() / "ran";
  const ScopedVariable variable("SIMMER_TEST_MARK", mark.string());
  const Catalog catalog = Catalog::open({folder.path()});
  EXPECT_FALSE(fs::exists(mark));
  ASSERT_TRUE(catalog.load("deflate"));
  EXPECT_TRUE(fs::exists(mark));
}

TEST(Catalog, RefusesFilesThatOnlyLookLikeLibraries) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, std::string_view text) {
    ASSERT_TRUE(writeFileAtomically(folder.path() / name, asBytes(text)));
  };
  write("text.so", "I am a text, not a library.\n");
  write("empty.so", "");
  write("half.so", std::string_view("\x7f"
                                    "ELF\x02\x01\x01",
                                    7));
  write("notes.txt", "left alone: its name is no library's");
  fs::create_directory(folder.path() / "folder.so");
  const Catalog catalog = Catalog::open({folder.path()});
  EXPECT_TRUE(catalog.plugins().empty());
  EXPECT_EQ(reasonFor(catalog, "text.so"), "no plugin metadata in it");
  EXPECT_EQ(reasonFor(catalog, "empty.so"), "no plugin metadata in it");
  EXPECT_EQ(reasonFor(catalog, "half.so"), "no plugin metadata in it");
  EXPECT_EQ(reasonFor(catalog, "notes.txt"), "not refused");
}

TEST(Catalog, OfTwoPluginsWithOneNameTheFirstIsTaken) {
  const TemporaryFolder first, second;
  fs::copy_file(kGood / "fixture_clip_plugin.so", first.path() / "z.so");
  fs::copy_file(kGood / "fixture_clip_plugin.so", second.path() / "a.so");
  const Catalog catalog = Catalog::open({first.path(), second.path()});
  EXPECT_THAT(names(catalog), ElementsAre("animation"));
  ASSERT_EQ(catalog.refused().size(), 1u);
  EXPECT_EQ(catalog.refused()[0].file, second.path() / "a.so");
  EXPECT_EQ(catalog.refused()[0].reason, "the name 'animation' is taken by " + (first.path() / "z.so").string());
}

TEST(Catalog, AFolderThatIsNotThereHoldsNoPlugins) {
  const Catalog catalog = Catalog::open({"/no/such/folder"});
  EXPECT_TRUE(catalog.plugins().empty());
  EXPECT_TRUE(catalog.refused().empty());
}

TEST(Catalog, TheEnvironmentNamesTheFolders) {
  {
    const ScopedVariable variable("SIMMER_PLUGIN_PATH", "/one:/two::/three:");
    EXPECT_THAT(Catalog::defaultFolders(), ElementsAre(fs::path("/one"), fs::path("/two"), fs::path("/three")));
  }
  const auto folders = Catalog::defaultFolders();
  ASSERT_EQ(folders.size(), 1u);
  EXPECT_THAT(folders[0].string(), HasSubstr("/lib/simmer/plugins"));
}

}  // namespace
}  // namespace simmer::test
