#include <cstdlib>
#include <filesystem>

#include "tests/cooker/policy/policy_fixtures.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view text) {
  ASSERT_TRUE(writeFileAtomically(path, asBytes(text)));
}

TEST(Project, AnEmptyFileIsAProject) {
  const Project project = goodProject("");
  EXPECT_EQ(project.root(), "/project");
  EXPECT_EQ(project.source(), "/project");
  EXPECT_EQ(project.output(), "/project/cooked");
  EXPECT_EQ(project.stateFolder(), "/project/.simmer");
  EXPECT_EQ(project.cacheFile(), "/project/.simmer/cache.db");
  EXPECT_EQ(project.cacheLimitBytes(), 10'000'000'000u);
}

TEST(Project, FoldersAreRelativeToTheFileOrAbsolute) {
  const Project project = goodProject("[project]\nsource = \"../art/./clips/\"\noutput = \"/elsewhere/out\"\n");
  EXPECT_EQ(project.source(), "/art/clips");
  EXPECT_EQ(project.output(), "/elsewhere/out");
}

TEST(Project, TheOutputMayLieAmongTheSources) {
  EXPECT_EQ(goodProject("[project]\nsource = \"a\"\noutput = \"a/out\"\n").output(), "/project/a/out");
  EXPECT_EQ(goodProject("[project]\nsource = \"a\"\noutput = \"ab\"\n").output(), "/project/ab")
      << "only begins like it";
}

TEST(Project, MayStartWithAByteOrderMarkAndHaveAnyLineEnds) {
  EXPECT_EQ(goodProject("\xef\xbb\xbf[project]\r\nsource = \"a\"\r\n").source(), "/project/a");
}

TEST(Project, CacheLimitIsASize) {
  struct Case {
    const char* text;
    std::uint64_t bytes;
  };
  for (const Case& c : {Case{"\"10 GB\"", 10'000'000'000}, Case{"\"512MB\"", 512'000'000},
                        Case{"\"1.5 TiB\"", std::uint64_t{1536} << 30}, Case{"\"2 gb\"", 2'000'000'000},
                        Case{"20000000", 20'000'000}, Case{"\"20000000 B\"", 20'000'000}})
    EXPECT_EQ(goodProject(std::string("[cache]\nlimit = ") + c.text).cacheLimitBytes(), c.bytes) << c.text;
}

TEST(Project, TheCacheMayBeSharedByPathOrEnvironment) {
  EXPECT_EQ(goodProject("[cache]\npath = \"/big/simmer.db\"\n").cacheFile(), "/big/simmer.db");
  EXPECT_EQ(goodProject("[cache]\npath = \"../shared\"\n").cacheFile(), "/shared/cache.db") << "a folder";
  EXPECT_EQ(goodProject("[cache]\npath = \"/big/x.db/\"\n").cacheFile(), "/big/x.db/cache.db") << "says it is a folder";
  const Project project = goodProject("");
  ::setenv("SIMMER_CACHE", "/team/cache", 1);
  const fs::path fromEnvironment = project.cacheFile();
  const fs::path fromFile = goodProject("[cache]\npath = \"/big/simmer.db\"\n").cacheFile();
  ::unsetenv("SIMMER_CACHE");
  EXPECT_EQ(fromEnvironment, "/team/cache/cache.db");
  EXPECT_EQ(fromFile, "/big/simmer.db");
}

TEST(Project, AnExistingCachePathIsWhatItIs) {
  const TemporaryFolder folder;
  write(folder.path() / "database", "");
  fs::create_directory(folder.path() / "folder.db");
  const auto cacheFile = [&](const char* name) {
    return goodProject("[cache]\npath = \"" + (folder.path() / name).string() + "\"\n").cacheFile();
  };
  EXPECT_EQ(cacheFile("database"), folder.path() / "database");
  EXPECT_EQ(cacheFile("folder.db"), folder.path() / "folder.db/cache.db");
}

TEST(Project, IsFoundUpwards) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "game/art/npc");
  write(folder.path() / "game/simmer.toml", "");
  write(folder.path() / "game/art/npc/walk.bvh", "");
  EXPECT_EQ(Project::findRoot(folder.path() / "game"), folder.path() / "game");
  EXPECT_EQ(Project::findRoot(folder.path() / "game/art/npc/"), folder.path() / "game");
  EXPECT_EQ(Project::findRoot(folder.path() / "game/art/npc/walk.bvh"), folder.path() / "game");
  EXPECT_EQ(Project::findRoot(folder.path() / "game/art/gone/x"), folder.path() / "game");
}

TEST(Project, AFolderOfThatNameIsNoProjectFile) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "simmer.toml");
  const auto root = Project::findRoot(folder.path());
  if (root) {
    EXPECT_NE(*root, folder.path());  // some folder above the temporary one is a project
  } else {
    EXPECT_EQ(root.error().code, ErrorCode::NotFound);
    EXPECT_EQ(root.error().text(), "no simmer.toml here or in a folder above; `simmer init` makes one");
  }
}

