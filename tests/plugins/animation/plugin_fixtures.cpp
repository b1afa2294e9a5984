#include "tests/plugins/animation/plugin_fixtures.h"

#include "cooker/base/file.h"

namespace simmer::animation {

PluginMetadata AnimationPluginTest::readMetadata() {
  const Result<Bytes> json = readFile(SIMMER_ANIMATION_METADATA);
  return *PluginMetadata::parse(asText(*json));
}

}  // namespace simmer::animation
