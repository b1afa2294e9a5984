#include "plugins/animation/analyze/spline_rows.h"

#include "plugins/animation/codec/decoded_clip.h"
#include "plugins/animation/codec/spline/encode.h"

namespace simmer::animation {
namespace {

/// An encoding's own progress is none of the analysis'.
class QuietContext : public Context {
 public:
  explicit QuietContext(const Context& context) : m_context(context) {}
  void progress(double) override {}
  bool cancelled() const override { return m_context.cancelled(); }
  void log(Level, std::string_view) override {}

 private:
  const Context& m_context;
};

}  // namespace

Result<std::optional<SplineRow>> splineRow(const Clip& clip, const article::JointErrorMeter& meter, double toleranceMm,
                                           Context& context) {
  SIMMER_TRY(skeleton, writeSkeleton(*clip.skeleton));
  Clip played = clip;
  played.scalars.clear();
  SplineSettings settings;
  settings.skeleton = spline::SkeletonPlace::None;
  QuietContext quiet(context);
  const Result<Encoded> encoded = encodeSpline(played, skeleton, settings, toleranceMm / 1000, quiet);
  if (!encoded) {
    if (encoded.error().code == ErrorCode::ToleranceUnmet) return std::nullopt;
    return tl::unexpected(encoded.error());
  }
  SIMMER_TRY(decoded, DecodedClip::load(encoded->file));
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) decoded.pose(frame, &played.pose(frame, 0));
  return SplineRow{toleranceMm, encoded->file.size(), decoded.memoryBytes(), encoded->error.worstM,
                   meter.measure(article::toDouble(played))};
}

}  // namespace simmer::animation
