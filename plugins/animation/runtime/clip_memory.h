#pragma once

// How a loaded clip lies in the caller's buffer. All places are byte offsets from the clip's start, so that the layout
// is the same on every machine. Clips of codecs `raw` and `article` are here, those of `spline` in spline_memory.h.

#include <cstddef>
#include <cstdint>

#include "plugins/animation/runtime/format.h"
#include "plugins/animation/runtime/simmer_runtime.h"

/// What every clip begins with.
struct simmer_clip {
  double rate;
  std::uint32_t joints, frames, scalars;
  simmer::runtime::Codec codec;
  // Of codec `spline` alone: which arithmetic unit samples it, and the bytes of indices and offsets.
  std::uint8_t unit, indexBytes, offsetBytes;
};

namespace simmer::runtime {

/// One animated track: keys at frames, values at keys.
struct Track {
  std::uint32_t target;  ///< index of the float it writes: joint * 10 + one of 10; of a scalar track: its index
  std::uint32_t count;   ///< keys, at least 1
  std::uint32_t keys;    ///< place of the key frames; 0: key i stands at frame i
  std::uint32_t values;  ///< place of the values
  float low, range;      ///< of 16-bit values
  Interpolation interpolation;
  ValueFormat format;
  std::uint8_t rotation;
  std::uint8_t unused;
};
static_assert(sizeof(Track) == 28);

inline constexpr std::uint32_t kNoTrack = 0xFFFFFFFF;

/// What the header of a clip file says.
struct Header {
  Packing packing = Packing::Stored;
  Codec codec = Codec::Raw;
  std::uint32_t totalBytes = 0, joints = 0, frames = 0, scalars = 0, skeletonBytes = 0, bodyBytes = 0;
  double rate = 0;
  const std::uint8_t* digest = nullptr;  ///< null: the file names no skeleton
  std::uint32_t nameBytes = 0, tracks = 0, storedKeys = 0, valueBytes = 0;
  const std::uint8_t* skeleton = nullptr;
  const std::uint8_t* packed = nullptr;  ///< the body as it stands in the file
  std::uint32_t packedBytes = 0;
  // Of codec `spline` alone.
  std::uint8_t flags = 0;
  std::uint32_t memoryBytes = 0;
  const std::uint8_t* names = nullptr;
};

/// Reads and checks the header; the body is not looked at.
simmer_status readHeader(const std::uint8_t* bytes, std::size_t size, Header& header);

/// Places of everything in the buffer.
struct Layout {
  std::uint32_t base = 0, baseScalars = 0, tracks = 0, firstTrack = 0, scalarTrack = 0, nameAt = 0, names = 0;
  std::uint32_t values = 0, keys = 0, samples = 0, scalarSamples = 0, steps = 0, total = 0;
  std::uint32_t keyWidth = 0;
};

/// False when the clip would not fit into 32 bits.
bool layOut(const Header& header, Layout& layout);

/// A clip of codec `raw` or `article`.
struct KeyedClip : simmer_clip {
  Layout at;
  std::uint32_t jointTracks;  ///< tracks of joints stand before those of scalars
  std::uint8_t digest[kDigestBytes];
};

template <class T>
const T* inClip(const simmer_clip* clip, std::uint32_t place) {
  return reinterpret_cast<const T*>(reinterpret_cast<const unsigned char*>(clip) + place);
}
template <class T>
T* inClip(simmer_clip* clip, std::uint32_t place) {
  return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(clip) + place);
}

}  // namespace simmer::runtime
