#include "cooker/engine/tree_digests.h"

#include "cooker/base/file.h"

namespace simmer {
namespace {

constexpr int kReadTries = 5;

struct Hashed {
  FileStamp stamp;
  Digest digest;
  std::int64_t atNs = 0;
};

/// Hashes a file that holds still: the stamp is the same before and after.
Result<Hashed> hashSteadily(const std::filesystem::path& file) {
  for (int i = 0; i < kReadTries; ++i) {
    const std::int64_t atNs = fileClockNs();
    SIMMER_TRY(before, stampOf(file));
    SIMMER_TRY(bytes, readFile(file));
    SIMMER_TRY(after, stampOf(file));
    if (before == after) return Hashed{after, sha256(bytes), atNs};
  }
  return fail(ErrorCode::Io, "the file changed each of {} times it was read", kReadTries);
}

}  // namespace

TreeDigests::TreeDigests(std::filesystem::path root, const Tree& tree, StatCache& cache)
    : m_root(std::move(root)), m_cache(cache) {
  m_stamps.reserve(tree.files.size());
  for (const TreeFile& file : tree.files) m_stamps.emplace(file.path, file.stamp);
}

std::uint64_t TreeDigests::sizeOf(std::string_view path) const {
  const auto found = m_stamps.find(std::string(path));
  return found == m_stamps.end() ? 0 : found->second.size;
}

Result<std::optional<Digest>> TreeDigests::digestOf(std::string_view path) {
  const std::string name(path);
  const auto found = m_stamps.find(name);
  if (found == m_stamps.end()) return std::nullopt;
  {
    const std::lock_guard lock(m_mutex);
    if (const Digest* known = m_cache.find(path, found->second)) return *known;
  }
  const auto hashed = hashSteadily(m_root / name);
  if (!hashed && hashed.error().code == ErrorCode::NotFound) return std::nullopt;
  if (!hashed) return tl::unexpected(hashed.error());
  const std::lock_guard lock(m_mutex);
  m_cache.remember(path, hashed->stamp, hashed->digest, hashed->atNs);
  if (isRacy(hashed->stamp, hashed->atNs) || hashed->stamp != found->second) m_sawRacyFile = true;
  return hashed->digest;
}

}  // namespace simmer
