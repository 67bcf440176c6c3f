#include "evaluation/analogy.h"

#include <gtest/gtest.h>

#include "io/memory_stream_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::analogy_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::analogy_test
