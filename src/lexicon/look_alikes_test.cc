#include "lexicon/look_alikes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lexicon/spelling.h"
#include "lexicon/word_pairs_test_support.h"

namespace wordbridge::look_alikes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LookAlikes, DifferInALetterAtMost) {
  const Vocabulary words = vocabulary_of({"carpet", "carpeta", "casa", "case", "Gift", "1990", "es", "carps", "arpet"});
  const LookAlikes alike(words, words.size());
  EXPECT_THAT(alike.find("carpet"), ElementsAre(0, 1, 8));
  EXPECT_THAT(alike.find("carpat"), ElementsAre(0)) << "a letter changed";
  EXPECT_THAT(alike.find("gift"), ElementsAre(4)) << "letter case aside";
  EXPECT_THAT(alike.find("casa"), ElementsAre(2)) << "short words must be equal";
  EXPECT_THAT(alike.find("1990"), IsEmpty());
  EXPECT_THAT(alike.find("es"), IsEmpty());
  EXPECT_THAT(alike.find(""), IsEmpty());
  EXPECT_THAT(LookAlikes(words, 1).find("carpet"), ElementsAre(0)) << "the first words only";
}

TEST(LookAlikes, FindsWhatComparingAllFinds) {
  std::mt19937 random(1);
  Vocabulary words;
  for (int tries = 0; tries < 300; ++tries) {
    std::string word;
    for (std::size_t i = 0; i < 4 + random() % 3; ++i) word += static_cast<char>('a' + random() % 2);
    words.add(word + "x");
  }
  const LookAlikes alike(words, words.size());
  for (WordId i = 0; i < words.size(); ++i) {
    std::vector<WordId> expected;
    for (WordId j = 0; j < words.size(); ++j) {
      const double most = static_cast<double>(std::max(words[i].size(), words[j].size()));
      if (i == j || spelling_similarity(words[i], words[j]) >= 1 - 1.001 / most) expected.push_back(j);
    }
    EXPECT_EQ(alike.find(words[i]), expected) << words[i];
  }
}

}  // namespace
}  // namespace wordbridge::look_alikes_test
