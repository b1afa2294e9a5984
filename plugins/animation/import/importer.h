#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cooker/plugin/plugin_api.h"
#include "plugins/animation/clip/clip.h"

namespace simmer::animation {

/// The import settings of a source.
struct ImportOptions {
  double metresPerUnit = 0.01;  ///< for formats without a unit of their own (BVH)
  double sampleRateHz = 0;      ///< frames a second; 0: the source's own, or one that reproduces its keys
  /// What resampling curves may add, in metres of the world; readClip() picks the lowest rate that stays within it.
  double resampleToleranceM = 0.0001;
  /// Radii of skin points for measuring that, as Clip::probeRadiusM has them.
  std::vector<float> probeRadiusM = {};
};

/// One clip of a source, before its frames are read.
struct ClipInfo {
  std::string id;
  bool named = false;
  double durationS = 0;
  Settings embedded;  ///< `extras.simmer` of the animation
};

/// What a source holds.
struct SourceContents {
  std::shared_ptr<const Skeleton> skeleton;  ///< one for all clips of the source
  std::vector<ClipInfo> clips;
  std::vector<std::string> warnings;
};

/// File name endings that are read, lower case with the dot.
const std::vector<std::string>& importedSuffixes();

/// What the reader's source holds; the format goes by the ending of its name. InvalidInput or Unsupported with the
/// place in the file and the reason; Cancelled. A source without clips gives an empty list and a warning that says why.
Result<SourceContents> readContents(SourceReader& reader, const ImportOptions& options, Context& context);

/// One clip with all its frames, valid as validate(Clip) asks. NotFound when the source has none of this id.
Result<Clip> readClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context);

/// `names` with "#2", "#3", … added to repeats, so that each is unique.
std::vector<std::string> uniqueIds(const std::vector<std::string>& names);

}  // namespace simmer::animation
