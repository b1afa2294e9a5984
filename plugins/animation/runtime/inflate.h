#pragma once

#include <cstddef>
#include <cstdint>

namespace simmer::runtime {

/// Decompresses a raw deflate stream (RFC 1951) piece by piece, without heap: about 36 KB of state. After the structure
/// of Mark Adler's puff. Hostile streams end in a failed read, never in a wild access.
class Inflater {
 public:
  Inflater(const std::uint8_t* bytes, std::size_t size) : m_in(bytes), m_size(size) {}

  /// The next `count` bytes; false when the stream is wrong or ends before them.
  bool read(std::uint8_t* out, std::size_t count);
  /// Whether the stream ends here and its last byte is the input's last.
  bool atEnd();

 private:
  enum class State : std::uint8_t { Header, Stored, Codes, Done, Wrong };
  struct Huffman {
    std::uint16_t count[16];
    std::uint16_t symbol[288];
  };

  int bit();
  int bits(unsigned count);  // -1 at the end of the input
  int decode(const Huffman& code);
  static bool build(Huffman& code, const std::uint8_t* lengths, unsigned count);
  bool nextBlock();
  bool storedBlock();
  void fixedCodes();
  bool dynamicCodes();
  bool nextSymbol();
  void emit(std::uint8_t byte, std::uint8_t*& out);

  static constexpr std::uint32_t kWindow = 32768;
  const std::uint8_t* m_in;
  std::size_t m_size, m_at = 0;
  unsigned m_bits = 0, m_bitCount = 0;
  State m_state = State::Header;
  bool m_last = false;
  std::uint32_t m_storedLeft = 0, m_copyLeft = 0, m_copyDistance = 0;
  int m_literal = -1;
  std::uint64_t m_written = 0;
  Huffman m_lengths, m_distances;
  std::uint8_t m_window[kWindow];
};

}  // namespace simmer::runtime
