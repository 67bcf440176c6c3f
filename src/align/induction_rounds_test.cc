#include "align/induction_rounds.h"

#include <gmock/gmock.h>

#include "align/aligner_test_support.h"
#include "align/linear/procrustes.h"
#include "align/linear/vecmap.h"
#include "wordbridge/error.h"

namespace wordbridge::induction_rounds_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

InductionRounds plain_rounds(int rounds) {
  return {.name = "test",
          .rounds = rounds,
          .induction = {.direction = InductionDirection::intersection},
          .choose = [](std::vector<InducedPair> pairs) { return pairs; },
          .teach = [](const std::vector<InducedPair>& pairs) { return lexicon_of(pairs); }};
}

/// Remembers the lexicons that it was taught, and warns.
class Pupil final : public Aligner {
 public:
  explicit Pupil(std::string warning) : warning_(std::move(warning)) {}
  std::string name() const override { return "pupil"; }
  std::map<std::string, std::string> options() const override { return {}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override {
    sizes.push_back(problem.lexicon.size());
    AlignmentResult result = VecmapAligner().solve(problem);
    result.report.warnings = {warning_};
    return result;
  }
  mutable std::vector<std::size_t> sizes;

 private:
  std::string warning_;
};

TEST(InductionRounds, TheLastRoundHasAFitOfItsOwn) {
  const SyntheticPair data = synthetic_pair();
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  const Pupil refit("refit"), last("last");
  AlignmentResult start = ProcrustesAligner().solve(problem);
  start.report.warnings = {"start"};
  const InductionRoundsResult done = run_rounds(plain_rounds(3), problem, std::move(start), data.lexicon, refit, last);
  EXPECT_THAT(refit.sizes, ElementsAre(200, 200));
  EXPECT_THAT(last.sizes, ElementsAre(200));
  EXPECT_THAT(done.result.report.warnings, ElementsAre("start", "refit", "last"));
  ASSERT_EQ(done.rounds.size(), 3u);
  EXPECT_EQ(done.rounds[0].pairs, 200u);
  EXPECT_EQ(done.rounds[0].kept, 100u) << "of the first lexicon";
  EXPECT_EQ(done.rounds[2].kept, 200u);
  EXPECT_NEAR(done.rounds[0].mean_similarity, 1, 1e-5);
}

TEST(InductionRounds, LooksAtTheFirstWordsOnly) {
  const SyntheticPair data = synthetic_pair();
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  InductionRounds rounds = plain_rounds(1);
  rounds.words = 30;
  const Pupil pupil("");
  run_rounds(rounds, problem, ProcrustesAligner().solve(problem), data.lexicon, pupil, pupil);
  EXPECT_THAT(pupil.sizes, ElementsAre(30));
}

TEST(InductionRounds, WithoutRoundsTheStartStays) {
  const SyntheticPair data = synthetic_pair();
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  const Pupil pupil("");
  AlignmentResult start = ProcrustesAligner().solve(problem);
  const Matrix map = start.source_map;
  EXPECT_EQ(run_rounds(plain_rounds(0), problem, std::move(start), data.lexicon, pupil, pupil).result.source_map, map);
  EXPECT_THAT(pupil.sizes, IsEmpty());
}

TEST(InductionRounds, FailsWhereNothingIsFound) {
  const SyntheticPair data = synthetic_pair();
  const AlignmentProblem problem{data.source, data.target, data.lexicon};
  InductionRounds rounds = plain_rounds(1);
  rounds.choose = [](const std::vector<InducedPair>&) { return std::vector<InducedPair>(); };
  const ProcrustesAligner fit;
  EXPECT_THROW(run_rounds(rounds, problem, fit.solve(problem), data.lexicon, fit, fit), Error);
}

}  // namespace
}  // namespace wordbridge::induction_rounds_test
