#include "cache/store.h"

namespace simmer {

Result<void> checkPut(const Key& key, const Record& record, const std::vector<Bytes>& blobs) {
  if (sha256(record.keyText) != key)
    return fail(ErrorCode::InvalidInput, "the key is {}, the key text's SHA-256 is {}", key.hex(),
                sha256(record.keyText).hex());
  if (blobs.size() != record.blobs.size())
    return fail(ErrorCode::InvalidInput, "{} blobs were given, the record names {}", blobs.size(), record.blobs.size());
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    const BlobRef& ref = record.blobs[i];
    if (blobs[i].size() != ref.bytes)
      return fail(ErrorCode::InvalidInput, "blob {} has {} bytes, the record says {}", i, blobs[i].size(), ref.bytes);
    if (const Digest digest = sha256(blobs[i]); digest != ref.digest)
      return fail(ErrorCode::InvalidInput, "blob {} has the digest {}, the record says {}", i, digest.hex(),
                  ref.digest.hex());
  }
  return {};
}

}  // namespace simmer
