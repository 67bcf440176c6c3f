#include "search/warm_start/warm_start_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Queries whose open blocks are filtered together: enough to fill the tiles of a kernel.
constexpr std::size_t kQueriesTogether = 1024;
/// Queries of a scan of the whole table, by how many there are. With fewer, reading the table takes too long.
constexpr std::size_t kLeastScan = 64, kMostScan = 256, kScans = 32;
/// Queries whose bounds are moved together.
constexpr std::size_t kMovesTogether = 128;
/// Queries by whose moves the directions of the drift are found, and the least number for which that pays: projecting
/// the table costs as much as some dozens of scans.
constexpr std::size_t kSampledMoves = 256, kQueriesWorthADrift = 128;
/// Blocks that are filtered first where more than a share of them is open.
constexpr std::size_t kFirstBlocks = 32;
constexpr double kManyOpen = 0.15;
/// A query with a larger share of open blocks is scanned.
constexpr double kMostOpen = 0.8;

}  // namespace

WarmStartSearch::WarmStartSearch(const Int8Search& search, std::size_t parts)
    : search_(search), parts_(parts), slots_(table().cols(), codes().has_blocks() ? codes().blocks() : 0) {
  if (!codes().has_blocks()) return;
  measures_.emplace(search.table());
  for (std::uint32_t row = 0; row < codes().rows(); ++row) ids_.push_back(codes().id_of(row));
}

Neighbors WarmStartSearch::search_above(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k,
                                        std::span<const float> floors) {
  if (queries.cols() != table().cols()) throw UsageError("queries and table differ in dimension");
  if (queries.rows() != slots.size()) throw UsageError("queries and slots differ in number");
  assert(std::adjacent_find(slots.begin(), slots.end(), std::greater_equal<>()) == slots.end());
  Call call;
  call.queries = queries;
  call.slots = slots;
  Neighbors& result = call.result;
  result.queries = queries.rows();
  result.found = std::min(k, codes().rows());
  saved_scans_ = 0;
  if (result.queries == 0 || result.found == 0) return std::move(result);
  result.ids.resize(result.queries * result.found, kNoRow);
  result.scores.resize(result.queries * result.found, -kInfinity);
  call.filtered.resize(queries.rows());
  slots_.grow(slots.back() + 1);

  find_lower_bounds(call, floors);
  find_drift(call);
  std::vector<std::size_t> known, others;
  for (std::size_t i = 0; i < slots.size(); ++i)
    (slots_[slots[i]].bounds.known() && call.extents ? known : others).push_back(i);
  const std::vector<std::size_t> open = filter_open_blocks(call, known);
  others.insert(others.end(), open.begin(), open.end());
  const std::size_t block = std::min(std::clamp((others.size() + kScans - 1) / kScans, kLeastScan, kMostScan),
                                     Int8Scan::most_queries(result.found));
  ThreadPool::current().for_chunks(others.size(), block, [&](std::size_t begin, std::size_t end, int) {
    scan_all(call, std::span(others).subspan(begin, end - begin));
  });
  const std::uint64_t filtered = std::accumulate(call.filtered.begin(), call.filtered.end(), std::uint64_t{0});
  saved_scans_ = (queries.rows() * codes().blocks() - filtered) / codes().blocks();
  return std::move(result);
}

void WarmStartSearch::take_over(const MovingSearch& other, std::span<const std::uint32_t> slots, bool moved) {
  const auto* warm = dynamic_cast<const WarmStartSearch*>(&other);
  if (warm == nullptr || &warm->search_ != &search_) return;
  slots_.clear();
  slots_.grow(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (slots[i] < warm->slots_.size()) slots_.copy(i, warm->slots_[slots[i]], moved);
}

/// By the previous neighbors: k different rows.
void WarmStartSearch::find_lower_bounds(Call& call, std::span<const float> floors) const {
  call.lower_bounds.assign(call.slots.size(), -kInfinity);
  ThreadPool::current().for_chunks(call.slots.size(), kMovesTogether, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::vector<std::uint32_t>& best = slots_[call.slots[i]].best;
      float least = best.size() < call.result.found ? -kInfinity : kInfinity;
      for (std::size_t j = 0; j < call.result.found && j < best.size(); ++j)
        least = std::min(least, exact_score(call.queries.row(i).data(), table().row(best[j]).data(), table().cols()));
      call.lower_bounds[i] = floors.empty() ? least : std::max(least, floors[i]);
    }
  });
}

