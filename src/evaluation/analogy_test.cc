#include "evaluation/analogy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "io/memory_stream_test_support.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::analogy_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

AnalogyQuestions read(const std::string& text, bool lenient = false) {
  MemoryStream stream(text);
  return read_analogy_questions(stream, lenient);
}

void expect_error(const std::string& text, std::uint64_t line, const std::string& reason) {
  try {
    read(text);
    FAIL() << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line);
    EXPECT_THAT(error.reason(), HasSubstr(reason));
  }
}

TEST(AnalogyQuestions, GooglesFormat) {
  const AnalogyQuestions questions = read(
      "\xef\xbb\xbf: capital-world\r\n"
      "Athens Greece  Oslo Norway\r\n"
      "\n"
      ": empty\n"
      ": gram3-comparative\n"
      "bad worse big bigger\n"
      "cold colder cool cooler");
  ASSERT_EQ(questions.sections.size(), 2);
  EXPECT_EQ(questions.size(), 3);
  EXPECT_EQ(questions.sections[0].name, "capital-world");
  EXPECT_FALSE(questions.sections[0].syntactic());
  EXPECT_EQ(questions.sections[1].name, "gram3-comparative");
  EXPECT_TRUE(questions.sections[1].syntactic());
  EXPECT_THAT(questions.sections[1].questions[1], ElementsAre("cold", "colder", "cool", "cooler"));
}

TEST(AnalogyQuestions, TabSeparatedWithHeadingAndComments) {
  const AnalogyQuestions questions = read(
      "# Somebody and others (2015)\n"
      "a1\ta2\tb1\tb2\n"
      "# city-in-state\n"
      "New York\tNew York\tSan Jos\u00e9\tCalifornia\n"
      "# gram2-opposite\n"
      "sure\tunsure\tkind\tunkind\tnoted\n");
  ASSERT_EQ(questions.sections.size(), 2);
  EXPECT_EQ(questions.sections[0].name, "city-in-state");
  EXPECT_THAT(questions.sections[0].questions,
              ElementsAre(ElementsAre("New York", "New York", "San Jos\u00e9", "California")));
  EXPECT_EQ(questions.sections[1].name, "gram2-opposite");
  EXPECT_THAT(questions.sections[1].questions, ElementsAre(ElementsAre("sure", "unsure", "kind", "unkind")));
}

TEST(AnalogyQuestions, ATabSeparatedFileNeedsNoHeading) {
  EXPECT_EQ(read("a\tb\tc\td\ne\tf\tg\th\n").size(), 2);
  EXPECT_EQ(read("word1\tword2\tword3\ttarget\ne\tf\tg\th\n").size(), 1);
}

TEST(AnalogyQuestions, OneTabMakesALineOfTabs) {
  expect_error("Athens Greece\tOslo Norway\n", 1, "four words are wanted");
}

TEST(AnalogyQuestions, QuestionsBeforeAnySection) {
  const AnalogyQuestions questions = read("a b c d\n: x\ne f g h\n");
  EXPECT_EQ(questions.sections.size(), 2);
  EXPECT_EQ(questions.sections[0].name, "");
}

TEST(AnalogyQuestions, LinesThatAreNone) {
  expect_error(": x\na b c d\na b c\n", 3, "four words are wanted, 3 are there");
  expect_error("a b c d e\n", 1, "5 are there");
  expect_error("a\tb\t\td\n", 1, "3 are there");
  expect_error(std::string("a b c \0\n", 8), 1, "NUL");
  expect_error("", 0, "no analogy");
  expect_error(": x\n# a comment of words\n", 0, "no analogy");
}

TEST(AnalogyQuestions, LenientReadersSkipAndCount) {
  const AnalogyQuestions questions = read("a b c\na b c d\ne f\n", true);
  EXPECT_EQ(questions.size(), 1);
  EXPECT_EQ(questions.skipped_lines, 2);
  EXPECT_THAT(questions.first_skipped, HasSubstr("memory:1: "));
  EXPECT_THROW(read("a b c\n", true), InputError);
}

TEST(AnalogyQuestions, Append) {
  AnalogyQuestions questions = read(": one\na b c d\n");
  questions.append(read(": gram\na b c d\ne f g h\nx\n", true));
  EXPECT_EQ(questions.size(), 3);
  EXPECT_EQ(questions.skipped_lines, 1);
  EXPECT_THAT(questions.first_skipped, HasSubstr("memory:4: "));
}

