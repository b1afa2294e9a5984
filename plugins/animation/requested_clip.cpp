#include "plugins/animation/requested_clip.h"

namespace simmer::animation {
namespace {

// What resampling of curves may add, as a part of the tolerance (DESIGN.md, Measure).
constexpr double kResamplePart = 0.1;
constexpr double kPersonHeightM = 1.8;

}  // namespace

ImportOptions importOptions(const Settings& settings) {
  ImportOptions options;
  options.metresPerUnit = settingNumber(settings, "metres_per_unit");
  options.sampleRateHz = settingNumber(settings, "sample_rate");
  return options;
}

Result<RequestedClip> readRequested(const Request& request, SourceReader& source, Context& context) {
  ImportOptions options = importOptions(request.settings);
  SIMMER_TRY(contents, readContents(source, options, context));
  const double measured = contents.skeleton ? measuredHeight(*contents.skeleton) : 0;
  RequestedClip requested;
  requested.toleranceM = request.tolerance.resolve(measured);
  requested.objectHeightM = request.tolerance.objectHeightM.value_or(measured > 0 ? measured : kPersonHeightM);
  options.resampleToleranceM = kResamplePart * requested.toleranceM;
  SIMMER_TRY(clip, readClip(source, request.item, options, context));
  requested.clip = std::move(clip);
  return requested;
}

}  // namespace simmer::animation
