#include <cstring>

#include "plugins/animation/runtime/clip_loaders.h"

namespace simmer::runtime {
namespace {

/// The size of the buffer that a clip needs; 0 when there can be none.
std::uint32_t memoryOf(const Header& header, Layout& layout) {
  if (header.codec == Codec::Spline) return header.memoryBytes;
  return layOut(header, layout) ? layout.total : 0;
}

bool fits(const Header& header, const simmer_skeleton& skeleton) {
  return skeleton.joints == header.joints &&
         (header.digest == nullptr || std::memcmp(simmer_skeleton_digest(&skeleton), header.digest, kDigestBytes) == 0);
}

/// Opens the skeleton that stands inside the file, if there is one.
simmer_status openOwnSkeleton(const Header& header, simmer_skeleton& skeleton) {
  if (header.skeletonBytes == 0) return SIMMER_OK;
  const simmer_status status = simmer_skeleton_open(header.skeleton, header.skeletonBytes, &skeleton);
  if (status == SIMMER_VERSION) return status;
  return status == SIMMER_OK && fits(header, skeleton) ? SIMMER_OK : SIMMER_MALFORMED;
}

}  // namespace
}  // namespace simmer::runtime

using namespace simmer::runtime;

size_t simmer_clip_memory(const void* bytes, size_t size) {
  Header header;
  Layout layout;
  if (readHeader(static_cast<const std::uint8_t*>(bytes), size, header) != SIMMER_OK) return 0;
  return memoryOf(header, layout);
}

simmer_status simmer_clip_load(const void* bytes, size_t size, void* buffer, size_t buffer_size,
                               const simmer_clip** clip) {
  return simmer_clip_load_with(bytes, size, nullptr, buffer, buffer_size, clip);
}

simmer_status simmer_clip_load_with(const void* bytes, size_t size, const simmer_skeleton* skeleton, void* buffer,
                                    size_t buffer_size, const simmer_clip** clip) {
  *clip = nullptr;
  Header header;
  Layout layout;
  const simmer_status status = readHeader(static_cast<const std::uint8_t*>(bytes), size, header);
  if (status != SIMMER_OK) return status;
  const std::uint32_t needed = memoryOf(header, layout);
  if (needed == 0) return SIMMER_MALFORMED;
  if (reinterpret_cast<std::uintptr_t>(buffer) % 16 != 0) return SIMMER_MISALIGNED;
  if (buffer_size < needed) return SIMMER_BUFFER_TOO_SMALL;
  simmer_skeleton own = {nullptr, 0, 0};
  const simmer_status opened = openOwnSkeleton(header, own);
  if (opened != SIMMER_OK) return opened;
  if (skeleton != nullptr && !fits(header, *skeleton)) return SIMMER_MALFORMED;
  const simmer_skeleton* rest = nullptr;
  if ((header.flags & kFlagRest) != 0) {
    rest = own.bytes != nullptr ? &own : skeleton;
    if (rest == nullptr) return SIMMER_NEEDS_SKELETON;
  }
  const bool loaded =
      header.codec == Codec::Spline ? loadSpline(header, rest, buffer) : loadKeyed(header, layout, buffer);
  if (!loaded) return SIMMER_MALFORMED;
  *clip = static_cast<const simmer_clip*>(buffer);
  return SIMMER_OK;
}

const void* simmer_clip_file_skeleton(const void* bytes, size_t size, size_t* skeleton_size) {
  Header header;
  *skeleton_size = 0;
  if (readHeader(static_cast<const std::uint8_t*>(bytes), size, header) != SIMMER_OK || header.skeletonBytes == 0)
    return nullptr;
  *skeleton_size = header.skeletonBytes;
  return header.skeleton;
}