/// The directions in which the queries have moved, and how far the rows reach along them. Nothing where no query has
/// bounds.
void WarmStartSearch::find_drift(Call& call) const {
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < call.slots.size(); ++i)
    if (slots_[call.slots[i]].bounds.known()) known.push_back(i);
  if (known.empty()) return;
  if (known.size() >= kQueriesWorthADrift) {
    MatrixD moves = MatrixD::uninitialized(std::min(kSampledMoves, known.size()), call.queries.cols());
    for (std::size_t s = 0; s < moves.rows(); ++s) {
      const std::size_t i = known[s * known.size() / moves.rows()];
      const float *query = call.queries.row(i).data(), *before = slots_[call.slots[i]].query.data();
      for (std::size_t j = 0; j < moves.cols(); ++j) moves(s, j) = double{query[j]} - double{before[j]};
    }
    call.directions = principal_drift(moves, kMostDirections);
    if (!measures_->can_be_projected(call.directions)) call.directions = {};
  }
  call.extents.emplace(table(), ids_, codes().block_rows(), *measures_, call.directions);
}

/// Answers the queries of which few enough blocks are open, and returns the others.
std::vector<std::size_t> WarmStartSearch::filter_open_blocks(Call& call, std::span<const std::size_t> known) {
  const auto most = static_cast<std::size_t>(kMostOpen * static_cast<double>(codes().blocks()));
  const std::size_t chunk = std::min(kQueriesTogether, Int8Scan::most_queries(call.result.found));
  std::vector<std::vector<std::size_t>> scanned((known.size() + chunk - 1) / chunk);
  ThreadPool::current().for_chunks(known.size(), chunk, [&](std::size_t begin, std::size_t end, int) {
    std::vector<std::vector<OpenBlock>> open(end - begin), few;
    const auto some = known.subspan(begin, end - begin);
    for (std::size_t first = 0; first < some.size(); first += kMovesTogether) {
      Context::poll();
      const std::size_t count = std::min(kMovesTogether, some.size() - first);
      move_bounds(call, some.subspan(first, count), std::span(open).subspan(first, count));
    }
    std::vector<std::size_t> filtered;
    for (std::size_t i = 0; i < some.size(); ++i)
      if (open[i].size() > most) {
        scanned[begin / chunk].push_back(some[i]);
      } else {
        filtered.push_back(some[i]);
        few.push_back(std::move(open[i]));
      }
    if (!filtered.empty()) filter_blocks(call, filtered, few);
  });
  std::vector<std::size_t> result;
  for (const auto& part : scanned) result.insert(result.end(), part.begin(), part.end());
  return result;
}

/// Makes the bounds of some slots those of their queries now, and finds the blocks that are open. From then on the slot
/// knows the query, so that it is in order whenever the work is cancelled.
void WarmStartSearch::move_bounds(Call& call, std::span<const std::size_t> some,
                                  std::span<std::vector<OpenBlock>> open) {
  const std::size_t blocks = codes().blocks(), d = table().cols();
  Matrix before = Matrix::uninitialized(some.size(), d);
  const Matrix now = gather_rows(call.queries, some);
  std::vector<double> scores(some.size()), slacks(some.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    std::ranges::copy(slots_[call.slots[some[i]]].query, before.row(i).data());
    scores[i] = std::max(double{call.lower_bounds[some[i]]}, -kLargestScore);
  }
  std::vector<DriftMove> moves(some.size());
  drift_moves(*measures_, call.directions, now, before, scores, moves);
  Matrix bounds = Matrix::uninitialized(some.size(), blocks);
  call.extents->gains(moves, bounds, slacks);
  std::vector<std::uint32_t> passed(blocks);
  const ScoreKernel& kernel = *codes().kernels().score;
  for (std::size_t i = 0; i < some.size(); ++i) {
    QuerySlot& slot = slots_[call.slots[some[i]]];
    const float threshold = call.lower_bounds[some[i]], scale = largest_score(now.row(i));
    std::span<float> own = bounds.row(i);
    if (moves[i].valid && BlockBounds::can_be(threshold, scale)) {
      slot.bounds.move(moves[i].alpha, moves[i].slack + slacks[i], threshold, scale, kernel, own);
      std::ranges::copy(now.row(i), slot.query.begin());
    } else {
      slot.bounds.forget();
      std::ranges::fill(own, kInfinity);
    }
    const std::size_t count = kernel.select_not_below(own.data(), blocks, threshold, passed.data());
    open[i].reserve(count);
    for (std::size_t b = 0; b < count; ++b) open[i].push_back({passed[b], own[passed[b]]});
  }
}

/// At least the largest score that a query can have, nearly.
float WarmStartSearch::largest_score(std::span<const float> query) const {
  return static_cast<float>(norm_above(query.data(), query.size()) * measures_->largest_norm);
}

