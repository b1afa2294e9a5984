#pragma once

#include <cstddef>
#include <cstdint>

namespace simmer::runtime {

/// The adaptive probability of a zero bit: the mean of a quick and a slow estimate, in 1/65536.
struct Probability {
  std::uint16_t quick = 0x8000, slow = 0x8000;

  Probability() = default;
  explicit Probability(std::uint16_t start) : quick(start), slow(start) {}

  /// In 1/32768, from 1 to 32767.
  std::uint32_t ofZero() const { return ((std::uint32_t{quick} + slow) >> 2) | 1u; }
  void update(bool bit) {
    if (bit) {
      quick = static_cast<std::uint16_t>(quick - (quick >> kQuickRate));
      slow = static_cast<std::uint16_t>(slow - (slow >> kSlowRate));
    } else {
      quick = static_cast<std::uint16_t>(quick + ((0xFFFF - quick) >> kQuickRate));
      slow = static_cast<std::uint16_t>(slow + ((0xFFFF - slow) >> kSlowRate));
    }
  }

  static constexpr unsigned kQuickRate = 4, kSlowRate = 6;
};

inline constexpr unsigned kProbabilityBits = 15;
inline constexpr std::uint32_t kRangeLimit = 1u << 24;  // below it the next byte is needed

/// Adaptive binary range decoder (G. N. N. Martin 1979, with the carry handling of LZMA's). Behind its last byte a
/// stream goes on with zeros; it never fails, whoever reads from it bounds how much.
class RangeDecoder {
 public:
  RangeDecoder(const std::uint8_t* bytes, std::size_t size) : m_at(bytes), m_end(bytes + size) {
    for (int i = 0; i < 4; ++i) m_code = m_code << 8 | next();
  }

  /// The parameter is there for the encoder's sake: models are written once for both.
  bool bit(Probability& probability, bool = false) {
    const std::uint32_t bound = (m_range >> kProbabilityBits) * probability.ofZero();
    const bool one = m_code >= bound;
    if (one) {
      m_code -= bound;
      m_range -= bound;
    } else {
      m_range = bound;
    }
    probability.update(one);
    refill();
    return one;
  }

  /// An even number below 2^bits, `bits` at most 16.
  std::uint32_t even(unsigned bits, std::uint32_t = 0) {
    if (bits == 0) return 0;
    m_range >>= bits;
    const std::uint32_t most = (1u << bits) - 1;
    std::uint32_t value = m_code / m_range;
    if (value > most) value = most;
    m_code -= value * m_range;
    refill();
    return value;
  }

  /// Whether all bytes were read; fewer than four zeros may have been added.
  bool atEnd() const { return m_at == m_end; }

 private:
  std::uint32_t next() { return m_at == m_end ? 0u : *m_at++; }
  void refill() {
    while (m_range < kRangeLimit) {
      m_range <<= 8;
      m_code = m_code << 8 | next();
    }
  }

  const std::uint8_t *m_at, *m_end;
  std::uint32_t m_range = 0xFFFFFFFFu, m_code = 0;
};

}  // namespace simmer::runtime
