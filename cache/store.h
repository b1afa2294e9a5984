#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cooker/base/bytes.h"
#include "cooker/base/digest.h"
#include "cooker/base/result.h"

namespace simmer {

/// SHA-256 of a key text.
using Key = Digest;

/// The name of a blob and how many bytes it has.
struct BlobRef {
  Digest digest;
  std::uint64_t bytes = 0;
  bool operator==(const BlobRef&) const = default;
};

/// What is kept under a key: an artifact, or a negative answer.
struct Record {
  std::string keyText;         ///< what the key is the SHA-256 of
  std::string meta;            ///< the rest of the record as JSON, in the engine's form; holds no file name
  std::vector<BlobRef> blobs;  ///< the artifact's outputs, in order; empty for a negative answer
  bool operator==(const Record&) const = default;
};

struct StoreStats {
  std::uint64_t records = 0;
  std::uint64_t notes = 0;
  std::uint64_t blobs = 0;
  std::uint64_t blobBytes = 0;       ///< bytes of all blobs
  std::uint64_t fileBytes = 0;       ///< what the store takes on the disk
  std::uint64_t corruptDropped = 0;  ///< blobs, records and notes found corrupt and dropped, ever
};

/// What every store asks of put(): the key is the SHA-256 of the key text, and the blobs have the sizes and digests
/// that the record says. InvalidInput otherwise.
Result<void> checkPut(const Key& key, const Record& record, const std::vector<Bytes>& blobs);

/// A place for cooked results. "Absent", "failed" and "found" differ: an empty optional, an error, a value.
/// Safe to call from several threads.
class Store {
 public:
  virtual ~Store() = default;

  /// The record under a key. One that was damaged is dropped, counted, and absent from then on: it is cooked again.
  virtual Result<std::optional<Record>> find(const Key& key) = 0;
  /// The bytes of a blob, checked against its digest. A blob that does not match is dropped with every record that
  /// needs it, counted, and reported as Corrupt: whoever asked cooks again. One that is gone is absent, and the records
  /// that need it are dropped too.
  virtual Result<std::optional<Bytes>> blob(const Digest& digest) = 0;
  /// Keeps a record and its blobs; `blobs[i]` holds the bytes of `record.blobs[i]`. Replaces what was there. What is
  /// kept may reach the disk later, but flush() or the end of the store's life makes sure of it. InvalidInput when
  /// checkPut() refuses it; Io when the disk does, perhaps for an earlier put (which is then tried again).
  virtual Result<void> put(const Key& key, const Record& record, const std::vector<Bytes>& blobs) = 0;

  /// Small texts that are remembered by a digest, apart by kind: what a source holds, which files it depends on. They
  /// may be forgotten; a damaged one is dropped, counted and absent.
  virtual Result<std::optional<std::string>> note(std::string_view kind, const Digest& digest) = 0;
  virtual Result<void> putNote(std::string_view kind, const Digest& digest, std::string_view text) = 0;

  virtual Result<void> flush() = 0;
};

}  // namespace simmer
