#pragma once

#include <cstdint>
#include <vector>

#include "cooker/base/bytes.h"
#include "plugins/animation/runtime/range_decoder.h"

namespace simmer::animation::spline {

/// Writes what runtime::RangeDecoder reads. Its state goes the other way, from the last choice to the first, so choices
/// are kept until finish().
class RangeEncoder {
 public:
  bool bit(runtime::Probability& probability, bool one) {
    const std::uint32_t zero = probability.ofZero();
    m_choices.push_back(one ? Choice{zero, runtime::kCertain - zero} : Choice{0, zero});
    probability.update(one);
    return one;
  }
  unsigned symbol(runtime::SymbolChances& chances, unsigned symbol) {
    m_choices.push_back({chances.below[symbol], chances.lengthOf(symbol)});
    chances.update(symbol);
    return symbol;
  }
  std::uint32_t even(unsigned bits, std::uint32_t value) {
    m_pending = m_pending << bits | value;
    for (m_pendingBits += bits; m_pendingBits >= 8; m_pendingBits -= 8)
      m_even.push_back(static_cast<std::uint8_t>(m_pending >> (m_pendingBits - 8)));
    return value;
  }

  /// The stream.
  Bytes finish() {
    std::vector<std::uint16_t> words;  // from the last to the first
    std::uint32_t state = runtime::RangeDecoder::kLowest;
    for (auto choice = m_choices.rbegin(); choice != m_choices.rend(); ++choice) {
      if (state >= std::uint64_t{choice->length} << (32 - runtime::kChanceBits)) {
        words.push_back(static_cast<std::uint16_t>(state));
        state >>= 16;
      }
      state = (state / choice->length << runtime::kChanceBits) + state % choice->length + choice->start;
    }
    words.push_back(static_cast<std::uint16_t>(state >> 16));
    words.push_back(static_cast<std::uint16_t>(state));
    Bytes bytes;
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
      bytes.push_back(static_cast<std::uint8_t>(*word));
      bytes.push_back(static_cast<std::uint8_t>(*word >> 8));
    }
    if (m_pendingBits > 0) m_even.push_back(static_cast<std::uint8_t>(m_pending << (8 - m_pendingBits)));
    bytes.insert(bytes.end(), m_even.rbegin(), m_even.rend());
    return bytes;
  }

 private:
  /// A part of runtime::kCertain.
  struct Choice {
    std::uint32_t start, length;
  };

  std::vector<Choice> m_choices;
  std::vector<std::uint8_t> m_even;  // from the stream's end backwards
  std::uint64_t m_pending = 0;
  unsigned m_pendingBits = 0;
};

}  // namespace simmer::animation::spline
