#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
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
    bool lookupOnly = false;  ///< never cook: say what would be done
  };
  struct Described {
    DescribeResult result;
    std::vector<std::string> dependencies;  ///< inside the source tree, without the source
  };
  enum class Outcome {
    Ran,           ///< a plugin ran
    Found,         ///< the result came from the store
    WouldRun,      ///< of a look only: there is no result yet
    WouldBeFound,  ///< of a look only: another asset that would run gives the same
  };
  struct Cooked {
    CookResult result;
    Key key;
    Outcome outcome = Outcome::Found;
    std::vector<std::string> dependencies;  ///< inside the source tree, without the source
  };

  explicit AssetCooker(Environment environment) : m_environment(std::move(environment)) {}

  /// What a source holds: from the store, or from the plugin. An error of the description itself stands in the result;
  /// an error here is one that may go away (Io, Cancelled).
  Result<Described> describe(const std::string& sourcePath, const PluginMetadata& plugin, const Recipe& recipe);
  /// One item of it, measured and stored. A negative answer stands in the result.
  Result<Cooked> cook(const std::string& sourcePath, const PluginMetadata& plugin, const Recipe& recipe,
                      const ItemDescription& item);

  /// What the key of an item is made of now.
  struct KeyNow {
    std::string text;
    bool complete = false;  ///< false: which files beside the source it depends on is not known before it is cooked
    std::optional<CookResult> kept;  ///< what the store has under this key
  };
  Result<KeyNow> keyNow(const std::string& sourcePath, const PluginMetadata& plugin, const Recipe& recipe,
                        const ItemDescription& item);

  const PluginRuns& runs() const { return m_runs; }

 private:
  struct DescribeInputs;
  struct Inputs;
  Result<Described> runDescribe(const DescribeInputs& inputs, const Digest& source);
  Result<KeyNow> lookAt(const Inputs& inputs, std::vector<std::string>* dependencies);
  Result<std::optional<Cooked>> lookUp(const Inputs& inputs);
  Result<Cooked> runOnce(const Inputs& inputs);
  Result<Cooked> plan(const Inputs& inputs);
  Result<Cooked> run(const Inputs& inputs);
  Result<bool> measure(const Inputs& inputs, const Answer& cooked, const std::shared_ptr<const Artifact>& artifact,
                       CookResult& result);
  Result<Cooked> finish(const Inputs& inputs, const Answer& cookAnswer, CookResult result, std::vector<Bytes> blobs);

  Environment m_environment;
  PluginRuns m_runs;
  std::mutex m_mutex;
  std::condition_variable m_finished;
  std::set<Key> m_running;  // what is being cooked now, by what is known of its key before
  std::set<Key> m_planned;  // what would be, of a look only
};

/// Whether measures prove that the artifact keeps its bounds: at least one has a bound, none is missing, negative, not
/// finite or above its bound, and the world error's bound is the recipe's own tolerance. ToleranceUnmet names the
/// worst.
Result<void> checkMeasures(const Measures& measures, const Artifact& artifact, double toleranceM);

}  // namespace simmer
