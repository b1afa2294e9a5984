#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"

namespace simmer {

/// The whole of a regular file. NotFound when it is absent; InvalidInput when it is no regular file (a FIFO would block
/// for ever) or larger than `limit`; Io otherwise.
Result<Bytes> readFile(const std::filesystem::path& path, std::uint64_t limit = std::uint64_t{1} << 32);

/// Replaces `path` by `bytes` as one step: a reader sees the old file or the new one, never a part. Writes a temporary
/// file (isTemporaryName()) in the same folder and renames it; makes the folder when it is not there.
/// With `sync` the bytes are on the disk before the name changes. Io on failure, and then nothing is left behind.
Result<void> writeFileAtomically(const std::filesystem::path& path, ByteView bytes, bool sync = false);

/// Whether writeFileAtomically() uses such names. A scan leaves them alone.
bool isTemporaryName(std::string_view fileName);

/// The last system error as text, for a message: "No space left on device".
std::string systemErrorText(int number);

}  // namespace simmer
