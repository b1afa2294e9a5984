#include "cooker/base/digest.h"

#include <cassert>

#include <openssl/evp.h>

namespace simmer {

struct Hasher::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() {
    // Fetched once: EVP_sha256() would look the algorithm up again for every digest.
    static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    [[maybe_unused]] const int ok = EVP_DigestInit_ex2(context, algorithm, nullptr);
    assert(ok == 1);
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Hasher::Hasher() : m_state(std::make_unique<State>()) {}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::add(ByteView bytes) {
  EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size());
}

Digest Hasher::finish() {
  Digest digest;
  EVP_DigestFinal_ex(m_state->context, digest.bytes.data(), nullptr);
  return digest;
}

Digest sha256(ByteView bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.finish();
}

std::string Digest::hex() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

Result<Digest> Digest::fromHex(std::string_view hex) {
  Digest digest;
  if (hex.size() != 2 * digest.bytes.size())
    return fail(ErrorCode::InvalidInput, "a digest has {} hexadecimal digits, this has {} characters",
                2 * digest.bytes.size(), hex.size());
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const char c = hex[i];
    const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (value < 0) return fail(ErrorCode::InvalidInput, "'{}' is not a lower-case hexadecimal digit", c);
    digest.bytes[i / 2] = static_cast<std::uint8_t>(digest.bytes[i / 2] << 4 | value);
  }
  return digest;
}

Result<Digest> Digest::fromBytes(ByteView view) {
  Digest digest;
  if (view.size() != digest.bytes.size())
    return fail(ErrorCode::Corrupt, "a digest has {} bytes, this has {}", digest.bytes.size(), view.size());
  std::copy(view.begin(), view.end(), digest.bytes.begin());
  return digest;
}

}  // namespace simmer
