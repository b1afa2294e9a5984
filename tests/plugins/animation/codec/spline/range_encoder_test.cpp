#include "plugins/animation/codec/spline/range_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "plugins/animation/runtime/spline_models.h"

namespace simmer::animation::spline {
namespace {

using runtime::Probability;
using runtime::RangeDecoder;
using runtime::SymbolChances;

enum class Kind { Bit, Symbol, Even };
struct Choice {
  Kind kind;
  std::uint32_t value;
  unsigned model;  // of Even: how many bits
};

struct Models {
  Probability bits[8];
  SymbolChances symbols[8];
  Models() {
    for (SymbolChances& chances : symbols)
      for (unsigned i = 0; i < SymbolChances::kSymbols; ++i)
        chances.below[i] = static_cast<std::uint16_t>(i * runtime::kCertain / SymbolChances::kSymbols);
  }
};

template <class Coder>
std::uint32_t code(Coder& coder, Models& models, const Choice& choice, std::uint32_t value) {
  switch (choice.kind) {
    case Kind::Bit:
      return coder.bit(models.bits[choice.model], value != 0);
    case Kind::Symbol:
      return coder.symbol(models.symbols[choice.model], value);
    default:
      return coder.even(choice.model, value);
  }
}

Bytes encode(const std::vector<Choice>& choices) {
  RangeEncoder coder;
  Models models;
  for (const Choice& choice : choices) code(coder, models, choice, choice.value);
  return coder.finish();
}

void expectSame(const std::vector<Choice>& choices, const Bytes& stream) {
  RangeDecoder coder(stream.data(), stream.size());
  Models models;
  for (std::size_t i = 0; i < choices.size(); ++i)
    ASSERT_EQ(code(coder, models, choices[i], 0), choices[i].value) << "choice " << i << " of " << choices.size();
  EXPECT_TRUE(coder.isComplete());
}

std::vector<Choice> someChoices(std::mt19937& random, std::size_t count, unsigned oneIn) {
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<Kind>(random() % 3);
    const auto model = static_cast<unsigned>(kind == Kind::Even ? random() % 33 : random() % 8);
    const auto value = static_cast<std::uint32_t>(
        kind == Kind::Bit      ? random() % oneIn == 0
        : kind == Kind::Symbol ? (random() % oneIn == 0 ? random() % SymbolChances::kSymbols : model)
                               : std::uint64_t{random()} & ((std::uint64_t{1} << model) - 1));
    choices.push_back({kind, value, model});
  }
  return choices;
}

TEST(RangeEncoder, TheDecoderReadsWhatWasWritten) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const std::vector<Choice> choices =
        someChoices(random, random() % (round % 10 == 0 ? 5000 : 60), static_cast<unsigned>(1 + random() % 200));
    expectSame(choices, encode(choices));
  }
}

TEST(RangeEncoder, TheDecoderSeesBytesThatAreMissingOrTooMany) {
  std::mt19937 random(4);
  const std::vector<Choice> choices = someChoices(random, 300, 5);
  const Bytes stream = encode(choices);
  const auto isComplete = [&](const Bytes& bytes) {
    RangeDecoder coder(bytes.data(), bytes.size());
    Models models;
    for (const Choice& choice : choices) code(coder, models, choice, 0);
    return coder.isComplete();
  };
  EXPECT_TRUE(isComplete(stream));
  for (std::size_t size = 0; size < stream.size(); ++size)
    EXPECT_FALSE(isComplete({stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  for (std::size_t at = 0; at <= stream.size(); ++at) {
    Bytes longer = stream;
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(at), 0);
    EXPECT_FALSE(isComplete(longer)) << at;
  }
}

TEST(RangeEncoder, TakesAboutTheEntropy) {
  std::mt19937 random(2);
  std::vector<Choice> bits, symbols;
  double entropy = 0;
  for (int i = 0; i < 40000; ++i) bits.push_back({Kind::Bit, random() % 20 == 0, 0});
  for (int i = 0; i < 40000; ++i)
    symbols.push_back(
        {Kind::Symbol, static_cast<std::uint32_t>(std::min(15, std::countr_zero(random() | 1u << 16))), 0});
  const double bitEntropy = 40000 * (-0.05 * std::log2(0.05) - 0.95 * std::log2(0.95));
  for (int i = 1; i < 17; ++i) entropy += 40000 * i * std::pow(0.5, i);  // half of what is left is the next symbol's
  EXPECT_LT(static_cast<double>(encode(bits).size()) * 8, bitEntropy * 1.08);
  EXPECT_LT(static_cast<double>(encode(symbols).size()) * 8, entropy * 1.05);
  EXPECT_EQ(encode({}).size(), 4u);
}

// The rule that keeps a stream decodable whatever was seen before.
TEST(SymbolChances, NoneIsEverTooSmall) {
  std::mt19937 random(5);
  Models models;
  SymbolChances& chances = models.symbols[0];
  for (int i = 0; i < 20000; ++i) {
    chances.update(i % 5000 < 2500 ? static_cast<unsigned>(i / 5000) : static_cast<unsigned>(random() % 16));
    std::uint32_t sum = 0;
    for (unsigned symbol = 0; symbol < SymbolChances::kSymbols; ++symbol) {
      ASSERT_GE(chances.lengthOf(symbol), SymbolChances::kLeast);
      ASSERT_EQ(chances.below[symbol], sum);
      ASSERT_EQ(chances.at(sum), symbol);
      sum += chances.lengthOf(symbol);
      ASSERT_EQ(chances.at(sum - 1), symbol);
    }
    ASSERT_EQ(sum, runtime::kCertain);
  }
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
  EXPECT_TRUE(decoder.isComplete());
}

TEST(Models, GiveBackEveryResidualAtEveryLevel) {
  std::mt19937 random(6);
  std::vector<std::int32_t> residuals{0, 1, -1, (1 << 25) - 1, -(1 << 25)};
  for (int i = 0; i < 2000; ++i) residuals.push_back(static_cast<std::int32_t>(random()) >> (7 + random() % 25));
  for (unsigned level = 0; level < runtime::ResidualModel::kLevels; ++level) {
    RangeEncoder encoder;
    runtime::ResidualModel written, read;
    runtime::ComponentState before, after;
    for (const std::int32_t residual : residuals) {
      written.code(encoder, level, before, residual);
      before.update(residual);
    }
    const Bytes stream = encoder.finish();
    RangeDecoder decoder(stream.data(), stream.size());
    for (const std::int32_t residual : residuals) {
      const runtime::Residual got = read.code(decoder, level, after);
      ASSERT_EQ(got.value(), residual) << "level " << level;
      ASSERT_EQ(got.magnitude, runtime::magnitudeOf(residual));
      after.update(got);
    }
    EXPECT_TRUE(decoder.isComplete());
  }
}

TEST(Models, LevelsGrowWithWhatIsExpected) {
  unsigned last = 0;
  for (std::uint32_t mean = 0; mean < 40000; ++mean) {
    const unsigned level = runtime::ResidualModel::level(mean, mean);
    ASSERT_TRUE(level == last || level == last + 1) << mean;
    last = level;
  }
  EXPECT_EQ(last, runtime::ResidualModel::kLevels - 1);
  EXPECT_EQ(runtime::ResidualModel::level(5, 5), 0u);
  EXPECT_EQ(runtime::ResidualModel::level(6, 6), 1u);
  EXPECT_EQ(runtime::ResidualModel::level(12, 12), 3u);
}

}  // namespace
}  // namespace simmer::animation::spline
