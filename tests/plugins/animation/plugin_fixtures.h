#pragma once

#include <map>

#include <gmock/gmock.h>

#include "cooker/plugin/metadata.h"
#include "plugins/animation/animation_plugin.h"
#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {

using simmer::test::MemoryReader;
using simmer::test::RecordingContext;

// An arm of two joints, 2 m tall, whose elbow turns by 80 degrees and back.
inline std::string armBvh() {
  std::string text =
      "HIERARCHY\nROOT shoulder\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
      "Yrotation\n JOINT elbow\n {\n  OFFSET 0 100 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   "
      "OFFSET 0 100 0\n  }\n }\n}\nMOTION\nFrames: 41\nFrame Time: 0.05\n";
  for (int frame = 0; frame < 41; ++frame) {
    const int bend = frame <= 20 ? frame * 4 : (40 - frame) * 4;
    text += fmt::format("{} 0 0 0 0 0 0 {} 0\n", frame, bend);
  }
  return text;
}

class AnimationPluginTest : public testing::Test {
 protected:
  AnimationPluginTest() : metadata(readMetadata()), reader("arm.bvh", armBvh()) {
    request.item = "clip";
    request.settings = metadata.defaults();
    request.tolerance.toleranceM = 0.002;
  }

  static PluginMetadata readMetadata();  // what the plugin's own animation.json says
  Artifact cooked() {
    Result<Artifact> artifact = plugin.cook(request, reader, context);
    EXPECT_TRUE(artifact) << artifact.error().text();
    return artifact ? *artifact : Artifact{};
  }
  std::map<std::string, Measure> measured(const Artifact& artifact) {
    const Result<Measures> measures = plugin.measure(request, reader, artifact, context);
    EXPECT_TRUE(measures) << measures.error().text();
    std::map<std::string, Measure> byName;
    if (measures)
      for (const Measure& measure : *measures) byName[measure.quantity] = measure;
    return byName;
  }
  Error measureError(const Artifact& artifact) {
    const Result<Measures> measures = plugin.measure(request, reader, artifact, context);
    return measures ? Error{ErrorCode::NotFound, "it was measured", {}} : measures.error();
  }

  AnimationPlugin plugin;
  PluginMetadata metadata;
  MemoryReader reader;
  RecordingContext context;
  Request request;
};

}  // namespace simmer::animation
