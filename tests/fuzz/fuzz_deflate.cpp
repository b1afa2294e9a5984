// The gzip measure on hostile bytes, and a round trip: whatever goes in comes out.
#include <cstdlib>

#include "plugins/deflate/gzip.h"
#include "tests/support/plugin_fixtures.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  simmer::test::RecordingContext context;
  const simmer::ByteView bytes(data, size);
  // As an artifact: an error or a count, in bounded time and memory.
  static_cast<void>(simmer::countWrongBytes(bytes, bytes.first(size / 2), context));
  // As a source.
  const auto packed = simmer::gzip(bytes, 1 + static_cast<int>(size % 9), context);
  if (!packed) std::abort();
  const auto wrong = simmer::countWrongBytes(*packed, bytes, context);
  if (!wrong || *wrong != 0) std::abort();
  return 0;
}
