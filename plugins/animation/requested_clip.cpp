#include "plugins/animation/requested_clip.h"

#include <algorithm>

#include "cooker/base/glob.h"

namespace simmer::animation {
namespace {

// What resampling of curves may add, as a part of the tolerance (DESIGN.md, Measure).
constexpr double kResamplePart = 0.1;
constexpr double kPersonHeightM = 1.8;

/// What tables ask of each joint; empty where it is what holds anyway.
struct JointDemands {
  std::vector<float> toleranceScale, probeRadiusM;
};

Result<JointDemands> jointDemands(const std::vector<TableSettings>& tables, const Skeleton& skeleton,
                                  Context& context) {
  JointDemands demands{std::vector<float>(skeleton.size(), 1.0f), std::vector<float>(skeleton.size(), 0.0f)};
  for (const TableSettings& table : tables) {
    if (table.table != kJointTable) continue;
    SIMMER_TRY(glob, Glob::parse(table.pattern));
    bool found = false;
    for (std::size_t joint = 0; joint < skeleton.size(); ++joint) {
      if (!glob.matches(skeleton.names[joint])) continue;
      found = true;
      if (table.settings.contains("tolerance_scale"))
        demands.toleranceScale[joint] = static_cast<float>(settingNumber(table.settings, "tolerance_scale"));
      if (table.settings.contains("skin_radius_m"))
        demands.probeRadiusM[joint] = static_cast<float>(settingNumber(table.settings, "skin_radius_m"));
    }
    if (!found) context.log(Context::Level::Warning, fmt::format("no joint of the source matches '{}'", table.pattern));
  }
  if (std::ranges::all_of(demands.toleranceScale, [](float scale) { return scale == 1; }))
    demands.toleranceScale.clear();
  if (std::ranges::all_of(demands.probeRadiusM, [](float radius) { return radius == 0; })) demands.probeRadiusM.clear();
  return demands;
}

EditOptions editOptions(const Settings& settings) {
  EditOptions options;
  options.rangeS = settingRange(settings, "range");
  options.denoiseHz = settingNumber(settings, "denoise");
  options.lengthS = settingNumber(settings, "retime");
  const std::string_view loop = settingText(settings, "loop");
  options.loop = loop == "close" ? Loop::Close : loop == "blend" ? Loop::Blend : Loop::Off;
  return options;
}

}  // namespace

ImportOptions importOptions(const Settings& settings) {
  ImportOptions options;
  options.metresPerUnit = settingNumber(settings, "metres_per_unit");
  options.sampleRateHz = settingNumber(settings, "sample_rate");
  return options;
}

Result<RequestedClip> readRequested(const Request& request, SourceReader& source, Context& context, bool displaced) {
  ImportOptions options = importOptions(request.settings);
  SIMMER_TRY(contents, readContents(source, options, context));
  const double measured = contents.skeleton ? measuredHeight(*contents.skeleton) : 0;
  RequestedClip requested;
  requested.toleranceM = request.tolerance.resolve(measured);
  requested.objectHeightM = request.tolerance.objectHeightM.value_or(measured > 0 ? measured : kPersonHeightM);
  JointDemands demands;
  if (contents.skeleton) {
    SIMMER_TRY(asked, jointDemands(request.tables, *contents.skeleton, context));
    demands = std::move(asked);
  }
  // The joint that may be off least decides for all: which joint a resampled curve moves is not known before.
  const double tightest =
      demands.toleranceScale.empty() ? 1 : static_cast<double>(std::ranges::min(demands.toleranceScale));
  options.resampleToleranceM = kResamplePart * requested.toleranceM * std::min(1.0, tightest);
  options.probeRadiusM = demands.probeRadiusM;
  SIMMER_TRY(clip, readClip(source, request.item, options, context));
  requested.clip = std::move(clip);
  requested.clip.toleranceScale = std::move(demands.toleranceScale);
  requested.clip.probeRadiusM = std::move(demands.probeRadiusM);
  SIMMER_TRY(displacements, edit(requested.clip, editOptions(request.settings), displaced, context));
  requested.displacements = displacements;
  SIMMER_CHECK(validate(requested.clip));
  return requested;
}

}  // namespace simmer::animation
