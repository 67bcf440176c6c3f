#include "optimize/rcsls_objective.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "linalg/blas.h"
#include "optimize/objective.h"
#include "parallel/thread_pool.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

class MeanTerm : public NeighborTerm {
 public:
  std::string name() const override { return "mean"; }

  double evaluate(std::span<const double> scores, std::span<double> weights) const override {
    assert(!scores.empty() && scores.size() == weights.size());
    double sum = 0;
    for (const double score : scores) sum += score;
    const double weight = 1.0 / static_cast<double>(scores.size());
    std::fill(weights.begin(), weights.end(), weight);
    return sum * weight;
  }
};

class LogSumExpTerm : public NeighborTerm {
 public:
  explicit LogSumExpTerm(double temperature) : temperature_(temperature) {}
  std::string name() const override { return "logsumexp"; }

  double evaluate(std::span<const double> scores, std::span<double> weights) const override {
    assert(!scores.empty() && scores.size() == weights.size());
    // Relative to the largest score, so that nothing overflows at any temperature.
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) sum += weights[i] = std::exp((scores[i] - largest) / temperature_);
    for (double& weight : weights) weight /= sum;
    return largest + temperature_ * std::log(sum);
  }

 private:
  double temperature_;
};

}  // namespace

std::unique_ptr<NeighborTerm> make_neighbor_term(std::string_view name, double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) throw UsageError("the temperature must be above 0");
  if (name == "mean") return std::make_unique<MeanTerm>();
  if (name == "logsumexp") return std::make_unique<LogSumExpTerm>(temperature);
  throw UsageError("unknown loss '" + std::string(name) + "' (known: mean, logsumexp)");
}

namespace {

/// The queries of some words.
struct Queries {
  MatrixD exact;
  Matrix rounded;  // for the search
};

/// `exact_of`: the queries in double of the words [begin, end), for many threads at once.
template <class ExactOf>
Queries make_queries(std::size_t words, std::size_t dimension, ExactOf exact_of) {
  Queries queries{MatrixD::uninitialized(words, dimension), Matrix::uninitialized(words, dimension)};
  ThreadPool::current().for_chunks(words, kProductRows, [&](std::size_t begin, std::size_t end, int) {
    const MatrixD exact = exact_of(begin, end);
    std::ranges::copy(exact.elements(), queries.exact.row(begin).data());
    std::ranges::copy(to_float(exact).elements(), queries.rounded.row(begin).data());
  });
  return queries;
}

/// What the neighbors of some words add to the loss.
struct NeighborSums {
  std::vector<double> values;  // M, one a word
  MatrixD sums;                // sum of p times the neighbor's row, one row a word
};

constexpr std::size_t kTogether = 5;  // neighbors; more sums at once than a processor has to wait for one

/// Products of a query with some rows, each summed in order.
template <std::size_t count>
void products(const double* query, const float* const* rows, std::size_t d, double* scores) {
  double sums[count] = {};
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t n = 0; n < count; ++n) sums[n] += query[j] * rows[n][j];
  std::copy_n(sums, count, scores);
}

/// Adds rows times their weights to a sum, one after the other.
template <std::size_t count>
void add_rows(const double* weights, const float* const* rows, std::size_t d, double* sum) {
  for (std::size_t j = 0; j < d; ++j) {
    double element = sum[j];
    for (std::size_t n = 0; n < count; ++n) element += weights[n] * rows[n][j];
    sum[j] = element;
  }
}

/// Of the words [begin, end). Re-scores the neighbors in double, because the searches round to float.
NeighborSums sum_neighbors(const MatrixD& queries, const Neighbors& neighbors, std::size_t begin, std::size_t end,
                           const MovingSearch& pool, const NeighborTerm& term) {
  const std::size_t d = pool.dimension(), found = neighbors.found, grouped = found - found % kTogether;
  NeighborSums result{std::vector<double>(end - begin), MatrixD(end - begin, d)};
  if (found == 0) return result;
  std::vector<double> scores(found), weights(found);
  std::vector<const float*> rows(found);
  for (std::size_t i = begin; i < end; ++i) {
    const double* query = queries.row(i).data();
    for (std::size_t n = 0; n < found; ++n) rows[n] = pool.row(neighbors.ids_of(i)[n]).data();
    for (std::size_t n = 0; n < grouped; n += kTogether) products<kTogether>(query, &rows[n], d, &scores[n]);
    for (std::size_t n = grouped; n < found; ++n) products<1>(query, &rows[n], d, &scores[n]);
    result.values[i - begin] = term.evaluate(scores, weights);
    double* sum = result.sums.row(i - begin).data();
    for (std::size_t n = 0; n < grouped; n += kTogether) add_rows<kTogether>(&weights[n], &rows[n], d, sum);
    for (std::size_t n = grouped; n < found; ++n) add_rows<1>(&weights[n], &rows[n], d, sum);
  }
  return result;
}

}  // namespace

