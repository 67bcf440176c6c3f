#include "align/self_learning.h"

#include <gmock/gmock.h>

#include <limits>

#include "align/aligner_test_support.h"
#include "align/linear/procrustes.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

// What every aligner promises is in aligner_contract_test.cc.

namespace wordbridge::self_learning_test {
namespace {

using ::testing::ElementsAre;
using Pair = Lexicon::Pair;

/// Procrustes that remembers what it learned from.
class Recorder final : public Aligner {
 public:
  explicit Recorder(std::vector<std::vector<Pair>>& seen) : seen_(seen) {}
  std::string name() const override { return "recorder"; }
  std::map<std::string, std::string> options() const override { return {{"own", "1"}}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override {
    seen_.emplace_back(problem.lexicon.pairs().begin(), problem.lexicon.pairs().end());
    return ProcrustesAligner().solve(problem);
  }

 private:
  std::vector<std::vector<Pair>>& seen_;
};

SelfLearningAligner learner(SelfLearningOptions options) {
  return {std::make_unique<ProcrustesAligner>(), std::make_unique<ProcrustesAligner>(), options};
}

/// Names for the words, of which some are alike: "worda", "wordb", ... on both sides where `alike` says so.
WordVectors with_words(const WordVectors& vectors, const std::string& prefix, const std::vector<WordId>& alike) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    std::string letters;
    for (std::size_t rest = i + 1; rest > 0; rest /= 26) letters += static_cast<char>('a' + rest % 26);
    const bool same = std::ranges::find(alike, static_cast<WordId>(i)) != alike.end();
    words.push_back((same ? "same" : prefix) + letters);
  }
  return {Vocabulary(words), Matrix(vectors.table())};
}

TEST(SelfLearning, FindsTheMapThatTheLexiconAloneDoesNotSettle) {
  const SyntheticPair data =
      synthetic_pair({.words = 400, .source_dimension = 12, .target_dimension = 12, .pairs = 9, .noise = 0.02});
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  EXPECT_GT(largest_difference(ProcrustesAligner().solve(problem).source_map, data.truth), 0.3);
  const AlignmentResult result = learner({.rounds = 10}).solve(problem);
  EXPECT_LT(largest_difference(result.source_map, data.truth), 0.02);
  const SelfLearningReport& report = result.report.self_learning.value();
  ASSERT_EQ(report.rounds.size(), 10u);
  EXPECT_LT(report.rounds[0].mean_similarity, report.rounds[9].mean_similarity);
  EXPECT_EQ(report.identical, 0u);
}

TEST(SelfLearning, EachFitLearnsFromWhatItShould) {
  const SyntheticPair data = synthetic_pair();
  const WordVectors source = with_words(data.source, "left", {50, 60, 0}),
                    target = with_words(data.target, "right", {50, 60, 0});
  std::vector<std::vector<Pair>> seen;
  const SelfLearningAligner aligner(std::make_unique<Recorder>(seen), std::make_unique<Recorder>(seen),
                                    {.rounds = 2, .words = 5, .weight = 0.5, .identical = 0.125});
  // Word 1 has two translations, target 1 two sources: 1 / sqrt(2) for its pairs, 1 / 2 for the pair of both.
  const Lexicon lexicon({{0, 0}, {1, 1, 2}, {1, 7}, {9, 1}});
  const AlignmentResult result = aligner.solve({source, target, lexicon});
  ASSERT_EQ(seen.size(), 3u);
  const double root = std::sqrt(0.5);
  const auto near = [](WordId a, WordId b, double weight) {
    return testing::AllOf(testing::Field(&Pair::source, a), testing::Field(&Pair::target, b),
                          testing::Field(&Pair::weight, testing::DoubleNear(weight, 1e-12)));
  };
  EXPECT_THAT(seen[0], ElementsAre(near(0, 0, 1), near(1, 1, 1), near(1, 7, root), near(9, 1, root),
                                   near(50, 50, 0.125), near(60, 60, 0.125)))
      << "the lexicon, and equal words that it does not have";
  EXPECT_THAT(std::span(seen[1]).first(4),
              ElementsAre(near(0, 0, 1), near(1, 1, 1), near(1, 7, root), near(9, 1, root)));
  for (const Pair& pair : std::span(seen[1]).subspan(4)) {
    EXPECT_LT(pair.source, 5u);
    EXPECT_LT(pair.target, 5u);
    EXPECT_EQ(pair.weight, 0.5);
  }
  EXPECT_EQ(result.report.self_learning.value().identical, 2u);
  EXPECT_EQ(result.report.self_learning.value().rounds.size(), 2u);
}

TEST(SelfLearning, EqualWordsCountForMoreWhereTheLexiconIsSmall) {
  const SyntheticPair data = synthetic_pair({.words = 4000, .pairs = 3000});
  const WordVectors source = with_words(data.source, "left", {3500}), target = with_words(data.target, "right", {3500});
  const auto weight = [&](std::size_t pairs, std::optional<double> identical) {
    std::vector<std::vector<Pair>> seen;
    const SelfLearningAligner aligner(std::make_unique<Recorder>(seen), std::make_unique<Recorder>(seen),
                                      {.rounds = 0, .identical = identical});
    aligner.solve({source, target, diagonal_lexicon(pairs)});
    return seen.at(0).back().source == 3500 ? seen.at(0).back().weight : 0;
  };
  EXPECT_EQ(weight(3000, {}), 0.25);
  EXPECT_EQ(weight(2999, {}), 0.5);
  EXPECT_EQ(weight(10, 0.75), 0.75);
  EXPECT_EQ(weight(10, 0), 0);
}

TEST(SelfLearning, SaysWhatItIs) {
  std::vector<std::vector<Pair>> seen;
  const SelfLearningAligner aligner(std::make_unique<ProcrustesAligner>(), std::make_unique<Recorder>(seen));
  EXPECT_EQ(aligner.name(), "recorder+self-learn");
  EXPECT_EQ(aligner.options().at("own"), "1");
  EXPECT_EQ(aligner.options().at("self_learn_rounds"), "3");
}

TEST(SelfLearning, RefusesWhatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SelfLearningOptions& options :
       {SelfLearningOptions{.rounds = -1}, SelfLearningOptions{.words = 0}, SelfLearningOptions{.weight = 0},
        SelfLearningOptions{.weight = nan}, SelfLearningOptions{.identical = -1}, SelfLearningOptions{.spread = -0.5},
        SelfLearningOptions{.neighbors = 0}})
    EXPECT_THROW(learner(options), UsageError);
}

}  // namespace
}  // namespace wordbridge::self_learning_test
