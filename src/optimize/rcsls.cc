#include "optimize/rcsls.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "linalg/blas.h"
#include "linalg/gather.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kChunk = 64;  // words that a thread takes at a time

/// The words that a process sums up, of so many: blocks of kProductRows in turn, over which the gradient is summed.
class OwnWords {
 public:
  OwnWords(std::size_t words, Communicator& communicator) : words_(words), communicator_(communicator) {
    for (auto block = static_cast<std::size_t>(communicator.rank()); block * kProductRows < words;
         block += static_cast<std::size_t>(communicator.size())) {
      blocks_.push_back(block);
      for (std::size_t word = block * kProductRows; word < std::min(words, (block + 1) * kProductRows); ++word)
        numbers_.push_back(word);
    }
  }

  std::size_t size() const { return numbers_.size(); }
  std::size_t operator[](std::size_t i) const { return numbers_[i]; }

  /// The sum over all words, in their order, of one number for each own word.
  double sum(const std::vector<double>& own) const {
    double total = 0;
    const auto parts = communicator_.all_gather_values<double>(own);
    for (std::size_t word = 0; word < words_; ++word) {
      const std::size_t block = word / kProductRows;
      total += parts[block % parts.size()][block / parts.size() * kProductRows + word % kProductRows];
    }
    return total;
  }

  /// Aᵀ B over all words: `a` has all rows or own rows only, and so has `b`.
  MatrixD multiply_atb(const MatrixD& a, const MatrixD& b) const {
    if (communicator_.size() == 1) return wordbridge::multiply_atb(a, b);
    std::vector<MatrixD> parts = multiply_atb_parts(own_of(a), own_of(b));
    std::vector<Communicator::Chunk> chunks;
    for (std::size_t i = 0; i < parts.size(); ++i)
      chunks.push_back({blocks_[i], {parts[i].elements().begin(), parts[i].elements().end()}});
    MatrixD total(a.cols(), b.cols());
    std::ranges::copy(communicator_.sum_in_order(chunks), total.data());
    return total;
  }

 private:
  MatrixD own_of(const MatrixD& rows) const {
    return rows.rows() == numbers_.size() ? rows : gather_rows(rows.view(), numbers_);
  }

  std::size_t words_;
  Communicator& communicator_;
  std::vector<std::size_t> blocks_, numbers_;
};

/// The rows at ascending places: all, as they are, or copies of some.
const MatrixD& rows_of(const MatrixD& all, std::span<const std::uint32_t> places, MatrixD& some) {
  if (places.size() == all.rows()) return all;
  return some = gather_rows(all.view(), places);
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

/// Re-scores the neighbors in double, because the searches round to float. `queries` and `neighbors` are those of all
/// words.
NeighborSums sum_neighbors(const OwnWords& own, const MatrixD& queries, const Neighbors& neighbors,
                           const MovingSearch& pool, const NeighborTerm& term) {
  const std::size_t d = pool.dimension(), found = neighbors.found, grouped = found - found % kTogether;
  NeighborSums result{std::vector<double>(own.size()), MatrixD(own.size(), d)};
  if (found == 0) return result;
  ThreadPool::current().for_chunks(own.size(), kChunk, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> scores(found), weights(found);
    std::vector<const float*> rows(found);
    for (std::size_t i = begin; i < end; ++i) {
      const double* query = queries.row(own[i]).data();
      for (std::size_t n = 0; n < found; ++n) rows[n] = pool.row(neighbors.ids_of(own[i])[n]).data();
      for (std::size_t n = 0; n < grouped; n += kTogether) products<kTogether>(query, &rows[n], d, &scores[n]);
      for (std::size_t n = grouped; n < found; ++n) products<1>(query, &rows[n], d, &scores[n]);
      result.values[i] = term.evaluate(scores, weights);
      double* sum = result.sums.row(i).data();
      for (std::size_t n = 0; n < grouped; n += kTogether) add_rows<kTogether>(&weights[n], &rows[n], d, sum);
      for (std::size_t n = grouped; n < found; ++n) add_rows<1>(&weights[n], &rows[n], d, sum);
    }
  });
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
  assert(target_pool.dimension() == words.targets().cols());
  assert(source_pool.dimension() == words.sources().cols());
}