/// Words with features (person, royal, female, plural): an analogy changes one of them.
struct AnalogyTest : ::testing::Test {
  AnalogyTest() {
    const std::vector<std::pair<std::string, std::vector<float>>> words = {
        {"man", {1, 0, 0, 0}},  {"woman", {1, 0, 1, 0}},  {"king", {1, 1, 0, 0}},  {"queen", {1, 1, 1, 0}},
        {"men", {1, 0, 0, 1}},  {"women", {1, 0, 1, 1}},  {"kings", {1, 1, 0, 1}}, {"queens", {1, 1, 1, 1}},
        {"zero", {0, 0, 0, 0}}, {"stone", {0, -1, 0, 0}},
    };
    table = Matrix(words.size(), 4);
    for (std::size_t i = 0; i < words.size(); ++i) {
      vocabulary.add(words[i].first);
      std::ranges::copy(words[i].second, table.row(i).data());
    }
    normalize_rows(table);
  }
  Analogies evaluate(const std::string& text, const AnalogyOptions& options = {}) const {
    MemoryStream stream(text);
    return evaluate_analogies(read_analogy_questions(stream), CommonSpace::of_one({vocabulary, table}), options);
  }

  Vocabulary vocabulary;
  Matrix table;
};

constexpr const char* kQuestions =
    ": family\n"
    "man woman king queen\n"  // right
    "man woman men women\n"   // right
    "man king woman women\n"  // wrong: queen
    ": unknown\n"
    "man prince woman queen\n"   // a missing word
    "man woman king princess\n"  // a missing answer
    ": gram8-plural\n"
    "Man men King kings\n"   // right, in lower case
    "man men zero kings\n";  // a word without a vector

// 3 + 2 semantic questions, 3 covered, 2 right; 2 syntactic ones, 1 covered, 1 right.
TEST_F(AnalogyTest, KnownAnswer) {
  for (const AnalogyMethod method : {AnalogyMethod::cos_add, AnalogyMethod::cos_mul}) {
    const Analogies result = evaluate(kQuestions, {.method = method});
    ASSERT_EQ(result.sections.size(), 3);
    EXPECT_EQ(result.sections[0].score.right, 2);
    EXPECT_EQ(result.sections[1].score.covered, 0);
    EXPECT_EQ(result.sections[1].score.accuracy(), 0);
    EXPECT_EQ(result.semantic().questions, 5);
    EXPECT_EQ(result.semantic().covered, 3);
    EXPECT_DOUBLE_EQ(result.semantic().accuracy(), 100 * 2 / 3.0);
    EXPECT_DOUBLE_EQ(result.semantic().accuracy_of_all(), 40);
    EXPECT_EQ(result.syntactic().questions, 2);
    EXPECT_DOUBLE_EQ(result.syntactic().accuracy(), 100);
    EXPECT_EQ(result.total().questions, 7);
    EXPECT_EQ(result.total().covered, 4);
    EXPECT_DOUBLE_EQ(result.total().accuracy(), 75);
    EXPECT_EQ(result.case_matched, 1);
    EXPECT_EQ(result.words, 10);
    const Analogies::Answer& wrong = result.sections[0].answers[2];
    EXPECT_TRUE(wrong.covered);
    EXPECT_FALSE(wrong.right());
    EXPECT_EQ(vocabulary[wrong.given.value()], "queen");
    EXPECT_FALSE(result.sections[1].answers[0].given);
  }
}

TEST_F(AnalogyTest, CaseAsWritten) {
  const Analogies result = evaluate(kQuestions, {.case_policy = CasePolicy::exact});
  EXPECT_EQ(result.syntactic().covered, 0);
  EXPECT_EQ(result.case_matched, 0);
}

TEST_F(AnalogyTest, VocabularyLimitHoldsForQuestionsAndAnswers) {
  const Analogies result = evaluate("man woman king queen\nman woman men women\n", {.max_words = 4});
  EXPECT_EQ(result.words, 4);
  EXPECT_EQ(result.total().covered, 1);
  EXPECT_EQ(result.total().right, 1);
  EXPECT_EQ(evaluate("man king woman queen\n", {.max_words = 100}).words, 10);
}

TEST_F(AnalogyTest, NothingCovered) {
  const Analogies result = evaluate("x y z w\n");
  EXPECT_EQ(result.total().covered, 0);
  EXPECT_EQ(result.total().accuracy(), 0);
}

TEST(AnalogyMethod, Names) {
  EXPECT_EQ(name_of(AnalogyMethod::cos_add), "3cosadd");
  EXPECT_EQ(name_of(AnalogyMethod::cos_mul), "3cosmul");
}

