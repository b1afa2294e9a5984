#include "plugins/animation/import/gltf.h"

#include <algorithm>
#include <map>

#include "plugins/animation/import/gltf_container.h"
#include "plugins/animation/import/gltf_curves.h"
#include "plugins/animation/import/gltf_skin.h"

namespace simmer::animation {
namespace {

/// A file that was taken apart.
struct File {
  Bytes bytes;
  gltf::Container container;
  gltf::Document document;
  gltf::Rig rig;
  std::vector<std::string> ids;  ///< one for each animation
};

Result<std::unique_ptr<File>> openFile(SourceReader& reader) {
  auto file = std::make_unique<File>();
  SIMMER_TRY(bytes, reader.read(reader.sourceName()));
  file->bytes = std::move(bytes);
  SIMMER_TRY(container, gltf::openContainer(file->bytes));
  file->container = std::move(container);
  SIMMER_TRY(document, gltf::parseDocument(file->container.json));
  file->document = std::move(document);
  SIMMER_TRY(rig, gltf::buildRig(file->document));
  file->rig = std::move(rig);
  std::vector<std::string> names;
  for (const Result<gltf::Animation>& animation : file->document.animations)
    names.push_back(animation && animation->name ? *animation->name : "clip");
  file->ids = uniqueIds(names);
  return file;
}

gltf::AccessorReader accessorsOf(const File& file, SourceReader& reader) {
  return {file.document, file.container.binary, file.container.hasBinary, reader};
}

/// From the first to the last key of these channels; only the ends of the accessors are read.
Result<double> durationOf(const std::vector<gltf::Channel>& channels, gltf::AccessorReader& accessors) {
  std::map<std::uint32_t, bool> seen;
  double first = 0, last = 0;
  for (const gltf::Channel& channel : channels) {
    if (!seen.emplace(channel.sampler.input, true).second) continue;
    SIMMER_TRY(ends, accessors.ends(channel.sampler.input, channel.samplerWhere + "/input"));
    first = seen.size() == 1 ? ends.first : std::min<double>(first, ends.first);
    last = std::max<double>(last, ends.second);
  }
  return last - first > 0 ? last - first : 0;
}

/// One animation as the list of contents has it; nothing when it moves nothing.
Result<std::optional<ClipInfo>> describe(const File& file, std::size_t index, gltf::AccessorReader& accessors,
                                         std::vector<std::string>& warnings) {
  SIMMER_TRY(channels, gltf::usedChannels(file.document, file.rig, index, warnings));
  const gltf::Animation& animation = *file.document.animations[index];
  warnings.insert(warnings.end(), animation.warnings.begin(), animation.warnings.end());
  if (channels.empty()) {
    warnings.push_back(fmt::format("/animations/{}: '{}' moves nothing and is left out", index, file.ids[index]));
    return std::nullopt;
  }
  SIMMER_TRY(duration, durationOf(channels, accessors));
  ClipInfo info;
  info.durationS = duration;
  info.embedded = animation.embedded;
  return info;
}

/// Animations that are wrong stay in the list, so that each says for itself what is wrong when it is read; a file with
/// no readable one is refused as a whole.
Result<void> listClips(const File& file, gltf::AccessorReader& accessors, SourceContents& contents) {
  const std::size_t count = file.document.animations.size();
  std::optional<Error> firstError;
  bool anyGood = false;
  for (std::size_t i = 0; i < count; ++i) {
    auto described = describe(file, i, accessors, contents.warnings);
    if (described && !*described) continue;
    anyGood = anyGood || described;
    if (!described) {
      contents.warnings.push_back(described.error().text());
      if (!firstError) firstError = described.error();
    }
    ClipInfo info = described ? **described : ClipInfo{};
    info.id = file.ids[i];
    // With several clips each needs a name of its own in what is published.
    info.named = count > 1 || (file.document.animations[i] && file.document.animations[i]->name);
    contents.clips.push_back(std::move(info));
  }
  if (firstError && !anyGood) return tl::unexpected(std::move(*firstError));
  if (contents.clips.empty()) contents.warnings.push_back("the file has no animation to cook");
  return {};
}

}  // namespace

Result<SourceContents> readGltfContents(SourceReader& reader, const ImportOptions&, Context& context) {
  SIMMER_TRY(file, openFile(reader));
  SourceContents contents;
  contents.warnings = file->container.warnings;
  contents.warnings.insert(contents.warnings.end(), file->document.warnings.begin(), file->document.warnings.end());
  gltf::AccessorReader accessors = accessorsOf(*file, reader);
  SIMMER_CHECK(listClips(*file, accessors, contents));
  if (!contents.clips.empty()) {  // else nobody asks how large the skin is
    SIMMER_TRY(notes, gltf::measureSkin(file->document, accessors, context, file->rig));
    contents.warnings.insert(contents.warnings.end(), notes.begin(), notes.end());
  }
  contents.skeleton = std::make_shared<const Skeleton>(std::move(file->rig.skeleton));
  return contents;
}

Result<Clip> readGltfClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context) {
  SIMMER_TRY(file, openFile(reader));
  const auto found = std::find(file->ids.begin(), file->ids.end(), id);
  if (found == file->ids.end()) return fail(ErrorCode::NotFound, "there is no animation '{}'", id);
  const auto index = static_cast<std::size_t>(found - file->ids.begin());
  std::vector<std::string> notes;  // readGltfContents() gives those of the file
  SIMMER_TRY(channels, gltf::usedChannels(file->document, file->rig, index, notes));
  if (channels.empty())
    return failAt(ErrorCode::InvalidInput, fmt::format("/animations/{}", index), "the animation moves nothing");
  gltf::AccessorReader accessors = accessorsOf(*file, reader);
  SIMMER_CHECK(gltf::measureSkin(file->document, accessors, context, file->rig));
  auto skeleton = std::make_shared<const Skeleton>(std::move(file->rig.skeleton));
  SIMMER_TRY(curves, gltf::readCurves(file->document, skeleton, channels, accessors));
  notes.clear();
  auto clip = resample(*curves, options, context, notes);
  for (const std::string& note : notes) context.log(Context::Level::Warning, note);
  if (!clip) {
    Error error = std::move(clip).error();
    if (error.where.empty() && error.code != ErrorCode::Cancelled) error.where = fmt::format("/animations/{}", index);
    return tl::unexpected(std::move(error));
  }
  clip->id = *found;
  clip->named = file->ids.size() > 1 || file->document.animations[index]->name.has_value();
  return clip;
}

}  // namespace simmer::animation
