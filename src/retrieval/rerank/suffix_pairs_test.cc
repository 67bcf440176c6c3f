#include "retrieval/rerank/suffix_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wordbridge::suffix_pairs_test {
namespace {

TEST(SuffixPairs, KnownAnswer) {
  // Endings of one letter of the targets: s three times, a once; of the vocabulary: s half, a half.
  const SpellingTable targets(Vocabulary(std::vector<std::string>{"as", "bs", "ca", "da"}));
  const std::vector<LetterPair> pairs = {{U"xs", U"as"}, {U"ys", U"bs"}, {U"zs", U"as"}, {U"xe", U"ca"}};
  const SuffixPairs suffixes(pairs, SuffixShares(targets));
  const double s = (3 + 30 * 0.5) / 34, a = (1 + 30 * 0.5) / 34;
  EXPECT_NEAR(suffixes.log_ratios(U"ws", U"es")[0], std::log((3 + 3 * s) / (3 + 3) / s), 1e-12);
  EXPECT_NEAR(suffixes.log_ratios(U"ws", U"ea")[0], std::log((0 + 3 * a) / (3 + 3) / a), 1e-12);
  EXPECT_NEAR(suffixes.log_ratios(U"we", U"ea")[0], std::log((1 + 3 * a) / (1 + 3) / a), 1e-12);
  EXPECT_EQ(suffixes.log_ratios(U"wq", U"ea")[0], 0);  // an ending that no source word has says nothing
}

TEST(SuffixPairs, ShortWordsAreTheirOwnEnding) {
  const SpellingTable targets(Vocabulary(std::vector<std::string>{"a", "ba"}));
  const std::vector<LetterPair> pairs = {{U"o", U"a"}, {U"o", U"a"}, {U"no", U"ba"}};
  const SuffixPairs suffixes(pairs, SuffixShares(targets));
  EXPECT_GT(suffixes.log_ratios(U"o", U"a")[2], 0);
  EXPECT_EQ(suffixes.log_ratios(U"o", U"a")[2], suffixes.log_ratios(U"o", U"a")[1]);
  EXPECT_LT(suffixes.log_ratios(U"o", U"ba")[1], 0);
  EXPECT_TRUE(std::isfinite(suffixes.log_ratios(U"o", U"quux")[2]));
}

}  // namespace
}  // namespace wordbridge::suffix_pairs_test