Matrix rows(const std::vector<std::vector<double>>& values) {
  Matrix table(values.size(), values.front().size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values[i].size(); ++j) table(i, j) = static_cast<float>(values[i][j]);
  return table;
}

// a, b, c on axes, and two candidates of length 1 that differ in the last coordinate:
//   d (0, .9, .1):  3CosAdd .9 + .1 - 0 = 1.00;  3CosMul .95 * .55 / .501 = 1.043
//   e (0, .5, .48): 3CosAdd .5 + .48 - 0 = 0.98;  3CosMul .75 * .74 / .501 = 1.108
TEST(AnalogyAnswers, TheMethodsDiffer) {
  const Matrix table = rows(
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, .9, .1, std::sqrt(1 - .82)}, {0, .5, .48, std::sqrt(1 - .4804)}});
  const std::vector<AnalogyTerms> questions = {{0, 1, 2}};
  EXPECT_THAT(answer_by_cos_add(table, questions), ElementsAre(Optional(3U)));
  EXPECT_THAT(answer_by_cos_mul(table, questions), ElementsAre(Optional(4U)));
}

TEST(AnalogyAnswers, TermsAndZeroRowsAreNoAnswers) {
  const Matrix table = rows({{1, 0}, {0, 1}, {0, 0}});
  const std::vector<AnalogyTerms> questions = {{0, 1, 0}, {1, 1, 1}};
  for (const auto answer : {answer_by_cos_add, answer_by_cos_mul})
    EXPECT_THAT(answer(table, questions), ElementsAre(std::nullopt, Optional(0U)));
  EXPECT_TRUE(answer_by_cos_add(table, {}).empty());
  EXPECT_TRUE(answer_by_cos_mul(table, {}).empty());
}

TEST(AnalogyAnswers, TiesGoToTheLowerId) {
  const Matrix table = rows({{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}});
  const std::vector<AnalogyTerms> questions = {{0, 1, 2}};
  for (const auto answer : {answer_by_cos_add, answer_by_cos_mul})
    EXPECT_THAT(answer(table, questions), ElementsAre(Optional(3U)));
}

/// Every row for every question, in double.
std::vector<std::optional<WordId>> slow_answers(const Matrix& table, const std::vector<AnalogyTerms>& questions,
                                                bool multiply) {
  std::vector<std::optional<WordId>> answers;
  for (const AnalogyTerms& terms : questions) {
    std::optional<WordId> best;
    double best_score = -std::numeric_limits<double>::infinity();
    for (WordId id = 0; id < table.rows(); ++id) {
      if (id == terms[0] || id == terms[1] || id == terms[2]) continue;
      double cosines[3] = {}, length = 0;
      const float* row = table.row(id).data();
      for (std::size_t t = 0; t < 3; ++t) {
        const float* term = table.row(terms[t]).data();
        for (std::size_t j = 0; j < table.cols(); ++j) cosines[t] += static_cast<double>(term[j]) * row[j];
      }
      for (std::size_t j = 0; j < table.cols(); ++j) length += static_cast<double>(row[j]) * row[j];
      if (length == 0) continue;
      const double score = multiply ? (1 + cosines[1]) / 2 * (1 + cosines[2]) / 2 / ((1 + cosines[0]) / 2 + 0.001)
                                    : cosines[1] - cosines[0] + cosines[2];
      if (score > best_score) {
        best_score = score;
        best = id;
      }
    }
    answers.push_back(best);
  }
  return answers;
}

TEST(AnalogyAnswers, AgreeWithTheSlowWayOnAnyNumberOfThreads) {
  Random random(7);
  Matrix table(1500, 12);
  for (float& value : table.elements()) value = static_cast<float>(random.normal());
  for (std::size_t j = 0; j < table.cols(); ++j) table(1100, j) = 0;
  normalize_rows(table);
  std::vector<AnalogyTerms> questions;
  while (questions.size() < 620) {  // enough for an index
    AnalogyTerms terms = {};
    for (WordId& term : terms) do {
        term = static_cast<WordId>(random.index(questions.size() < 560 ? 60 : table.rows()));
      } while (term == 1100);
    questions.push_back(terms);
  }
  const auto sums = slow_answers(table, questions, false), products = slow_answers(table, questions, true);
  for (const int threads : {1, 3}) {
    const WithThreads scope(threads);
    EXPECT_EQ(answer_by_cos_add(table, questions), sums);
    EXPECT_EQ(answer_by_cos_mul(table, questions), products);
  }
}

}  // namespace

}  // namespace wordbridge::analogy_test
