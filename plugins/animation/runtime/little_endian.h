#pragma once

#include <cstdint>
#include <cstring>

namespace simmer::runtime {

inline std::uint32_t readU32(const std::uint8_t* p) {
  return p[0] | static_cast<std::uint32_t>(p[1]) << 8 | static_cast<std::uint32_t>(p[2]) << 16 |
         static_cast<std::uint32_t>(p[3]) << 24;
}

inline float readF32(const std::uint8_t* p) {
  const std::uint32_t word = readU32(p);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline double readF64(const std::uint8_t* p) {
  const std::uint64_t word = readU32(p) | static_cast<std::uint64_t>(readU32(p + 4)) << 32;
  double value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

/// Turns `count` little-endian values of `width` bytes into the machine's own order, in place.
inline void toNativeOrder(std::uint8_t* bytes, std::size_t count, std::size_t width) {
  const std::uint16_t probe = 1;
  std::uint8_t first;
  std::memcpy(&first, &probe, 1);
  if (first == 1) return;
  for (std::size_t i = 0; i < count; ++i, bytes += width)
    for (std::size_t a = 0, b = width - 1; a < b; ++a, --b) {
      const std::uint8_t swapped = bytes[a];
      bytes[a] = bytes[b];
      bytes[b] = swapped;
    }
}

/// The next base-128 number of at most 32 bits, least significant group first, without needless groups. `next` gives
/// one byte or false.
template <class Next>
bool readVarint(std::uint32_t& value, Next next) {
  value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    std::uint8_t byte;
    if (!next(byte)) return false;
    const std::uint32_t group = byte & 0x7Fu;
    if (shift == 28 && group > 15) return false;
    value |= group << shift;
    if ((byte & 0x80u) == 0) return shift == 0 || group != 0;
  }
  return false;
}

}  // namespace simmer::runtime
