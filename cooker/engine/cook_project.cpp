#include "cooker/engine/cook_project.h"

#include "cooker/engine/cook_session.h"

namespace simmer {

Result<CookReport> cookProject(const Project& project, const Catalog& catalog, Executor& executor,
                               const StoreOpener& openStore, const CookOptions& options) {
  return CookSession(project, catalog, executor, openStore, options).run();
}

Result<std::set<Key>> keysInUse(const Project& project) {
  SIMMER_TRY(state, StateDb::open(project.stateFolder()));
  SIMMER_TRY(rows, state.rows());
  std::set<Key> keys;
  for (const AssetRow& row : rows)
    if (const auto key = Digest::fromHex(row.key)) keys.insert(*key);
  return keys;
}

}  // namespace simmer
