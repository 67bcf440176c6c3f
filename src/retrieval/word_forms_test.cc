#include "retrieval/word_forms.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wordbridge::word_forms_test {
namespace {

/// A language of 40 stems, each with the endings "a" and "as", whose vectors are near each other; and with the endings
/// "or" and "ez", whose vectors have nothing to do with anything.
WordVectors inflected(std::uint64_t seed) {
  constexpr std::size_t kStems = 40, kDimension = 30;
  Random random(seed);
  Vocabulary words;
  Matrix rows(4 * kStems, kDimension);
  for (std::size_t i = 0; i < kStems; ++i) {
    std::string stem = "st";
    for (std::size_t n = i + 50; n > 0; n /= 5) stem += "bdgkm"[n % 5];
    for (const char* ending : {"a", "as", "or", "ez"}) words.add(stem + ending);
    for (std::size_t j = 0; j < kDimension; ++j) {
      rows(4 * i, j) = static_cast<float>(random.normal());
      rows(4 * i + 1, j) = rows(4 * i, j) + static_cast<float>(0.5 * random.normal());
      rows(4 * i + 2, j) = static_cast<float>(random.normal());
      rows(4 * i + 3, j) = static_cast<float>(random.normal());
    }
  }
  normalize_rows(rows);
  return WordVectors(std::move(words), std::move(rows));
}

struct WordFormsTest : ::testing::Test {
  CommonSpace space{inflected(1), inflected(2)};
  std::shared_ptr<const WordForms> forms = WordForms::of(space, Side::target);
};

TEST_F(WordFormsTest, EndingsGoTogetherWhereVectorsSaySo) {
  EXPECT_TRUE(forms->go_together(U"", U"s"));
  EXPECT_TRUE(forms->go_together(U"s", U""));
  EXPECT_FALSE(forms->go_together(U"ez", U"or"));
  EXPECT_FALSE(forms->go_together(U"a", U"or"));
}

TEST_F(WordFormsTest, WordsOfOneStemAreFormsOfOne) {
  EXPECT_TRUE(forms->are_of_one_word(0, 1));
  EXPECT_TRUE(forms->are_of_one_word(1, 0));
  EXPECT_TRUE(forms->are_of_one_word(2, 2));
  EXPECT_FALSE(forms->are_of_one_word(0, 2));
  EXPECT_FALSE(forms->are_of_one_word(2, 3));
  EXPECT_FALSE(forms->are_of_one_word(0, 5));  // another stem
}

TEST_F(WordFormsTest, AreLearnedOnceForASpace) { EXPECT_EQ(WordForms::of(space, Side::target), forms); }

TEST_F(WordFormsTest, MeaningsThatAreFarApartAreTwoWords) {
  const WordForms strict(space, Side::target, {.least_cosine = 0.999});
  EXPECT_FALSE(strict.are_of_one_word(0, 1));
}

}  // namespace
}  // namespace wordbridge::word_forms_test
