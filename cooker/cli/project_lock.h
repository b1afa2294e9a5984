#pragma once

#include <filesystem>

#include "cache/sqlite_store.h"
#include "cooker/base/result.h"
#include "cooker/policy/project.h"

namespace simmer {

/// Only one process at a time brings a project up to date. Released with the object, and by the system when the process
/// dies.
class ProjectLock {
 public:
  /// Waits, and says so on stderr, while another process has it. Io when the folder can not be written.
  static Result<ProjectLock> take(const std::filesystem::path& stateFolder);
  ~ProjectLock();
  ProjectLock(ProjectLock&& other) noexcept;
  ProjectLock& operator=(ProjectLock&&) = delete;

 private:
  explicit ProjectLock(int descriptor) : m_descriptor(descriptor) {}
  int m_descriptor;
};

/// Drops what was not used for longest when the cache is above its limit; never what the project's last run uses.
Result<void> keepWithinLimit(const Project& project, SqliteStore& store);

}  // namespace simmer
