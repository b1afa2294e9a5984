// BVH files of anybody: an error, or a clip that is valid and as long as its description says.
#include <cmath>
#include <cstdlib>

#include "plugins/animation/import/bvh.h"
#include "tests/support/plugin_fixtures.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simmer::animation;
  simmer::test::RecordingContext context;
  simmer::test::MemoryReader reader("fuzz.bvh", simmer::Bytes(data, data + size));
  ImportOptions options;
  const auto contents = readBvhContents(reader, options, context);
  // A sample rate makes much of little when the frame time is long; a minute is enough to look at.
  if (size % 4 == 1 && contents && contents->clips[0].durationS < 60) options.sampleRateHz = 30;
  const auto clip = readBvhClip(reader, "clip", options, context);
  if (!clip) return 0;
  if (!contents || !validate(*clip)) std::abort();
  if (!(*clip->skeleton == *contents->skeleton) || contents->clips.size() != 1) std::abort();
  const double promised = contents->clips[0].durationS;
  if (options.sampleRateHz == 0 && clip->durationS() != promised) std::abort();
  return 0;
}
