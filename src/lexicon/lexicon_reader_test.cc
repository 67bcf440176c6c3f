#include "lexicon/lexicon_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "base/temporary_folder_test_support.h"
#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::lexicon_reader_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ColumnMatches matches(std::uint64_t pairs, std::uint64_t own, std::uint64_t other) { return {pairs, own, other}; }

TEST(LexiconMistake, CountsOfRealLexiconsThatFit) {
  // MUSE over the 50,000 most frequent words of Wikipedia: en-es, en-de.
  EXPECT_EQ(likely_mistake({.pairs = 11087, .swapped_pairs = 2150, .only_swapped = 18, .any_case_pairs = 11087},
                           matches(10231, 10214, 3833), matches(10231, 9513, 737)),
            LexiconMistake::none);
  EXPECT_EQ(likely_mistake({.pairs = 13245, .swapped_pairs = 2270, .only_swapped = 15, .any_case_pairs = 13400},
                           matches(12774, 12755, 5916), matches(12774, 11531, 694)),
            LexiconMistake::none);
}

TEST(LexiconMistake, CountsOfRealMistakes) {
  // The lexicon en-es with the vectors es-en, en-en, es-es, en-de and de-es.
  EXPECT_EQ(likely_mistake({.pairs = 2150, .swapped_pairs = 11087, .only_swapped = 8955, .any_case_pairs = 2150},
                           matches(10231, 3833, 10214), matches(10231, 737, 9513)),
            LexiconMistake::swapped);
  const LexiconCoverage even{.pairs = 2450, .swapped_pairs = 2450, .any_case_pairs = 2450};
  EXPECT_EQ(likely_mistake(even, matches(10231, 10214, 10214), matches(10231, 737, 737)), LexiconMistake::wrong_target);
  EXPECT_EQ(likely_mistake(even, matches(10231, 3833, 3833), matches(10231, 9513, 9513)), LexiconMistake::wrong_source);
  EXPECT_EQ(likely_mistake(even, matches(10231, 10214, 4735), matches(10231, 522, 737)), LexiconMistake::wrong_target);
  EXPECT_EQ(likely_mistake(even, matches(10231, 4735, 3833), matches(10231, 9513, 522)), LexiconMistake::wrong_source);
}

TEST(LexiconMistake, SaysWhatWasFound) {
  EXPECT_THAT(explain(LexiconMistake::none, {}, {}, {}), IsEmpty());
  EXPECT_THAT(explain(LexiconMistake::swapped, {.pairs = 1, .swapped_pairs = 9}, {}, {}),
              HasSubstr("1 pair is in the vocabularies, and 9 with the two sides swapped"));
  EXPECT_THAT(explain(LexiconMistake::other_case, {.pairs = 2, .any_case_pairs = 9}, {}, {}),
              HasSubstr("2 pairs are in the vocabularies as written, and 9 in another letter case"));
  EXPECT_THAT(explain(LexiconMistake::wrong_source, {}, {.pairs = 30, .own = 3, .other = 4}, {}),
              HasSubstr("3 of 30 source words are in the source vocabulary, and 4 in as many words of the target"));
}

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
  EXPECT_THAT(error_of("THE EL\ndog perro\n", source, target), HasSubstr("1 pair would match in another letter case"));
}

/// Both words of a pair in their vocabularies, the pairs in the given order.
std::string lines(const char* first, const char* second, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}{} {}{}\n", first, i, second, i);
  return text;
}

Vocabulary numbered(std::initializer_list<std::pair<const char*, int>> groups) {
  Vocabulary words;
  for (const auto& [name, count] : groups)
    for (int i = 0; i < count; ++i) words.add(fmt::format("{}{}", name, i));
  return words;
}

