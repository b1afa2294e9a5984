#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/engine/source_contents.h"
#include "cooker/engine/state_db.h"

namespace simmer {

/// A project opened to ask about single assets, outside a run: what they hold, their recipes, whether the cache has
/// them.
class OpenProject {
 public:
  /// Everything given outlives it. Walks the source tree. Errors are of the tree and of state.db.
  static Result<std::unique_ptr<OpenProject>> open(const Project& project, const Catalog& catalog, Executor& executor,
                                                   Store& store, std::function<bool()> cancelled = {});

  const Project& project() const { return m_project; }
  const Tree& sources() const { return m_sources; }
  bool has(std::string_view path) const { return m_digests->has(path); }
  std::uint64_t sizeOf(std::string_view path) const { return m_digests->sizeOf(path); }
  StateDb& state() { return *m_state; }
  Store& store() { return m_store; }
  AssetCooker& cooker() { return *m_cooker; }

  /// What a source holds. NotFound when it is not in the tree; Unsupported when no plugin takes it.
  Result<SourceContents> contents(const std::string& path);

 private:
  OpenProject(const Project& project, const Catalog& catalog, Store& store)
      : m_project(project), m_catalog(catalog), m_store(store) {}

  const Project& m_project;
  const Catalog& m_catalog;
  Store& m_store;
  Tree m_sources;
  std::optional<StateDb> m_state;
  std::unique_ptr<TreeDigests> m_digests;
  std::unique_ptr<AssetCooker> m_cooker;
};

}  // namespace simmer
