#pragma once

#include <map>
#include <mutex>
#include <unordered_map>

#include "cache/store.h"

namespace simmer {

/// A store that lasts as long as it lives and never drops anything: for tests and for a cook that keeps nothing.
class MemoryStore : public Store {
 public:
  Result<std::optional<Record>> find(const Key& key) override;
  Result<std::optional<Bytes>> blob(const Digest& digest) override;
  Result<void> put(const Key& key, const Record& record, const std::vector<Bytes>& blobs) override;
  Result<std::optional<std::string>> note(std::string_view kind, const Digest& digest) override;
  Result<void> putNote(std::string_view kind, const Digest& digest, std::string_view text) override;
  Result<void> flush() override { return {}; }

 private:
  std::mutex m_mutex;
  std::unordered_map<Key, Record> m_records;
  std::unordered_map<Digest, Bytes> m_blobs;
  std::map<std::pair<std::string, Digest>, std::string> m_notes;
};

}  // namespace simmer
