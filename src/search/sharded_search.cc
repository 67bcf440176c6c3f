#include "search/sharded_search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "search/top_k.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesOfTask = 256;

}  // namespace

Neighbors merge_neighbors(const Neighbors& own, std::size_t k, Communicator& communicator) {
  const RowShards shards(communicator);
  std::vector<ScoredRow> mine(own.ids.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    mine[i] = {own.scores[i], own.ids[i] == MovingSearch::kNoRow
                                  ? MovingSearch::kNoRow
                                  : static_cast<std::uint32_t>(shards.number(own.ids[i]))};
  const auto all = communicator.all_gather_values<ScoredRow>(mine);

  Neighbors result;
  result.queries = own.queries;
  if (own.queries == 0) return result;
  std::size_t offered = 0;  // to each query
  for (const auto& part : all) offered += part.size() / own.queries;
  result.found = std::min(k, offered);
  result.ids.resize(result.queries * result.found);
  result.scores.resize(result.ids.size());
  ThreadPool::current().for_chunks(own.queries, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<ScoredRow> rows;
    for (std::size_t query = begin; query < end; ++query) {
      rows.clear();
      for (const auto& part : all) {
        const std::size_t found = part.size() / own.queries;
        rows.insert(rows.end(), part.begin() + static_cast<std::ptrdiff_t>(query * found),
                    part.begin() + static_cast<std::ptrdiff_t>((query + 1) * found));
      }
      std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(result.found), rows.end(),
                        [](const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); });
      for (std::size_t i = 0; i < result.found; ++i) {
        result.ids[query * result.found + i] = rows[i].id;
        result.scores[query * result.found + i] = rows[i].score;
      }
    }
  });
  return result;
}

namespace {

constexpr std::size_t kChunkQueries = 64;  // that a thread takes at a time

}  // namespace

ShardedMovingSearch::ShardedMovingSearch(std::unique_ptr<MovingSearch> own, const ShardedRows& table)
    : own_(std::move(own)), table_(table), places_(table.rows, kNoRow), rows_(0, table.own.cols()) {}

Neighbors ShardedMovingSearch::search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) {
  const std::vector<float> least = floors(queries, slots, k);
  Neighbors result = merge_neighbors(own_->search_above(queries, slots, k, least), k, *table_.communicator);
  remember(slots, result);
  hold(result.ids);
  return result;
}

/// The least score now of the neighbors of the last call; minus infinity where these were fewer than k, or are not here
/// any more.
std::vector<float> ShardedMovingSearch::floors(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                                               std::size_t k) const {
  std::vector<float> result(queries.rows(), -std::numeric_limits<float>::infinity());
  ThreadPool::current().for_chunks(queries.rows(), kChunkQueries, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      if (slots[i] >= neighbors_.size() || neighbors_[slots[i]].size() < k) continue;
      const auto before = std::span(neighbors_[slots[i]]).first(k);
      if (std::ranges::any_of(before, [&](std::uint32_t id) { return places_[id] == kNoRow; })) continue;
      float least = std::numeric_limits<float>::infinity();
      for (const std::uint32_t id : before)
        least = std::min(least, kernels().score->exact_score(queries.row(i).data(), row(id).data(), queries.cols()));
      result[i] = least;
    }
  });
  return result;
}

void ShardedMovingSearch::remember(std::span<const std::uint32_t> slots, const Neighbors& found) {
  if (!slots.empty() && neighbors_.size() <= slots.back()) neighbors_.resize(slots.back() + 1);
  for (std::size_t i = 0; i < slots.size(); ++i)
    neighbors_[slots[i]].assign(found.ids_of(i).begin(), found.ids_of(i).end());
}

/// Fetches those of the rows that are not here, and lets go of all others.
void ShardedMovingSearch::hold(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<std::uint32_t> missing, unwanted;
  std::ranges::set_difference(ids, held_, std::back_inserter(missing));
  std::ranges::set_difference(held_, ids, std::back_inserter(unwanted));
  const Matrix fetched = table_.gather(missing);
  for (const std::uint32_t id : unwanted) free_.push_back(std::exchange(places_[id], kNoRow));
  if (ids.size() > rows_.rows()) grow(ids.size());
  for (std::size_t i = 0; i < missing.size(); ++i) {
    places_[missing[i]] = free_.back();
    free_.pop_back();
    std::ranges::copy(fetched.row(i), rows_.row(places_[missing[i]]).begin());
  }
  held_ = std::move(ids);
}

void ShardedMovingSearch::grow(std::size_t rows) {
  Matrix larger = Matrix::uninitialized(rows, dimension());
  std::ranges::copy(rows_.elements(), larger.data());
  for (std::size_t place = rows_.rows(); place < rows; ++place) free_.push_back(static_cast<std::uint32_t>(place));
  rows_ = std::move(larger);
}

}  // namespace wordbridge
