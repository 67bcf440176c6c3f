#include "search/sharded_search.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
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

Neighbors ShardedSearch::search(ConstMatrixView queries, std::size_t k) const {
  Neighbors own = own_->search(queries, k);
  return is_whole() ? own : merge_neighbors(own, k, *table_->communicator);
}

Neighbors ShardedSearch::search_above(ConstMatrixView queries, std::size_t k,
                                      std::span<const float> lower_bounds) const {
  return is_whole() ? own_->search_above(queries, k, lower_bounds) : search(queries, k);
}

namespace {

/// The own rows of the process of that rank, on all processes.
Matrix rows_of_rank(const ShardedRows& table, int rank) {
  std::string bytes;
  if (table.communicator->rank() == rank) {
    bytes.resize(table.own.rows() * table.own.cols() * sizeof(float));
    for (std::size_t i = 0; i < table.own.rows(); ++i)
      std::memcpy(bytes.data() + i * table.own.cols() * sizeof(float), table.own.row(i).data(),
                  table.own.cols() * sizeof(float));
  }
  bytes = table.communicator->broadcast(std::move(bytes), rank);
  Matrix rows = Matrix::uninitialized(bytes.size() / sizeof(float) / table.own.cols(), table.own.cols());
  if (!bytes.empty()) std::memcpy(rows.data(), bytes.data(), bytes.size());
  return rows;
}

/// Lists of the nearest rows, one for each of some rows, from parts that hold these for some candidates each.
class NeighborMerge {
 public:
  NeighborMerge(std::size_t rows, std::size_t k) : lists_(rows, TopK<float>(k)) {}

  /// Lists whose ids are the places of candidates on the process that `shards` is about.
  void add(const Neighbors& part, const RowShards& shards) {
    for (std::size_t i = 0; i < part.queries; ++i)
      for (std::size_t j = 0; j < part.found; ++j)
        lists_[i].offer(part.scores_of(i)[j], static_cast<std::uint32_t>(shards.number(part.ids_of(i)[j])));
  }
  std::vector<ScoredRow> take() {
    std::vector<ScoredRow> all;
    for (TopK<float>& list : lists_)
      for (const ScoredRow& row : list.take_sorted()) all.push_back(row);
    return all;
  }

 private:
  std::vector<TopK<float>> lists_;
};

/// The lists of the rows of all processes, by number, from those of the own rows of each; all lists are equally long.
Neighbors neighbors_of_all(const ShardedRows& table, std::vector<ScoredRow> own) {
  const auto parts = table.exchange(std::move(own));
  Neighbors result;
  result.queries = table.rows;
  std::size_t listed = 0;
  for (const auto& part : parts) listed += part.size();
  result.found = table.rows == 0 ? 0 : listed / table.rows;
  result.ids.resize(table.rows * result.found);
  result.scores.resize(result.ids.size());
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const RowShards shards(static_cast<int>(rank), static_cast<int>(parts.size()));
    for (std::size_t i = 0; i < parts[rank].size(); ++i) {
      const std::size_t to = shards.number(i / result.found) * result.found + i % result.found;
      result.ids[to] = parts[rank][i].id;
      result.scores[to] = parts[rank][i].score;
    }
  }
  return result;
}

}  // namespace

TwoSidedNeighbors two_sided_search(const ShardedRows& source, const ShardedRows& target, std::size_t k,
                                   const TwoSidedNeighbors* before) {
  if (source.is_whole()) return two_sided_search(source.own, target.own, k, kernels(), before);
  Communicator& communicator = *source.communicator;
  NeighborMerge of_source(source.own.rows(), k);
  std::vector<ScoredRow> of_target;  // of the own target rows
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const Matrix block = rows_of_rank(target, rank);
    const TwoSidedNeighbors found = two_sided_search(source.own, block, k);
    of_source.add(found.of_source, RowShards(rank, communicator.size()));
    std::vector<ScoredRow> mine(found.of_target.ids.size());
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = {found.of_target.scores[i], found.of_target.ids[i]};
    const auto parts = communicator.all_gather_values<ScoredRow>(mine);
    if (communicator.rank() != rank) continue;
    NeighborMerge merged(block.rows(), k);
    for (std::size_t from = 0; from < parts.size(); ++from) {
      Neighbors part;
      part.queries = block.rows();
      part.found = block.rows() == 0 ? 0 : parts[from].size() / block.rows();
      for (const ScoredRow& row : parts[from]) {
        part.ids.push_back(row.id);
        part.scores.push_back(row.score);
      }
      merged.add(part, RowShards(static_cast<int>(from), communicator.size()));
    }
    of_target = merged.take();
  }
  return {neighbors_of_all(source, of_source.take()), neighbors_of_all(target, std::move(of_target))};
}

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
