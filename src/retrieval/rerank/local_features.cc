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

/// Without the word itself, nearest first.
std::vector<LocalFeatures::Neighbor> LocalFeatures::neighbors_of(const WordCandidates& word) const {
  const ConstMatrixView query(word.vector.data(), 1, word.vector.size());
  const Neighbors nearest = search_->search(query, kKernels.front().count + 1);
  std::vector<Neighbor> result;
  for (std::size_t rank = 0; rank < nearest.found; ++rank)
    if (const std::size_t place = nearest.ids[rank]; known_.words()[place] != word.word.id)
      result.push_back({place, static_cast<double>(nearest.scores[rank])});
  return result;
}

LocalFeatures::Correction LocalFeatures::correction(const WordCandidates& word, std::span<const Neighbor> neighbors,
                                                    double temperature) const {
  const std::size_t d = word.vector.size();
  std::vector<double> residual(d), target(d);
  double total = 0;
  for (const Neighbor& neighbor : neighbors)
    total += std::exp((neighbor.cosine - neighbors.front().cosine) / temperature);
  for (const Neighbor& neighbor : neighbors) {
    const double share = std::exp((neighbor.cosine - neighbors.front().cosine) / temperature) / total;
    const auto x = sources_.row(neighbor.place), y = mean_targets_.row(neighbor.place);
    for (std::size_t j = 0; j < d; ++j) {
      target[j] += share * static_cast<double>(y[j]);
      residual[j] += share * (static_cast<double>(y[j]) - static_cast<double>(x[j]));
    }
  }
  Correction result{{residual.begin(), residual.end()}, {target.begin(), target.end()}};
  double full = 0, half = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const auto q = static_cast<double>(word.vector[j]);
    full += (q + residual[j]) * (q + residual[j]);
    half += (q + residual[j] / 2) * (q + residual[j] / 2);
  }
  constexpr double kLeastLength = 1e-6;
  result.full_length = std::max(std::sqrt(full), kLeastLength);
  result.half_length = std::max(std::sqrt(half), kLeastLength);
  result.target_length = std::max(length_of(result.target), kLeastLength);
  return result;
}

void LocalFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  const std::vector<Neighbor> neighbors = neighbors_of(word);
  const UnitRows& targets = space_.state().rows(Side::target);
  const std::size_t d = word.vector.size();
  for (std::size_t k = 0; k < kKernels.size(); ++k) {
    const auto nearest = std::span(neighbors).first(std::min(kKernels[k].count, neighbors.size()));
    const Correction local = correction(word, nearest, kKernels[k].temperature);
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
