#pragma once

#include <string>
#include <string_view>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"

namespace simmer::animation::gltf {

/// Whether the data stand in the URI itself.
bool isDataUri(std::string_view uri);

/// The bytes of a data URI in base64 (RFC 2397, RFC 4648). InvalidInput when it is wrong, Unsupported when it has
/// another encoding. Errors have no place.
Result<Bytes> decodeDataUri(std::string_view uri);

/// The path beside the source that a relative URI means: percent-decoded, backslashes of Windows exporters as '/',
/// "." and ".." worked out as far as they stay below the source's folder (whether a path above it is still inside the
/// source tree, the reader knows). Unsupported for a URI with a scheme, InvalidInput for an absolute or an empty path.
Result<std::string> relativePath(std::string_view uri);

/// A URI or another text of a file as a message quotes it: at most 60 characters, '?' for what is not ASCII.
std::string shortUri(std::string_view uri);

}  // namespace simmer::animation::gltf
