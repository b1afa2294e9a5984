#pragma once

#include <cstdint>

#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// `source` as one gzip member (RFC 1952) that every gunzip opens. The header holds no time, name or system, so the
/// same bytes and level always give the same file. `level` is 1 (fast) to 9 (small). Cancelled when the context is.
Result<Bytes> gzip(ByteView source, int level, Context& context);

/// How many bytes of `source` an inflated `packed` gets wrong: differing ones, missing ones, and those too many, whose
/// count stops soon after the source's end, so that hostile bytes can not make this long. 0 means equal. Takes a fixed
/// amount of memory. Corrupt when `packed` is not one whole gzip member; Cancelled when the context is.
Result<std::uint64_t> countWrongBytes(ByteView packed, ByteView source, Context& context);

}  // namespace simmer
