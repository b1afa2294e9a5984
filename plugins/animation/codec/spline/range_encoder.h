#pragma once

#include <cstdint>

#include "cooker/base/bytes.h"
#include "plugins/animation/runtime/range_decoder.h"

namespace simmer::animation::spline {

/// Writes what runtime::RangeDecoder reads.
class RangeEncoder {
 public:
  bool bit(runtime::Probability& probability, bool one) {
    const std::uint32_t bound = (m_range >> runtime::kProbabilityBits) * probability.ofZero();
    if (one) {
      m_low += bound;
      m_range -= bound;
    } else {
      m_range = bound;
    }
    probability.update(one);
    refill();
    return one;
  }
  std::uint32_t even(unsigned bits, std::uint32_t value) {
    if (bits == 0) return 0;
    m_range >>= bits;
    m_low += std::uint64_t{value} * m_range;
    refill();
    return value;
  }
  /// The stream: the shortest end that tells the last symbols apart, without zeros behind it.
  Bytes finish() {
    // The value below the end of the range with the most zeros at its end.
    for (std::uint64_t mask = 0xFFFFFFFFu; mask != 0; mask >>= 8) {
      const std::uint64_t rounded = (m_low + mask) & ~mask;
      if (rounded - m_low < m_range) {
        m_low = rounded;
        break;
      }
    }
    for (int i = 0; i < 5; ++i) shift();
    while (!m_bytes.empty() && m_bytes.back() == 0) m_bytes.pop_back();
    return std::move(m_bytes);
  }

 private:
  void refill() {
    while (m_range < runtime::kRangeLimit) {
      m_range <<= 8;
      shift();
    }
  }
  void shift() {
    if (m_low < 0xFF000000u || m_low > 0xFFFFFFFFu) {
      const auto carry = static_cast<std::uint8_t>(m_low >> 32);
      if (!m_first) m_bytes.push_back(static_cast<std::uint8_t>(m_pending + carry));
      m_first = false;
      for (; m_waiting > 0; --m_waiting) m_bytes.push_back(static_cast<std::uint8_t>(0xFF + carry));
      m_pending = static_cast<std::uint8_t>(m_low >> 24);
    } else {
      ++m_waiting;
    }
    m_low = (m_low & 0x00FFFFFFu) << 8;
  }

  Bytes m_bytes;
  std::uint64_t m_low = 0;
  std::uint32_t m_range = 0xFFFFFFFFu;
  std::uint64_t m_waiting = 0;
  std::uint8_t m_pending = 0;
  bool m_first = true;  // the byte before the first is always zero and not written
};

}  // namespace simmer::animation::spline
