#include "cooker/engine/source_contents.h"

#include "cooker/base/file.h"
#include "cooker/scan/stat_cache.h"

namespace simmer {
namespace {

constexpr std::uint64_t kSidecarLimit = std::uint64_t{1} << 20;
constexpr std::uint64_t kPointerLimit = 1024;  // a Git LFS pointer is shorter

/// An error where the file is what stands in for it in a checkout without Git LFS.
Result<void> checkIsNoPointer(const Project& project, const TreeDigests& digests, const std::string& path) {
  if (digests.sizeOf(path) > kPointerLimit) return {};
  const auto head = readFile(project.source() / path, kPointerLimit);
  if (!head) return {};
  const std::string message = lfsPointerMessage(*head);
  if (!message.empty()) return fail(ErrorCode::InvalidInput, "{}", message);
  return {};
}

}  // namespace

Result<void> readSource(const Project& project, const Catalog& catalog, TreeDigests& digests, AssetCooker& cooker,
                        const std::string& path, SourceContents& contents) {
  const std::string sidecarPath = path + kSidecarSuffix;
  if (digests.has(sidecarPath)) {
    SIMMER_TRY(text, readFile(project.source() / sidecarPath, kSidecarLimit));
    SIMMER_TRY(sidecar, Sidecar::parse(asText(text), sidecarPath));
    contents.sidecar = std::move(sidecar);
  }
  SIMMER_TRY(recipe, project.resolve(path, contents.sidecarOrNull(), nullptr));
  if (!recipe) return {};
  const PluginMetadata* plugin = catalog.find(recipe->plugin);
  if (!plugin) return fail(ErrorCode::InvalidInput, "there is no plugin '{}'", recipe->plugin);
  contents.plugin = plugin;
  SIMMER_CHECK(checkIsNoPointer(project, digests, path));
  SIMMER_TRY(described, cooker.describe(path, *plugin, *recipe));
  contents.dependencies = std::move(described.dependencies);
  if (!described.result.description) return tl::unexpected(described.result.description.error());
  contents.description = std::move(*described.result.description);
  if (contents.sidecar) SIMMER_CHECK(contents.sidecar->checkNames(contents.description));
  return {};
}

}  // namespace simmer
