#pragma once

#include <string>
#include <vector>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"

namespace simmer::animation::gltf {

/// The two halves of a glTF file. The views point into the file's bytes.
struct Container {
  ByteView json;
  ByteView binary;  ///< the BIN chunk of a GLB
  bool hasBinary = false;
  std::vector<std::string> warnings;
};

/// Takes a GLB apart, or gives the whole of a .gltf as JSON; which it is shows in the first four bytes. A byte order
/// mark is skipped. InvalidInput when lengths do not fit, chunks repeat or the JSON chunk is not the first; Unsupported
/// for another version than 2.
Result<Container> openContainer(ByteView file);

}  // namespace simmer::animation::gltf
