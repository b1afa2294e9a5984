#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/analyze/spline_rows.h"
#include "plugins/animation/codec/article/joint_error.h"
#include "plugins/animation/codec/article/pipeline.h"

namespace simmer::animation {

/// Tolerance of a channel that the techniques are compared at, as in the article.
inline constexpr double kComparedToleranceMm = 1;
inline constexpr std::array kSweptTolerancesMm{0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0};
inline constexpr std::array kScreenHeightsPx{48, 64, 128, 256, 512, 1080};
/// The screen height that the headline speaks of.
inline constexpr int kHeadlinePx = 256;

/// One of the article's seven techniques on a clip.
struct TechniqueRow {
  int number = 0;  ///< as the article counts them, 1 to 7
  std::string name;
  std::size_t keys = 0;
  std::size_t bytes = 0, gzipBytes = 0;
  article::JointError error;  ///< by the article's measure: joints, at frames
  double worldErrorM = 0;     ///< by ErrorMeter: joints and skin, glTF semantics, between frames too
};

/// One tolerance of the sweep.
struct SweepRow {
  article::Interpolation interpolation = article::Interpolation::Linear;
  double toleranceMm = 0;
  std::size_t keys = 0;
  std::size_t bytes = 0, gzipBytes = 0;
  article::JointError error;
};

/// Codec `spline` beside the rest.
struct SplineRows {
  /// As far off in the world as technique 6.
  std::optional<SplineRow> besideTechnique6;
  std::vector<SplineRow> sweep;  ///< by rising tolerance; without those that can not be met
};

/// How many keys of the animated tracks fall into a part of the clip.
struct TimeSpan {
  double startS = 0, endS = 0;
  std::uint32_t frames = 0;
  std::size_t keys = 0;
};

/// gzip on the tracks of one kind of stream, without its header.
struct RecordSizes {
  bool quantised = false;
  std::size_t constantBytes = 0, constantGzip = 0;
  std::size_t animatedBytes = 0, animatedGzip = 0;
  std::size_t allBytes = 0, allGzip = 0;
};

/// How large an error may be before it covers a pixel.
struct PixelRow {
  int heightPx = 0;
  double mmPerPixel = 0;
  std::optional<std::size_t> linear, cubic;  ///< the coarsest row of the sweep that stays under one pixel
};

/// Nanoseconds for one pose; measured when the analysis ran.
struct DecodeCost {
  double raw = 0, linear = 0, cubic = 0, quantised = 0;
  double scalarsBySearch = 0, scalarsByCursor = 0;  ///< position and scale channels alone, playing forward
};

/// All that `simmer analyze` tells of a clip.
struct ClipAnalysis {
  std::string id;
  std::size_t joints = 0;
  std::uint32_t frames = 0;
  double rateHz = 0, seconds = 0;
  double heightM = 0;           ///< what pixels are counted with
  bool heightMeasured = false;  ///< else it is that of a person
  std::size_t constantScalars = 0, constantRotations = 0;
  std::size_t steppedTracks = 0, scalarTracks = 0;
  std::vector<TechniqueRow> techniques;
  std::vector<SweepRow> sweep;  ///< linear, then cubic, each by rising tolerance
  SplineRows spline;
  std::vector<TimeSpan> keysOverTime;
  std::array<RecordSizes, 2> records;
  std::vector<PixelRow> pixels;
  DecodeCost decode;

  std::size_t scalarChannels() const { return 6 * joints; }
  std::size_t animatedTracks() const { return 7 * joints - constantScalars - constantRotations; }
  /// Keys of a technique for each animated track and second.
  double keysPerTrackSecond(const TechniqueRow& row) const;
  double mmPerPixel(double heightPx) const { return heightM * 1000 / heightPx; }
  const TechniqueRow& technique(int number) const { return techniques[static_cast<std::size_t>(number - 1)]; }
};

/// Unsupported when the clip is longer or larger than the article's pipeline can count; Cancelled.
Result<ClipAnalysis> analyzeClip(const Clip& clip, Context& context);

}  // namespace simmer::animation
