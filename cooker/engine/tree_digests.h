#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "cooker/scan/stat_cache.h"
#include "cooker/scan/walk.h"

namespace simmer {

/// The digests of the files of a walked tree, each made at most once and remembered in the stat cache. Safe to call
/// from several threads.
class TreeDigests {
 public:
  /// `tree` and `cache` outlive it.
  TreeDigests(std::filesystem::path root, const Tree& tree, StatCache& cache);

  /// Whether the tree has this file.
  bool has(std::string_view path) const { return m_stamps.count(std::string(path)) != 0; }
  std::uint64_t sizeOf(std::string_view path) const;
  /// The file's digest; empty when the tree has no such file or it has gone since. Io when it can not be read.
  Result<std::optional<Digest>> digestOf(std::string_view path);
  /// Whether some file was hashed so soon after it changed that its stamp alone can not be trusted next time.
  bool sawRacyFile() const { return m_sawRacyFile; }

 private:
  std::filesystem::path m_root;
  std::unordered_map<std::string, FileStamp> m_stamps;
  StatCache& m_cache;
  std::mutex m_mutex;
  bool m_sawRacyFile = false;
};

}  // namespace simmer