RcslsObjective::RcslsObjective(const TrainingPairs& words, MovingSearch& target_pool, MovingSearch& source_pool,
                               const NeighborTerm& term, std::size_t k, Communicator* communicator)
    : words_(words),
      target_pool_(target_pool),
      source_pool_(source_pool),
      term_(term),
      k_(k),
      communicator_(communicator == nullptr ? &alone_ : communicator),
      all_(PairGroups::of(words.pairs())) {
  assert(target_pool.dimension() == words.target_dimension());
  assert(source_pool.dimension() == words.source_dimension());
}

ObjectiveValue RcslsObjective::evaluate(ConstMatrixViewD w) { return evaluate_groups(w, all_); }

ObjectiveValue RcslsObjective::evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) {
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(batch.size());
  for (const std::size_t index : batch) pairs.push_back(words_.pairs()[index]);
  return evaluate_groups(w, PairGroups::of(pairs));
}

ObjectiveValue RcslsObjective::evaluate_groups(ConstMatrixViewD w, const PairGroups& groups) {
  assert(w.rows() == words_.target_dimension() && w.cols() == words_.source_dimension());
  ObjectiveValue value = forward(w, groups);
  const ObjectiveValue other = backward(w, groups);
  value.pairs = groups.weight();
  value.loss_sum += other.loss_sum;
  value.searched += other.searched;
  value.saved_scans += other.saved_scans;
  for (std::size_t i = 0; i < other.gradient_sum.size(); ++i)
    value.gradient_sum.data()[i] += other.gradient_sum.data()[i];
  return value;
}

ObjectiveValue RcslsObjective::forward(ConstMatrixViewD w, const PairGroups& groups) {
  const auto words_at = [&](std::size_t begin, std::size_t end) {
    return words_.sources(std::span(groups.sources).subspan(begin, end - begin));
  };
  const std::size_t count = groups.sources.size();
  Queries mapped = make_queries(
      count, w.rows(), [&](std::size_t begin, std::size_t end) { return multiply_abt(words_at(begin, end), w); });
  const Neighbors neighbors = target_pool_.search(mapped.rounded, groups.sources, k_);
  mapped.rounded = {};
  const auto sum_of = [&](std::size_t begin, std::size_t end) {
    NeighborSums near = sum_neighbors(mapped.exact, neighbors, begin, end, target_pool_, term_);
    for (std::size_t i = begin; i < end; ++i)
      near.values[i - begin] =
          add_pairs(groups, i, mapped.exact.row(i), near.values[i - begin], near.sums.row(i - begin));
    return BlockSum{std::move(near.values), multiply_atb(near.sums, words_at(begin, end))};
  };
  ObjectiveValue value = sum_over_blocks(count, w.rows(), w.cols(), *communicator_, sum_of);
  value.saved_scans = target_pool_.saved_scans();
  value.searched = count - value.saved_scans;
  return value;
}

double RcslsObjective::add_pairs(const PairGroups& groups, std::size_t word, std::span<const double> mapped,
                                 double neighbors, std::span<double> sum) const {
  const std::size_t first = groups.begin[word], last = groups.begin[word + 1];
  double weights = 0;
  for (std::size_t p = first; p < last; ++p) weights += groups.weights_of[p];
  double loss = weights * neighbors;
  for (double& element : sum) element *= weights;
  for (std::size_t p = first; p < last; ++p) {
    const double twice = 2 * groups.weights_of[p];
    const float* target = words_.target(groups.targets_of[p]).data();
    double score = 0;
    for (std::size_t j = 0; j < sum.size(); ++j) {
      score += mapped[j] * double{target[j]};
      sum[j] -= twice * double{target[j]};
    }
    loss -= twice * score;
  }
  return loss;
}

ObjectiveValue RcslsObjective::backward(ConstMatrixViewD w, const PairGroups& groups) {
  const auto words_at = [&](std::size_t begin, std::size_t end) {
    return words_.targets(std::span(groups.targets).subspan(begin, end - begin));
  };
  const std::size_t count = groups.targets.size();
  Queries pulled = make_queries(count, w.cols(),
                                [&](std::size_t begin, std::size_t end) { return multiply(words_at(begin, end), w); });
  const Neighbors neighbors = source_pool_.search(pulled.rounded, groups.targets, k_);
  pulled.rounded = {};
  const auto sum_of = [&](std::size_t begin, std::size_t end) {
    NeighborSums near = sum_neighbors(pulled.exact, neighbors, begin, end, source_pool_, term_);
    for (std::size_t i = begin; i < end; ++i) {
      near.values[i - begin] *= groups.target_weights[i];
      for (double& element : near.sums.row(i - begin)) element *= groups.target_weights[i];
    }
    return BlockSum{std::move(near.values), multiply_atb(words_at(begin, end), near.sums)};
  };
  ObjectiveValue value = sum_over_blocks(count, w.rows(), w.cols(), *communicator_, sum_of);
  value.saved_scans = source_pool_.saved_scans();
  value.searched = count - value.saved_scans;
  return value;
}

}  // namespace wordbridge
