#include "plugins/animation/import/importer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "plugins/animation/import/bvh.h"
#include "plugins/animation/import/gltf.h"
#include "plugins/animation/import/raw.h"
#include "plugins/animation/import/source_file.h"

namespace simmer::animation {
namespace {

struct Format {
  std::string_view suffix;
  Result<SourceContents> (*contents)(SourceReader&, const ImportOptions&, Context&);
  Result<Clip> (*clip)(SourceReader&, std::string_view, const ImportOptions&, Context&);
};
constexpr Format kFormats[] = {
    {".bvh", readBvhContents, readBvhClip},
    {".glb", readGltfContents, readGltfClip},
    {".gltf", readGltfContents, readGltfClip},
    {".raw", readRawContents, readRawClip},
};

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

Result<const Format*> formatOf(std::string_view sourceName) {
  const std::string name = lowerCase(sourceName);
  for (const Format& format : kFormats)
    if (name.ends_with(format.suffix)) return &format;
  return fail(ErrorCode::Unsupported, "the file name ends in none of .bvh, .glb, .gltf and .raw");
}

}  // namespace

const std::vector<std::string>& importedSuffixes() {
  static const std::vector<std::string> suffixes = [] {
    std::vector<std::string> all;
    for (const Format& format : kFormats) all.emplace_back(format.suffix);
    return all;
  }();
  return suffixes;
}

Result<SourceContents> readContents(SourceReader& reader, const ImportOptions& options, Context& context) {
  SIMMER_TRY(format, formatOf(reader.sourceName()));
  CheckedReader checked(reader);
  SIMMER_TRY(contents, format->contents(checked, options, context));
  if (contents.skeleton) SIMMER_CHECK(validate(*contents.skeleton));
  return std::move(contents);
}

Result<Clip> readClip(SourceReader& reader, std::string_view id, const ImportOptions& options, Context& context) {
  SIMMER_TRY(format, formatOf(reader.sourceName()));
  CheckedReader checked(reader);
  SIMMER_TRY(clip, format->clip(checked, id, options, context));
  SIMMER_CHECK(validate(clip));
  return std::move(clip);
}

std::vector<std::string> uniqueIds(const std::vector<std::string>& names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  std::unordered_map<std::string, std::size_t> seen;
  std::vector<std::string> ids;
  ids.reserve(names.size());
  for (const std::string& name : names) {
    std::size_t& count = seen[name];
    if (++count == 1) {
      ids.push_back(name);
      continue;
    }
    std::string id = fmt::format("{}#{}", name, count);
    while (!taken.insert(id).second) id = fmt::format("{}#{}", name, ++count);
    ids.push_back(std::move(id));
  }
  return ids;
}

}  // namespace simmer::animation
