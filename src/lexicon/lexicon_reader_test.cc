#include "lexicon/lexicon_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder_test_support.h"
#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::lexicon_reader_test {
namespace {

using ::testing::ElementsAre;
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

}  // namespace
}  // namespace wordbridge::lexicon_reader_test
