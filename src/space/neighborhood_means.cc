#include "space/neighborhood_means.h"

#include <algorithm>
#include <numeric>

#include "wordbridge/context.h"

namespace wordbridge {

namespace {

/// Rows gathered and searched at once: 5 MB at d = 300.
constexpr std::size_t kRowsAtOnce = 4096;

}  // namespace

double mean_score(std::span<const float> scores) {
  if (scores.empty()) return 0;
  double sum = 0;
  for (const float score : scores) sum += score;
  return sum / static_cast<double>(scores.size());
}

NeighborhoodMeans::NeighborhoodMeans(const ShardedRows& rows, const ShardedSearch& others, std::size_t k)
    : rows_(rows), others_(others), k_(k), means_(rows.rows), known_(rows.rows) {}

void NeighborhoodMeans::learn(std::vector<WordId> rows, std::span<const float> lower_bounds, const Learned& learned) {
  std::erase_if(rows, [&](WordId row) { return known(row); });
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  Stage stage("CSLS statistics");
  for (std::size_t begin = 0; begin < rows.size(); begin += kRowsAtOnce) {
    stage.update(begin, rows.size());
    const std::span<const WordId> batch(rows.data() + begin, std::min(kRowsAtOnce, rows.size() - begin));
    const Matrix queries = rows_.gather(batch);
    std::vector<float> known_bounds;
    if (!lower_bounds.empty())
      for (const WordId row : batch) known_bounds.push_back(lower_bounds[row]);
    const Neighbors neighbors =
        lower_bounds.empty() ? others_.search(queries, k_) : others_.search_above(queries, k_, known_bounds);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      means_[batch[i]] = mean_score(neighbors.scores_of(i));
      known_[batch[i]] = 1;
      if (!kept_.empty()) keep(batch[i], neighbors, i);
      if (learned) learned(batch[i], neighbors.ids_of(i));
    }
    known_count_ += batch.size();
  }
}

void NeighborhoodMeans::take_all(std::span<const double> means) {
  means_.assign(means.begin(), means.end());
  std::fill(known_.begin(), known_.end(), std::uint8_t{1});
  known_count_ = size();
}

void NeighborhoodMeans::keep_nearest() {
  if (kept_.empty()) kept_.assign(size(), kNotKept);
}

void NeighborhoodMeans::keep(WordId row, const Neighbors& neighbors, std::size_t query) {
  lists_.found = neighbors.found;
  kept_[row] = static_cast<std::uint32_t>(lists_.queries++);
  const auto ids = neighbors.ids_of(query);
  const auto scores = neighbors.scores_of(query);
  lists_.ids.insert(lists_.ids.end(), ids.begin(), ids.end());
  lists_.scores.insert(lists_.scores.end(), scores.begin(), scores.end());
}

Neighbors NeighborhoodMeans::nearest(std::span<const WordId> rows) {
  keep_nearest();
  learn({rows.begin(), rows.end()});
  std::vector<WordId> others;  // known from elsewhere
  for (const WordId row : rows)
    if (kept_[row] == kNotKept) others.push_back(row);
  for (std::size_t begin = 0; begin < others.size(); begin += kRowsAtOnce) {
    const std::span<const WordId> batch(others.data() + begin, std::min(kRowsAtOnce, others.size() - begin));
    const Neighbors found = others_.search(rows_.gather(batch), k_);
    for (std::size_t i = 0; i < batch.size(); ++i) keep(batch[i], found, i);
  }
  Neighbors result{rows.size(), lists_.found, {}, {}};
  for (const WordId row : rows) {
    const auto ids = lists_.ids_of(kept_[row]);
    const auto scores = lists_.scores_of(kept_[row]);
    result.ids.insert(result.ids.end(), ids.begin(), ids.end());
    result.scores.insert(result.scores.end(), scores.begin(), scores.end());
  }
  return result;
}

void NeighborhoodMeans::take_all(const NeighborLists& neighbors) {
  const std::size_t k = std::min(k_, neighbors.found);
  for (std::size_t row = 0; row < size(); ++row) means_[row] = mean_score(neighbors.scores_of(row).first(k));
  std::fill(known_.begin(), known_.end(), std::uint8_t{1});
  known_count_ = size();
}

void NeighborhoodMeans::learn_all() {
  if (known_count_ == size()) return;
  std::vector<WordId> rows(size());
  std::iota(rows.begin(), rows.end(), WordId{0});
  learn(std::move(rows));
}

}  // namespace wordbridge
