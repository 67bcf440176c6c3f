#include "retrieval/rerank/listwise.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "parallel/thread_pool.h"
#include "retrieval/rerank/lbfgs.h"
#include "retrieval/rerank/log_sum_exp.h"

namespace wordbridge {

namespace {

constexpr std::size_t kExamplesOfTask = 64;

/// Value and gradient of one example, added to what is there.
double add_example(const RankingExample& example, std::span<const double> weights, std::span<double> gradient) {
  const std::vector<double> scores = scores_of(example.features, weights);
  std::vector<double> right_scores;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (example.right[i]) right_scores.push_back(scores[i]);
  const double all = log_sum_exp(scores), right = log_sum_exp(right_scores);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double slope = std::exp(scores[i] - all) - (example.right[i] ? std::exp(scores[i] - right) : 0);
    const auto row = example.features.row(i);
    for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += slope * row[j];
  }
  return all - right;
}

}  // namespace

bool RankingExample::is_useful() const {
  const auto count = std::ranges::count_if(right, [](std::uint8_t flag) { return flag != 0; });
  return count > 0 && static_cast<std::size_t>(count) < right.size();
}

std::vector<double> scores_of(ConstMatrixViewD features, std::span<const double> weights) {
  assert(features.cols() == weights.size());
  std::vector<double> scores(features.rows());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto row = features.row(i);
    for (std::size_t j = 0; j < weights.size(); ++j) scores[i] += weights[j] * row[j];
  }
  return scores;
}

ListwiseLoss::ListwiseLoss(std::span<const RankingExample* const> examples, ListwiseOptions options)
    : options_(std::move(options)) {
  for (const RankingExample* example : examples)
    if (example->is_useful()) examples_.push_back(example);
}

double ListwiseLoss::operator()(std::span<const double> weights, std::span<double> gradient) const {
  const std::size_t tasks = (examples_.size() + kExamplesOfTask - 1) / kExamplesOfTask;
  MatrixD partial(tasks, weights.size() + 1);  // gradients, then the value
  ThreadPool::current().for_chunks(examples_.size(), kExamplesOfTask, [&](std::size_t begin, std::size_t end, int) {
    const auto row = partial.row(begin / kExamplesOfTask);
    for (std::size_t i = begin; i < end; ++i)
      row.back() += add_example(*examples_[i], weights, row.first(weights.size()));
  });
  const double scale = examples_.empty() ? 0 : 1 / static_cast<double>(examples_.size());
  double value = 0;
  std::ranges::fill(gradient, 0);
  for (std::size_t task = 0; task < tasks; ++task) {
    value += scale * partial(task, weights.size());
    for (std::size_t j = 0; j < weights.size(); ++j) gradient[j] += scale * partial(task, j);
  }
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double distance = weights[j] - (options_.center.empty() ? 0 : options_.center[j]);
    value += options_.l2 * weights[j] * weights[j] + options_.center_weight * distance * distance;
    gradient[j] += 2 * options_.l2 * weights[j] + 2 * options_.center_weight * distance;
  }
  return value;
}

std::vector<double> fit_listwise(std::span<const RankingExample* const> examples, std::size_t features,
                                 const ListwiseOptions& options) {
  std::vector<double> start = options.center.empty() ? std::vector<double>(features) : options.center;
  if (std::ranges::none_of(examples, [](const RankingExample* example) { return example->is_useful(); })) return start;
  return minimize_lbfgs(ListwiseLoss(examples, options), std::move(start));
}

}  // namespace wordbridge
