#include "plugins/animation/runtime/inflate.h"

namespace simmer::runtime {
namespace {

constexpr std::uint16_t kLengthBase[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                           31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::uint8_t kLengthBits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::uint16_t kDistanceBase[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                             33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                             1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::uint8_t kDistanceBits[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
constexpr std::uint8_t kCodeOrder[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

}  // namespace

int Inflater::bit() {
  if (m_bitCount == 0) {
    if (m_at == m_size) return -1;
    m_bits = m_in[m_at++];
    m_bitCount = 8;
  }
  const int value = static_cast<int>(m_bits & 1);
  m_bits >>= 1;
  --m_bitCount;
  return value;
}

int Inflater::bits(unsigned count) {
  int value = 0;
  for (unsigned i = 0; i < count; ++i) {
    const int next = bit();
    if (next < 0) return -1;
    value |= next << i;
  }
  return value;
}

int Inflater::decode(const Huffman& code) {
  int value = 0, first = 0, index = 0;
  for (unsigned length = 1; length < 16; ++length) {
    const int next = bit();
    if (next < 0) return -1;
    value |= next;
    const int count = code.count[length];
    if (value - count < first) return code.symbol[index + (value - first)];
    index += count;
    first = (first + count) << 1;
    value <<= 1;
  }
  return -1;
}

// False when the lengths over-subscribe the code. An incomplete code is allowed; a read of an unused one fails.
bool Inflater::build(Huffman& code, const std::uint8_t* lengths, unsigned count) {
  for (auto& c : code.count) c = 0;
  for (unsigned i = 0; i < count; ++i) ++code.count[lengths[i]];
  code.count[0] = 0;
  int left = 1;
  for (unsigned length = 1; length < 16; ++length) {
    left = (left << 1) - code.count[length];
    if (left < 0) return false;
  }
  std::uint16_t offset[16] = {};
  for (unsigned length = 1; length < 15; ++length)
    offset[length + 1] = static_cast<std::uint16_t>(offset[length] + code.count[length]);
  for (unsigned i = 0; i < count; ++i)
    if (lengths[i] != 0) code.symbol[offset[lengths[i]]++] = static_cast<std::uint16_t>(i);
  return true;
}

bool Inflater::storedBlock() {
  m_bitCount = 0;
  if (m_size - m_at < 4) return false;
  const unsigned length = m_in[m_at] | static_cast<unsigned>(m_in[m_at + 1]) << 8;
  const unsigned inverse = m_in[m_at + 2] | static_cast<unsigned>(m_in[m_at + 3]) << 8;
  if ((length ^ 0xFFFFu) != inverse) return false;
  m_at += 4;
  m_storedLeft = length;
  m_state = State::Stored;
  return true;
}

void Inflater::fixedCodes() {
  std::uint8_t lengths[288];
  for (unsigned i = 0; i < 288; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  build(m_lengths, lengths, 288);
  for (unsigned i = 0; i < 30; ++i) lengths[i] = 5;
  build(m_distances, lengths, 30);
}

bool Inflater::dynamicCodes() {
  const int literals = bits(5), distances = bits(5), codes = bits(4);
  if (literals < 0 || distances < 0 || codes < 0 || literals > 29 || distances > 29) return false;
  const unsigned literalCount = static_cast<unsigned>(literals) + 257;
  const unsigned total = literalCount + static_cast<unsigned>(distances) + 1;
  std::uint8_t lengths[320] = {};
  for (int i = 0; i < codes + 4; ++i) {
    const int length = bits(3);
    if (length < 0) return false;
    lengths[kCodeOrder[i]] = static_cast<std::uint8_t>(length);
  }
  if (!build(m_lengths, lengths, 19)) return false;
  for (unsigned at = 0; at < total;) {
    const int symbol = decode(m_lengths);
    if (symbol < 0) return false;
    if (symbol < 16) {
      lengths[at++] = static_cast<std::uint8_t>(symbol);
      continue;
    }
    if (symbol == 16 && at == 0) return false;
    const std::uint8_t repeated = symbol == 16 ? lengths[at - 1] : 0;
    const int more = symbol == 16 ? bits(2) : symbol == 17 ? bits(3) : bits(7);
    if (more < 0) return false;
    const unsigned repeat = static_cast<unsigned>(more) + (symbol == 18 ? 11 : 3);
    if (at + repeat > total) return false;
    for (unsigned i = 0; i < repeat; ++i) lengths[at++] = repeated;
  }
  if (lengths[256] == 0) return false;  // the block could not end
  return build(m_lengths, lengths, literalCount) && build(m_distances, lengths + literalCount, total - literalCount);
}

bool Inflater::nextBlock() {
  if (m_last) {
    m_state = State::Done;
    return true;
  }
  const int last = bit(), type = bits(2);
  if (last < 0 || type < 0 || type == 3) return false;
  m_last = last == 1;
  if (type == 0) return storedBlock();
  m_state = State::Codes;
  if (type == 2) return dynamicCodes();
  fixedCodes();
  return true;
}

// Reads one symbol: a literal, the start of a copy, or the end of the block.
bool Inflater::nextSymbol() {
  int symbol = decode(m_lengths);
  if (symbol < 0) return false;
  if (symbol < 256) {
    m_literal = symbol;
    return true;
  }
  if (symbol == 256) {
    m_state = State::Header;
    return true;
  }
  symbol -= 257;
  if (symbol >= 29) return false;
  const int extraLength = bits(kLengthBits[symbol]);
  const int distanceSymbol = decode(m_distances);
  if (extraLength < 0 || distanceSymbol < 0 || distanceSymbol >= 30) return false;
  const int extraDistance = bits(kDistanceBits[distanceSymbol]);
  if (extraDistance < 0) return false;
  m_copyDistance = kDistanceBase[distanceSymbol] + static_cast<std::uint32_t>(extraDistance);
  if (m_copyDistance > m_written) return false;
  m_copyLeft = kLengthBase[symbol] + static_cast<std::uint32_t>(extraLength);
  return true;
}

void Inflater::emit(std::uint8_t byte, std::uint8_t*& out) {
  m_window[m_written++ % kWindow] = byte;
  *out++ = byte;
}

bool Inflater::read(std::uint8_t* out, std::size_t count) {
  const std::uint8_t* const end = out + count;
  while (out != end) {
    if (m_copyLeft > 0) {
      --m_copyLeft;
      emit(m_window[(m_written - m_copyDistance) % kWindow], out);
    } else if (m_literal >= 0) {
      emit(static_cast<std::uint8_t>(m_literal), out);
      m_literal = -1;
    } else if (m_state == State::Stored && m_storedLeft > 0) {
      if (m_at == m_size) return m_state = State::Wrong, false;
      --m_storedLeft;
      emit(m_in[m_at++], out);
    } else {
      const bool fine = m_state == State::Codes                                ? nextSymbol()
                        : m_state == State::Header || m_state == State::Stored ? nextBlock()
                                                                               : false;
      if (!fine) return m_state = State::Wrong, false;
    }
  }
  return true;
}

bool Inflater::atEnd() {
  while (m_copyLeft == 0 && m_literal < 0 && m_state != State::Done) {
    if (m_state == State::Stored && m_storedLeft > 0) return false;
    const bool fine = m_state == State::Codes                                ? nextSymbol()
                      : m_state == State::Header || m_state == State::Stored ? nextBlock()
                                                                             : false;
    if (!fine) return false;
  }
  return m_state == State::Done && m_at == m_size;
}

}  // namespace simmer::runtime
