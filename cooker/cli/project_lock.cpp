#include "cooker/cli/project_lock.h"

#include <cerrno>
#include <iostream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "cooker/base/file.h"
#include "cooker/engine/cook_project.h"

namespace simmer {

Result<ProjectLock> ProjectLock::take(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const int descriptor = ::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return failAt(ErrorCode::Io, folder.string(), "can not write here: {}", systemErrorText(errno));
  ProjectLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
  std::cerr << "simmer: another simmer is cooking this project; waiting for it\n";
  while (::flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR) return failAt(ErrorCode::Io, folder.string(), "can not lock: {}", systemErrorText(errno));
  return lock;
}

ProjectLock::ProjectLock(ProjectLock&& other) noexcept : m_descriptor(other.m_descriptor) {
  other.m_descriptor = -1;
}

ProjectLock::~ProjectLock() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<void> keepWithinLimit(const Project& project, SqliteStore& store) {
  SIMMER_TRY(wanted, store.wantsGc());
  if (!wanted) return {};
  SIMMER_TRY(keys, keysInUse(project));
  SIMMER_TRY(swept, store.gc(keys));
  if (swept.bytesKept > project.cacheLimitBytes())
    std::cerr << "simmer: warning: this project alone needs more than the cache's limit; raise [cache] limit\n";
  return {};
}

}  // namespace simmer