TEST(PairLookup, RefusesSwappedColumns) {
  // 4 words are the same in both languages, so that some pairs match either way.
  const Vocabulary source = numbered({{"e", 20}, {"x", 4}}), target = numbered({{"s", 20}, {"x", 4}});
  EXPECT_THAT(error_of(lines("s", "e", 20) + lines("x", "x", 4), source, target),
              HasSubstr("4 pairs are in the vocabularies, and 24 with the two sides swapped"));
  EXPECT_EQ(error_of(lines("e", "s", 20) + lines("x", "x", 4), source, target), "no error");
  EXPECT_EQ(error_of(lines("s", "e", 4) + lines("x", "x", 4), source, target), "no error") << "no more than twice";
  const WordPairs swapped = pairs_of(lines("s", "e", 20) + lines("x", "x", 4));
  EXPECT_EQ(look_up_pairs(swapped, source, target, CasePolicy::exact, LexiconChecks::none).coverage.pairs, 4u);
}

TEST(PairLookup, RefusesAnotherLetterCase) {
  const Vocabulary source = numbered({{"E", 9}, {"f", 4}}), target = numbered({{"S", 9}, {"t", 4}});
  const std::string text = lines("e", "s", 9) + lines("f", "t", 4);
  EXPECT_THAT(error_of(text, source, target),
              HasSubstr("4 pairs are in the vocabularies as written, and 13 in another"));
  const auto pairs_with = [&](CasePolicy policy, LexiconChecks checks) {
    return look_up_pairs(pairs_of(text), source, target, policy, checks).coverage.pairs;
  };
  EXPECT_EQ(pairs_with(CasePolicy::title, LexiconChecks::all), 13u);
  EXPECT_EQ(pairs_with(CasePolicy::exact, LexiconChecks::except_case), 4u);
}

TEST(PairLookup, RefusesVectorsOfAnotherLanguage) {
  const std::string text = lines("e", "s", 40);
  const Vocabulary english = numbered({{"e", 40}, {"s", 5}}), spanish = numbered({{"s", 40}, {"e", 9}}),
                   german = numbered({{"d", 40}, {"e", 9}, {"s", 4}});
  EXPECT_EQ(error_of(text, english, spanish), "no error");
  EXPECT_THAT(error_of(text, english, german), HasSubstr("these target vectors seem to be of another language"));
  EXPECT_THAT(error_of(text, english, english),
              HasSubstr("5 of 40 target words are in the target vocabulary, and 5 in"));
  EXPECT_THAT(error_of(text, german, spanish), HasSubstr("these source vectors seem to be of another language"));
  EXPECT_THAT(error_of(text, spanish, spanish), HasSubstr("these source vectors seem to be of another language"));
}

TEST(PairLookup, HonestLexiconsAreNotRefused) {
  const std::string text = lines("e", "s", 100);
  // A small vocabulary on one side, and a large one on the other that holds most words of every language, far down.
  EXPECT_EQ(error_of(text, numbered({{"e", 100}, {"x", 900}, {"s", 80}}), numbered({{"s", 10}, {"y", 40}})),
            "no error");
  EXPECT_EQ(error_of(text, numbered({{"e", 10}, {"y", 40}}), numbered({{"s", 100}, {"x", 900}, {"e", 80}})),
            "no error");
  // One language on both sides: synonyms, dialects, other spellings.
  const Vocabulary both = numbered({{"e", 90}, {"s", 80}});
  EXPECT_EQ(error_of(text, both, both), "no error");
  // Nearly the same language: equal words, and words of each that the other knows too.
  EXPECT_EQ(error_of(text + lines("x", "x", 300), numbered({{"x", 300}, {"e", 95}, {"s", 70}}),
                     numbered({{"x", 300}, {"s", 95}, {"e", 70}})),
            "no error");
  // Hardly anything is covered, by chance as much one way as the other.
  EXPECT_EQ(error_of(text, numbered({{"y", 90}, {"e", 3}, {"s", 3}}), numbered({{"y", 90}, {"s", 3}, {"e", 3}})),
            "no error");
}

using Pair = Lexicon::Pair;

TEST(LexiconReader, UsablePairsInFileOrder) {
  const Vocabulary source = vocabulary_of({"the", "house", "cat"}), target = vocabulary_of({"la", "casa", "el"});
  const Lexicon lexicon =
      find_pairs(pairs_of("the el\nhouse hogar\nhouse casa\ndog perro\nthe la\nthe el\n"), source, target);
  EXPECT_THAT(lexicon.pairs(), ElementsAre(Pair{0, 2}, Pair{1, 1}, Pair{0, 0}));
  EXPECT_EQ(lexicon.coverage().lines, 6u);
  EXPECT_EQ(lexicon.coverage().duplicates, 1u);
  EXPECT_EQ(lexicon.coverage().pairs, 3u);
  EXPECT_EQ(lexicon.coverage().all_source_words, 3u);
  EXPECT_EQ(lexicon.coverage().source_words, 2u);
}

