#include "retrieval/rerank/transducer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace wordbridge::transducer_test {
namespace {

using Symbols = std::vector<Alphabet::Symbol>;

std::size_t part(const Transducer::Parts& parts, std::span<const Alphabet::Symbol> symbols) {
  return symbols.empty()       ? parts.none()
         : symbols.size() == 1 ? parts.one(symbols[0])
                               : parts.two(symbols[0], symbols[1]);
}

/// All segmentations, one after the other.
double slow_probability(const Transducer& transducer, std::span<const Alphabet::Symbol> x,
                        std::span<const Alphabet::Symbol> y) {
  if (x.empty() && y.empty()) return 1;
  constexpr std::size_t kUnits[6][2] = {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}};
  double sum = 0;
  for (const auto& [a, b] : kUnits)
    if (a <= x.size() && b <= y.size())
      sum += transducer(part(transducer.source(), x.first(a)), part(transducer.target(), y.first(b))) *
             slow_probability(transducer, x.subspan(a), y.subspan(b));
  return sum;
}

Transducer random_transducer(Random& random) {
  Transducer transducer(3, 2);
  for (double& value : transducer.elements()) value = random.uniform() / 20;
  return transducer;
}

Symbols random_word(Random& random, std::size_t symbols) {
  Symbols word(random.index(5));
  for (auto& symbol : word) symbol = static_cast<Alphabet::Symbol>(random.index(symbols));
  return word;
}

TEST(Transducer, SumsOverAllSegmentations) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Transducer transducer = random_transducer(random);
    const Symbols x = random_word(random, 3), y = random_word(random, 2);
    EXPECT_NEAR(std::exp(transducer.log_probability(x, y)), slow_probability(transducer, x, y), 1e-12);
  }
}

TEST(Transducer, SeveralWordsAtOnceAreTheSameBits) {
  Random random(7);
  for (const std::size_t words : {0, 1, 3, 4, 5, 9}) {
    const Transducer transducer = random_transducer(random);
    const Symbols x = random_word(random, 3);
    std::vector<Symbols> ys;
    for (std::size_t i = 0; i < words; ++i) ys.push_back(random_word(random, 2));
    const std::vector<double> logs = transducer.log_probabilities(x, ys);
    ASSERT_EQ(logs.size(), words);
    for (std::size_t i = 0; i < words; ++i) EXPECT_EQ(logs[i], transducer.log_probability(x, ys[i]));
  }
}

TEST(Transducer, ExpectedUnitsAreLogDerivatives) {
  // d log T / d log p(u) is how often u is expected.
  Random random(2);
  for (int i = 0; i < 5; ++i) {
    Transducer transducer = random_transducer(random);
    const Symbols x = random_word(random, 3), y = random_word(random, 2);
    Transducer counts(3, 2);
    const double log_probability = transducer.add_expected_units(x, y, 2, counts);
    EXPECT_DOUBLE_EQ(log_probability, transducer.log_probability(x, y));
    for (std::size_t unit = 0; unit < counts.elements().size(); ++unit) {
      double& p = transducer.elements()[unit];
      const double before = p, step = 1e-6;
      p = before * (1 + step);
      const double above = transducer.log_probability(x, y);
      p = before * (1 - step);
      const double below = transducer.log_probability(x, y);
      p = before;
      EXPECT_NEAR(counts.elements()[unit], 2 * (above - below) / (2 * step), 1e-6);
    }
  }
}

TEST(Transducer, LongUnitsOpenWithWhatShortOnesWrite) {
  Transducer transducer(2, 2);
  const auto& source = transducer.source();
  const auto& target = transducer.target();
  transducer(source.one(0), target.one(0)) = 0.5;
  transducer(source.one(1), target.one(1)) = 0.25;
  transducer(Transducer::Parts::none(), target.one(1)) = 0.125;
  const Symbols x = {0, 1}, y = {0, 1};
  transducer.open_long_units(x, y);
  EXPECT_DOUBLE_EQ(transducer(source.two(0, 1), target.two(0, 1)), 0.5 * 0.25);
  EXPECT_DOUBLE_EQ(transducer(source.one(0), target.two(0, 1)), 0.5 * 0.125);
  EXPECT_TRUE(transducer.is_long(source.one(0), target.two(0, 1)));
  EXPECT_FALSE(transducer.is_long(source.one(0), target.one(1)));
}

TEST(Transducer, WhatCannotBeWrittenHasNoProbability) {
  const Transducer transducer(2, 2);
  const Symbols x = {0}, y = {1};
  EXPECT_EQ(transducer.log_probability(x, y), -std::numeric_limits<double>::infinity());
  Transducer counts(2, 2);
  EXPECT_EQ(transducer.add_expected_units(x, y, 1, counts), -std::numeric_limits<double>::infinity());
}

TEST(TransducerParts, SymbolsComeBack) {
  const Transducer::Parts parts(3);
  EXPECT_EQ(parts.count(), 13u);
  EXPECT_TRUE(parts.symbols_of(parts.none()).empty());
  EXPECT_EQ(parts.symbols_of(parts.one(2)), Symbols({2}));
  EXPECT_EQ(parts.symbols_of(parts.two(2, 1)), Symbols({2, 1}));
  EXPECT_FALSE(parts.is_long(parts.one(2)));
  EXPECT_TRUE(parts.is_long(parts.two(0, 0)));
}

}  // namespace
}  // namespace wordbridge::transducer_test
