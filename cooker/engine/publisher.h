#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "cooker/engine/asset_row.h"
#include "cooker/engine/state_db.h"
#include "cooker/scan/walk.h"

namespace simmer {

inline constexpr const char* kManifestName = "manifest.tsv";

/// Keeps the output tree as the assets want it. A file is written under a temporary name and renamed, so that a game
/// never reads a part; one that stands already is left alone. Safe to call from several threads.
class Publisher {
 public:
  /// `tree` is the output tree as it stands, `known` what earlier runs wrote into it.
  Publisher(std::filesystem::path root, const Tree& tree, std::unordered_map<std::string, StateDb::OutputState> known);

  /// Whether a file with this digest stands at this path, untouched since it was published.
  bool stands(const PublishedOutput& output) const;
  /// Makes `output` stand; `bytes` is called only when it has to be written. True when it was. InvalidInput when
  /// another source claims the same path in this run, or the same source claims it with other bytes.
  Result<bool> publish(const std::string& source, const PublishedOutput& output, double errorMm,
                       const std::function<Result<Bytes>()>& bytes);
  /// Keeps what stands at this path for another run: the last good output of an asset that failed.
  void keep(const std::string& path);

  /// Removes every published file that was neither published nor kept in this run and whose source `isGone`, and
  /// folders that are empty then. Only files this program wrote are ever removed. Gives how many.
  std::size_t removeGone(const std::function<bool(const std::string& source)>& isGone);
  /// Replaces manifest.tsv: output, source, digest, bytes, world error in mm; one line for each published file.
  /// Gives its size in bytes.
  Result<std::uint64_t> writeManifest();

  /// What has changed against `known`.
  std::unordered_map<std::string, std::optional<StateDb::OutputState>> takeChanges();
  /// Bytes and number of all published files.
  std::uint64_t shippedBytes() const;
  std::size_t shippedFiles() const { return m_known.size(); }

 private:
  Result<FileStamp> write(const PublishedOutput& output, bool standing,
                          const std::function<Result<Bytes>()>& bytes) const;

  std::filesystem::path m_root;
  std::unordered_map<std::string, FileStamp> m_stamps;  // of the tree as it stands
  std::unordered_map<std::string, StateDb::OutputState> m_known;
  std::unordered_map<std::string, std::pair<std::string, Digest>> m_claimed;  // path ▸ source, digest; in this run
  std::set<std::string> m_changed;
  mutable std::mutex m_mutex;
};

}  // namespace simmer
