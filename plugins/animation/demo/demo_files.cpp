#include "plugins/animation/demo/demo_files.h"

#include "plugins/animation/codec/article/samples.h"
#include "plugins/animation/export/bvh_writer.h"
#include "plugins/animation/export/glb_writer.h"
#include "plugins/animation/export/raw_writer.h"

namespace simmer::animation {
namespace {

constexpr std::string_view kReadme =
    R"(A small project for Simmer.

The clips are those of the article "How much of an animation can you throw away?": a walk cycle of 3 seconds, a jump
of 2 seconds with sharp corners, and the walk with the jitter of captured data; 30 joints at 60 frames a second.

  hero/        fills the screen: half a pixel of 1080
  npc/         stands there: one pixel of 256, which is 7.03 mm
  background/  is in the crowd: one pixel of 64

../simmer.toml says so; look at its rules. hero/jump.glb.simmer.toml beside hero/jump.glb asks for more.

Try in the project's folder:

  simmer cook                         cooks what changed; a second time it does nothing
  simmer analyze assets/hero/walk.glb shows how much of the walk could be thrown away
)";

constexpr std::string_view kSidecar =
    R"(# Overrides for jump.glb alone. Only what differs from the profile stands here.
# The jump is shown in slow motion, so it may be off by a quarter of a pixel, not by half of one: 0.42 mm.
pixel_budget = 0.25
)";

constexpr std::string_view kLines =
    "id,speaker,line\n"
    "1,smith,Mind the embers.\n"
    "2,smith,Steel first; questions later.\n"
    "3,baker,It has to simmer for an hour.\n"
    "4,baker,Do not lift the lid.\n"
    "5,guard,Nothing moved. Nothing at all.\n"
    "6,guard,Did you see that? Less than a pixel!\n";

Bytes textBytes(std::string_view text) {
  const ByteView bytes = asBytes(text);
  return Bytes(bytes.begin(), bytes.end());
}

/// Where people of the crowd stand, in centimetres.
Bytes spawnPoints() {
  constexpr int kPeople = 48;
  std::string text = "{\n  \"unit\": \"cm\",\n  \"points\": [\n";
  std::uint32_t state = 1;
  const auto next = [&state](std::uint32_t range) {  // Numerical Recipes' generator; its upper bits are the good ones
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % range;
  };
  for (int person = 0; person < kPeople; ++person) {
    const std::uint32_t x = next(4000), z = next(4000), turn = next(360);
    text += fmt::format("    {{\"x\": {}, \"z\": {}, \"turn\": {}}}{}\n", x, z, turn, person + 1 < kPeople ? "," : "");
  }
  return textBytes(text + "  ]\n}\n");
}

/// A sky, as a binary PPM image.
Bytes skyImage() {
  constexpr unsigned kWidth = 96, kHeight = 64;
  std::string image = fmt::format("P6\n{} {}\n255\n", kWidth, kHeight);
  for (unsigned y = 0; y < kHeight; ++y)
    for (unsigned x = 0; x < kWidth; ++x)
      for (const unsigned value : {40 + 2 * y, 90 + 2 * y, 200 + y / 2 - (x / 32) * 4})
        image += static_cast<char>(static_cast<unsigned char>(value));
  return textBytes(image);
}

class Files {
 public:
  Result<std::vector<DemoFile>> make() {
    const Clip walk = clip(article::Sample::Walk, "Walk"), jump = clip(article::Sample::Jump, "Jump"),
               mocap = clip(article::Sample::Mocap, "Mocap");
    put("assets/README.txt", textBytes(kReadme), "what is here");
    SIMMER_CHECK(putGlb("assets/hero/walk.glb", {walk}, "one clip"));
    SIMMER_CHECK(putGlb("assets/hero/jump.glb", {jump}, "one clip, which also scales"));
    put("assets/hero/jump.glb.simmer.toml", textBytes(kSidecar), "overrides for jump.glb");
    SIMMER_CHECK(putGlb("assets/hero/mocap.glb", {mocap}, "one clip"));
    SIMMER_CHECK(putGlb("assets/hero/moves.glb", {walk, jump}, "two clips in one source"));
    SIMMER_CHECK(put("assets/npc/walk.bvh", writeBvh(walk), "the walk in centimetres"));
    SIMMER_CHECK(put("assets/npc/mocap.bvh", writeBvh(mocap), "captured motion in centimetres"));
    put("assets/npc/lines.csv", textBytes(kLines), "no clip: deflated");
    SIMMER_CHECK(put("assets/background/walk.raw", writeRaw(walk), "float32, as the article counts it"));
    SIMMER_CHECK(put("assets/background/jump.raw", writeRaw(jump), "float32"));
    SIMMER_CHECK(put("assets/background/mocap.raw", writeRaw(mocap), "float32"));
    put("assets/background/crowd.json", spawnPoints(), "no clip: deflated");
    put("assets/background/sky.ppm", skyImage(), "no clip: deflated");
    return std::move(m_files);
  }

 private:
  static Clip clip(article::Sample sample, const char* name) {
    return article::toClip(article::makeSample(sample), name);
  }

  void put(const char* path, Bytes bytes, const char* note) { m_files.push_back({path, std::move(bytes), note}); }

  Result<void> put(const char* path, Result<Bytes> bytes, const char* note) {
    if (!bytes) return tl::unexpected(std::move(bytes).error());
    put(path, std::move(*bytes), note);
    return {};
  }

  Result<void> putGlb(const char* path, const std::vector<Clip>& clips, const char* note) {
    return put(path, writeGlb(*article::articleSkeleton(), clips), note);
  }

  std::vector<DemoFile> m_files;
};

}  // namespace

Result<std::vector<DemoFile>> demoFiles() {
  return Files().make();
}

}  // namespace simmer::animation
