#include "evaluation/drift.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/json.h"
#include "base/wording.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/neighbor_search.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

constexpr std::size_t kMostRounds = 30;
constexpr double kWeightSettled = 1e-3;
/// Deviations from the median at which a word begins to lose its weight in the fit, and after which it has none.
constexpr double kTrusted = 1.5, kLost = 4.5;
constexpr double kOfNormal = 1.4826;      // the deviation of a normal distribution over its median absolute deviation
constexpr double kLeastDeviation = 1e-3;  // rounding is no change, where all words agree
constexpr double kLargestCosine = 1 - 1e-7;
constexpr std::size_t kRowsAtOnce = 256;

/// Both tables, of the shared words alone, the most frequent first.
struct SharedWords {
  std::vector<WordId> old_ids, new_ids;
  Matrix older, newer;
};

SharedWords share(const WordVectors& older, const WordVectors& newer) {
  struct Both {
    WordId old_id, new_id;
    double frequency;  // the logarithm of the product of ranks
  };
  std::vector<Both> both;
  for (WordId id = 0; id < older.size(); ++id) {
    const auto other = newer.vocabulary().find(older.vocabulary()[id]);
    if (!other || is_zero(older.table().row(id)) || is_zero(newer.table().row(*other))) continue;
    both.push_back({id, *other, std::log(1.0 + id) + std::log(1.0 + *other)});
  }
  std::ranges::stable_sort(both, {}, &Both::frequency);
  SharedWords shared;
  for (const Both& word : both) {
    shared.old_ids.push_back(word.old_id);
    shared.new_ids.push_back(word.new_id);
  }
  if (both.size() < 2 * older.dimension())
    throw UsageError(fmt::format("the tables share {} words; to compare vectors of dimension {} takes {} or more",
                                 both.size(), older.dimension(), 2 * older.dimension()));
  shared.older = gather_rows(older.table(), shared.old_ids);
  shared.newer = gather_rows(newer.table(), shared.new_ids);
  constexpr std::array kSteps = {Normalizer::Step::unit, Normalizer::Step::center, Normalizer::Step::unit};
  Normalizer::fit(kSteps, shared.older);
  Normalizer::fit(kSteps, shared.newer);
  return shared;
}

/// Of values that may be reordered; not empty.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::vector<double> cosines_of(const Matrix& mapped, const Matrix& newer) {
  std::vector<double> cosines(mapped.rows());
  ThreadPool::current().for_chunks(mapped.rows(), kRowsAtOnce, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      double product = 0, squares = 0, others = 0;
      for (std::size_t j = 0; j < mapped.cols(); ++j) {
        const double a = mapped(i, j), b = newer(i, j);
        product += a * b;
        squares += a * a;
        others += b * b;
      }
      const double lengths = std::sqrt(squares * others);
      cosines[i] = lengths > 0 ? product / lengths : 1;  // a word at the very mean of both has no direction to change
    }
  });
  return cosines;
}

/// What each word counts in the next fit, by its distance to where the map brings it.
std::vector<double> weights_of(const std::vector<double>& cosines) {
  std::vector<double> distances(cosines.size());
  for (std::size_t i = 0; i < cosines.size(); ++i) distances[i] = std::sqrt(std::max(0.0, 2 - 2 * cosines[i]));
  std::vector<double> sorted = distances;
  const double median = median_of(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = std::abs(distances[i] - median);
  const double deviation = std::max(kLeastDeviation, kOfNormal * median_of(sorted));
  for (double& distance : distances) {
    const double beyond = std::clamp(((distance - median) / deviation - kTrusted) / (kLost - kTrusted), 0.0, 1.0);
    distance = (1 - beyond * beyond) * (1 - beyond * beyond);
  }
  return distances;
}

/// The cosine of each word under the map that those words make that did not change.
std::vector<double> fit_robustly(const SharedWords& shared, Drift& drift) {
  std::vector<double> weights(shared.older.rows(), 1), cosines;
  Stage stage("fitting");
  for (drift.rounds = 1; drift.rounds <= kMostRounds; ++drift.rounds) {
    stage.update(drift.rounds - 1, kMostRounds);
    Matrix weighted = shared.newer;
    for (std::size_t i = 0; i < weighted.rows(); ++i)
      for (float& value : weighted.row(i)) value *= static_cast<float>(weights[i]);
    const Matrix map = to_float(nearest_orthogonal(multiply_atb(weighted, shared.older)));
    cosines = cosines_of(multiply_abt(shared.older, map), shared.newer);
    std::vector<double> next = weights_of(cosines);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) change = std::max(change, std::abs(next[i] - weights[i]));
    weights = std::move(next);
    if (change < kWeightSettled) break;
  }
  drift.rounds = std::min(drift.rounds, kMostRounds);
  drift.trusted = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  return cosines;
}

