#include "plugins/animation/demo/demo.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "plugins/animation/demo/demo_files.h"
#include "plugins/animation/import/importer.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Outcome {
  int code = 0;
  std::string out, err;
};

Outcome runDemo(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  Arguments arguments{words, out, err, false};
  test::RecordingContext context;
  const int code = demo(arguments, context);
  return {code, out.str(), err.str()};
}

TEST(Demo, WritesItsFilesAndSaysSo) {
  test::TemporaryFolder folder;
  const fs::path project = folder.path() / "new" / "demo";
  const Outcome run = runDemo({project.string()});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto files = demoFiles();
  ASSERT_TRUE(files) << files.error().text();
  std::size_t found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(project)) found += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(found, files->size());
  for (const DemoFile& file : *files) {
    const auto written = readFile(project / file.path);
    ASSERT_TRUE(written) << file.path;
    EXPECT_EQ(*written, file.bytes) << file.path;
    EXPECT_THAT(run.out, HasSubstr(file.path));
  }
}

TEST(Demo, HoldsWhatAProjectShows) {
  std::vector<std::string> clips;
  const auto files = demoFiles();
  ASSERT_TRUE(files) << files.error().text();
  for (const DemoFile& file : *files) {
    const auto& suffixes = importedSuffixes();
    if (std::none_of(suffixes.begin(), suffixes.end(), [&](const auto& end) { return file.path.ends_with(end); }))
      continue;
    test::MemoryReader reader(file.path, file.bytes);
    test::RecordingContext context;
    const auto contents = readContents(reader, {}, context);
    ASSERT_TRUE(contents) << file.path << ": " << contents.error().text();
    EXPECT_THAT(contents->warnings, testing::IsEmpty()) << file.path;
    EXPECT_EQ(contents->skeleton->size(), 30U);
    for (const ClipInfo& info : contents->clips) {
      const auto clip = readClip(reader, info.id, {}, context);
      ASSERT_TRUE(clip) << file.path << ": " << clip.error().text();
      EXPECT_EQ(clip->rateHz, 60) << file.path;
      clips.push_back(fmt::format("{} {} {}", file.path, info.id, clip->frames));
    }
  }
  EXPECT_THAT(clips,
              testing::UnorderedElementsAre(
                  "assets/hero/walk.glb Walk 180", "assets/hero/jump.glb Jump 120", "assets/hero/mocap.glb Mocap 180",
                  "assets/hero/moves.glb Walk 180", "assets/hero/moves.glb Jump 120", "assets/npc/walk.bvh clip 180",
                  "assets/npc/mocap.bvh clip 180", "assets/background/walk.raw clip 180",
                  "assets/background/jump.raw clip 120", "assets/background/mocap.raw clip 180"));
}

TEST(Demo, OverwritesNothing) {
  test::TemporaryFolder folder;
  const fs::path file = folder.path() / "assets" / "npc" / "walk.bvh";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "mine";
  const Outcome run = runDemo({folder.path().string()});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("assets/npc/walk.bvh is there already\n"));
  EXPECT_THAT(run.err, HasSubstr("nothing was written"));
  EXPECT_EQ(asText(*readFile(file)), "mine");
  EXPECT_FALSE(fs::exists(folder.path() / "assets" / "hero"));
}

TEST(Demo, WantsOneFolder) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{}, {""}, {"a", "b"}, {"--help"}}) {
    const Outcome run = runDemo(words);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "usage: simmer demo DIR\n");
  }
}

TEST(Demo, SaysWhenTheDiskRefuses) {
  test::TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  std::ofstream(file) << "no folder";
  const Outcome run = runDemo({file.string()});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("assets/README.txt"));
}

}  // namespace
}  // namespace simmer::animation
