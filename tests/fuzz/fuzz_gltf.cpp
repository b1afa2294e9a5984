// glTF files of anybody, binary or not, with a buffer "data.bin" beside them that holds the very same bytes: an error,
// or clips that are valid, share the skeleton of the description and are as long as it says.
#include <cmath>
#include <cstdlib>

#include "plugins/animation/import/importer.h"
#include "tests/support/plugin_fixtures.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simmer::animation;
  simmer::test::RecordingContext context;
  simmer::test::MemoryReader reader("fuzz.gltf", simmer::Bytes(data, data + size));
  reader.files["data.bin"] = simmer::Bytes(data, data + size);
  ImportOptions options;
  if (size % 4 == 1) options.sampleRateHz = 30;
  const auto contents = readContents(reader, options, context);
  if (!contents) return 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(contents->clips.size(), 3); ++i) {
    const auto clip = readClip(reader, contents->clips[i].id, options, context);
    if (!clip) continue;
    if (!validate(*clip) || !(*clip->skeleton == *contents->skeleton)) std::abort();
    // The end of a clip may stand behind the last key, but by less than a frame.
    const double late = clip->durationS() - contents->clips[i].durationS;
    if (!(late > -1e-4 - 1e-6 * clip->durationS()) || !(late < 1.01 / clip->rateHz)) std::abort();
  }
  return 0;
}