ObjectiveValue RcslsObjective::evaluate(ConstMatrixViewD w) { return evaluate_groups(w, all_); }

ObjectiveValue RcslsObjective::evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) {
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(batch.size());
  for (const std::size_t index : batch) pairs.push_back(words_.pairs()[index]);
  return evaluate_groups(w, PairGroups::of(pairs));
}

ObjectiveValue RcslsObjective::evaluate_groups(ConstMatrixViewD w, const PairGroups& groups) {
  assert(w.rows() == words_.targets().cols() && w.cols() == words_.sources().cols());
  ObjectiveValue value = forward(w, groups);
  const ObjectiveValue other = backward(w, groups);
  value.pairs = groups.weight();
  value.loss_sum += other.loss_sum;
  value.searched += other.searched;
  value.certified += other.certified;
  for (std::size_t i = 0; i < other.gradient_sum.size(); ++i)
    value.gradient_sum.data()[i] += other.gradient_sum.data()[i];
  return value;
}

ObjectiveValue RcslsObjective::forward(ConstMatrixViewD w, const PairGroups& groups) {
  MatrixD some;
  const MatrixD& sources = rows_of(words_.sources(), groups.sources, some);
  const MatrixD mapped = multiply_abt(sources, w);
  const Neighbors neighbors = target_pool_.search(to_float(mapped), groups.sources, k_);
  const OwnWords own(groups.sources.size(), *communicator_);
  NeighborSums near = sum_neighbors(own, mapped, neighbors, target_pool_, term_);
  // A word's row of sums becomes m s − 2 sum w y over its pairs, of weights w and m together: one product with the
  // words gives both terms.
  std::vector<double> losses(own.size());
  ThreadPool::current().for_chunks(own.size(), kChunk, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const double* query = mapped.row(own[i]).data();
      const std::span<double> sum = near.sums.row(i);
      const std::size_t first = groups.begin[own[i]], last = groups.begin[own[i] + 1];
      double weights = 0;
      for (std::size_t p = first; p < last; ++p) weights += groups.weights_of[p];
      losses[i] = weights * near.values[i];
      for (double& element : sum) element *= weights;
      for (std::size_t p = first; p < last; ++p) {
        const double twice = 2 * groups.weights_of[p];
        const double* target = words_.targets().row(groups.targets_of[p]).data();
        double score = 0;
        for (std::size_t j = 0; j < sum.size(); ++j) {
          score += query[j] * target[j];
          sum[j] -= twice * target[j];
        }
        losses[i] -= twice * score;
      }
    }
  });
  ObjectiveValue value;
  value.loss_sum = own.sum(losses);
  value.gradient_sum = own.multiply_atb(near.sums, sources);
  value.certified = target_pool_.certified();
  value.searched = groups.sources.size() - value.certified;
  return value;
}

ObjectiveValue RcslsObjective::backward(ConstMatrixViewD w, const PairGroups& groups) {
  MatrixD some;
  const MatrixD& targets = rows_of(words_.targets(), groups.targets, some);
  const MatrixD pulled = multiply(targets, w);
  const Neighbors neighbors = source_pool_.search(to_float(pulled), groups.targets, k_);
  const OwnWords own(groups.targets.size(), *communicator_);
  NeighborSums near = sum_neighbors(own, pulled, neighbors, source_pool_, term_);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double weights = groups.target_weights[own[i]];
    near.values[i] *= weights;
    for (double& element : near.sums.row(i)) element *= weights;
  }
  ObjectiveValue value;
  value.loss_sum = own.sum(near.values);
  value.gradient_sum = own.multiply_atb(targets, near.sums);
  value.certified = source_pool_.certified();
  value.searched = groups.targets.size() - value.certified;
  return value;
}

}  // namespace wordbridge
