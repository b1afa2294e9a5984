#pragma once

#include "cooker/engine/job.h"
#include "cooker/plugin/catalog.h"

namespace simmer {

/// Carries jobs out in the calling thread of this process: for tests and for cooking without worker processes.
class InlineExecutor : public Executor {
 public:
  /// The catalog outlives the executor.
  explicit InlineExecutor(const Catalog& catalog) : m_catalog(catalog) {}
  Answer execute(const Job& job, const std::function<bool()>& cancelled) override;

 private:
  const Catalog& m_catalog;
};

/// Carries a job out with a plugin that is loaded. The one place where exceptions of third-party code and
/// std::bad_alloc end.
Answer runJob(const AssetPlugin& plugin, const Job& job, const std::function<bool()>& cancelled);

}  // namespace simmer
