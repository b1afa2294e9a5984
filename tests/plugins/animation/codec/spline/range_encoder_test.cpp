#include "plugins/animation/codec/spline/range_encoder.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "plugins/animation/runtime/spline_models.h"

namespace simmer::animation::spline {
namespace {

using runtime::Probability;
using runtime::RangeDecoder;

struct Symbol {
  unsigned bits;  // 0: an adaptive bit of this model
  std::uint32_t value, model;
};

Bytes encodeSymbols(const std::vector<Symbol>& symbols) {
  RangeEncoder coder;
  Probability models[8];
  for (const Symbol& s : symbols) {
    if (s.bits == 0) {
      coder.bit(models[s.model], s.value != 0);
    } else {
      coder.even(s.bits, s.value);
    }
  }
  return coder.finish();
}

void expectSame(const std::vector<Symbol>& symbols, const Bytes& stream) {
  RangeDecoder coder(stream.data(), stream.size());
  Probability models[8];
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Symbol& s = symbols[i];
    const std::uint32_t value = s.bits == 0 ? coder.bit(models[s.model]) : coder.even(s.bits);
    ASSERT_EQ(value, s.value) << "symbol " << i << " of " << symbols.size();
  }
  EXPECT_TRUE(coder.atEnd());
}

TEST(RangeEncoder, TheDecoderReadsWhatWasWritten) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = random() % (round % 10 == 0 ? 5000 : 60);
    const unsigned oneIn = 1 + random() % 200;
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned bits = random() % 3 == 0 ? 1 + random() % 16 : 0;
      const auto model = static_cast<std::uint32_t>(random() % 8);
      const auto value = static_cast<std::uint32_t>(bits == 0 ? (random() % oneIn == 0) : random() % (1u << bits));
      symbols.push_back({bits, value, model});
    }
    const Bytes stream = encodeSymbols(symbols);
    EXPECT_TRUE(stream.empty() || stream.back() != 0);
    expectSame(symbols, stream);
  }
}

// Carries run through bytes of 0xFF: symbols at the upper end of their range.
TEST(RangeEncoder, CarriesThroughLongRuns) {
  for (std::size_t count = 1; count < 60; ++count)
    for (const std::uint32_t last : {0u, 1u, 0xFFFEu, 0xFFFFu}) {
      std::vector<Symbol> symbols(count, {16, 0xFFFF, 0});
      symbols.push_back({16, last, 0});
      symbols.push_back({0, 1, 0});
      expectSame(symbols, encodeSymbols(symbols));
    }
}

TEST(RangeEncoder, TakesAboutTheEntropy) {
  std::mt19937 random(2);
  std::vector<Symbol> symbols;
  for (int i = 0; i < 40000; ++i) symbols.push_back({0, random() % 20 == 0, 0});
  const double entropyBits = 40000 * (-0.05 * std::log2(0.05) - 0.95 * std::log2(0.95));
  EXPECT_LT(static_cast<double>(encodeSymbols(symbols).size()) * 8, entropyBits * 1.08);
  EXPECT_EQ(encodeSymbols({}).size(), 0u);
}

TEST(Models, GiveBackEveryNumber) {
  std::mt19937 random(3);
  std::vector<std::int32_t> numbers{0, 1, -1, 2, -2, 65535, -65536, (1 << 30) + 5, -(1 << 30), 0x7FFFFFFF};
  for (int i = 0; i < 3000; ++i) numbers.push_back(static_cast<std::int32_t>(random()) >> (1 + random() % 31));
  RangeEncoder encoder;
  runtime::SignedModel written;
  for (const std::int32_t number : numbers) written.code(encoder, number);
  const Bytes stream = encoder.finish();
  RangeDecoder decoder(stream.data(), stream.size());
  runtime::SignedModel read;
  for (const std::int32_t number : numbers) ASSERT_EQ(read.code(decoder), number);
}

}  // namespace
}  // namespace simmer::animation::spline
