#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "plugins/animation/import/importer.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> gltfFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string suffix = entry.path().extension().string();
    if (entry.is_regular_file() && (suffix == ".glb" || suffix == ".gltf")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Tally {
  int files = 0, refused = 0, withoutClips = 0, clips = 0, refusedClips = 0;
  std::map<std::string, int> reasons;
};

void expectTyped(const Error& error) {
  EXPECT_FALSE(error.message.empty());
  EXPECT_TRUE(error.code == ErrorCode::InvalidInput || error.code == ErrorCode::Unsupported) << error.text();
}

void readAll(const fs::path& path, Tally& tally) {
  SCOPED_TRACE(path.string());
  test::DiskReader reader(path);
  test::RecordingContext context;
  ++tally.files;
  const auto contents = readContents(reader, {}, context);
  if (!contents) {
    expectTyped(contents.error());
    ++tally.refused;
    ++tally.reasons[std::string(toString(contents.error().code))];
    std::printf("refused  %s: %s\n", path.filename().c_str(), contents.error().text().c_str());
    return;
  }
  ASSERT_TRUE(contents->skeleton);
  for (const std::string& warning : contents->warnings)
    std::printf("warning  %s: %s\n", path.filename().c_str(), warning.c_str());
  if (contents->clips.empty()) {
    EXPECT_FALSE(contents->warnings.empty()) << "nothing says why there is nothing to cook";
    ++tally.withoutClips;
  }
  for (const ClipInfo& info : contents->clips) {
    ++tally.clips;
    const auto clip = readClip(reader, info.id, {}, context);
    if (!clip) {
      expectTyped(clip.error());
      ++tally.refusedClips;
      std::printf("refused  %s '%s': %s\n", path.filename().c_str(), info.id.c_str(), clip.error().text().c_str());
      continue;
    }
    EXPECT_TRUE(validate(*clip)) << info.id;
    EXPECT_EQ(*clip->skeleton, *contents->skeleton) << info.id;
    EXPECT_EQ(clip->id, info.id);
    EXPECT_EQ(clip->named, info.named) << info.id;
    EXPECT_GE(clip->durationS() + 1e-3, info.durationS) << info.id;
    EXPECT_LE(clip->durationS(), info.durationS + 1.001 / clip->rateHz) << info.id;
  }
}

void print(const char* what, const Tally& tally) {
  std::printf("%s: %d files, %d refused, %d without animations, %d clips, %d of them refused\n", what, tally.files,
              tally.refused, tally.withoutClips, tally.clips, tally.refusedClips);
  for (const auto& [reason, count] : tally.reasons) std::printf("  %s: %d\n", reason.c_str(), count);
}

TEST(GltfCorpus, EveryGoodFileIsImportedOrRefusedWithAReason) {
  SIMMER_SHARED(data, "data");
  Tally tally;
  for (const char* folder : {"glb", "gltf"})
    for (const fs::path& file : gltfFiles(data / folder)) readAll(file, tally);
  print("good", tally);
  EXPECT_GT(tally.files, 100);
  // Only motion that stands under KHR_animation_pointer is refused; all else in these folders is sound.
  EXPECT_LE(tally.refused, 3);
}

TEST(GltfCorpus, EveryBadFileEndsInAnErrorOrAValidClip) {
  SIMMER_SHARED(data, "data/bad");
  Tally tally;
  for (const fs::path& file : gltfFiles(data)) readAll(file, tally);
  print("bad", tally);
  EXPECT_GT(tally.files, 150);
  EXPECT_GT(tally.refused, 50);
}

}  // namespace
}  // namespace simmer::animation
