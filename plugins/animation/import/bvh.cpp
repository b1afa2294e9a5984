#include "plugins/animation/import/bvh.h"

#include <algorithm>
#include <cmath>

#include "plugins/animation/import/bvh_hierarchy.h"
#include "plugins/animation/import/bvh_motion.h"
#include "plugins/animation/import/retime.h"
#include "plugins/animation/import/source_file.h"

namespace simmer::animation {
namespace {

constexpr std::string_view kClipId = "clip";
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
constexpr double kPersonHeightM = 1.8;
constexpr double kSmallestHeightM = 0.3, kLargestHeightM = 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The source as text, without a byte order mark. InvalidInput when it is something else.
Result<std::string_view> textOf(const Bytes& bytes) {
  if (bytes.empty()) return fail(ErrorCode::InvalidInput, "the file is empty");
  if (const std::string_view kind = knownKind(bytes); !kind.empty())
    return fail(ErrorCode::InvalidInput, "the file is {}, expected BVH text that begins with HIERARCHY", kind);
  if (bytes.size() > kMaxBytes)
    return fail(ErrorCode::Unsupported, "the file has {} bytes, expected at most {}", bytes.size(), kMaxBytes);
  std::string_view text = asText(bytes);
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    bvh::Text before(text.substr(0, nul));
    while (!before.word().empty()) {
    }
    return failAt(ErrorCode::InvalidInput, before.where(), "a NUL byte, expected text");
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

Result<void> check(const ImportOptions& options) {
  if (options.metresPerUnit > 0 && std::isfinite(options.metresPerUnit)) return {};
  return fail(ErrorCode::InvalidInput, "metres per unit is {}, expected above 0", options.metresPerUnit);
}

/// What a person should know of a skeleton that is no plausible size; empty when it is one.
std::string sizeWarning(const Skeleton& skeleton, double metresPerUnit) {
  const double height = measuredHeight(skeleton);
  if (height == 0 || (height >= kSmallestHeightM && height <= kLargestHeightM)) return {};
  return fmt::format("the skeleton is {:.3g} m tall at {} metres per unit; metres_per_unit = {:.4g} would make it {} m",
                     height, metresPerUnit, metresPerUnit * kPersonHeightM / height, kPersonHeightM);
}

}  // namespace

Result<SourceContents> readBvhContents(SourceReader& reader, const ImportOptions& options, Context&) {
  SIMMER_CHECK(check(options));
  SIMMER_TRY(bytes, reader.read(reader.sourceName()));
  SIMMER_TRY(content, textOf(bytes));
  bvh::Text text(content);
  SIMMER_TRY(hierarchy, bvh::readHierarchy(text, options.metresPerUnit));
  SourceContents contents;
  contents.warnings = std::move(hierarchy.warnings);
  if (std::string warning = sizeWarning(hierarchy.skeleton, options.metresPerUnit); !warning.empty())
    contents.warnings.push_back(std::move(warning));
  contents.skeleton = std::make_shared<const Skeleton>(std::move(hierarchy.skeleton));
  contents.clips.push_back({std::string(kClipId), false, (hierarchy.frames - 1) / hierarchy.rateHz, {}});
  return contents;
}

Result<Clip> readBvhClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context) {
  SIMMER_CHECK(check(options));
  if (id != kClipId) return fail(ErrorCode::NotFound, "no clip '{}'; a BVH file holds one, named '{}'", id, kClipId);
  SIMMER_TRY(bytes, reader.read(reader.sourceName()));
  SIMMER_TRY(content, textOf(bytes));
  bvh::Text text(content);
  SIMMER_TRY(hierarchy, bvh::readHierarchy(text, options.metresPerUnit));
  SIMMER_TRY(poses, bvh::readMotion(text, hierarchy, options.metresPerUnit, context));
  Clip clip;
  clip.id = kClipId;
  clip.rateHz = hierarchy.rateHz;
  clip.frames = hierarchy.frames;
  clip.poses = std::move(poses);
  clip.skeleton = std::make_shared<const Skeleton>(std::move(hierarchy.skeleton));
  if (options.sampleRateHz > 0 && options.sampleRateHz != clip.rateHz)
    return retimed(clip, options.sampleRateHz, context);
  return clip;
}

}  // namespace simmer::animation
