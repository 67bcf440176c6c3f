#include "align/unsupervised/stochastic_self_learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "align/linear/procrustes.h"
#include "align/unsupervised/similarity_profiles.h"
#include "base/json.h"
#include "base/random.h"
#include "lexicon/identical_words.h"
#include "linalg/blas.h"
#include "search/two_sided_search.h"
#include "space/neighborhood_means.h"
#include "space/unit_rows.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using Pairs = std::vector<Lexicon::Pair>;

constexpr std::size_t kEnoughIdentical = 100;  // pairs
constexpr double kProgress = 2e-4;             // by which the objective must grow
constexpr int kMostIterations = 1000;
constexpr int kIterationsBetweenSaves = 10;

/// Where a run is.
struct LearningPosition {
  int iteration = 0;
  int idle = 0;  // iterations without progress
  double keep = 0;
  double best = -std::numeric_limits<double>::infinity();
  bool finished = false;
  std::size_t start_pairs = 0;
  Pairs pairs;                            // of the next fit
  MatrixD w;                              // the last rotation
  std::optional<TwoSidedNeighbors> near;  // under it: the next search starts from them
};

std::vector<double> means_of(const Neighbors& neighbors, std::size_t rows) {
  std::vector<double> means(rows);
  for (std::size_t i = 0; i < rows; ++i) means[i] = mean_score(neighbors.scores_of(i));
  return means;
}

double mean_best(const Neighbors& neighbors, const UnitRows& rows) {
  double sum = 0;
  for (WordId i = 0; i < rows.size(); ++i)
    if (!rows.is_zero(i) && neighbors.found > 0) sum += neighbors.scores_of(i).front();
  return rows.nonzero() == 0 ? 0 : sum / static_cast<double>(rows.nonzero());
}

/// Which candidates an iteration looks at: each by chance, with random numbers of its own.
class Chance {
 public:
  Chance(std::uint64_t seed, double keep)
      : seed_(seed), all_(keep >= 1), limit_(static_cast<std::uint64_t>(keep * 0x1p63)) {}
  bool keeps(WordId source, WordId target) const {
    return all_ || stream_seed(seed_, std::uint64_t{source} << 32 | target) >> 1 < limit_;
  }

 private:
  std::uint64_t seed_;
  bool all_;
  std::uint64_t limit_;
};

/// One solve().
class StochasticAlignment {
 public:
  StochasticAlignment(const AlignmentProblem& problem, const StochasticSelfLearningOptions& options,
                      const Aligner& aligner)
      : problem_(problem),
        options_(options),
        session_(options.session, aligner, problem),
        x_(first_rows(problem.source.table())),
        y_(UnitRows::normalized(Matrix::copy_of(first_rows(problem.target.table())))) {}

  AlignmentResult run() {
    LearningPosition at = session_.resumed() ? restore(*session_.resumed()) : start();
    if (at.iteration == 0) at.start_pairs = at.pairs.size();
    Stage stage("self-learning without a lexicon");
    while (!at.finished) {
      iterate(at);
      stage.update(static_cast<std::uint64_t>(at.iteration), 0,
                   fmt::format("{:.0f}% of the candidates, objective {:.4f}", 100 * at.keep, at.best));
      if (at.finished || at.iteration % kIterationsBetweenSaves == 0) save(at);
    }
    return {.source_map = to_float(at.w),
            .metrics = {{"iterations", static_cast<double>(at.iteration)},
                        {"objective", at.best},
                        {"start_pairs", static_cast<double>(at.start_pairs)}}};
  }

 private:
  ConstMatrixView first_rows(const Matrix& table) const {
    return table.view().slice(0, std::min(options_.words, table.rows()));
  }

  LearningPosition start() const {
    LearningPosition at;
    at.keep = options_.keep;
    if (options_.start != UnsupervisedStart::profiles) {
      const Lexicon alike = identical_letter_words(problem_.source.vocabulary(), problem_.target.vocabulary());
      for (const Lexicon::Pair& pair : alike.pairs())
        if (!is_zero(problem_.source.table().row(pair.source)) && !is_zero(problem_.target.table().row(pair.target)))
          at.pairs.push_back(pair);
      if (options_.start == UnsupervisedStart::identical || at.pairs.size() >= kEnoughIdentical) {
        if (at.pairs.empty())
          throw Error("the two languages write no word alike: unsupervised learning needs another start");
        return at;
      }
    }
    Stage stage("profiles");
    stage.update(0, 0);
    const std::size_t n = std::min({options_.start_words, x_.rows(), y_.size()});
    const Lexicon alike = pairs_by_profile(x_.slice(0, n), y_.rows().slice(0, n));
    at.pairs.assign(alike.pairs().begin(), alike.pairs().end());
    return at;
  }

  /// Fits the pairs, judges the rotation, and finds the next pairs.
  void iterate(LearningPosition& at) const {
    at.w = procrustes_rotation(problem_.source.table(), problem_.target.table(), at.pairs);
    const UnitRows mapped = UnitRows::normalized(multiply_abt(x_, to_float(at.w)));
    TwoSidedNeighbors near =
        two_sided_search(mapped.rows(), y_.rows(), options_.neighbors, kernels(), at.near ? &*at.near : nullptr);
    const double objective = (mean_best(near.of_source, mapped) + mean_best(near.of_target, y_)) / 2;
    ++at.iteration;
    at.idle = objective > at.best + kProgress ? 0 : at.idle + 1;
    at.best = std::max(at.best, objective);
    if (at.idle >= options_.patience) {
      at.finished = at.keep >= 1;
      at.keep = std::min(1.0, 2 * at.keep);
      at.idle = 0;
    }
    at.finished = at.finished || at.iteration >= kMostIterations;
    if (!at.finished) at.pairs = next_pairs(near, mapped, at);
    at.near = std::move(near);
  }

