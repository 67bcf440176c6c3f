#include "retrieval/dense_criteria_test_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "search/neighbor_search.h"

namespace wordbridge {

namespace {

std::vector<WordId> nonzero_rows(ConstMatrixView table) {
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto row = table.row(i);
    if (std::any_of(row.begin(), row.end(), [](float value) { return value != 0; }))
      ids.push_back(static_cast<WordId>(i));
  }
  return ids;
}

double cosine(ConstMatrixView a, std::size_t i, ConstMatrixView b, std::size_t j) {
  return exact_score(a.row(i).data(), b.row(j).data(), a.cols());
}

/// Mean cosine of each row to its nearest rows of `others`.
std::vector<double> neighborhood_means(ConstMatrixView rows, ConstMatrixView others, std::size_t neighbors) {
  const std::vector<WordId> ids = nonzero_rows(others);
  std::vector<double> means(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::vector<double> cosines;
    for (const WordId j : ids) cosines.push_back(cosine(rows, i, others, j));
    std::sort(cosines.begin(), cosines.end(), std::greater<>());
    cosines.resize(std::min(neighbors, cosines.size()));
    double sum = 0;
    for (const double value : cosines) sum += value;
    means[i] = cosines.empty() ? 0 : sum / static_cast<double>(cosines.size());
  }
  return means;
}

Candidates sort_all(std::size_t queries, const std::vector<WordId>& targets, std::size_t count,
                    const std::function<double(std::size_t, WordId)>& score) {
  Candidates result;
  result.queries = queries;
  result.found = std::min(count, targets.size());
  for (std::size_t query = 0; query < queries; ++query) {
    std::vector<std::pair<double, WordId>> all;
    for (const WordId target : targets) all.emplace_back(-score(query, target), target);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < result.found; ++i) {
      result.targets.push_back(all[i].second);
      result.scores.push_back(-all[i].first);
    }
  }
  return result;
}

}  // namespace

Candidates dense_nearest(ConstMatrixView queries, ConstMatrixView targets, std::size_t count) {
  return sort_all(queries.rows(), nonzero_rows(targets), count,
                  [&](std::size_t query, WordId target) { return cosine(queries, query, targets, target); });
}

Candidates dense_csls(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t neighbors,
                      std::size_t count) {
  const std::vector<double> query_means = neighborhood_means(queries, targets, neighbors);
  const std::vector<double> target_means = neighborhood_means(targets, sources, neighbors);
  return sort_all(queries.rows(), nonzero_rows(targets), count, [&](std::size_t query, WordId target) {
    return 2 * cosine(queries, query, targets, target) - (query_means[query] + target_means[target]);
  });
}

Candidates dense_inverted_softmax(ConstMatrixView queries, ConstMatrixView targets, double beta,
                                  const std::vector<double>& log_normalizers, std::size_t count) {
  return sort_all(queries.rows(), nonzero_rows(targets), count, [&](std::size_t query, WordId target) {
    return beta * cosine(queries, query, targets, target) - (0.0 + log_normalizers[target]);
  });
}

SoftmaxSums dense_softmax_sums(ConstMatrixView sources, ConstMatrixView targets, double beta) {
  SoftmaxSums sums;
  const std::vector<WordId> words = nonzero_rows(sources);
  for (std::size_t y = 0; y < targets.rows(); ++y) {
    double largest = -INFINITY, weights = 0, products = 0;
    for (const WordId x : words) largest = std::max(largest, beta * cosine(sources, x, targets, y));
    for (const WordId x : words) {
      const double weight = std::exp(beta * cosine(sources, x, targets, y) - largest);
      weights += weight;
      products += weight * cosine(sources, x, targets, y);
    }
    sums.logs.push_back(words.empty() ? 0 : largest + std::log(weights));
    sums.means.push_back(words.empty() ? 0 : products / weights);
  }
  return sums;
}

Candidates dense_globally_corrected(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets,
                                    std::size_t count) {
  std::vector<std::vector<double>> cosines(targets.rows());  // of the source words with each target, ascending
  const std::vector<WordId> words = nonzero_rows(sources);
  for (const WordId target : nonzero_rows(targets)) {
    for (const WordId source : words) cosines[target].push_back(cosine(sources, source, targets, target));
    std::ranges::sort(cosines[target]);
  }
  return sort_all(queries.rows(), nonzero_rows(targets), count, [&](std::size_t query, WordId target) {
    const double own = cosine(queries, query, targets, target);
    const auto nearer = cosines[target].end() - std::ranges::upper_bound(cosines[target], own);
    return (own - 1) / 2 - static_cast<double>(nearer);
  });
}

std::string difference(const Candidates& expected, const Candidates& actual) {
  if (expected.queries != actual.queries || expected.found != actual.found)
    return fmt::format("{} x {} wanted, {} x {} found", expected.queries, expected.found, actual.queries, actual.found);
  if (actual.targets.size() != actual.queries * actual.found || actual.scores.size() != actual.targets.size())
    return "the shape does not fit the content";
  for (std::size_t i = 0; i < expected.targets.size(); ++i)
    if (expected.targets[i] != actual.targets[i] || expected.scores[i] != actual.scores[i])
      return fmt::format("query {} rank {}: {} ({:a}) wanted, {} ({:a}) found", i / expected.found, i % expected.found,
                         expected.targets[i], expected.scores[i], actual.targets[i], actual.scores[i]);
  return {};
}

}  // namespace wordbridge