/// How far each word lies below those of like frequency, in their deviations.
std::vector<double> scores_of(const std::vector<double>& cosines, std::size_t like_words) {
  const std::size_t count = cosines.size(), window = std::min(std::max<std::size_t>(like_words, 2), count);
  std::vector<double> transformed(count), scores(count);
  for (std::size_t i = 0; i < count; ++i)
    transformed[i] = std::atanh(std::clamp(cosines[i], -kLargestCosine, kLargestCosine));
  ThreadPool::current().for_chunks(count, kRowsAtOnce, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> like, above;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = std::min(i - std::min(i, window / 2), count - window);
      like.assign(transformed.begin() + static_cast<std::ptrdiff_t>(first),
                  transformed.begin() + static_cast<std::ptrdiff_t>(first + window));
      const double median = median_of(like);
      above.clear();
      for (const double value : like)
        if (value >= median) above.push_back(value - median);
      scores[i] = (transformed[i] - median) / std::max(kLeastDeviation, kOfNormal * median_of(above));
    }
  });
  return scores;
}

/// The nearest shared words of some of them, themselves left out.
std::vector<std::vector<std::size_t>> neighbors_of(const Matrix& table, std::span<const std::size_t> words,
                                                   std::size_t count) {
  const auto search = make_search(table, words.size());
  std::vector<std::uint32_t> ids(words.begin(), words.end());
  const Neighbors found = search->search(gather_rows(table, ids), count + 1);
  std::vector<std::vector<std::size_t>> neighbors(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::uint32_t id : found.ids_of(i))
      if (id != words[i] && neighbors[i].size() < count) neighbors[i].push_back(id);
  return neighbors;
}

void name_neighbors(Drift& drift, const SharedWords& shared, const WordVectors& older,
                    std::span<const std::size_t> words, std::size_t count) {
  const auto before = neighbors_of(shared.older, words, count), after = neighbors_of(shared.newer, words, count);
  for (std::size_t i = 0; i < words.size(); ++i) {
    DriftedWord& word = drift.words[i];
    std::size_t kept = 0;
    for (const std::size_t id : before[i]) {
      kept += std::ranges::count(after[i], id) > 0;
      word.old_neighbors.emplace_back(older.vocabulary()[shared.old_ids[id]]);
    }
    for (const std::size_t id : after[i]) word.new_neighbors.emplace_back(older.vocabulary()[shared.old_ids[id]]);
    word.kept = before[i].empty() ? 0 : static_cast<double>(kept) / static_cast<double>(before[i].size());
  }
}

}  // namespace

std::vector<double> false_discovery_rates(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> rates(p_values.size());
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p_values[i] * static_cast<double>(order.size()) / static_cast<double>(rank));
    rates[i] = least;
  }
  return rates;
}

Drift find_drift(const WordVectors& older, const WordVectors& newer, const DriftOptions& options) {
  if (older.dimension() != newer.dimension())
    throw UsageError(
        fmt::format("vectors of dimensions {} and {} cannot be compared: an orthogonal map leads from one "
                    "table to the other",
                    older.dimension(), newer.dimension()));
  const SharedWords shared = share(older, newer);
  Drift drift{.shared = shared.old_ids.size()};
  const std::vector<double> cosines = fit_robustly(shared, drift);
  std::vector<double> sorted = cosines;
  drift.median_cosine = median_of(sorted);
  const std::vector<double> scores = scores_of(cosines, options.like_words);
  std::vector<double> p_values;
  p_values.reserve(scores.size());
  for (const double score : scores) p_values.push_back(std::erfc(-score / std::sqrt(2.0)) / 2);
  const std::vector<double> rates = false_discovery_rates(p_values);
  drift.significant = static_cast<std::size_t>(
      std::ranges::count_if(rates, [&](double rate) { return rate <= options.false_discoveries; }));

  std::vector<std::size_t> order(cosines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::pair(p_values[i], cosines[i]); });
  if (options.count != 0) order.resize(std::min(order.size(), options.count));
  for (const std::size_t i : order)
    drift.words.push_back({.word = std::string(older.vocabulary()[shared.old_ids[i]]),
                           .old_rank = shared.old_ids[i] + std::size_t{1},
                           .new_rank = shared.new_ids[i] + std::size_t{1},
                           .cosine = cosines[i],
                           .z = scores[i],
                           .p = p_values[i],
                           .q = rates[i],
                           .kept = 0,
                           .old_neighbors = {},
                           .new_neighbors = {}});
  name_neighbors(drift, shared, older, order, options.neighbors);
  return drift;
}

std::string to_json(const Drift& drift) {
  Json words = Json::array();
  for (const DriftedWord& word : drift.words)
    words.push_back({{"word", word.word},
                     {"old_rank", word.old_rank},
                     {"new_rank", word.new_rank},
                     {"cosine", rounded(word.cosine)},
                     {"z", rounded(word.z)},
                     {"p", word.p},
                     {"q", word.q},
                     {"kept", rounded(word.kept)},
                     {"old_neighbors", word.old_neighbors},
                     {"new_neighbors", word.new_neighbors}});
  const Json json = {{"shared", drift.shared},
                     {"rounds", drift.rounds},
                     {"trusted", rounded(drift.trusted)},
                     {"median_cosine", rounded(drift.median_cosine)},
                     {"significant", drift.significant},
                     {"words", std::move(words)}};
  return json.dump(2) + "\n";
}

}  // namespace wordbridge