  Pairs next_pairs(const TwoSidedNeighbors& near, const UnitRows& mapped, const LearningPosition& at) const {
    const std::vector<double> of_source = means_of(near.of_source, mapped.size()),
                              of_target = means_of(near.of_target, y_.size());
    Pairs pairs;
    const std::uint64_t seed = stream_seed(problem_.seed, static_cast<std::uint64_t>(at.iteration));
    for (const bool forward : {true, false}) {
      const Chance chance(stream_seed(seed, forward ? 1 : 2), at.keep);
      const Neighbors& neighbors = forward ? near.of_source : near.of_target;
      const UnitRows& asking = forward ? mapped : y_;
      for (WordId i = 0; i < asking.size(); ++i) {
        if (asking.is_zero(i)) continue;
        double best = -std::numeric_limits<double>::infinity();
        Lexicon::Pair found{};
        for (std::size_t n = 0; n < neighbors.found; ++n) {
          const WordId other = neighbors.ids_of(i)[n], source = forward ? i : other, target = forward ? other : i;
          const double score = 2.0 * neighbors.scores_of(i)[n] - of_source[source] - of_target[target];
          if (score > best && chance.keeps(source, target)) {
            best = score;
            found = {source, target};
          }
        }
        if (std::isfinite(best)) pairs.push_back(found);
      }
    }
    // By ill chance nothing may be left: then nothing is left out.
    if (!pairs.empty()) return pairs;
    LearningPosition whole = at;
    whole.keep = 1;
    return at.keep < 1 ? next_pairs(near, mapped, whole) : throw Error("no word of the two languages finds another");
  }

  void save(const LearningPosition& at) const {
    MatrixD pairs(at.pairs.size(), 2), numbers(1, 2);
    for (std::size_t i = 0; i < at.pairs.size(); ++i) {
      pairs(i, 0) = at.pairs[i].source;
      pairs(i, 1) = at.pairs[i].target;
    }
    numbers(0, 0) = at.keep;
    numbers(0, 1) = at.best;
    session_.save({at.finished,
                   Json{{"iteration", at.iteration}, {"idle", at.idle}, {"start_pairs", at.start_pairs}}.dump(),
                   {at.w, numbers, pairs}});
  }

  static LearningPosition restore(const CheckpointState& state) {
    const Json saved = Json::parse(state.json);
    const MatrixD &numbers = state.matrices.at(1), &pairs = state.matrices.at(2);
    LearningPosition at;
    at.iteration = saved.at("iteration").get<decltype(at.iteration)>();
    at.idle = saved.at("idle").get<decltype(at.idle)>();
    at.start_pairs = saved.at("start_pairs").get<decltype(at.start_pairs)>();
    at.keep = numbers(0, 0);
    at.best = numbers(0, 1);
    at.finished = state.finished;
    at.w = state.matrices.at(0);
    for (std::size_t i = 0; i < pairs.rows(); ++i)
      at.pairs.push_back({static_cast<WordId>(pairs(i, 0)), static_cast<WordId>(pairs(i, 1))});
    return at;
  }

  const AlignmentProblem& problem_;
  const StochasticSelfLearningOptions& options_;
  TrainingSession session_;
  ConstMatrixView x_;  // the frequent words
  UnitRows y_;
};

}  // namespace

void check(const StochasticSelfLearningOptions& options) {
  if (options.start_words < 2 || options.words < 2)
    throw UsageError("learning without a lexicon needs two words at least");
  if (!(options.keep > 0 && options.keep <= 1))
    throw UsageError("the share of candidates that are looked at is above 0 and at most 1");
  if (options.patience < 1) throw UsageError("learning without a lexicon needs the patience of one iteration at least");
  if (options.neighbors == 0) throw UsageError("learning without a lexicon needs one neighbor at least");
  check(options.session);
}

StochasticSelfLearningAligner::StochasticSelfLearningAligner(StochasticSelfLearningOptions options)
    : options_(std::move(options)) {
  check(options_);
}

const OptionList<StochasticSelfLearningOptions>& unsupervised_options() {
  static const OptionList<StochasticSelfLearningOptions> kList = [] {
    using S = StochasticSelfLearningOptions;
    using enum UnsupervisedStart;
    OptionList<S> list("unsupervised-");
    list.add(
        "start", &S::start,
        std::vector<std::pair<std::string, UnsupervisedStart>>{
            {"automatic", automatic}, {"identical", identical}, {"profiles", profiles}},
        "First pairs: words that both languages write alike (identical), words whose similarities to the others are "
        "distributed alike (profiles), or equal words where there are 100 at least (automatic)");
    list.add("start-words", &S::start_words, "Most frequent words in the start by profiles").at_least(2);
    list.add("words", &S::words, "Most frequent words that look for each other").at_least(2);
    list.add("keep", &S::keep, "Share of the candidates that are looked at, at first; it doubles up to 1")
        .above(0)
        .at_most(1);
    list.add("patience", &S::patience, "Iterations without progress after which it does").range(1, 1000);
    list.add("neighbors", &S::neighbors, "Candidates of each word, and k of CSLS").at_least(1);
    return list;
  }();
  return kList;
}

AlignmentResult StochasticSelfLearningAligner::solve(const AlignmentProblem& problem) const {
  if (problem.source.table().empty() || problem.target.table().empty())
    throw UsageError("without words on both sides there is nothing to align");
  return StochasticAlignment(problem, options_, *this).run();
}

}  // namespace wordbridge
