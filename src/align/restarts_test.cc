#include "align/restarts.h"

#include <gmock/gmock.h>

#include <fstream>

#include "align/recovery_test_support.h"
#include "base/json.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::restarts_test {
namespace {

using ::testing::HasSubstr;
const HiddenRotation& problem() {
  static const HiddenRotation made = hidden_rotation(300, 24, 0.1, 1, true);
  return made;
}

Matrix truth() {
  Matrix partners = Matrix::uninitialized(300, 24);
  for (std::size_t i = 0; i < 300; ++i)
    std::ranges::copy(problem().target.table().row(problem().partner[i]), partners.row(i).begin());
  return to_float(nearest_orthogonal(multiply_atb(partners.view(), problem().source.table().view())));
}

/// Gives the map it was told to.
class Fixed final : public Aligner {
 public:
  Fixed(Matrix map, std::vector<std::uint64_t>& seeds) : map_(std::move(map)), seeds_(seeds) {}
  std::string name() const override { return "fixed"; }
  std::map<std::string, std::string> options() const override { return {{"an_option", "1"}}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override {
    seeds_.push_back(problem.seed);
    return {.source_map = map_};
  }

 private:
  Matrix map_;
  std::vector<std::uint64_t>& seeds_;
};

/// The maps of the tries, one after the other; the aligner is made once more to be asked for its name.
struct Script {
  std::vector<Matrix> maps;
  int made = -1;
  std::vector<std::uint64_t> seeds = {};

  RestartedAligner::Make make() {
    return [this](const TrainingSessionOptions&) {
      const auto at = static_cast<std::size_t>(std::max(0, made++));
      return std::make_unique<Fixed>(maps.at(at), seeds);
    };
  }
};

AlignmentResult solve(const RestartedAligner& aligner) {
  return aligner.solve({problem().source, problem().target, Lexicon()});
}

TEST(Restarts, EndWithTheFirstThatIsEvidentlyRight) {
  Script script{{random_orthogonal(24, 24, 1), truth(), random_orthogonal(24, 24, 2)}};
  const AlignmentResult result = solve(RestartedAligner(script.make(), {.restarts = 3}));
  EXPECT_EQ(result.source_map, truth());
  EXPECT_EQ(script.made, 2);
  ASSERT_EQ(script.seeds.size(), 2u);
  EXPECT_NE(script.seeds[0], script.seeds[1]);
  const RestartReport restarts = result.report.restarts.value();
  ASSERT_EQ(restarts.tries.size(), 2u);
  EXPECT_LT(restarts.tries[0].evidence, 0.3);
  EXPECT_GT(restarts.tries[1].evidence, 0.7);
  EXPECT_EQ(restarts.chosen, 1u);
  EXPECT_EQ(result.metrics.at("criterion"), restarts.tries[1].refined);
}

TEST(Restarts, SayThatNothingWasFound) {
  Script script{{random_orthogonal(24, 24, 1), random_orthogonal(24, 24, 11)}};
  try {
    solve(RestartedAligner(script.make(), {.restarts = 2}));
    FAIL();
  } catch (const UsageError&) {
    FAIL() << "the call was right";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("fixed found no alignment"));
    EXPECT_THAT(error.what(), HasSubstr("chance predicts"));
  }
  Script again{{random_orthogonal(24, 24, 1), random_orthogonal(24, 24, 11)}};
  EXPECT_NO_THROW(solve(RestartedAligner(again.make(), {.restarts = 2, .min_evidence = -1})));
  EXPECT_EQ(again.made, 1);
}

TEST(Restarts, ValidationReportsAndNeverSelects) {
  // The validation pairs are true only under a wrong map; the right one is chosen all the same.
  Script script{{random_orthogonal(24, 24, 1), truth()}};
  WordPairs wrong;
  for (std::size_t i = 0; i < 50; ++i)
    wrong.pairs.push_back({std::to_string(i), std::to_string((problem().partner[i] + 1) % 300)});
  const AlignmentResult result = solve(RestartedAligner(script.make(), {.restarts = 2, .validation = wrong}));
  EXPECT_EQ(result.source_map, truth());
  EXPECT_LT(result.report.restarts.value().tries.at(1).validation.value(), 20);
}

TEST(Restarts, ResumeAfterTheLastFinishedTry) {
  const TemporaryFolder folder;
  RestartOptions options{.restarts = 3, .session = {folder.path("log"), folder.path("state"), false}};
  Script first{{random_orthogonal(24, 24, 1)}};  // the second try fails: there is no map for it
  EXPECT_THROW(solve(RestartedAligner(first.make(), options)), std::out_of_range);
  options.session.resume = true;
  Script second{{truth()}};
  const AlignmentResult result = solve(RestartedAligner(second.make(), options));
  EXPECT_EQ(second.made, 1);
  EXPECT_EQ(result.source_map, truth());
  EXPECT_EQ(result.report.restarts.value().tries.size(), 2u);
  std::ifstream lines(folder.path("log"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(Json::parse(line).is_object());
  EXPECT_EQ(count, 2u);
}

TEST(Restarts, RefuseWhatCannotBe) {
  Script script{{truth()}};
  EXPECT_THROW(RestartedAligner(script.make(), {.restarts = 0}), UsageError);
  EXPECT_THROW(RestartedAligner(script.make(), {.min_evidence = 2}), UsageError);
  const RestartedAligner aligner(script.make(), {});
  EXPECT_THROW(aligner.solve({WordVectors(), WordVectors(), Lexicon()}), UsageError);
  EXPECT_EQ(aligner.options().at("an_option"), "1");
  EXPECT_EQ(aligner.options().at("restarts"), "3");
}

}  // namespace
}  // namespace wordbridge::restarts_test
