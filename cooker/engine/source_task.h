#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cooker/engine/cook_asset.h"
#include "cooker/engine/publisher.h"
#include "cooker/engine/source_contents.h"

namespace simmer {

/// What all sources of a run share.
struct CookShared {
  const Project& project;
  const Catalog& catalog;
  TreeDigests& digests;
  Publisher& publisher;
  AssetCooker& cooker;
  Store& store;
  bool force = false;
  bool dryRun = false;
};

/// The way of one source through a run: is it as it was? ▸ recipe ▸ what does it hold ▸ each item: cook, publish ▸
/// rows. begin() comes first, then cookItem() for each index, in any order and from several threads.
class SourceTask {
 public:
  SourceTask(CookShared& shared, std::string path, const StateDb::SourceState* before);

  /// Gives how many items have to be cooked; 0 when the source is done.
  std::size_t begin();
  /// Cooks and publishes one item. True for the caller that finished the last one.
  bool cookItem(std::size_t index);

  const std::string& path() const { return m_path; }
  /// The rows of the source; none when no plugin takes it.
  std::vector<AssetRow>& rows() { return m_rows; }
  /// What to remember of it once it is finished: empty when there is nothing (then an earlier state is to be
  /// forgotten).
  std::optional<StateDb::SourceState> stateAfter();
  /// Adds what the history has to say: rows that came out otherwise than before, and assets that are gone.
  void addHistory(StateDb::Changes& changes) const;
  /// Whether the remembered state still holds as it is.
  bool unchanged() const { return m_unchanged; }
  /// Whether it came to its end; not so after a cancelled run.
  bool finished() const { return m_begun && m_left == 0; }
  /// Whether the same inputs give the same rows again. False after an error that may go away.
  bool settled() const { return m_settled; }

 private:
  bool stillStands();
  std::optional<Error> prepare();
  void failSource(const Error& error);
  Result<void> cookInto(AssetRow& row, const ItemDescription& item, const Recipe& recipe);
  Result<bool> publish(const AssetRow& row, const CookResult& result);
  void fillRow(AssetRow& row, const AssetCooker::Cooked& cooked, const ItemDescription& item) const;
  void keepLastGoodOutputs(AssetRow& row, bool allOfSource);
  void addDependencies(const std::vector<std::string>& paths);
  Result<Digest> fingerprint(const std::vector<std::string>& dependencies);
  std::string sidecarPath() const { return m_path + kSidecarSuffix; }

  CookShared& m_shared;
  std::string m_path;
  const StateDb::SourceState* m_before;
  std::vector<AssetRow> m_rowsBefore;
  SourceContents m_contents;
  std::vector<AssetRow> m_rows;
  std::set<std::string> m_dependencies;
  std::mutex m_mutex;  // guards m_dependencies and m_settled
  std::atomic<std::size_t> m_left{0};
  bool m_begun = false;
  bool m_unchanged = false;
  bool m_settled = true;
};

}  // namespace simmer
