#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "cache/store.h"
#include "cooker/engine/cook_result.h"
#include "cooker/engine/job.h"
#include "cooker/engine/tree_digests.h"
#include "cooker/plugin/metadata.h"
#include "cooker/policy/recipe.h"

namespace simmer {

/// How often a plugin was called.
struct PluginRuns {
  std::atomic<std::uint64_t> describe{0};
  std::atomic<std::uint64_t> cook{0};
  std::atomic<std::uint64_t> measure{0};
};

/// The way of one asset: lookup ▸ cook ▸ measure ▸ store. Safe to use from several threads.
class AssetCooker {
 public:
  struct Environment {
    std::filesystem::path sourceRoot;
    Executor& executor;
    Store& store;
    TreeDigests& digests;
    std::function<bool()> cancelled;
    bool force = false;       ///< cook even what the store has
    bool lookupOnly = false;  ///< never cook: a miss is an error of code NotFound
  };
  struct Described {
    DescribeResult result;
    std::vector<std::string> dependencies;  ///< inside the source tree, without the source
  };
  struct Cooked {
    CookResult result;
    Key key;
    bool ran = false;                       ///< a plugin ran, or the result came from the store
    std::vector<std::string> dependencies;  ///< inside the source tree, without the source
  };

  explicit AssetCooker(Environment environment) : m_environment(std::move(environment)) {}

  /// What a source holds: from the store, or from the plugin. An error of the description itself stands in the result;
  /// an error here is one that may go away (Io, Cancelled).
  Result<Described> describe(const std::string& sourcePath, const PluginMetadata& plugin, const Recipe& recipe);
  /// One item of it, measured and stored. A negative answer stands in the result.
  Result<Cooked> cook(const std::string& sourcePath, const PluginMetadata& plugin, const Recipe& recipe,
                      const ItemDescription& item);

  const PluginRuns& runs() const { return m_runs; }

 private:
  struct DescribeInputs;
  struct Inputs;
  Result<Described> runDescribe(const DescribeInputs& inputs, const Digest& source);
  Result<std::optional<Cooked>> lookUp(const Inputs& inputs);
  Result<Cooked> run(const Inputs& inputs);
  Result<bool> measure(const Inputs& inputs, const Answer& cooked, const std::shared_ptr<const Artifact>& artifact,
                       CookResult& result);
  Result<Cooked> finish(const Inputs& inputs, const Answer& cookAnswer, CookResult result, std::vector<Bytes> blobs);

  Environment m_environment;
  PluginRuns m_runs;
};

/// Whether measures prove that the artifact keeps its bounds: at least one has a bound, none is missing, negative, not
/// finite or above its bound, and the world error's bound is the recipe's own tolerance. ToleranceUnmet names the
/// worst.
Result<void> checkMeasures(const Measures& measures, const Artifact& artifact, double toleranceM);

}  // namespace simmer
