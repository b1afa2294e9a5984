#include "plugins/deflate/deflate.h"

#include "plugins/deflate/gzip.h"

namespace simmer {
namespace {

constexpr const char* kSuffix = "gz";

Result<Bytes> readSource(const Request& request, SourceReader& source) {
  if (request.item != DeflatePlugin::kItem)
    return fail(ErrorCode::InvalidInput, "the item is '{}', expected '{}'", request.item, DeflatePlugin::kItem);
  return source.read(source.sourceName());
}

}  // namespace

Result<Description> DeflatePlugin::describe(const Settings&, SourceReader&, Context&) const {
  Description description;
  description.items.emplace_back().id = kItem;
  return description;
}

Result<Artifact> DeflatePlugin::cook(const Request& request, SourceReader& source, Context& context) const {
  SIMMER_TRY(bytes, readSource(request, source));
  const auto level = static_cast<int>(settingInteger(request.settings, "level"));
  SIMMER_TRY(packed, gzip(bytes, level, context));
  Artifact artifact;
  artifact.outputs.push_back({kSuffix, false, std::move(packed)});
  artifact.codec = fmt::format("gzip level {}", level);
  artifact.rawBytes = bytes.size();
  artifact.memoryBytes = bytes.size();
  return artifact;
}

Result<Measures> DeflatePlugin::measure(const Request& request, SourceReader& source, const Artifact& artifact,
                                        Context& context) const {
  SIMMER_TRY(bytes, readSource(request, source));
  if (artifact.outputs.size() != 1 || artifact.outputs.front().suffix != kSuffix)
    return fail(ErrorCode::Corrupt, "the artifact has {} outputs, expected one .{}", artifact.outputs.size(), kSuffix);
  SIMMER_TRY(wrong, countWrongBytes(artifact.outputs.front().bytes, bytes, context));
  return Measures{{"byte difference", static_cast<double>(wrong), 0.0, "bytes"}};
}

}  // namespace simmer