void WarmStartSearch::filter_blocks(Call& call, std::span<const std::size_t> some,
                                    std::span<std::vector<OpenBlock>> open) {
  const Matrix gathered = gather_rows(call.queries, some);
  Int8Scan scan(codes(), gathered, call.result.found, parts_, 1);
  std::vector<std::vector<OpenBlock>> first(some.size());
  const std::size_t many =
      std::max(2 * kFirstBlocks, static_cast<std::size_t>(kManyOpen * static_cast<double>(codes().blocks())));
  bool any = false;
  for (std::size_t i = 0; i < some.size(); ++i) {
    scan.raise_lower_bound(i, call.lower_bounds[some[i]]);
    if (open[i].size() <= many) continue;
    const auto middle = open[i].begin() + kFirstBlocks;
    std::nth_element(open[i].begin(), middle, open[i].end(),
                     [](const OpenBlock& a, const OpenBlock& b) { return a.bound > b.bound; });
    first[i].assign(open[i].begin(), middle);
    open[i].erase(open[i].begin(), middle);
    any = true;
  }
  if (any) {
    filter_pairs(call, some, first, scan);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (first[i].empty()) continue;
      scan.refine_now(i);
      std::erase_if(open[i], [least = scan.lower_bound(i)](const OpenBlock& one) { return double{one.bound} < least; });
    }
  }
  filter_pairs(call, some, open, scan);
  for (std::size_t i = 0; i < some.size(); ++i) keep_answer(call, some[i], scan.take_top_k(i));
}

/// Filters blocks for the queries that want them, block after block.
void WarmStartSearch::filter_pairs(Call& call, std::span<const std::size_t> some,
                                   std::span<const std::vector<OpenBlock>> open, Int8Scan& scan) {
  std::vector<std::size_t> starts(codes().blocks() + 1);
  for (const auto& blocks : open)
    for (const OpenBlock& one : blocks) ++starts[one.block + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> queries(starts.back());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::uint32_t i = 0; i < open.size(); ++i) {
    call.filtered[some[i]] += open[i].size();
    for (const OpenBlock& one : open[i]) queries[next[one.block]++] = i;
  }
  std::vector<float> bounds(some.size());
  std::vector<BlockBounds*> bounds_of;
  for (const std::size_t i : some) bounds_of.push_back(&slots_[call.slots[i]].bounds);
  for (std::uint32_t block = 0; block < codes().blocks(); ++block) {
    const auto wanted = std::span(queries).subspan(starts[block], starts[block + 1] - starts[block]);
    if (wanted.empty()) continue;
    Context::poll();
    scan.filter_block(block, wanted, std::span(bounds).first(wanted.size()));
    for (std::size_t w = 0; w < wanted.size(); ++w)
      if (bounds_of[wanted[w]]->known()) bounds_of[wanted[w]]->set(block, bounds[w]);
  }
}

void WarmStartSearch::scan_all(Call& call, std::span<const std::size_t> some) {
  const Matrix gathered = gather_rows(call.queries, some);
  Int8Scan scan(codes(), gathered, call.result.found, parts_);
  for (std::size_t i = 0; i < some.size(); ++i) scan.raise_lower_bound(i, call.lower_bounds[some[i]]);
  if (codes().has_blocks()) scan.keep_block_bounds();
  scan.filter(0, codes().panels());
  for (std::size_t i = 0; i < some.size(); ++i) {
    keep_answer(call, some[i], scan.take_top_k(i));
    call.filtered[some[i]] += codes().blocks();
    if (codes().has_blocks()) keep_bounds(call, some[i], scan, i);
  }
}

/// The bounds of query i, which is at a place of its own in the scan.
void WarmStartSearch::keep_bounds(const Call& call, std::size_t i, const Int8Scan& scan, std::size_t place) {
  QuerySlot& slot = slots_[call.slots[i]];
  slot.bounds.forget();
  const std::span<const float> query = call.queries.row(i);
  const float top = std::max(call.result.scores_of(i).back(), call.lower_bounds[i]), scale = largest_score(query);
  if (!scan.has_bounds(place) || !BlockBounds::can_be(top, scale)) return;
  std::vector<float> bounds(codes().blocks());
  scan.copy_block_bounds(place, bounds);
  slot.bounds.assign(bounds, top, scale);
  std::ranges::copy(query, slot.query.begin());
}

void WarmStartSearch::keep_answer(Call& call, std::size_t i, TopK<float> best) {
  const std::vector<ScoredRow> sorted = best.take_sorted();
  std::vector<std::uint32_t>& ids = slots_[call.slots[i]].best;
  ids.resize(sorted.size());
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    ids[j] = call.result.ids[i * call.result.found + j] = sorted[j].id;
    call.result.scores[i * call.result.found + j] = sorted[j].score;
  }
}

}  // namespace wordbridge
