#include <functional>

#include "tests/plugins/animation/runtime/spline_files.h"

namespace simmer::animation::test {
namespace {

/// One joint whose translation is in two chunks: spans 0 … 31 and 32 … 37.
SplineClipSpec inChunks() {
  SplineClipSpec spec;
  spec.frames = 39;
  spec.joints.resize(2);
  SplinePart& part = spec.joints[0][1];
  part.kind = PartKind::Spline;
  SplineTrack& track = part.track;
  track.spacing = 2;
  track.chunked = true;
  track.widths = {10, 0, 16, 0};
  track.points.clear();
  for (std::uint32_t i = 0; i < 41; ++i) track.points.push_back({i < 32 ? 0 : 9 * i, 0, 1000 + i % 4, 0});
  return spec;
}

TEST(SplineChunks, ChunksHaveWidthsOfTheirOwn) {
  SplineClipSpec spec = inChunks();
  const Loaded clip(writeSplineSpec(spec));
  ASSERT_EQ(clip.status, SIMMER_OK);
  // Two entries; 35 points, 0 … 306 and 1000 … 1003; 9 points, 288 … 360 and as before.
  const std::size_t bytes = 2 * 10 + (35 * (9 + 2) + 7) / 8 + (9 * (7 + 2) + 7) / 8;
  spec.joints[0][1].kind = PartKind::Constant;
  const std::size_t without = simmer_clip_memory(writeSplineSpec(spec).data(), writeSplineSpec(spec).size());
  // A record, against the bits and six bytes of a constant.
  const std::size_t record = 12 + 4 + 2 + 1;
  const Bytes file = writeSplineSpec(inChunks());
  EXPECT_EQ(simmer_clip_memory(file.data(), file.size()) - bytes - record, without - 4 - 6);
}

TEST(SplineChunks, RefusesWhatDoesNotFitIntoChunks) {
  const auto refused = [](const char* what, const std::function<void(SplineClipSpec&)>& spoil) {
    SplineClipSpec spec = inChunks();
    spoil(spec);
    EXPECT_EQ(Loaded(writeSplineSpec(spec)).status, SIMMER_MALFORMED) << what;
  };
  const auto trackOf = [](SplineClipSpec& spec) -> SplineTrack& { return spec.joints[0][1].track; };
  EXPECT_EQ(Loaded(writeSplineSpec(inChunks())).status, SIMMER_OK);
  refused("a bias of 32768", [&](auto& s) {
    for (auto& point : trackOf(s).points) point[2] = 32768;
  });
  SplineClipSpec spec = inChunks();
  for (auto& point : trackOf(spec).points) point[2] = 32767;
  EXPECT_EQ(Loaded(writeSplineSpec(spec)).status, SIMMER_OK) << "a bias of 32767";
  refused("memory that ends in the entries", [](auto& s) { s.memoryOff = -68; });
  refused("memory that ends in the first chunk", [](auto& s) { s.memoryOff = -15; });
  refused("memory that ends in the last chunk", [](auto& s) { s.memoryOff = -1; });
  refused("memory without chunks", [&](auto& s) {
    s.memoryOff =
        static_cast<std::int64_t>((41 * 26 + 7) / 8) - static_cast<std::int64_t>(sumChunks(trackOf(s), false, 3).bytes);
  });
  refused("a value wider than its field", [&](auto& s) { trackOf(s).points[40][0] = 1024; });
  refused("a chunk that starts behind 65535", [&](auto& s) {
    s.frames = 30000;
    trackOf(s).widths[2] = 15;
    trackOf(s).points.clear();
    for (std::uint32_t i = 0; i < 30002; ++i)
      trackOf(s).points.push_back({i * 77 % 1024, 0, (i * 2654435761u) >> 17, 0});
  });
}

TEST(SplineChunks, RefusesARotationWhoseChunksAreTooFarFromZero) {
  for (const std::uint32_t width : {16u, 17u}) {
    SplineClipSpec spec = inChunks();
    std::swap(spec.joints[0][0], spec.joints[0][1]);
    SplineTrack& track = spec.joints[0][0].track;
    track.mean = {3, {2047, 2047, 2047}};
    track.widths = {width, 0, 0, 0};
    for (auto& point : track.points) point[2] = 0;
    track.exponent = 160 - 4 * 17;
    EXPECT_EQ(Loaded(writeSplineSpec(spec)).status, width == 16 ? SIMMER_OK : SIMMER_MALFORMED)
        << "a bias of -2^" << width - 1;
  }
}

TEST(SplineChunks, SurviveEveryFlippedBit) {
  expectSampleableFlipped(writeSplineSpec(inChunks()));
}

}  // namespace
}  // namespace simmer::animation::test
