// What every aligner that learns from a lexicon promises. A new one adds a line to kAligners.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <memory>

#include "align/aligner.h"
#include "align/aligner_test_support.h"
#include "align/linear/least_squares.h"
#include "align/linear/procrustes.h"
#include "align/linear/smith.h"
#include "align/linear/vecmap.h"
#include "align/prepared_problem.h"
#include "align/rcsls/rcsls.h"
#include "align/refinement.h"
#include "align/self_learning.h"
#include "base/effort_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "mapping/mapping_format.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::aligner_contract_test {
namespace {

struct Entry {
  const char* name;
  std::function<std::unique_ptr<Aligner>()> make;
};

const Entry kAligners[] = {
    {"LeastSquares", [] { return std::make_unique<LeastSquaresAligner>(); }},
    {"LeastSquaresRidge", [] { return std::make_unique<LeastSquaresAligner>(LeastSquaresOptions{.ridge = 0.01}); }},
    {"Procrustes", [] { return std::make_unique<ProcrustesAligner>(); }},
    {"Rcsls", [] { return std::make_unique<RcslsAligner>(RcslsOptions{.learning_rate = 1}); }},
    {"RcslsSpectral",
     [] {
       return std::make_unique<RcslsAligner>(RcslsOptions{.constraint = "spectral", .learning_rate = 5, .epochs = 4});
     }},
    {"Refined",
     [] {
       return std::make_unique<RefinedAligner>(std::make_unique<ProcrustesAligner>(),
                                               std::make_unique<ProcrustesAligner>(), RefinementOptions{.rounds = 2});
     }},
    {"SelfLearning",
     [] {
       return std::make_unique<SelfLearningAligner>(std::make_unique<VecmapAligner>(),
                                                    std::make_unique<VecmapAligner>(),
                                                    SelfLearningOptions{.rounds = 2, .words = 200, .spread = 0});
     }},
    {"RcslsFromVecmap",
     [] { return std::make_unique<RcslsAligner>(RcslsOptions{.learning_rate = 0.5, .epochs = 3, .init = "vecmap"}); }},
    {"Smith", [] { return std::make_unique<SmithAligner>(); }},
    {"Vecmap", [] { return std::make_unique<VecmapAligner>(); }},
};

class AlignerContract : public ::testing::TestWithParam<Entry> {
 protected:
  std::unique_ptr<Aligner> aligner_ = GetParam().make();

