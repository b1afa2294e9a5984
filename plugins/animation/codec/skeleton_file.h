#pragma once

#include "cooker/base/digest.h"
#include "plugins/animation/clip/skeleton.h"

namespace simmer::animation {

/// A skeleton as a `.skeleton` file (runtime/FORMAT.md) and the digest that clips name it by.
struct SkeletonFile {
  Bytes bytes;
  Digest digest;
};

/// Unsupported when it would pass the limits of the format.
Result<SkeletonFile> writeSkeleton(const Skeleton& skeleton);

/// The skeleton that a `.skeleton` file holds; Corrupt when it is none.
Result<Skeleton> readSkeleton(ByteView bytes);

}  // namespace simmer::animation