TEST(Project, LoadsFromTheDisk) {
  const TemporaryFolder folder;
  EXPECT_EQ(Project::load(folder.path(), fixtureCatalog()).error().text(),
            "simmer.toml: it is not there; `simmer init` makes one");
  EXPECT_EQ(Project::load(folder.path(), fixtureCatalog()).error().code, ErrorCode::NotFound);
  write(folder.path() / "simmer.toml", "[project]\nsource = \"assets\"\n");
  EXPECT_EQ(Project::load(folder.path(), fixtureCatalog()).error().text(),
            "simmer.toml:2:10: the source folder 'assets' is not there");
  fs::create_directory(folder.path() / "assets");
  const auto project = Project::load(folder.path(), fixtureCatalog());
  ASSERT_TRUE(project) << project.error().text();
  EXPECT_EQ(project->source(), folder.path() / "assets");
}

TEST(Project, LinksDoNotHideThatFoldersLieInEachOther) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "assets");
  fs::create_directory_symlink("assets", folder.path() / "out");
  write(folder.path() / "simmer.toml", "[project]\nsource = \"assets\"\noutput = \"out\"\n");
  EXPECT_EQ(Project::load(folder.path(), fixtureCatalog()).error().text(),
            "simmer.toml:3:10: the output folder is the source folder: outputs would be taken for sources");
}

TEST(Project, IgnoresFilesAndFoldersByGlob) {
  const Project project =
      goodProject("[project]\nignore = [\"*.tmp\", \"work/\", \"node_modules\", \"old/**\", \".*\"]\n");
  EXPECT_TRUE(project.ignored("a/b.tmp"));
  EXPECT_TRUE(project.ignored("work/")) << "the folder";
  EXPECT_TRUE(project.ignored("work/a/b.bvh")) << "and what is in it";
  EXPECT_FALSE(project.ignored("a/work/b.bvh")) << "a pattern with '/' is for the whole path";
  EXPECT_TRUE(project.ignored("a/node_modules/"));
  EXPECT_TRUE(project.ignored("a/node_modules/b/c.bvh"));
  EXPECT_TRUE(project.ignored("old/x.bvh"));
  EXPECT_TRUE(project.ignored(".cache/x.bvh"));
  EXPECT_FALSE(project.ignored("a/b.bvh"));
  EXPECT_FALSE(project.ignored("a/"));
  EXPECT_FALSE(project.ignored("works/b.bvh"));
  EXPECT_FALSE(goodProject("").ignored("a.tmp"));
}

TEST(Project, DigestChangesWithTheFileAndWithThePlugins) {
  const Project project = goodProject("# one\n");
  EXPECT_EQ(project.digest(), goodProject("# one\n").digest());
  EXPECT_NE(project.digest(), goodProject("# two\n").digest());
  const Catalog none;
  EXPECT_NE(project.digest(), Project::parse("# one\n", "/project", none)->digest());
}

}  // namespace
}  // namespace simmer::test
