#pragma once

#include <cstdint>
#include <cstring>

namespace simmer::runtime {

inline std::uint16_t readU16(const std::uint8_t* p) {
  return static_cast<std::uint16_t>(p[0] | p[1] << 8);
}

inline std::uint32_t readU32(const std::uint8_t* p) {
  return p[0] | static_cast<std::uint32_t>(p[1]) << 8 | static_cast<std::uint32_t>(p[2]) << 16 |
         static_cast<std::uint32_t>(p[3]) << 24;
}

inline std::uint64_t readU64(const std::uint8_t* p) {
  return readU32(p) | static_cast<std::uint64_t>(readU32(p + 4)) << 32;
}

inline void writeU16(std::uint8_t* p, std::uint32_t value) {
  p[0] = static_cast<std::uint8_t>(value);
  p[1] = static_cast<std::uint8_t>(value >> 8);
}

inline void writeU32(std::uint8_t* p, std::uint32_t value) {
  writeU16(p, value);
  writeU16(p + 2, value >> 16);
}

/// An index of 1, 2 or 4 bytes.
inline void writeIndex(std::uint8_t* p, std::uint32_t value, std::uint32_t bytes) {
  if (bytes == 1) {
    *p = static_cast<std::uint8_t>(value);
  } else if (bytes == 2) {
    writeU16(p, value);
  } else {
    writeU32(p, value);
  }
}

inline void writeU64(std::uint8_t* p, std::uint64_t value) {
  writeU32(p, static_cast<std::uint32_t>(value));
  writeU32(p + 4, static_cast<std::uint32_t>(value >> 32));
}

inline float readF32(const std::uint8_t* p) {
  const std::uint32_t word = readU32(p);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline void writeF32(std::uint8_t* p, float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  writeU32(p, word);
}

inline double readF64(const std::uint8_t* p) {
  const std::uint64_t word = readU64(p);
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