TEST(LexiconReader, PairsKeepTheirWeights) {
  const Vocabulary source = vocabulary_of({"the", "house"}), target = vocabulary_of({"la", "casa", "el"});
  const Lexicon lexicon =
      find_pairs(pairs_of("the\tel\t0.5\nhouse\thogar\t7\nhouse\tcasa\t2\nthe\tla\n"), source, target);
  EXPECT_THAT(lexicon.pairs(), ElementsAre(Pair{0, 2, 0.5}, Pair{1, 1, 2}, Pair{0, 0}));
  EXPECT_THAT(lexicon.first(2).pairs(), ElementsAre(Pair{0, 2, 0.5}, Pair{1, 1, 2}));
}

TEST(LexiconReader, PairsOutsideTheVocabulariesAreKept) {
  using Written = Lexicon::WrittenPair;
  const Vocabulary source = vocabulary_of({"the", "house"}), target = vocabulary_of({"la", "casa", "el"});
  const Lexicon lexicon =
      find_pairs(pairs_of("the\tel\nhouse\thogar\t0.5\nNew York\tNueva York\nthe\tla\ndog\tcasa\nThe\tel\n"), source,
                 target, CasePolicy::lower);
  EXPECT_THAT(lexicon.outside(),
              ElementsAre(Written{"house", "hogar", 0.5}, Written{"New York", "Nueva York"}, Written{"dog", "casa"}));
  EXPECT_FALSE(lexicon.is_guess());
  EXPECT_TRUE(lexicon.first(1).outside().empty());
}

TEST(LexiconReader, CasePolicies) {
  const Vocabulary source = vocabulary_of({"nato", "House", "IBM"}), target = vocabulary_of({"otan", "Haus", "ibm"});
  const WordPairs pairs = pairs_of("NATO OTAN\nhouse haus\nIBM ibm\nHOUSE HAUS\n");
  EXPECT_THAT(find_pairs(pairs, source, target).pairs(), ElementsAre(Pair{2, 2}));
  EXPECT_THAT(find_pairs(pairs, source, target, CasePolicy::lower).pairs(), ElementsAre(Pair{0, 0}, Pair{2, 2}));
  EXPECT_THAT(find_pairs(pairs, source, target, CasePolicy::title).pairs(),
              ElementsAre(Pair{0, 0}, Pair{1, 1}, Pair{2, 2}));
}

TEST(LexiconReader, ReadsFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lexicon.txt", "the el\ntaxi taxi\n");
  const Vocabulary source = vocabulary_of({"the", "taxi"}), target = vocabulary_of({"taxi", "el"});
  EXPECT_THAT(read_lexicon(path, source, target).pairs(), ElementsAre(Pair{0, 1}, Pair{1, 0}));
  EXPECT_THAT(read_lexicon(path, source, target, {.drop_identical = true}).pairs(), ElementsAre(Pair{0, 1}));
  EXPECT_EQ(read_gold_lexicon(path, source, target).size(), 2u);
  EXPECT_EQ(read_gold_lexicon(path, source, target, {.drop_identical = true}).size(), 1u);
}

TEST(LexiconReader, LinesThatAreNoPair) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lexicon.txt", "the el\nbad\n");
  const Vocabulary source = vocabulary_of({"the"}), target = vocabulary_of({"el"});
  EXPECT_THROW(read_lexicon(path, source, target), InputError);
  EXPECT_THROW(read_gold_lexicon(path, source, target), InputError);
  EXPECT_EQ(read_lexicon(path, source, target, {.lenient = true}).coverage().skipped_lines, 1u);
  EXPECT_EQ(read_gold_lexicon(path, source, target, {.lenient = true}).coverage().skipped_lines, 1u);
}

