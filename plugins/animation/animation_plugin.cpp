#include "plugins/animation/animation_plugin.h"

#include <unordered_set>

#include "plugins/animation/analyze/analyze.h"
#include "plugins/animation/codec/encode.h"
#include "plugins/animation/codec/spline/encode.h"
#include "plugins/animation/demo/demo.h"
#include "plugins/animation/inspect.h"
#include "plugins/animation/measure.h"
#include "plugins/animation/requested_clip.h"
#include "plugins/animation/runtime/simmer_runtime.h"

namespace simmer::animation {
namespace {

ArticleSettings::Keyframes keyframesOf(std::string_view text) {
  if (text == "cubic") return ArticleSettings::Keyframes::Cubic;
  if (text == "linear") return ArticleSettings::Keyframes::Linear;
  return text == "off" ? ArticleSettings::Keyframes::Off : ArticleSettings::Keyframes::Best;
}

ArticleSettings::Quantise quantiseOf(std::string_view text) {
  if (text == "on") return ArticleSettings::Quantise::On;
  return text == "off" ? ArticleSettings::Quantise::Off : ArticleSettings::Quantise::Auto;
}

ArticleSettings articleSettings(const Settings& settings) {
  ArticleSettings article;
  article.constantRemoval = settingBool(settings, "constant_removal");
  article.keyframes = keyframesOf(settingText(settings, "keyframes"));
  article.quantise = quantiseOf(settingText(settings, "quantise"));
  article.deflate = settingBool(settings, "deflate");
  article.selfContained = settingBool(settings, "self_contained");
  article.scalarTolerance = settingNumber(settings, "scalar_tolerance");
  return article;
}

SplineSettings splineSettings(const Settings& settings) {
  SplineSettings spline;
  const std::string_view effort = settingText(settings, "effort");
  spline.effort = effort == "draft" ? Effort::Draft : effort == "max" ? Effort::Max : Effort::Default;
  if (settingBool(settings, "self_contained")) spline.skeleton = spline::SkeletonPlace::Inside;
  spline.scalarTolerance = settingNumber(settings, "scalar_tolerance");
  return spline;
}

Result<Encoded> encodeAs(const Settings& settings, const RequestedClip& requested, const SkeletonFile& skeleton,
                         Context& context) {
  if (settingText(settings, "codec") == "article")
    return encodeArticle(requested.clip, skeleton, articleSettings(settings), requested.toleranceM, context);
  return encodeSpline(requested.clip, skeleton, splineSettings(settings), requested.toleranceM, context);
}

/// Each name once, where it first stands.
std::vector<std::string> distinct(const std::vector<std::string>& names) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (seen.insert(name).second) once.push_back(name);
  return once;
}

}  // namespace

Result<Description> AnimationPlugin::describe(const Settings& import, SourceReader& source, Context& context) const {
  SIMMER_TRY(contents, readContents(source, importOptions(import), context));
  Description description;
  description.warnings = std::move(contents.warnings);
  const double height = contents.skeleton ? measuredHeight(*contents.skeleton) : 0;
  const char* const heightFrom =
      contents.skeleton && contents.skeleton->skinHeightM > 0 ? "the skin in the rest pose" : "the rest pose";
  if (contents.skeleton) description.names[std::string(kJointTable)] = distinct(contents.skeleton->names);
  for (ClipInfo& clip : contents.clips)
    description.items.push_back(
        {std::move(clip.id), clip.named, height, clip.durationS, std::move(clip.embedded), heightFrom});
  return description;
}

Result<Artifact> AnimationPlugin::cook(const Request& request, SourceReader& source, Context& context) const {
  SIMMER_TRY(requested, readRequested(request, source, context));
  const Clip& clip = requested.clip;
  SIMMER_TRY(skeleton, writeSkeleton(*clip.skeleton));
  SIMMER_TRY(encoded, encodeAs(request.settings, requested, skeleton, context));
  Artifact artifact;
  artifact.toleranceM = requested.toleranceM;
  artifact.objectHeightM = requested.objectHeightM;
  artifact.codec = std::move(encoded.how);
  artifact.rawBytes = clip.rawBytes();
  artifact.memoryBytes = simmer_clip_memory(encoded.file.data(), encoded.file.size());
  artifact.outputs.push_back({"clip", false, std::move(encoded.file)});
  if (!settingBool(request.settings, "self_contained"))
    artifact.outputs.push_back({"skeleton", true, std::move(skeleton.bytes)});
  return artifact;
}

Result<Measures> AnimationPlugin::measure(const Request& request, SourceReader& source, const Artifact& artifact,
                                          Context& context) const {
  SIMMER_TRY(requested, readRequested(request, source, context, true));
  return measureArtifact(requested, settingNumber(request.settings, "scalar_tolerance"),
                         settingBool(request.settings, "self_contained"), artifact);
}

Result<Bytes> AnimationPlugin::inspect(const Request& request, SourceReader& source, const Artifact* artifact,
                                       Window window, Context& context) const {
  SIMMER_TRY(requested, readRequested(request, source, context));
  return inspectClip(requested, artifact, window, context);
}

int AnimationPlugin::run(std::string_view command, Arguments& arguments, Context& context) const {
  if (command == "analyze") return analyze(arguments, context);
  if (command == "demo") return demo(arguments, context);
  return AssetPlugin::run(command, arguments, context);
}

}  // namespace simmer::animation
