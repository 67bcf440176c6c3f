#include "retrieval/rerank/suffix_features.h"

#include <gtest/gtest.h>

#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::suffix_features_test {
namespace {

TEST(SuffixFeatures, PluralsGoWithPlurals) {
  const auto spelling = std::make_shared<const SpellingResources>(
      Vocabulary(std::vector<std::string>{"cars", "car"}), Vocabulary(std::vector<std::string>{"coches", "coche"}));
  const std::vector<LetterPair> pairs = {
      {U"dogs", U"perros"}, {U"dog", U"perro"}, {U"cats", U"gatos"}, {U"cat", U"gato"}};
  const auto suffixes = std::make_shared<const SuffixPairs>(pairs, spelling->suffixes);
  WordCandidates word;
  word.letters = U"cars";
  word.targets = {0, 1};
  const MatrixD values = values_of(SuffixFeatures(spelling, suffixes), word);
  EXPECT_GT(values(0, 0), values(1, 0));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(values(0, k), suffixes->log_ratios(U"cars", U"coches")[k]);
}

}  // namespace
}  // namespace wordbridge::suffix_features_test
