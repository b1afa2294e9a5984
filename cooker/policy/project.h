#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cooker/base/digest.h"
#include "cooker/plugin/catalog.h"
#include "cooker/policy/budget.h"
#include "cooker/policy/recipe.h"
#include "cooker/policy/sidecar.h"

namespace simmer {

inline constexpr const char* kProjectFileName = "simmer.toml";
inline constexpr const char* kStateFolderName = ".simmer";
inline constexpr const char* kSidecarSuffix = ".simmer.toml";

struct PolicyRules;

/// A project: the folder of a simmer.toml, and what that file says.
class Project {
 public:
  /// The nearest folder upwards from `start` (a file or folder) that holds a simmer.toml. NotFound when there is none:
  /// the message names `simmer init`.
  static Result<std::filesystem::path> findRoot(const std::filesystem::path& start);
  /// Reads and checks `root`/simmer.toml. The catalog outlives the project. InvalidInput with `where` =
  /// "simmer.toml:line:column" and the nearest valid name for an unknown key.
  static Result<Project> load(const std::filesystem::path& root, const Catalog& catalog);
  /// As load(), from text, and without a look at whether the source folder is there; for tests and the template.
  static Result<Project> parse(std::string_view toml, const std::filesystem::path& root, const Catalog& catalog);

  const std::filesystem::path& root() const { return m_root; }
  std::filesystem::path source() const { return m_source; }  ///< absolute
  std::filesystem::path output() const { return m_output; }  ///< absolute
  std::filesystem::path stateFolder() const { return m_root / kStateFolderName; }
  /// The cache's database: `[cache] path`, else `SIMMER_CACHE`, else .simmer/cache.db. A folder gets cache.db in it.
  std::filesystem::path cacheFile() const;
  std::uint64_t cacheLimitBytes() const { return m_cacheLimitBytes; }
  const std::vector<Budget>& budgets() const;
  std::vector<std::string> profiles() const;  ///< names, in alphabetical order
  /// Whether the file (or, with '/' at its end, the folder) at this path inside the source tree is left alone because
  /// an ignore glob matches it or a folder that it is in.
  bool ignored(std::string_view sourcePath) const;
  /// What a person may have meant otherwise, given all files below the source folder (sorted by path): rules that
  /// match none of them, ignore globs that nearly match some, sidecars without a source; each with place and the
  /// nearest name.
  std::vector<Error> warnings(const std::vector<std::string_view>& sourcePaths) const;
  /// The digest of the effective project file: changes whenever any asset's recipe may.
  Digest digest() const { return m_digest; }

  /// The recipe of a source (`item` null) or of one item of it. No value when neither a rule nor a plugin's pattern
  /// takes the file, and for simmer.toml files and sidecars themselves. `sidecar` may be null. InvalidInput with file,
  /// line and column when a value does not fit. A setting of the asset itself (item->embedded) stands below the sidecar
  /// and above the rules. May be called from several threads.
  Result<std::optional<Recipe>> resolve(std::string_view sourcePath, const Sidecar* sidecar,
                                        const ItemDescription* item) const;

 private:
  struct Parser;
  struct Resolver;
  std::filesystem::path m_root, m_source, m_output;  // absolute and normal
  std::string m_sourcePlace = kProjectFileName;      // where m_source is written
  std::filesystem::path m_cachePath;                 // empty: not set in the project file
  std::string m_cachePlace = kProjectFileName;
  std::uint64_t m_cacheLimitBytes = 10'000'000'000;
  std::shared_ptr<const PolicyRules> m_rules;
  const Catalog* m_catalog = nullptr;
  Digest m_digest;
};

/// The commented simmer.toml that `simmer init` and `simmer demo` write, with these folders in it.
std::string projectTemplate(std::string_view source = "assets", std::string_view output = "cooked");

}  // namespace simmer
