#pragma once

#include "plugins/animation/runtime/little_endian.h"
#include "plugins/animation/runtime/spline_layout.h"

namespace simmer::runtime {

/// Reads constant vectors to where they stay in a clip: as 16-bit integers until one needs more, then all as 32-bit
/// ones, which become float32 at last.
class ConstantReader {
 public:
  /// `room` bytes may be used from `out` on.
  ConstantReader(std::uint8_t* out, std::uint64_t room) : m_out(out), m_room(room) {}

  bool read(RangeDecoder& coder, std::uint32_t count) {
    if (std::uint64_t{count} * kNarrow > m_room) return false;
    ConstantModel model;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::int32_t vector[3];
      if (!readOne(coder, model, i, vector)) return false;
      if (!m_wide && (isConstantWide(vector[0]) || isConstantWide(vector[1]) || isConstantWide(vector[2])) &&
          !widen(i, count))
        return false;
      put(i, vector);
    }
    return true;
  }
  bool isWide() const { return m_wide; }
  /// Turns wide integers into values: first + step * integer.
  void scale(std::uint32_t count, float first, float step) {
    for (std::uint32_t i = 0; m_wide && i < 3 * count; ++i) {
      const auto integer = static_cast<std::int32_t>(readU32(m_out + 4 * i));
      writeF32(m_out + 4 * i, first + step * static_cast<float>(integer));
    }
  }

 private:
  static constexpr std::uint32_t kNarrow = 6, kWide = 12;

  bool readOne(RangeDecoder& coder, ConstantModel& model, std::uint32_t index, std::int32_t* vector) {
    const std::uint32_t distance = model.codeDistance(coder);
    if (distance > index) return false;
    for (unsigned c = 0; c < 3; ++c) {
      if (distance == 0) {
        vector[c] = model.components[c].code(coder);
      } else {
        vector[c] = component(index - distance, c);
        if (vector[c] != 0 && coder.bit(model.turned[c])) vector[c] = -vector[c];
      }
    }
    return true;
  }
  std::int32_t component(std::uint32_t index, unsigned c) const {
    if (m_wide) return static_cast<std::int32_t>(readU32(m_out + std::size_t{kWide} * index + 4 * c));
    return static_cast<std::int16_t>(readU16(m_out + std::size_t{kNarrow} * index + 2 * c));
  }
  void put(std::uint32_t index, const std::int32_t* vector) {
    for (unsigned c = 0; c < 3; ++c) {
      const auto bits = static_cast<std::uint32_t>(vector[c]);
      if (m_wide) {
        writeU32(m_out + std::size_t{kWide} * index + 4 * c, bits);
      } else {
        writeU16(m_out + std::size_t{kNarrow} * index + 2 * c, bits);
      }
    }
  }
  bool widen(std::uint32_t written, std::uint32_t count) {
    if (std::uint64_t{count} * kWide > m_room) return false;
    for (std::uint32_t i = written; i-- > 0;) {
      m_wide = false;
      const std::int32_t vector[3] = {component(i, 0), component(i, 1), component(i, 2)};
      m_wide = true;
      put(i, vector);
    }
    m_wide = true;
    return true;
  }

  std::uint8_t* m_out;
  std::uint64_t m_room;
  bool m_wide = false;
};

}  // namespace simmer::runtime
