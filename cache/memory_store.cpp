#include "cache/memory_store.h"

namespace simmer {

Result<std::optional<Record>> MemoryStore::find(const Key& key) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_records.find(key);
  return found == m_records.end() ? std::optional<Record>() : found->second;
}

Result<std::optional<Bytes>> MemoryStore::blob(const Digest& digest) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_blobs.find(digest);
  return found == m_blobs.end() ? std::optional<Bytes>() : found->second;
}

Result<void> MemoryStore::put(const Key& key, const Record& record, const std::vector<Bytes>& blobs) {
  SIMMER_CHECK(checkPut(key, record, blobs));
  const std::lock_guard lock(m_mutex);
  for (std::size_t i = 0; i < blobs.size(); ++i) m_blobs.try_emplace(record.blobs[i].digest, blobs[i]);
  m_records.insert_or_assign(key, record);
  return {};
}

Result<std::optional<std::string>> MemoryStore::note(std::string_view kind, const Digest& digest) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_notes.find({std::string(kind), digest});
  return found == m_notes.end() ? std::optional<std::string>() : found->second;
}

Result<void> MemoryStore::putNote(std::string_view kind, const Digest& digest, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  m_notes.insert_or_assign({std::string(kind), digest}, std::string(text));
  return {};
}

}  // namespace simmer