TEST(GoldLexicon, KeepsWordsOutsideTheVocabularies) {
  const Vocabulary source = vocabulary_of({"the", "house", "cat"}), target = vocabulary_of({"la", "casa", "el"});
  const GoldLexicon gold(pairs_of("the el\nhouse hogar\ndog perro\nthe la\nhouse home\ncat casa\ndog casa\n"), source,
                         target, CasePolicy::exact);
  ASSERT_EQ(gold.size(), 4u);
  EXPECT_EQ(gold.covered(), 2u);
  const auto entries = gold.entries();
  EXPECT_EQ(entries[0].word, "the");
  EXPECT_EQ(entries[0].id, WordId{0});
  EXPECT_THAT(entries[0].targets, ElementsAre("el", "la"));
  EXPECT_THAT(entries[0].target_ids, ElementsAre(0u, 2u));
  EXPECT_TRUE(entries[0].covered());
  EXPECT_TRUE(entries[0].accepts(2));
  EXPECT_FALSE(entries[0].accepts(1));
  EXPECT_EQ(entries[1].word, "house");
  EXPECT_THAT(entries[1].targets, ElementsAre("hogar", "home"));
  EXPECT_THAT(entries[1].target_ids, IsEmpty());
  EXPECT_FALSE(entries[1].covered());
  EXPECT_EQ(entries[2].word, "dog");
  EXPECT_EQ(entries[2].id, std::nullopt);
  EXPECT_THAT(entries[2].target_ids, ElementsAre(1u));
  EXPECT_FALSE(entries[2].covered());
  EXPECT_TRUE(entries[3].covered());
}

TEST(GoldLexicon, SpellingsOfOneWordAreTwoEntries) {
  const Vocabulary source = vocabulary_of({"bank"}), target = vocabulary_of({"banco"});
  const GoldLexicon gold(pairs_of("bank banco\nBank Banco\n"), source, target, CasePolicy::lower);
  EXPECT_EQ(gold.size(), 2u);
  EXPECT_EQ(gold.covered(), 2u);
  EXPECT_THAT(gold.entries()[1].target_ids, ElementsAre(0u));
}

TEST(GoldLexicon, OfUsablePairs) {
  const Vocabulary source = vocabulary_of({"a", "b"}), target = vocabulary_of({"x", "y"});
  const GoldLexicon gold(Lexicon({{1, 1}, {0, 0}, {1, 0}}), source, target);
  ASSERT_EQ(gold.size(), 2u);
  EXPECT_EQ(gold.covered(), 2u);
  EXPECT_EQ(gold.entries()[0].word, "b");
  EXPECT_THAT(gold.entries()[0].targets, ElementsAre("y", "x"));
  EXPECT_THAT(gold.entries()[0].target_ids, ElementsAre(0u, 1u));
}

TEST(GoldLexicon, NothingCovered) {
  EXPECT_THROW(GoldLexicon(pairs_of("q r\n"), vocabulary_of({"a"}), vocabulary_of({"b"}), CasePolicy::exact),
               InputError);
}

TEST(PairLookup, PhrasesAreCounted) {
  const Vocabulary source = vocabulary_of({"new_york", "red", "wine", "house"}),
                   target = vocabulary_of({"nueva-york", "vino", "tinto", "casa"});
  const PairLookup lookup = look_up_pairs(
      pairs_of("new york\tnueva york\nred wine\tvino tinto\nice cream\thelado\nhouse\tcasa\nhouse\tcasa\n"), source,
      target, CasePolicy::exact);
  EXPECT_EQ(lookup.coverage.phrases, 3u);
  EXPECT_EQ(lookup.coverage.phrases_found, 1u);
  EXPECT_EQ(lookup.coverage.phrases_of_words, 1u);
  EXPECT_EQ(lookup.coverage.pairs, 2u);
  EXPECT_EQ(lookup.items[0].source, std::optional<WordId>(0));
  EXPECT_THAT(lookup.coverage.to_line(),
              ::testing::HasSubstr("3 pairs of phrases: 1 in the vectors, 1 more of words that are"));
}

}  // namespace

}  // namespace wordbridge::lexicon_reader_test