  AlignmentResult solve(const SyntheticPair& data) const {
    return aligner_->solve({data.source, data.target, data.lexicon});
  }
};

/// The share of words after the lexicon's whose mapped vector has its translation as nearest neighbor.
double accuracy(const SyntheticPair& data, const AlignmentResult& result) {
  const Mapping mapping(result.source_map, {}, {}, result.target_map);
  const Matrix x = mapping.apply(Matrix(data.source.table()), Side::source, true);
  const Matrix y = mapping.apply(Matrix(data.target.table()), Side::target, true);
  std::size_t right = 0;
  for (std::size_t i = data.lexicon.size(); i < x.rows(); ++i) {
    std::size_t best = 0;
    double best_score = -2;
    for (std::size_t j = 0; j < y.rows(); ++j) {
      double score = 0;
      for (std::size_t k = 0; k < x.cols(); ++k) score += static_cast<double>(x(i, k)) * y(j, k);
      if (score > best_score) best = j, best_score = score;
    }
    right += best == i;
  }
  return static_cast<double>(right) / static_cast<double>(x.rows() - data.lexicon.size());
}

TEST_P(AlignerContract, HasANameAndOptions) {
  EXPECT_FALSE(aligner_->name().empty());
  for (const auto& [name, value] : aligner_->options()) EXPECT_FALSE(name.empty());
}

TEST_P(AlignerContract, FindsTranslationsOfUnseenWords) {
  for (const double noise : {0.0, 0.05}) {
    const SyntheticPair data = synthetic_pair({.noise = noise});
    EXPECT_GE(accuracy(data, solve(data)), 0.95) << "noise " << noise;
  }
}

TEST_P(AlignerContract, TakesUnequalDimensions) {
  for (const auto& [d_s, d_t] : {std::pair<std::size_t, std::size_t>{12, 6}, {6, 12}, {3, 1}, {1, 3}}) {
    const SyntheticPair data = synthetic_pair({.source_dimension = d_s, .target_dimension = d_t, .noise = 0.02});
    const AlignmentResult result = solve(data);
    EXPECT_EQ(result.source_map.cols(), d_s);
    EXPECT_EQ(result.source_map.rows(), result.target_map ? result.target_map->rows() : d_t);
    if (result.target_map) {
      EXPECT_EQ(result.target_map->cols(), d_t);
    }
  }
}

TEST_P(AlignerContract, LexiconsSmallerThanTheDimensionWork) {
  const SyntheticPair data = synthetic_pair({.source_dimension = 20, .target_dimension = 20, .pairs = 5});
  const AlignmentResult result = solve(data);
  for (const float value : result.source_map.elements()) EXPECT_TRUE(std::isfinite(value));
}

TEST_P(AlignerContract, RepeatsItselfWhateverTheThreads) {
  // More pairs than the blocks that are shared out.
  const std::size_t words = effort(3000, 1500);
  const SyntheticPair data = synthetic_pair({.words = words, .pairs = words, .noise = 0.1});
  const WithThreads one_thread(1);
  const AlignmentResult one = solve(data);
  const WithThreads three_threads(3);
  const AlignmentResult three = solve(data);
  EXPECT_EQ(one.source_map, three.source_map);
  EXPECT_EQ(one.target_map, three.target_map);
  EXPECT_EQ(one.metrics, three.metrics);
}

TEST_P(AlignerContract, LeavesItsInputsAlone) {
  const SyntheticPair data = synthetic_pair();
  const Matrix source = data.source.table(), target = data.target.table();
  solve(data);
  EXPECT_EQ(data.source.table(), source);
  EXPECT_EQ(data.target.table(), target);
}

/// The words of a synthetic pair, and all of them once more.
SyntheticPair doubled(const SyntheticPair& data) {
  const auto twice = [](const Matrix& table) {
    Matrix rows(2 * table.rows(), table.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(table.row(i % table.rows()), rows.row(i).begin());
    return numbered_vectors(std::move(rows));
  };
  return {twice(data.source.table()), twice(data.target.table()), data.truth, data.lexicon};
}

TEST_P(AlignerContract, APairOfWeightTwoCountsTwice) {
  SyntheticPair data = doubled(synthetic_pair({.noise = 0.2}));
  std::vector<Lexicon::Pair> weighted, repeated;
  for (WordId i = 0; i < 60; ++i) {
    weighted.push_back({i, i, i < 20 ? 2.0 : 1.0});
    repeated.push_back({i, i});
    if (i < 20) repeated.push_back({200 + i, 200 + i});
  }
  data.lexicon = Lexicon(weighted);
  const AlignmentResult one = solve(data);
  data.lexicon = Lexicon(repeated);
  const AlignmentResult two = solve(data);
  const Mapping a(one.source_map, {}, {}, one.target_map), b(two.source_map, {}, {}, two.target_map);
  // Axes may change sign on both sides: scores do not.
  const auto scores = [&](const Mapping& mapping) {
    return multiply_abt(mapping.apply(Matrix(data.source.table()), Side::source, true),
                        mapping.apply(Matrix(data.target.table()), Side::target, true));
  };
  EXPECT_LT(largest_difference(scores(a), scores(b)), 1e-4);
}

TEST_P(AlignerContract, PairsOfNextToNoWeightHardlyMatter) {
  SyntheticPair data = synthetic_pair();
  std::vector<Lexicon::Pair> pairs(data.lexicon.pairs().begin(), data.lexicon.pairs().end());
  for (WordId i = 0; i < 100; ++i) pairs.push_back({i, (i + 1) % 200, 1e-6});
  data.lexicon = Lexicon(pairs);
  const AlignmentResult result = solve(data);
  data.lexicon = diagonal_lexicon(100);
  EXPECT_GE(accuracy(data, result), 0.95);
}

TEST_P(AlignerContract, RefusesAnEmptyLexicon) {
  const SyntheticPair data = synthetic_pair({.pairs = 0});
  EXPECT_THROW(solve(data), UsageError);
}

TEST_P(AlignerContract, ItsMappingCanBeKept) {
  SyntheticPair data = synthetic_pair();
  const std::vector<Normalizer::Step> steps = {Normalizer::Step::unit};
  const Mapping mapping = PreparedProblem(data.source, data.target, data.lexicon, steps).solve(*aligner_);
  EXPECT_EQ(mapping.provenance.method, aligner_->name());
  const TemporaryFolder folder;
  write_mapping(mapping, folder.path("x.wbmap"));
  EXPECT_EQ(read_mapping(folder.path("x.wbmap")).source_map(), mapping.source_map());
}

INSTANTIATE_TEST_SUITE_P(All, AlignerContract, ::testing::ValuesIn(kAligners),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace wordbridge::aligner_contract_test
