#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cooker/engine/cook_project.h"
#include "cooker/engine/source_task.h"
#include "cooker/engine/work_queue.h"

namespace simmer {

/// One run of cookProject().
class CookSession {
 public:
  CookSession(const Project& project, const Catalog& catalog, Executor& executor, const StoreOpener& openStore,
              const CookOptions& options);
  Result<CookReport> run();

 private:
  Result<void> walkTrees();
  Digest snapshotFingerprint() const;
  /// The report of the last run when everything is as it left it.
  Result<bool> takeSnapshot();
  Result<void> cookSources();
  std::vector<std::size_t> largestFirst() const;
  void startSource(std::size_t index);
  void cookItem(std::size_t index, std::size_t item);
  Result<void> saveOutputs();
  void sourceDone(SourceTask& task);
  Result<void> finish();
  static void forget(const std::string& path, const StateDb::SourceState& state, StateDb::Changes& changes);
  Totals totalsAfter(const StateDb::Changes& changes) const;
  Result<void> rememberSnapshot();
  bool wanted(std::string_view path) const;
  bool cancelled() const { return m_options.cancelled && m_options.cancelled(); }
  void tell(const CookEvent& event);

  const Project& m_project;
  const Catalog& m_catalog;
  Executor& m_executor;
  const StoreOpener& m_openStore;
  const CookOptions& m_options;

  Tree m_sources, m_outputs;
  Digest m_sourcesDigest, m_outputsDigest;
  std::int64_t m_walkedAtNs = 0;
  std::optional<StateDb> m_state;
  std::unordered_map<std::string, StateDb::SourceState> m_before;
  std::unique_ptr<TreeDigests> m_digests;
  std::unique_ptr<Publisher> m_publisher;
  std::unique_ptr<AssetCooker> m_cooker;
  std::unique_ptr<CookShared> m_shared;
  std::vector<std::unique_ptr<SourceTask>> m_tasks;
  WorkQueue m_queue;
  std::mutex m_telling;
  std::size_t m_done = 0;
  Result<void> m_saved;  // what was published so far
  CookReport m_report;
};

}  // namespace simmer
