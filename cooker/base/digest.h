#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cooker/base/bytes.h"
#include "cooker/base/result.h"

namespace simmer {

/// A SHA-256 value.
struct Digest {
  std::array<std::uint8_t, 32> bytes{};

  /// 64 lower-case hexadecimal digits.
  std::string hex() const;
  /// The digest that `hex` spells; InvalidInput when it is not 64 hexadecimal digits.
  static Result<Digest> fromHex(std::string_view hex);
  /// The digest whose 32 bytes these are; Corrupt when there are not 32.
  static Result<Digest> fromBytes(ByteView bytes);

  auto operator<=>(const Digest&) const = default;
};

/// SHA-256 of all of it.
Digest sha256(ByteView bytes);
inline Digest sha256(std::string_view text) {
  return sha256(asBytes(text));
}

/// SHA-256 of bytes that come in pieces.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;
  void add(ByteView bytes);
  /// The digest of all that was added. The hasher can not be used afterwards.
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace simmer

template <>
struct std::hash<simmer::Digest> {
  std::size_t operator()(const simmer::Digest& digest) const noexcept {
    std::size_t value = 0;
    std::memcpy(&value, digest.bytes.data(), sizeof value);
    return value;
  }
};
