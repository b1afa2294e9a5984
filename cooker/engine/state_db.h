#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cooker/engine/asset_row.h"
#include "cooker/engine/history.h"
#include "cooker/scan/stat_cache.h"
#include "cooker/scan/walk.h"

namespace simmer {

/// What the engine remembers of a project between runs, in state.db: which inputs the present outputs were made from,
/// and what was published; and the history of all cooks. May be deleted: the next cook then looks everything up again,
/// and only the history is lost.
class StateDb {
 public:
  /// How a source stood after its last cook.
  struct SourceState {
    Digest fingerprint;                     ///< of everything that decided its rows
    std::vector<std::string> dependencies;  ///< inside the source tree, without the source
    std::string rows;                       ///< its asset rows as JSON texts, one a line
  };
  /// A file in the output tree that this program wrote.
  struct OutputState {
    std::string source;
    Digest digest;
    FileStamp stamp;
    double errorMm = -1;  ///< measured world error; below 0: none
    bool operator==(const OutputState&) const = default;
  };
  /// The whole project as it stood after a cook that left nothing open.
  struct Snapshot {
    Digest fingerprint;
    std::string summary;  ///< of the report, as JSON
  };

  /// Opens `folder`/state.db. A file that is no database, or is damaged, is moved aside and made anew.
  static Result<StateDb> open(const std::filesystem::path& folder);
  ~StateDb();
  StateDb(StateDb&&) noexcept;
  StateDb& operator=(StateDb&&) noexcept;

  /// Lives as long as this. Read from the database when first asked for.
  Result<StatCache*> statCache();
  Result<std::optional<Snapshot>> snapshot();
  Result<void> setSnapshot(const std::optional<Snapshot>& snapshot);

  Result<std::unordered_map<std::string, SourceState>> sources();
  Result<std::unordered_map<std::string, OutputState>> outputs();
  /// The rows of every source, in the order of the sources' paths.
  Result<std::vector<AssetRow>> rows();

  /// Writes what a cook changed, in one transaction. An empty value removes the entry.
  struct Changes {
    std::unordered_map<std::string, std::optional<SourceState>> sources = {};
    std::unordered_map<std::string, std::optional<OutputState>> outputs = {};
    std::vector<AssetRow> rows = {};                                ///< assets that came out otherwise than before
    std::vector<std::pair<std::string, std::string>> removed = {};  ///< source and item of assets that are gone
    std::optional<Totals> totals = {};                              ///< of the project, at the end of the run
  };
  /// Outputs and rows are appended to the history under one run for the life of this object; it is entered when there
  /// is something to say of it.
  Result<void> apply(const Changes& changes);
  History history();

  static std::string joinRows(const std::vector<AssetRow>& rows);
  static Result<std::vector<AssetRow>> splitRows(std::string_view text);

 private:
  struct Impl;
  explicit StateDb(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace simmer
