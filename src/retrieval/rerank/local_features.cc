#include "retrieval/rerank/local_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "space/common_space_state.h"

namespace wordbridge {

namespace {

struct Kernel {
  double temperature;
  std::size_t count;
};
constexpr std::array<Kernel, 3> kKernels = {{{0.2, 100}, {0.1, 40}, {0.05, 20}}};
constexpr std::size_t kMostNeighbors = 101;  // that are looked at: one of them may be the word itself
constexpr double kLeastLength = 1e-6;
constexpr std::size_t kRegression = 1;  // the kernel of the regression
constexpr std::array<std::string_view, 8> kLocalNames = {"local wide",        "local wide half", "local middle",
                                                         "local middle half", "local narrow",    "local narrow half",
                                                         "kernel regression", "lexicon target"};

double length_of(std::span<const float> vector) {
  return std::sqrt(static_cast<double>(exact_score(vector.data(), vector.data(), vector.size())));
}

}  // namespace

/// The mean residual and the mean target of known pairs, in float, with the lengths that cosines are divided by.
struct LocalFeatures::Correction {
  std::vector<float> residual, target;
  double full_length = 1, half_length = 1, target_length = 1;
};

LocalFeatures::LocalFeatures(CommonSpace space, const Lexicon& known)
    : space_(std::move(space)),
      known_(known, space_.size(Side::target)),
      sources_(space_.state().rows(Side::source).gather(known_.words())),
      mean_targets_(known_.words().size(), space_.dimension()),
      search_(std::make_unique<TableSearch>(sources_)) {
  std::vector<double> sum(space_.dimension());
  for (std::size_t place = 0; place < known_.words().size(); ++place) {
    const auto targets = known_.targets_of(place);
    std::ranges::fill(sum, 0);
    for (const WordId target : targets) {
      const auto row = space_.state().rows(Side::target)[target];
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += static_cast<double>(row[j]);
    }
    for (std::size_t j = 0; j < sum.size(); ++j)
      mean_targets_(place, j) = static_cast<float>(sum[j] / static_cast<double>(targets.size()));
  }
}

std::span<const std::string_view> LocalFeatures::names() const { return kLocalNames; }

void LocalFeatures::prepare(std::span<WordCandidates> words) const {
  Matrix queries = Matrix::uninitialized(words.size(), space_.dimension());
  for (std::size_t i = 0; i < words.size(); ++i) std::ranges::copy(words[i].vector, queries.row(i).begin());
  const Neighbors nearest = search_->search(queries, kMostNeighbors);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto ids = nearest.ids_of(i);
    const auto scores = nearest.scores_of(i);
    words[i].near_known = Neighbors{1, nearest.found, {ids.begin(), ids.end()}, {scores.begin(), scores.end()}};
  }
}

/// Without the word itself, nearest first.
std::vector<LocalFeatures::Neighbor> LocalFeatures::neighbors_of(const WordCandidates& word) const {
  const ConstMatrixView query(word.vector.data(), 1, word.vector.size());
  const Neighbors nearest = word.near_known ? *word.near_known : search_->search(query, kMostNeighbors);
  std::vector<Neighbor> result;
  for (std::size_t rank = 0; rank < nearest.found; ++rank)
    if (const std::size_t place = nearest.ids[rank]; known_.words()[place] != word.word.id)
      result.push_back({place, static_cast<double>(nearest.scores[rank])});
  return result;
}

namespace {

/// What each of the nearest neighbors counts.
std::vector<double> shares_of(std::span<const double> cosines, const Kernel& kernel) {
  std::vector<double> shares;
  double total = 0;
  for (const double cosine : cosines.first(std::min(kernel.count, cosines.size()))) {
    shares.push_back(std::exp((cosine - cosines.front()) / kernel.temperature));
    total += shares.back();
  }
  for (double& share : shares) share /= total;
  return shares;
}

/// to += share * row
void add(double share, std::span<const double> row, std::span<double> to) {
  for (std::size_t j = 0; j < row.size(); ++j) to[j] += share * row[j];
}

/// The length of q + share * e, never 0.
double moved_length(std::span<const float> q, std::span<const double> e, double share) {
  double square = 0;
  for (std::size_t j = 0; j < q.size(); ++j) {
    const double moved = static_cast<double>(q[j]) + e[j] * share;
    square += moved * moved;
  }
  return std::max(std::sqrt(square), kLeastLength);
}

}  // namespace

/// One for each kernel, in one pass over the neighbors; only that of the regression has a target.
std::vector<LocalFeatures::Correction> LocalFeatures::corrections(const WordCandidates& word,
                                                                  std::span<const Neighbor> neighbors) const {
  const std::size_t d = word.vector.size();
  std::vector<double> cosines, difference(d), target(d), mean_target(d);
  for (const Neighbor& neighbor : neighbors) cosines.push_back(neighbor.cosine);
  std::array<std::vector<double>, kKernels.size()> shares, residuals;
  for (std::size_t k = 0; k < kKernels.size(); ++k) {
    shares[k] = shares_of(cosines, kKernels[k]);
    residuals[k].resize(d);
  }
  for (std::size_t rank = 0; rank < shares.front().size(); ++rank) {
    const auto x = sources_.row(neighbors[rank].place), y = mean_targets_.row(neighbors[rank].place);
    for (std::size_t j = 0; j < d; ++j) {
      mean_target[j] = static_cast<double>(y[j]);
      difference[j] = mean_target[j] - static_cast<double>(x[j]);
    }
    for (std::size_t k = 0; k < kKernels.size(); ++k)
      if (rank < shares[k].size()) add(shares[k][rank], difference, residuals[k]);
    if (rank < shares[kRegression].size()) add(shares[kRegression][rank], mean_target, target);
  }
  std::vector<Correction> result;
  for (const auto& residual : residuals)
    result.push_back({{residual.begin(), residual.end()},
                      {},
                      moved_length(word.vector, residual, 1),
                      moved_length(word.vector, residual, 0.5),
                      1});
  Correction& regression = result[kRegression];
  regression.target.assign(target.begin(), target.end());
  regression.target_length = std::max(length_of(regression.target), kLeastLength);
  return result;
}

void LocalFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  const std::vector<Neighbor> neighbors = neighbors_of(word);
  const UnitRows& targets = space_.state().rows(Side::target);
  const std::size_t d = word.vector.size();
  const std::vector<Correction> locals = corrections(word, neighbors);
  for (std::size_t k = 0; k < kKernels.size(); ++k) {
    const Correction& local = locals[k];
    for (std::size_t i = 0; i < word.size(); ++i) {
      const float* target = targets[word.targets[i]].data();
      const auto moved = static_cast<double>(exact_score(local.residual.data(), target, d));
      values(i, 2 * k) = (word.cosines[i] + moved) / local.full_length;
      values(i, 2 * k + 1) = (word.cosines[i] + moved / 2) / local.half_length;
      if (k == kRegression)
        values(i, 2 * kKernels.size()) =
            static_cast<double>(exact_score(local.target.data(), target, d)) / local.target_length;
    }
  }
  for (std::size_t i = 0; i < word.size(); ++i)
    values(i, 2 * kKernels.size() + 1) =
        std::log1p(static_cast<double>(known_.others_with(word.targets[i], word.word.id)));
}

}  // namespace wordbridge
