#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "plugins/animation/runtime/little_endian.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace simmer::runtime {

inline constexpr unsigned kChanceBits = 15;
inline constexpr std::uint32_t kCertain = 1u << kChanceBits;  // chances are in parts of this

/// The adaptive probability of a zero bit: the mean of a quick and a slow estimate, in 1/65536.
struct Probability {
  std::uint16_t quick = 0x8000, slow = 0x8000;

  /// In 1/32768, from 1 to 32767.
  std::uint32_t ofZero() const { return ((std::uint32_t{quick} + slow) >> 2) | 1u; }
  void update(bool bit) { updateBy(bit ? 0u : 0xFFFFu); }
  /// Of 0xFFFF for a zero and 0 for a one: zeros take from what is missing to 65535, ones from what is there.
  void updateBy(std::uint32_t flip) {
    const std::uint32_t q = quick ^ flip, s = slow ^ flip;
    quick = static_cast<std::uint16_t>((q - (q >> kQuickRate)) ^ flip);
    slow = static_cast<std::uint16_t>((s - (s >> kSlowRate)) ^ flip);
  }

  static constexpr unsigned kQuickRate = 4, kSlowRate = 6;
};

/// Adaptive chances of 16 symbols, as the sums of those before each (F. Giesen, "Mixing discrete distributions"). None
/// is ever below kLeast.
struct SymbolChances {
  static constexpr unsigned kSymbols = 16, kRate = 6;
  static constexpr std::uint32_t kLeast = 16;

  std::uint16_t below[kSymbols] = {};
  std::uint16_t all = kCertain;  ///< behind the last sum, so that each symbol has its part between two

  std::uint32_t lengthOf(unsigned symbol) const {
    return std::uint32_t{symbol + 1 < kSymbols ? below[symbol + 1] : all} - below[symbol];
  }

  void update(unsigned symbol) {
#if defined(__SSE2__)
    auto* const at = reinterpret_cast<__m128i*>(below);
    const auto* const goal = reinterpret_cast<const __m128i*>(kGoals.below[symbol]);
    for (int half = 0; half < 2; ++half) {
      const __m128i now = _mm_loadu_si128(at + half);
      const __m128i away = _mm_sub_epi16(_mm_loadu_si128(goal + half), now);
      _mm_storeu_si128(at + half, _mm_add_epi16(now, _mm_srai_epi16(away, kRate)));
    }
#else
    for (unsigned i = 0; i < kSymbols; ++i)
      below[i] = static_cast<std::uint16_t>(below[i] + ((kGoals.below[symbol][i] - below[i]) >> kRate));
#endif
  }
  /// The symbol that a chance, below kCertain, belongs to.
  unsigned at(std::uint32_t chance) const {
#if defined(__SSE2__)
    const auto* const at = reinterpret_cast<const __m128i*>(below);
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(chance));
    const __m128i above =
        _mm_packs_epi16(_mm_cmpgt_epi16(_mm_loadu_si128(at), wanted), _mm_cmpgt_epi16(_mm_loadu_si128(at + 1), wanted));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(above)) | 1u << kSymbols;
    return static_cast<unsigned>(__builtin_ctz(mask)) - 1;
#else
    unsigned symbol = 0;
    for (unsigned i = 1; i < kSymbols; ++i) symbol += below[i] <= chance ? 1 : 0;
    return symbol;
#endif
  }

 private:
  /// Where the sums go when a symbol is seen.
  struct Goals {
    std::int16_t below[kSymbols][kSymbols] = {};
    constexpr Goals() {
      for (unsigned seen = 0; seen < kSymbols; ++seen)
        for (unsigned i = 0; i < kSymbols; ++i)
          below[seen][i] = static_cast<std::int16_t>(i <= seen ? i * kLeast : kCertain - (kSymbols - i) * kLeast);
    }
  };
  static const Goals kGoals;
};
inline constexpr SymbolChances::Goals SymbolChances::kGoals;

