#include "plugins/animation/import/importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

using testing::ElementsAre;

constexpr const char* kPose =
    "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 1 Xrotation } MOTION Frames: 2 Frame Time: 0.1\n0\n1\n";

TEST(Importer, GoesByTheEndingOfTheName) {
  EXPECT_THAT(importedSuffixes(), ElementsAre(".bvh", ".glb", ".gltf", ".raw"));
  test::RecordingContext context;
  for (const char* name : {"walk.bvh", "WALK.BVH", "a.b.Bvh"}) {
    test::MemoryReader reader(name, kPose);
    const auto contents = readContents(reader, {}, context);
    ASSERT_TRUE(contents) << contents.error().text();
    EXPECT_DOUBLE_EQ(contents->clips.at(0).durationS, 0.1);
    const auto clip = readClip(reader, "clip", {}, context);
    ASSERT_TRUE(clip) << clip.error().text();
    EXPECT_TRUE(validate(*clip));
  }
  for (const char* name : {"walk.max", "bvh", "walk.bvh.bak"}) {
    test::MemoryReader reader(name, kPose);
    EXPECT_EQ(readContents(reader, {}, context).error(),
              (Error{ErrorCode::Unsupported, "the file name ends in none of .bvh, .glb, .gltf and .raw", ""}));
    EXPECT_EQ(readClip(reader, "clip", {}, context).error().code, ErrorCode::Unsupported);
  }
}

TEST(Importer, EveryFormatRefusesPointersAndEmptyFiles) {
  test::RecordingContext context;
  for (const std::string& suffix : importedSuffixes()) {
    SCOPED_TRACE(suffix);
    test::MemoryReader pointer("a" + suffix, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
    const Error expected{ErrorCode::InvalidInput, "this is a Git LFS pointer, not the file itself: run git lfs pull",
                         ""};
    EXPECT_EQ(readContents(pointer, {}, context).error(), expected);
    EXPECT_EQ(readClip(pointer, "clip", {}, context).error(), expected);
    test::MemoryReader empty("a" + suffix, "");
    EXPECT_EQ(readContents(empty, {}, context).error(), (Error{ErrorCode::InvalidInput, "the file is empty", ""}));
  }
}

TEST(Importer, IdsAreUnique) {
  EXPECT_THAT(uniqueIds({"Run", "Walk", "Run", "Run"}), ElementsAre("Run", "Walk", "Run#2", "Run#3"));
  EXPECT_THAT(uniqueIds({"Run", "Run", "Run#2"}), ElementsAre("Run", "Run#3", "Run#2"));
  EXPECT_THAT(uniqueIds({"Run#2", "Run", "Run#2", "Run"}), ElementsAre("Run#2", "Run", "Run#2#2", "Run#3"));
  const std::vector<std::string> ids = uniqueIds(std::vector<std::string>(50000, "Take 001"));
  EXPECT_EQ(ids.back(), "Take 001#50000");
}

}  // namespace
}  // namespace simmer::animation
