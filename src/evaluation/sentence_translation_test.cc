#include "evaluation/sentence_translation.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::sentence_translation_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> words(std::string_view sentence) { return tokenize(sentence, Tokenization::words); }

TEST(Tokenize, WordsAreRunsOfLettersAndDigits) {
  EXPECT_THAT(words("Hello, world!"), ElementsAre("Hello", ",", "world", "!"));
  EXPECT_THAT(words("¿Dónde está Zürich?"), ElementsAre("¿", "Dónde", "está", "Zürich", "?"));
  EXPECT_THAT(words("in 1990 (3.5%)"), ElementsAre("in", "1990", "(", "3", ".", "5", "%", ")"));
  EXPECT_THAT(words("a\u00A0b\tc\u3000d"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(words("नमस्ते"), ElementsAre("नमस्ते")) << "marks belong to their letters";
  EXPECT_THAT(words(" \t"), IsEmpty());
  EXPECT_THAT(words("a\xff"
                    "b c"),
              ElementsAre("a\xff"
                          "b",
                          "c"));
}

TEST(Tokenize, ApostrophesAndHyphensJoinLetters) {
  EXPECT_THAT(words("l'été l\u2019été"), ElementsAre("l'été", "l'été"));
  EXPECT_THAT(words("well-known - 'tis dogs'"), ElementsAre("well-known", "-", "'", "tis", "dogs", "'"));
  EXPECT_THAT(words("a--b"), ElementsAre("a", "-", "-", "b"));
}

TEST(Tokenize, BlanksLeaveTokensAsTheyAre) {
  EXPECT_THAT(tokenize(" don 't  stop. ", Tokenization::blanks), ElementsAre("don", "'t", "stop."));
  EXPECT_EQ(parse_tokenization("blanks"), Tokenization::blanks);
  EXPECT_THROW(parse_tokenization("letters"), UsageError);
}

TEST(ParallelSentences, AreReadLineByLine) {
  const TemporaryFolder folder;
  const auto sentences = read_parallel_sentences(folder.write("a", "one\r\n\ntwo\none\nthree\nfour"),
                                                 folder.write("b", "eins\nleer\nzwei\nneu\nzwei\nvier\n"));
  EXPECT_THAT(sentences.source, ElementsAre("one", "two", "four"));
  EXPECT_THAT(sentences.target, ElementsAre("eins", "zwei", "vier"));
  EXPECT_EQ(sentences.lines, 6U);
  EXPECT_EQ(sentences.empty, 1U);
  EXPECT_EQ(sentences.repeated, 2U);
}

TEST(ParallelSentences, NeedAsManyLinesOnBothSides) {
  const TemporaryFolder folder;
  const std::string two = folder.write("two", "a\nb\n"), three = folder.write("three", "a\nb\nc\n");
  EXPECT_THAT(input_error_of([&] { read_parallel_sentences(two, three); }),
              HasSubstr("three:3: " + two + " has only 2 lines"));
  EXPECT_THAT(input_error_of([&] { read_parallel_sentences(three, two); }), HasSubstr("three:3: "));
  EXPECT_THAT(input_error_of([&] { read_parallel_sentences(folder.write("empty", ""), folder.path("empty")); }),
              HasSubstr("holds no sentences"));
  EXPECT_NE(input_error_of([&] { read_parallel_sentences(folder.path("none"), two); }), "");
}

/// Each word has a direction of its own; a capital letter is the translation of its small one.
CommonSpace axes(std::size_t words) {
  std::vector<std::string> small, large;
  for (std::size_t i = 0; i < words; ++i) {
    small.push_back("w" + std::to_string(i));
    large.push_back("W" + std::to_string(i));
  }
  const auto side = [&](const std::vector<std::string>& names) {
    Matrix rows(words, words);
    for (std::size_t i = 0; i < words; ++i) rows(i, i) = 1;
    return WordVectors(Vocabulary(names), std::move(rows));
  };
  return CommonSpace(side(small), side(large));
}

void add(ParallelSentences& sentences, const std::string& source, const std::string& target) {
  sentences.source.push_back(source);
  sentences.target.push_back(target);
}

TEST(SentenceTranslation, WordForWordTranslationsAreFound) {
  ParallelSentences sentences;
  for (int i = 0; i < 30; ++i)
    add(sentences, "w" + std::to_string(i) + " w" + std::to_string(i + 1),
        "W" + std::to_string(i + 1) + " W" + std::to_string(i));
  const auto evaluation = evaluate_sentences(sentences, axes(31), {.queries = 10});
  ASSERT_EQ(evaluation.results.size(), 4U);
  EXPECT_FALSE(evaluation.idf_apart);
  EXPECT_EQ(evaluation.idf_sentences, 30U);
  for (const SentenceTranslation& result : evaluation.results) {
    EXPECT_EQ(result.queries, 10U);
    EXPECT_EQ(result.candidates, 30U);
    EXPECT_EQ(result.unknown_queries, 0U);
    for (const auto& share : result.precision) EXPECT_EQ(share.percent, 100);
  }
  EXPECT_EQ(evaluation.results[1].criterion, "csls");
  EXPECT_EQ(evaluation.results[2].asking, Side::target);
}

/// w1, W1 and W3 are in 1 of 1,000 sentences (weight 3), w0 and W0 in all others (weight 1). To "w0 w1", (1, 3) then,
/// "W1 W3" has the cosine 9 / sqrt(10 * 18) = 0.67 and "W0" 1 / sqrt(10) = 0.32; without weights it would be 1 / 2 and
/// 1 / sqrt(2). The other 999 sentences are all equal, and the candidates of lowest number come first: k are right at
/// rank k.
TEST(SentenceTranslation, RareWordsWeighMore) {
  ParallelSentences sentences;
  add(sentences, "w0 w1", "W1 W3");
  for (int i = 0; i < 999; ++i) add(sentences, "w0", "W0");
  const auto evaluation = evaluate_sentences(sentences, axes(4), {.queries = 1000});
  for (const std::size_t nearest : {0, 2}) {
    EXPECT_NEAR(evaluation.results[nearest].precision[0].percent, 0.2, 1e-9);
    EXPECT_NEAR(evaluation.results[nearest].precision[1].percent, 0.6, 1e-9);
    EXPECT_NEAR(evaluation.results[nearest].precision[2].percent, 1.1, 1e-9);
  }
}

TEST(SentenceTranslation, SentencesWithoutKnownWordsAreNeverRight) {
  ParallelSentences sentences;
  add(sentences, "w0", "W0");
  add(sentences, "unknown", "W1");
  add(sentences, "w2", "nothing");
  const auto evaluation = evaluate_sentences(sentences, axes(3));
  const SentenceTranslation& result = evaluation.results[0];
  EXPECT_EQ(result.queries, 3U);
  EXPECT_EQ(result.unknown_queries, 1U);
  EXPECT_EQ(result.unknown_candidates, 1U);
  EXPECT_NEAR(result.precision[0].percent, 100.0 / 3, 1e-9);
}

TEST(SentenceTranslation, WordsAreFoundInLowerCaseAndInParts) {
  ParallelSentences sentences;
  add(sentences, "W0", "W0");          // the source vocabulary has only w0
  add(sentences, "w1-w2", "W1-W2 !");  // neither has it whole
  const auto evaluation = evaluate_sentences(sentences, axes(3));
  for (const auto& result : evaluation.results) EXPECT_EQ(result.precision[0].percent, 100);
}

TEST(SentenceTranslation, WordsAreWeightedByOtherSentencesWhereThereAreEnough) {
  ParallelSentences sentences;
  for (int i = 0; i < 10'050; ++i) add(sentences, "w" + std::to_string(i % 20), "W" + std::to_string(i % 20));
  const auto evaluation = evaluate_sentences(sentences, axes(20), {.candidates = 50, .queries = 5});
  EXPECT_TRUE(evaluation.idf_apart);
  EXPECT_EQ(evaluation.idf_sentences, 10'000U);
  EXPECT_EQ(evaluation.results[0].candidates, 50U);
  EXPECT_EQ(evaluation.results[0].queries, 5U);
}

TEST(SentenceTranslation, TheSameForAnyNumberOfThreadsAndTheSameSeed) {
  ParallelSentences sentences;
  for (int i = 0; i < 600; ++i)
    add(sentences, "w" + std::to_string(i % 31) + " w" + std::to_string(i % 7), "W" + std::to_string(i % 29));
  std::string texts[2];
  for (const int threads : {1, 3}) {
    Context context({.threads = threads});
    const Context::Scope scope(context);
    texts[threads / 3] = to_json(evaluate_sentences(sentences, axes(31), {.candidates = 300, .queries = 100}));
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_NE(texts[0], to_json(evaluate_sentences(sentences, axes(31), {.candidates = 300, .queries = 100, .seed = 2})));
  EXPECT_THROW(evaluate_sentences(sentences, axes(31), {.queries = 0}), UsageError);
}

/// Values of the formula: 8 of 10 right, z = 1.96.
TEST(WilsonShare, KnownValues) {
  const auto share = wilson_share(8, 10);
  EXPECT_NEAR(share.percent, 80, 1e-12);
  EXPECT_NEAR(share.low, 49.02, 0.01);
  EXPECT_NEAR(share.high, 94.33, 0.01);
  EXPECT_NEAR(wilson_share(0, 10).low, 0, 1e-12);
  EXPECT_NEAR(wilson_share(10, 10).high, 100, 1e-12);
  EXPECT_EQ(wilson_share(0, 0).percent, 0);
}

}  // namespace

}  // namespace wordbridge::sentence_translation_test