/// Entropy decoder: range asymmetric numeral systems (J. Duda 2009) with one 32-bit state, 16 bits at a time from the
/// stream's front; numbers whose values are all as likely stand as they are, from the stream's end backwards. Behind
/// its bytes there are zeros; it never fails, whoever reads from it bounds how much and asks isComplete() in the end.
class RangeDecoder {
 public:
  static constexpr std::uint32_t kLowest = 1u << 16;  ///< states are not below it, and the encoder's first one is this

  RangeDecoder(const std::uint8_t* bytes, std::size_t size)
      : m_bytes(bytes), m_size(size), m_words(size > 0 ? size - 1 : 0) {
    m_state = peek();
    m_at = 2;
    m_state |= peek() << 16;
    m_at = 4;
  }

  /// The parameters behind the first are there for the encoder's sake: models are written once for both.
  bool bit(Probability& probability, bool = false) {
    const std::uint32_t zero = probability.ofZero(), chance = m_state & (kCertain - 1);
    // Without branches: bits are hard to foresee. Both are far below 2^31.
    std::uint32_t one = ((chance - zero) >> 31) ^ 1u;
    hide(one);
    const std::uint32_t ifOne = 0u - one;
    probability.updateBy(~ifOne & 0xFFFFu);
    take(chance, zero & ifOne, zero + ((kCertain - 2 * zero) & ifOne));
    return one != 0;
  }
  unsigned symbol(SymbolChances& chances, unsigned = 0) {
    const std::uint32_t chance = m_state & (kCertain - 1);
    const unsigned symbol = chances.at(chance);
    std::uint16_t part[2];  // where it starts and ends
    static_assert(sizeof chances == sizeof chances.below + 2, "the end of the last stands behind the sums");
    std::memcpy(part, reinterpret_cast<const std::uint8_t*>(&chances) + 2 * symbol, sizeof part);
    chances.update(symbol);
    take(chance, part[0], std::uint32_t{part[1]} - part[0]);
    return symbol;
  }

  /// An even number below 2^bits, `bits` at most 32.
  std::uint32_t even(unsigned bits, std::uint32_t = 0) {
    const std::uint64_t shown = fromEnd(m_even >> 3) << (m_even & 7);
    m_even += bits;
    return static_cast<std::uint32_t>(shown >> 1 >> (63 - bits));
  }

  /// Whether every byte was read, the last state is the encoder's first, and unused bits of the last byte are zero.
  bool isComplete() const {
    const std::uint64_t evenBytes = (m_even + 7) >> 3;
    if (m_state != kLowest || m_at > m_size || evenBytes != m_size - m_at) return false;
    return (m_even & 7) == 0 || static_cast<std::uint8_t>(m_bytes[m_at] << (m_even & 7)) == 0;
  }

 private:
  /// Compilers would make a branch of what they know to be a choice.
  static void hide([[maybe_unused]] std::uint32_t& value) {
#if defined(__GNUC__)
    __asm__("" : "+r"(value));
#endif
  }
  void take(std::uint32_t chance, std::uint32_t start, std::uint32_t length) {
    m_state = length * (m_state >> kChanceBits) + chance - start;
    // Without a branch: nobody could foresee it.
    const std::uint32_t low = m_state < kLowest ? 1 : 0;
    m_state = m_state << (low << 4) | (peek() & (0u - low));
    m_at += 2 * low;
  }
  std::uint32_t peek() const {
    return m_at < m_words ? readU16(m_bytes + m_at) : 0u;
  }
  /// Eight bytes of which the highest is `back` before the last.
  std::uint64_t fromEnd(std::uint64_t back) const {
    if (back + 8 <= m_size) return readU64(m_bytes + (m_size - 8 - back));
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8 && back + i < m_size; ++i)
      word |= std::uint64_t{m_bytes[m_size - 1 - back - i]} << (56 - 8 * i);
    return word;
  }

  const std::uint8_t* m_bytes;
  std::uint64_t m_size, m_words, m_at = 0;  // words start before m_words
  std::uint64_t m_even = 0;                 // bits read from the end
  std::uint32_t m_state;
};

}  // namespace simmer::runtime
