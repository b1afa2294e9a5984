#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace simmer {

using Bytes = std::vector<std::uint8_t>;         ///< Owned bytes.
using ByteView = std::span<const std::uint8_t>;  ///< Bytes that somebody else owns.

inline ByteView asBytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::string_view asText(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends little-endian values to a buffer it owns.
class ByteWriter {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    std::uint8_t raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) std::reverse(std::begin(raw), std::end(raw));
    m_bytes.insert(m_bytes.end(), std::begin(raw), std::end(raw));
  }
  void putBytes(ByteView bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }
  /// A 32-bit length, then the bytes.
  void putText(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    putBytes(asBytes(text));
  }
  std::size_t size() const { return m_bytes.size(); }
  Bytes take() { return std::move(m_bytes); }

 private:
  Bytes m_bytes;
};

/// Reads little-endian values from bytes it does not own. A read past the end gives zeros and makes ok() false
/// from then on, so that a parser may read a whole record and check once.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : m_bytes(bytes) {}

  template <class T>
  T take() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    const ByteView raw = takeBytes(sizeof(T));
    if (raw.size() != sizeof(T)) return value;
    std::uint8_t copy[sizeof(T)];
    std::memcpy(copy, raw.data(), sizeof(T));
    if constexpr (std::endian::native == std::endian::big) std::reverse(std::begin(copy), std::end(copy));
    std::memcpy(&value, copy, sizeof(T));
    return value;
  }
  /// The next `count` bytes, or an empty view (and ok() false) when fewer are left.
  ByteView takeBytes(std::size_t count) {
    if (!m_ok || count > left()) {
      m_ok = false;
      return {};
    }
    const ByteView view = m_bytes.subspan(m_at, count);
    m_at += count;
    return view;
  }
  std::string_view takeText() {
    const auto length = take<std::uint32_t>();
    return asText(takeBytes(length));
  }
  bool ok() const { return m_ok; }
  std::size_t left() const { return m_bytes.size() - m_at; }
  std::size_t at() const { return m_at; }

 private:
  ByteView m_bytes;
  std::size_t m_at = 0;
  bool m_ok = true;
};

}  // namespace simmer
