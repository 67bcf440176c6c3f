#include "evaluation/confident_translations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::confident_translations_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

WordTranslation::Word answered(const char* word, double score, std::size_t rank, bool covered = true) {
  return {word, covered, {"gold"}, {std::string("t-") + word, "other"}, {score, score / 2}, rank};
}

TEST(ConfidentTranslations, SurestFirstRightAndWrongApart) {
  WordTranslation result;
  result.words = {answered("low", 0.1, 1),   answered("high", 0.9, 1),           answered("wrong", 0.8, 2),
                  answered("worse", 0.8, 0), answered("uncovered", 1, 0, false), {"silent", true, {"gold"}, {}, {}, 0}};
  const auto word = [](const char* name) { return Field(&ConfidentTranslation::word, name); };
  EXPECT_THAT(confident_translations(result, true, 10), ElementsAre(word("high"), word("low")));
  EXPECT_THAT(confident_translations(result, false, 10), ElementsAre(word("wrong"), word("worse")));
  EXPECT_THAT(confident_translations(result, false, 1), ElementsAre(word("wrong")));
  const ConfidentTranslation first = confident_translations(result, true, 1).at(0);
  EXPECT_EQ(first.translation, "t-high");
  EXPECT_EQ(first.score, 0.9);
  EXPECT_THAT(first.gold, ElementsAre("gold"));
}

}  // namespace
}  // namespace wordbridge::confident_translations_test
