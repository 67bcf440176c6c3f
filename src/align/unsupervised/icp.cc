#include "align/unsupervised/icp.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "align/linear/procrustes.h"
#include "align/unsupervised/closest_points.h"
#include "align/unsupervised/principal_axes.h"
#include "align/unsupervised/similarity_profiles.h"
#include "base/json.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kGroup = 8;  // starts between two checkpoints

ConstMatrixView first_rows(const Matrix& table, std::size_t rows) {
  return table.view().slice(0, std::min(rows, table.rows()));
}

BothWays random_signs(std::size_t p, std::uint64_t seed) {
  Random random(seed);
  BothWays start{MatrixD::identity(p), MatrixD::identity(p)};
  for (std::size_t j = 0; j < p; ++j)
    if (random.index(2) == 1) start.forward(j, j) = start.backward(j, j) = -1;
  return start;
}

/// One solve().
class IcpAlignment {
 public:
  IcpAlignment(const AlignmentProblem& problem, const IcpOptions& options, const Aligner& aligner)
      : source_(problem.source.table()),
        target_(problem.target.table()),
        options_(options),
        dimensions_(std::min({options.dimensions, source_.cols(), target_.cols()})),
        session_(options.session, aligner, problem),
        seed_(problem.seed) {}

  AlignmentResult run() {
    const PrincipalAxes x = principal_axes(first_rows(source_, options_.words), dimensions_);
    const PrincipalAxes y = principal_axes(first_rows(target_, options_.words), dimensions_);
    if (session_.resumed()) restore(*session_.resumed());
    try_starts(x, y);
    return finish(x, y);
  }

 private:
  /// Side by side, one a worker; which one ends best does not depend on who ran it.
  void try_starts(const PrincipalAxes& x, const PrincipalAxes& y) {
    const ClosestPoints clouds(x.points, y.points, options_.cycle);
    const auto total = static_cast<std::size_t>(options_.starts);
    Stage stage("closest points");
    while (errors_.size() < total) {
      const std::size_t first = errors_.size(), count = std::min(kGroup, total - first);
      stage.update(first, total, first == 0 ? "" : fmt::format("least error {:.4f}", best_.error));
      std::vector<BothWays> ends(count);
      ThreadPool::current().for_chunks(count, 1, [&](std::size_t begin, std::size_t, int) {
        const std::uint64_t seed = stream_seed(seed_, first + begin);
        const BothWays start = first + begin == 0 ? start_by_profile(x, y) : random_signs(dimensions_, seed);
        ends[begin] = clouds.run(start, options_.iterations, options_.batch, seed);
      });
      for (BothWays& end : ends) {
        errors_.push_back(end.error);
        session_.log(Json{{"seed", seed_}, {"start", errors_.size()}, {"error", end.error}}.dump());
        if (end.error < best_.error) best_ = std::move(end);
      }
      save(errors_.size() == total);
    }
  }

  BothWays start_by_profile(const PrincipalAxes& x, const PrincipalAxes& y) const {
    constexpr std::size_t kWords = 4000;
    const std::size_t n = std::min({kWords, x.points.rows(), y.points.rows()});
    const Lexicon alike = pairs_by_profile(first_rows(source_, n), first_rows(target_, n));
    const MatrixD rotation = procrustes_rotation(x.points, y.points, alike.pairs());
    return {rotation, transpose(rotation)};
  }

  /// The best start goes on with more words, in the axes of these, and is handed over to the full space.
  AlignmentResult finish(const PrincipalAxes& x, const PrincipalAxes& y) {
    const PrincipalAxes more_x = principal_axes(first_rows(source_, options_.final_words), dimensions_);
    const PrincipalAxes more_y = principal_axes(first_rows(target_, options_.final_words), dimensions_);
    BothWays start = best_;
    start.forward =
        multiply(multiply(multiply_abt(more_y.axes, y.axes), start.forward), multiply_abt(x.axes, more_x.axes));
    start.backward =
        multiply(multiply(multiply_abt(more_x.axes, x.axes), start.backward), multiply_abt(y.axes, more_y.axes));
    const ClosestPoints clouds(more_x.points, more_y.points, options_.cycle);
    const BothWays end = clouds.run(std::move(start), options_.final_iterations.value_or(options_.iterations),
                                    options_.batch, stream_seed(seed_, errors_.size()));
    const std::vector<Lexicon::Pair> pairs = clouds.mutual_pairs(end);
    if (pairs.empty()) throw Error("icp found no pair of words that choose each other");
    return {.source_map = to_float(procrustes_rotation(source_, target_, pairs)),
            .metrics = {{"reconstruction_error", end.error}, {"mutual_pairs", static_cast<double>(pairs.size())}},
            .report = {.start_errors = errors_}};
  }

  void save(bool finished) const {
    MatrixD errors(1, errors_.size());
    std::ranges::copy(errors_, errors.data());
    session_.save({finished, "{}", {errors, best_.forward, best_.backward}});
  }

  void restore(const CheckpointState& state) {
    const auto errors = state.matrices.at(0).elements();
    errors_.assign(errors.begin(), errors.end());
    best_ = {state.matrices.at(1), state.matrices.at(2), *std::ranges::min_element(errors_)};
  }

  const Matrix &source_, &target_;
  const IcpOptions& options_;
  std::size_t dimensions_;
  TrainingSession session_;
  std::uint64_t seed_;
  std::vector<double> errors_;
  BothWays best_;
};

}  // namespace

void check(const IcpOptions& options) {
  if (options.words < 2 || options.final_words < 2 || options.batch < 2)
    throw UsageError("icp needs two words at least");
  if (options.dimensions == 0) throw UsageError("icp needs one dimension at least");
  if (options.starts < 1 || options.iterations < 1 || options.final_iterations.value_or(1) < 1)
    throw UsageError("icp needs one start and one iteration at least");
  if (!(options.cycle >= 0)) throw UsageError("the weight of the cycle terms of icp must not be below 0");
}

IcpAligner::IcpAligner(IcpOptions options) : options_(std::move(options)) { check(options_); }

const OptionList<IcpOptions>& icp_options() {
  static const OptionList<IcpOptions> kList = [] {
    using S = IcpOptions;
    OptionList<S> list("icp-");
    list.add("words", &S::words, "Most frequent words in the starts").at_least(2);
    list.add("final-words", &S::final_words, "Most frequent words that the best start goes on with").at_least(2);
    list.add("dimensions", &S::dimensions, "Principal axes kept").at_least(1);
    list.add("starts", &S::starts,
             "Starts: the first by profiles of similarities, the others by random signs of the axes")
        .range(1, 1'000'000);
    list.add("iterations", &S::iterations, "Matchings and fits of each").at_least(1);
    list.add("final-iterations", &S::final_iterations, "Matchings and fits of the best start; auto: as many")
        .at_least(1)
        .describe(
            [](const S& options) { return std::to_string(options.final_iterations.value_or(options.iterations)); });
    list.add("batch", &S::batch, "Words of each language in a matching").at_least(2);
    list.add("cycle", &S::cycle, "Weight of the cycle terms").at_least(0);
    return list;
  }();
  return kList;
}

AlignmentResult IcpAligner::solve(const AlignmentProblem& problem) const {
  if (problem.source.table().empty() || problem.target.table().empty())
    throw UsageError("without words on both sides there is nothing to align");
  return IcpAlignment(problem, options_, *this).run();
}

}  // namespace wordbridge
