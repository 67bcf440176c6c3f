#include "lexicon/pair_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::pair_lookup_test {
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string text, const Vocabulary& source, const Vocabulary& target) {
  try {
    look_up_pairs(pairs_of(std::move(text)), source, target, CasePolicy::exact);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PairLookup, CountsWhatIsMissing) {
  const Vocabulary source = vocabulary_of({"the", "house", "cat"}), target = vocabulary_of({"la", "casa", "el"});
  const PairLookup lookup =
      look_up_pairs(pairs_of("the el\nthe la\nhouse casa\nhouse hogar\ndog perro\ndog casa\nthe el\nbad\n"), source,
                    target, CasePolicy::exact);
  ASSERT_EQ(lookup.items.size(), 6u);
  EXPECT_TRUE(lookup.items[2].usable());
  EXPECT_FALSE(lookup.items[3].usable());
  EXPECT_EQ(lookup.items[3].source, WordId{1});
  EXPECT_EQ(lookup.items[3].target, std::nullopt);
  EXPECT_EQ(lookup.items[5].source, std::nullopt);
  EXPECT_EQ(lookup.items[5].target, WordId{1});
  const LexiconCoverage& coverage = lookup.coverage;
  EXPECT_EQ(coverage.lines, 7u);
  EXPECT_EQ(coverage.duplicates, 1u);
  EXPECT_EQ(coverage.missing_source, 1u);  // dog casa
  EXPECT_EQ(coverage.missing_target, 1u);  // house hogar
  EXPECT_EQ(coverage.missing_both, 1u);    // dog perro
  EXPECT_EQ(coverage.pairs, 3u);
  EXPECT_EQ(coverage.source_words, 2u);
  EXPECT_EQ(coverage.target_words, 3u);
  EXPECT_EQ(coverage.all_source_words, 3u);
  EXPECT_EQ(coverage.case_matched, 0u);
  EXPECT_EQ(coverage.swapped_pairs, 0u);
  EXPECT_EQ(coverage.skipped_lines, 1u);
  EXPECT_NEAR(coverage.source_percent(), 66.667, 0.001);
  EXPECT_EQ(coverage.to_line(),
            "2 of 3 source words, 3 of 6 pairs (1 pair without the source word, 1 pair without the target word, 1 pair "
            "without either, 1 duplicate set aside, 1 line skipped (first: lexicon.txt:8: one word only: a source word "
            "and a target word are wanted))");
}

TEST(PairLookup, TheSamePairInAnotherCaseIsADuplicate) {
  const Vocabulary source = vocabulary_of({"nato", "House", "IBM"}), target = vocabulary_of({"otan", "Haus", "ibm"});
  const LexiconCoverage coverage =
      look_up_pairs(pairs_of("NATO OTAN\nhouse haus\nIBM ibm\nHOUSE HAUS\n"), source, target, CasePolicy::title)
          .coverage;
  EXPECT_EQ(coverage.pairs, 3u);
  EXPECT_EQ(coverage.case_matched, 2u);
  EXPECT_EQ(coverage.duplicates, 1u);
  EXPECT_EQ(coverage.source_words, 4u);  // as they are spelled in the file
  EXPECT_EQ(coverage.all_source_words, 4u);
  EXPECT_EQ(coverage.missing_source + coverage.missing_target + coverage.missing_both, 0u);
}

TEST(PairLookup, SwappedSidesShow) {
  const Vocabulary source = vocabulary_of({"the", "house", "taxi"}), target = vocabulary_of({"el", "casa", "taxi"});
  const LexiconCoverage coverage =
      look_up_pairs(pairs_of("el the\ncasa house\ntaxi taxi\n"), source, target, CasePolicy::exact).coverage;
  EXPECT_EQ(coverage.pairs, 1u);
  EXPECT_EQ(coverage.swapped_pairs, 3u);
  EXPECT_THAT(coverage.to_line(), HasSubstr("3 would match with the two sides swapped"));
}

TEST(PairLookup, NothingUsableSaysWhy) {
  const Vocabulary source = vocabulary_of({"the", "house"}), target = vocabulary_of({"el", "casa"});
  EXPECT_EQ(
      error_of("dog perro\nhouse hogar\n", source, target),
      "lexicon.txt: none of 2 pairs has both words in the vocabularies: the source words of 1 and the target words "
      "of 2 are missing (first pair: 'dog', 'perro'); are these the right languages?");
  EXPECT_THAT(error_of("el the\ncasa house\n", source, target),
              HasSubstr("2 pairs would match with the two sides swapped"));
  EXPECT_THAT(error_of("THE EL\ndog perro\n", source, target), HasSubstr("1 pairs would match in another letter case"));
}

}  // namespace
}  // namespace wordbridge::pair_lookup_test
